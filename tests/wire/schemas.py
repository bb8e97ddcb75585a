"""Schemas made from a seed, and values that are likely to fit them: small, and full of what encodings find hard.

Made by a plain generator and not by hypothesis, since a law wants thousands of cases in a second.
"""

from random import Random

NAMES = [
    "a",
    "b",
    "key",
    "value",
    "other_keys",
    "rest",
    "0",
    "1",
    "",
    "a b",
    "ü",
    "a_b",
    "a_b_",
    "p1",
    "json",
    "entries",
]
SCALARS = [None, True, False, 0, 1, 1.5, -3, "", "a", "1", "null", "left out", "{}", "[1]", "0"]
TYPES = ["object", "array", "string", "integer", "number", "boolean", "null"]
DEFINITIONS = {
    "T": {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/T"}, "b": {"type": ["integer", "null"]}},
        "additionalProperties": False,
    },
    "U": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/U"}}]},
}
LEAVES = [
    {},
    True,
    False,
    {"type": "integer", "exclusiveMinimum": 0, "maximum": 3},
    {"type": ["string", "null"], "maxLength": 2},
    {"type": "string", "pattern": "^[a-z]*$"},
    {"$ref": "#/$defs/T"},
    {"$ref": "#/$defs/U"},
]


def schema_of(seed):
    """The schema of a seed."""
    random = Random(seed)
    schema = _schema(random, 3)
    return {**({"allOf": [schema]} if isinstance(schema, bool) else schema), "$defs": DEFINITIONS}


def value_of(random, depth=2):
    """Any value."""
    chance = random.random()
    if depth and chance < 0.15:
        return [value_of(random, depth - 1) for _ in range(random.randrange(4))]
    if depth and chance < 0.3:
        return {random.choice(NAMES): value_of(random, depth - 1) for _ in range(random.randrange(4))}
    return random.choice(SCALARS)


def _schema(random, depth):
    if depth == 0 or random.random() < 0.3:
        return _leaf(random)
    make = random.choice([_object, _object, _object, _array, _array, _union, _union, _beside])
    return make(random, depth - 1)


def _leaf(random):
    chance = random.random()
    if chance < 0.3:
        return {"type": random.choice(TYPES)}
    if chance < 0.45:
        return {"type": random.sample(TYPES, random.randrange(1, 5))}
    if chance < 0.65:
        return {"enum": [value_of(random) for _ in range(random.randrange(1, 4))]}
    return {"const": value_of(random)} if chance < 0.7 else random.choice(LEAVES)


def _object(random, depth):
    properties = {random.choice(NAMES): _schema(random, depth) for _ in range(random.randrange(4))}
    schema = {"type": "object", "properties": properties}
    if random.random() < 0.5:
        schema["required"] = random.sample([*properties, "extra"], random.randrange(len(properties) + 2))
    if random.random() < 0.5:
        schema["additionalProperties"] = random.random() < 0.3 and _schema(random, depth)
    if random.random() < 0.15:
        schema["patternProperties"] = {"^a": _schema(random, depth)}
    if random.random() < 0.15:
        schema["minProperties"] = 1
    if random.random() < 0.1:
        schema["dependentRequired"] = {"a": ["b"]}
    return schema


def _array(random, depth):
    schema = {"type": "array"}
    if random.random() < 0.5:
        schema["prefixItems"] = [_schema(random, depth) for _ in range(random.randrange(1, 4))]
    if random.random() < 0.5:
        schema["items"] = _schema(random, depth)
    if random.random() < 0.4:
        schema["minItems"] = random.randrange(4)
    if random.random() < 0.4:
        schema["maxItems"] = random.randrange(5)
    return schema


def _union(random, depth):
    word = random.choice(["anyOf", "anyOf", "oneOf", "allOf"])
    return {word: [_schema(random, depth) for _ in range(random.randrange(1, 4))]}


def _beside(random, depth):
    """Keywords that look at the same value as their neighbours."""
    schema = _object(random, depth)
    word = random.choice(["not", "if", "anyOf", "oneOf", "allOf", "propertyNames"])
    below = _schema(random, depth)
    schema[word] = [below, _schema(random, depth)] if word.endswith("Of") else below
    if word == "if":
        schema["then"] = _schema(random, depth)
    return schema


# Values ---------------------------------------------------------------------------------------------------------


def fitting(random, schema, definitions, depth=0):
    """A value that is likely to fit a schema."""
    if isinstance(schema, bool) or depth > 4:
        return random.choice(SCALARS)
    if "$ref" in schema:
        return fitting(random, definitions[schema["$ref"].rpartition("/")[2]], definitions, depth + 1)
    if "const" in schema or "enum" in schema:
        return random.choice(schema["enum"]) if "enum" in schema else schema["const"]
    if "type" not in schema or random.random() < 0.5:
        for keyword in ("anyOf", "oneOf", "allOf"):
            if keyword in schema:
                return fitting(random, random.choice(schema[keyword]), definitions, depth)
    named = schema.get("type", "any")
    name = random.choice(named) if isinstance(named, list) else named
    if name == "object":
        return _fitting_object(random, schema, definitions, depth)
    if name == "array":
        return _fitting_array(random, schema, definitions, depth)
    kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
    if name not in kinds:
        return value_of(random)
    fits = [value for value in SCALARS if isinstance(value, kinds[name])]
    return random.choice([value for value in fits if name == "boolean" or not isinstance(value, bool)])


def _fitting_array(random, schema, definitions, depth):
    positions, least = schema.get("prefixItems", []), schema.get("minItems", 0)
    length = random.randrange(least, max(least, min(schema.get("maxItems", 4), 4)) + 1)
    below = [positions[at] if at < len(positions) else schema.get("items", True) for at in range(length)]
    return [fitting(random, one, definitions, depth + 1) for one in below]


def _fitting_object(random, schema, definitions, depth):
    properties, required = schema.get("properties", {}), schema.get("required", [])
    others = schema.get("additionalProperties", True)
    value = {}
    for name in [*properties, *[name for name in required if name not in properties]]:
        if name in required or random.random() < 0.5:
            value[name] = fitting(random, properties.get(name, others), definitions, depth + 1)
    if others is not False and random.random() < 0.5:
        for name in random.sample(NAMES, 2):
            if name not in properties:
                value[name] = fitting(random, others, definitions, depth + 1)
    return value
