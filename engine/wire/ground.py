"""What a verb or a fact may ask of its conversion: where it stands, what is declared, which names are free."""

from __future__ import annotations

from collections.abc import Callable

from toolglot.schemas.forms import Normal, Schema
from toolglot.tables.formats import has_format
from toolglot.wire.aliases import Alias
from toolglot.wire.describe import filled, outline, slots_are_described_from
from toolglot.wire.fitting import matches
from toolglot.wire.guards import Guard
from toolglot.wire.shapes import below, size
from toolglot.wire.writing import compact, in_order


class Spot:
    """Where nodes stand that are held by one keyword of one node.

    Attributes:
        depth: how many objects and arrays they stand in.
        keyword: the keyword that holds them.
        inlined: the definitions that stand in their own place above, innermost last.
        guards: what an edit here can break.
        place: the definition that they are part of; empty for the root.
        in_branch: whether they are part of what stands in a branch of a union, in this definition.
        holder: the node that holds them, once it is edited, and where it stands; None at the root and of a definition.
    """

    __slots__ = ("depth", "guards", "holder", "in_branch", "inlined", "keyword", "place")

    def __init__(  # noqa: PLR0913, PLR0917 - all that changes from one keyword to the next
        self,
        depth: int = 0,
        keyword: str = "",
        inlined: tuple[str, ...] = (),
        guards: tuple[Guard, ...] = (),
        place: str = "",
        in_branch: bool = False,
        holder: tuple[Schema, Spot] | None = None,
    ) -> None:
        self.depth, self.keyword, self.inlined = depth, keyword, inlined
        self.guards, self.place, self.in_branch, self.holder = guards, place, in_branch, holder


class Ground:
    """One conversion as its verbs see it; it is their `Site`, and knows where the node at hand stands.

    Attributes:
        normal: the schema.
        describe: whether descriptions say what the wire does not.
        definitions: the definitions as they are read, and those that edits have made.
        synthesized: the names of those, by what they say.
        root: whether the node at hand is the root.
        spot: where it stands.
    """

    def __init__(self, normal: Normal, *, describe: bool | str) -> None:
        self.normal, self.describe = normal, describe
        self.definitions: dict[str, Schema] = dict(normal.definitions)
        self.synthesized: dict[str, str] = {}
        self.root = False
        self.spot = Spot()
        self._room: int | None = None
        self._members: int | None = None
        self._recursive: dict[str, bool] = {}
        self._made: set[str] = set()
        self._met: dict[str, set[str]] = {}
        self._sizes: dict[str, int] = {}
        self._aliases: dict[tuple[str, int], Alias] = {}
        self._names: set[str] | None = None
        self._slots: dict[str, str] = {}
        self._says_slot = False

    @property
    def depth(self) -> int:
        """How many objects and arrays the node stands in."""
        return self.spot.depth

    @property
    def keyword(self) -> str:
        """The keyword that holds the node; empty for the root."""
        return self.spot.keyword

    # What a verb may ask

    def matches(self, pattern: str, name: str) -> bool:
        """Whether a pattern finds a match in a property's name."""
        return matches(pattern, name)

    def definition(self, reference: str) -> Schema:
        """What a reference refers to."""
        return self.definitions[reference.rpartition("/")[2]]

    def define(self, members: list[Schema], like: str) -> Schema:
        """A reference to a definition that says all members; the same members give the same definition."""
        text = "\n".join(sorted(map(in_order, members)))
        name = self.synthesized.get(text)
        if name is None:
            name = self._free_name(like)
            self.synthesized[text] = name
            self._made.add(name)
            body = members[0] if len(members) == 1 else Schema({"allOf": members}, members[0].trail)
            self.definitions[name] = body
        return Schema({"$ref": f"#/$defs/{name}"}, members[0].trail)

    def _free_name(self, like: str) -> str:
        plain = "".join(letter for letter in like if letter.isascii() and letter.isalnum()) or "part"
        number = 2
        while f"{plain}{number}" in self.definitions:
            number += 1
        return f"{plain}{number}"

    def spend(self, keywords: int) -> bool:
        """Whether the wire may grow by so many keywords still."""
        if self._room is None:
            self._room = 400 + 2 * sum(len(node) for node in _nodes(self.normal))
        if keywords > self._room:
            return False
        self._room -= keywords
        return True

    def afford(self, members: int) -> bool:
        """Whether so many more schemas may be merged: what is merged anew at each level would cost without end."""
        if self._members is None:
            self._members = 5_000 + 20 * sum(len(node) for node in _nodes(self.normal))
        self._members -= members
        return self._members >= 0

    def slot(self, like: str) -> str:
        """The name of the property for undeclared keys: one that the schema declares nowhere, wherever it stands."""
        known = self._slots.get(like)
        if known is None:
            known = self._slots[like] = self.free_property(like)
        return known

    def words_of_slot(self, declared: int) -> str:
        """What the first text for undeclared keys says of itself, beside so many properties; empty where it may not."""
        if not self.describe or self._says_slot or declared < slots_are_described_from():
            return ""
        self._says_slot = True
        return self.words("text-slot", "")

    def free_property(self, like: str) -> str:
        """A property name that the schema declares nowhere, the given one if it can be."""
        taken = self._taken()
        while like in taken:
            like += "_"
        taken.add(like)
        return like

    def _taken(self) -> set[str]:
        if self._names is None:
            self._names = _property_names(self.normal)
        return self._names

    def aliases(self, pattern: str, longest: int) -> Callable[[str], str]:
        """Gives each property name the one name that fits the pattern, itself if it does."""
        known = self._aliases.get((pattern, longest))
        if known is None:
            known = self._aliases[pattern, longest] = Alias(pattern, longest, self._taken())
        return known

    def size_of(self, reference: str) -> int:
        """How many keywords and names a definition holds."""
        known = self._sizes.get(reference)
        if known is None:
            known = self._sizes[reference] = size(self.definition(reference))
        return known

    def times_inlined(self, reference: str) -> int:
        """How often a definition stands in its own place here and above already."""
        return self.spot.inlined.count(reference)

    def inlining(self, reference: str) -> None:
        """Says that a definition is put in its place here."""
        spot = self.spot
        inlined = (*spot.inlined, reference)
        self.spot = Spot(spot.depth, spot.keyword, inlined, spot.guards, spot.place, spot.in_branch, spot.holder)

    def checks_format(self, name: str) -> bool:
        """Whether the dialect has a format of the name and says that it is checked."""
        return self.normal.asserts_formats and has_format(self.normal.detection.dialect, name)

    def is_recursive(self, reference: str) -> bool:
        """Whether a definition leads back to itself."""
        known = self._recursive.get(reference)
        if known is None:
            known = self._recursive[reference] = self._leads_back(reference)
        return known or self._leads_here(reference.rpartition("/")[2])

    def _leads_here(self, name: str) -> bool:
        """Whether a definition that edits have made leads to the one at hand, by the references met so far."""
        if name not in self._made:
            return False
        seen: set[str] = set()
        stack = [name]
        while stack:
            current = stack.pop()
            if current == self.spot.place:
                return True
            if current not in seen:
                seen.add(current)
                stack.extend(self._met.get(current, ()))
        return False

    def _leads_back(self, reference: str) -> bool:
        seen: set[str] = set()
        stack = [self.definition(reference)]
        while stack:
            node = stack.pop()
            met = node.get("$ref")
            if met == reference:
                return True
            if met is not None and met not in seen:
                seen.add(met)
                stack.append(self.definition(met))
            stack += below(node)
        return False

    def outline(self, node: Schema) -> str:
        """The shape of a node in few words, for a description."""
        return outline(node, self.definition) if self.describe else ""

    def words(self, name: str, value: str) -> str:
        """A text of the table of words, filled in."""
        return filled(name, value)

    def digest(self) -> str:
        """A few letters that belong to this schema alone, whatever stands beside it in a request."""
        import hashlib  # noqa: PLC0415 - import cost, for the few targets whose roots are renamed

        whole = compact([self.normal.root, dict(self.normal.definitions)])
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _property_names(normal: Normal) -> set[str]:
    names: set[str] = set()
    for node in _nodes(normal):
        names.update(node.get("properties", ()))
        names.update(node.get("required", ()))
    return names


def _nodes(normal: Normal) -> list[Schema]:
    found: list[Schema] = []
    stack = [normal.root, *(value for value in normal.definitions.values() if value is not normal.root)]
    while stack:
        node = stack.pop()
        found.append(node)
        stack += below(node)
    return found
