r"""A pattern for engines that apply it to the JSON text between the quotes, not to the string that it spells.

Some grammar engines read `pattern` so, and read it as `^...$` alone. The form made here fits exactly the shortest
JSON spellings of the strings in which the pattern has a match (control characters, where all are allowed, in the
long spelling too): a quote is `\"`, a line feed `\n`, U+0001 `\u0001`. A string with a lone surrogate has no
such spelling. The form uses what such converters take: texts, classes of plain ranges, `(?:...)`, `|`, and
counts. The syntax is also ECMA-262's, so the form can be tested with the matcher of this package.

Things about the converters that shape the form (all seen in their source and by asking them):

* an escaped character joins the text before it even where a count follows, so what is counted is a class, a group
  or one plain character, never `\.`;
* a repetition whose item may be empty is refused as left recursion: see `whole.productive`;
* a group that holds more than 2,000 steps and is repeated by a sign is refused; with a count in braces it is not.
"""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass

from toolglot.schemas.patterns.nodes import Alternation, CharSet, Node, Repeat, Sequence, Text, fold
from toolglot.schemas.patterns.reading import read
from toolglot.schemas.patterns.sets import LAST, Ranges, contains, difference, intersection, union
from toolglot.schemas.patterns.whole import one_character, productive, whole

COUNT = 1998  # the largest count that every build of these engines both compiles and enforces
LENGTH = 20_000  # characters of a form
STEPS = 20_000  # of the grammar that the engine makes of it
DEPTH = 90  # groups within groups; the engine stops at 100
FEW = 50  # steps of a group that a sign may repeat

SHORT = {0x22: '"', 0x5C: "\\\\", 0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t"}
CONTROLS: Ranges = ((0, 0x1F),)
RAW = difference(((0x20, LAST),), ((0x22, 0x22), (0x5C, 0x5C), (0xD800, 0xDFFF)))


def json_text_form(pattern: str, *, count: int = COUNT, length: int = LENGTH) -> str | None:
    r"""The pattern for the JSON text between the quotes; None where there is none, or it would be too large.

    None for look-around, back-references, `\b`, anchors in the middle, counts over `count`, a form of more than
    `length` characters, and a pattern that no string with a JSON spelling fits. PatternError where nobody can
    read it.
    """
    fitted = whole(read(pattern))
    if fitted is None or _largest_count(fitted) > count:
        return None
    tree = productive(fitted, length)
    if tree is None:
        return None
    form = fold(tree, _spell)
    if form.impossible or len(form.text) + 2 > length or form.steps > STEPS or form.depth > DEPTH:
        return None
    return f"^{form.text}$"


def _largest_count(tree: Node) -> int:
    def combine(node: Node, below: SequenceOf[int]) -> int:
        own = max(node.low, node.high or 0) if isinstance(node, Repeat) else 0
        return max(own, *below) if below else own

    return fold(tree, combine)


@dataclass(frozen=True, slots=True)
class _Form:
    """A node's part of the form.

    Attributes:
        text: the part itself.
        countable: it may be followed by a count as it stands.
        steps: how many rules an engine makes of it.
        depth: groups within groups.
        impossible: nothing fits.
    """

    text: str
    countable: bool = False
    steps: int = 0
    depth: int = 0
    impossible: bool = False


IMPOSSIBLE = _Form("", impossible=True)


def _spell(node: Node, below: SequenceOf[_Form]) -> _Form:
    match node:
        case Text(text):
            return _row([_set(((ord(letter), ord(letter)),)) for letter in text])
        case CharSet(ranges):
            return _set(ranges)
        case Sequence():
            return _row(below)
        case Alternation():
            return _either([form for form in below if not form.impossible])
        case Repeat(item, low, high):
            return _repeat(item, below[0], low, high)
        case _:
            return IMPOSSIBLE  # `whole` leaves no other node


def _row(forms: SequenceOf[_Form]) -> _Form:
    if any(form.impossible for form in forms):
        return IMPOSSIBLE
    if len(forms) == 1:
        return forms[0]
    text = "".join(form.text for form in forms)
    return _Form(text, False, sum(form.steps for form in forms), max((form.depth for form in forms), default=0))


def _either(forms: SequenceOf[_Form]) -> _Form:
    if not forms:
        return IMPOSSIBLE
    spoken = [form.text for form in forms if form.text]
    steps, depth = 1 + sum(form.steps for form in forms), 1 + max(form.depth for form in forms)
    if not spoken:
        return _Form("")
    if len(spoken) == len(forms) == 1:
        return forms[0]
    text = f"(?:{'|'.join(spoken)})"
    return _Form(text, True, steps, depth) if len(spoken) == len(forms) else _Form(f"{text}?", False, steps + 1, depth)


def _repeat(item: Node, form: _Form, low: int, high: int | None) -> _Form:
    if form.impossible:
        return _Form("") if low == 0 else IMPOSSIBLE
    if not form.text or high == 0:
        return _Form("")
    if low == high == 1:
        return form
    members = one_character(item)
    if form.countable or (members is not None and form.text.isalnum() and len(form.text) == 1):
        text, depth = form.text, form.depth
    elif members is not None and contains(RAW, members[0][0]) and members[0][0] == members[-1][1]:
        text, depth = _class(members), 0
    else:
        text, depth = f"(?:{form.text})", form.depth + 1
    braces = form.steps > FEW or (low, high) not in ((0, None), (1, None), (0, 1))
    own = 1 if high is None or not braces else high - low + 1
    return _Form(text + _count(low, high, braces), False, own + (0 if braces else form.steps), depth)


def _count(low: int, high: int | None, braces: bool) -> str:
    if not braces:
        return "?" if high == 1 else "+" if low else "*"
    if low == high:
        return f"{{{low}}}"
    return f"{{{low},{'' if high is None else high}}}"


def _set(ranges: Ranges) -> _Form:
    """One character of a set, as JSON spells it."""
    raw = intersection(ranges, RAW)
    options = []
    if raw:
        alone = raw[0][0] == raw[-1][1]
        options.append(_Form(_literal(raw[0][0])) if alone else _Form(_class(raw), countable=True))
    escapes = _escapes(ranges)
    if escapes:
        tail = escapes[0] if len(escapes) == 1 else f"(?:{'|'.join(escapes)})"
        options.append(_Form(r"\\" + tail, depth=1, steps=2))
    return _either(options)


def _escapes(ranges: Ranges) -> list[str]:
    """What may follow a backslash for the members that JSON spells with one."""
    short = [letter for code, letter in SHORT.items() if contains(ranges, code)]
    result = []
    if short:
        result.append(short[0] if len(short) == 1 else f"[{''.join(short)}]")
    if intersection(CONTROLS, ranges) == CONTROLS:
        return [*result, "u00[01][0-9a-fA-F]"]
    for row in (0, 1):
        long = [code % 16 for code in range(row * 16, row * 16 + 16) if contains(ranges, code) and code not in SHORT]
        if long:
            digits = union((ord(digit), ord(digit)) for code in long for digit in f"{code:x}{code:X}")
            result.append(
                f"u00{row}" + (str(long[0]) if digits == ((0x30 + long[0], 0x30 + long[0]),) else _class(digits))
            )
    return result


def _class(ranges: Ranges) -> str:
    shown = (_member(low) if low == high else f"{_member(low)}-{_member(high)}" for low, high in ranges)
    return f"[{''.join(shown)}]"


def _member(code: int) -> str:
    if chr(code) in "[]\\-":
        return "\\" + chr(code)
    return rf"\x{code:02X}" if code in (0x5E, 0x7F) else _beyond(code)


def _literal(code: int) -> str:
    if chr(code) in "^$.[]()|{}*+?":
        return "\\" + chr(code)
    return r"\x7F" if code == 0x7F else _beyond(code)


def _beyond(code: int) -> str:
    r"""ASCII as it is; the rest by number, above the BMP as it is: `\U` is no syntax of ECMA-262."""
    return chr(code) if code < 0x7F or code > 0xFFFF else rf"\u{code:04X}"
