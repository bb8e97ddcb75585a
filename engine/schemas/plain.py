"""Plain schemas, read in one pass: checked, marked for their dialect, and written in the normal form.

Most schemas have no names inside, no rare keyword and no fault, and refer to definitions of their own only.
`resources` and `reading` read every schema, in two passes after that of the detector; here the plain ones are read in
one, several times as fast. This way has no error and no meaning of its own: its rules are chosen by the keyword table
(`plain_table`), and what they do not know at sight is left to the general way, faults included. Tests hold both to the
same result.
"""

from __future__ import annotations

from types import MappingProxyType

from toolglot.errors import SchemaError
from toolglot.json_values import Json
from toolglot.schemas.copying import copied
from toolglot.schemas.detect import declared_dialect, weighed
from toolglot.schemas.forms import Detection, Normal, Schema
from toolglot.schemas.loops import refuse_loops
from toolglot.schemas.naming import POINTER, ROOT, Names, plain_name
from toolglot.schemas.places import SchemaResource
from toolglot.schemas.plain_rules import NotPlainError, Opened, Part, kept
from toolglot.schemas.plain_table import plain_rules
from toolglot.schemas.reading import Reading
from toolglot.schemas.trails import Trail, path_of
from toolglot.schemas.walk import Limits
from toolglot.tables.keywords import Mark, Vocabulary, vocabulary

# What a schema is taken for where nothing speaks against it, and so the dialect that is tried first.
_DEFAULT = "2020-12"
# How a schema is read, and what decided.
Told = tuple[Vocabulary, Detection]
_SCALARS = frozenset((str, int, float, bool, type(None)))


def plain_normal(schema: Json, told: Told | None, limits: Limits) -> Normal | None:
    """The normal form of a plain schema; None for any other, and for one with a fault.

    Args:
        schema: the schema.
        told: how it is read, and what decided; None where that has to be detected.
        limits: how deep and large it may be.
    """
    if type(schema) is not dict:
        return None
    try:
        if told is not None:
            return Walk(told[0], limits, is_told=True).read(schema).normal(told[1])
        declared = declared_dialect(schema)
        walk = Walk(vocabulary(declared or _DEFAULT), limits).read(schema)
        detection = weighed(schema, declared, walk.seen, _DEFAULT)
        if detection.dialect != (declared or _DEFAULT):
            walk = Walk(vocabulary(detection.dialect), limits).read(schema)
        return walk.normal(detection)
    except (NotPlainError, SchemaError):
        return None


class Leaf(Reading):
    """The reading of one keyword whose value holds no schemas."""

    __slots__ = ("limits",)

    def __init__(self, resource: SchemaResource, limits: Limits) -> None:
        self.resource, self.limits = resource, limits
        self.out = Schema()

    def copied(self, value: Json, *_: str | int) -> Json:
        """Data as it is, sharing nothing with the source."""
        if type(value) is list and _SCALARS.issuperset(map(type, value)):
            return value.copy()
        return copied(value, self.limits)


class Walk:
    """One schema on its way into the normal form.

    Attributes:
        seen: the marks of dialects, with the trail of the first schema that has each.
        definitions: the parts that references lead to, by the text of a reference.
        below: what the rules have found below the schema that is open.
        count: how many schemas were found, the root included.
        leaf: reads keywords that hold no schemas.
        is_told: whether the dialect was handed in, whatever the schema says.
        named: how long all names together are.
    """

    def __init__(self, how: Vocabulary, limits: Limits, *, is_told: bool = False) -> None:
        self._how = how
        self._rules = plain_rules(how)
        self._limits = limits
        self._root = Part(None)
        self.seen: dict[Mark, Trail | None] = {}
        self.definitions: dict[str, Part] = {"#": self._root}
        self.below: list[Opened] = []
        self.count = 1
        self.leaf = Leaf(self._rules.resource, limits)
        self.is_told = is_told
        self.named = 0
        self._has_names = False

    def read(self, schema: dict[str, Json]) -> Walk:
        """This walk, after it has been through the whole schema in the order of the text.

        Raises:
            NotPlainError: the schema is no plain one, has a fault, or is past the limits.
        """
        rules = self._rules
        alone, beside_ref, type_rule, type_names = rules.alone, rules.beside_ref, rules.type_rule, rules.type_names
        below = self.below
        stack: list[Opened] = [(schema, self._root.out, self._root, 1)]
        while stack:
            opened = stack.pop()
            source, out, _, _ = opened
            if type(source) is not dict:
                self._read_boolean(source, out)
                continue
            out |= source
            by_type, stranger = beside_ref if "$ref" in source else alone
            for keyword, value in source.items():
                rule = by_type[type(value)].get(keyword, stranger)
                # The two commonest cases are not worth a call.
                if rule is kept or (rule is type_rule and value in type_names):
                    continue
                rule(self, opened, keyword, value)
            if below:
                self.count_below(len(below), opened)
                below.reverse()
                stack += below
                below.clear()
        return self

    def count_below(self, schemas: int, opened: Opened) -> None:
        """Count what the schema that is open holds.

        Raises:
            NotPlainError: it is past the limits.
        """
        self.count += schemas
        if opened[3] >= self._limits.depth or self.count > self._limits.nodes:
            raise NotPlainError

    def note_name(self) -> None:
        """Note that something inside has a name, which a reference may mean.

        Raises:
            NotPlainError: in this dialect a name can be an error, whether or not it is used.
        """
        if self._how.dialect.twice_named == "refused" or self._how.dialect.anchors == "keyword":
            raise NotPlainError
        self._has_names = True

    def _read_boolean(self, source: Json, out: Schema) -> None:
        if type(source) is not bool or not self._how.dialect.boolean_schemas:
            raise NotPlainError
        if not source:
            out["not"] = Schema(None, out.trail)

    def normal(self, detection: Detection) -> Normal:
        """The normal form, with the definitions that references lead to.

        Raises:
            NotPlainError: a reference leads elsewhere.
            SchemaError: a reference leads back to itself.
        """
        definitions, reached = self._referred()
        refuse_loops(self._root.out, definitions)
        return Normal(
            root=self._root.out,
            definitions=MappingProxyType(definitions),
            detection=detection,
            asserts_formats=self._how.asserts_formats,
            integer_by_spelling=self._how.dialect.integer_by_spelling,
            unknown=tuple([(path_of(trail), keyword) for part in reached for trail, keyword in part.unknown]),
        )

    def _referred(self) -> tuple[dict[str, Schema], list[Part]]:
        """The definitions that references lead to, by the names that they then have, and the parts that are reached."""
        root = self._root
        definitions: dict[str, Schema] = {}
        reached = [root]
        if not root.references:
            return definitions, reached
        if self._has_names:
            raise NotPlainError
        names = Names()
        for part in reached:  # grows: what is reached refers to more
            for schema in part.references:
                target = self.definitions.get(schema["$ref"])
                if target is None:
                    raise NotPlainError
                if not target.name:
                    target.name = ROOT if target is root else names.free(plain_name(target.out.trail, ""))
                    definitions[target.name] = target.out
                    reached += [target] if target is not root else []
                schema["$ref"] = POINTER + target.name
        return definitions, reached
