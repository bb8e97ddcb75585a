"""The verbs that say patterns, and lengths, in the words of an engine of its own kind.

A form is exact or there is none: a pattern without one leaves the wire, and the check alone holds it.
"""

from __future__ import annotations

from collections.abc import Callable

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.schemas.patterns import PatternError, json_text_form, unescaped_form
from toolglot.schemas.patterns.plain import plain_form
from toolglot.wire.conjunction import conjunction
from toolglot.wire.edited import Edited, Site
from toolglot.wire.shapes import with_keywords, without

FORMS: dict[str, Callable[[str], str | None]] = {
    "json-text": json_text_form,
    "plain": plain_form,
    "unescaped": unescaped_form,
}
Verb = Callable[[Schema, Json, Site], Edited]


def rewritten(node: Schema, options: Json, site: Site, *, otherwise: Verb) -> Edited:
    """The pattern in the form that the option names; taken off where it has none.

    Of `patternProperties` every key has to have one, or the node is edited `otherwise`.
    """
    keyword, form_of = options["keyword"], FORMS[options["as"]]
    if keyword == "pattern":
        form = _form(node["pattern"], form_of)
        if form is None:
            return Edited(without(node, "pattern"), (("pattern", node["pattern"]),))
        return Edited(with_keywords(node, {"pattern": form}))
    keys: dict[str, list[Schema]] = {}
    for pattern, said in node["patternProperties"].items():
        form = _form(pattern, form_of)
        if form is None:
            return otherwise(node, "patternProperties", site)
        keys.setdefault(form, []).append(said)
    joined = {form: conjunction(said, node.trail) for form, said in keys.items()}
    return Edited(with_keywords(node, {"patternProperties": joined}))


def _form(pattern: str, form_of: Callable[[str], str | None]) -> str | None:
    try:
        return form_of(pattern)
    except PatternError:
        return None


def lengths_as_pattern(node: Schema, options: Json, _site: Site) -> Edited:
    """The lengths as a pattern of that many characters of any kind; beside a pattern they are left to the check."""
    bounds = {key: int(node[key]) for key in options if key in node}
    bare = without(node, *bounds)
    if "pattern" in node:
        return Edited(bare, tuple(bounds.items()))
    least, most = bounds.get("minLength", 0), bounds.get("maxLength", "")
    return Edited(with_keywords(bare, {"pattern": rf"^[\s\S]{{{least},{most}}}$"}))
