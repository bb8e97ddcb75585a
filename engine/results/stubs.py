"""What stands for a payload: one bounded line, the same for every lane, and its twin for scripts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from toolglot.json_values import Json
from toolglot.results.blocks import Block, Claims
from toolglot.results.labels import cut, size_words
from toolglot.results.masks import Mask, replaced, spells_otherwise
from toolglot.results.media import bare_type
from toolglot.results.message import Item, Unit, Verdict
from toolglot.results.nested import Findings, Span
from toolglot.results.registry import Record, Registry, Source
from toolglot.results.table import references

# What is read of a label at all; many times what is shown of it.
_READ = 4096


@dataclass(frozen=True, slots=True)
class Showing:
    """The host's policy on what is shown.

    Attributes:
        shows_uri: tells of an address whether it may be shown, since it gives whoever reads it nothing; asked
            only where nothing speaks against it, and never under `never`.
        is_fetchable: whether a stub says that the payload can be fetched.
        text_limit: the longest text of a lane, in characters; None: as long as it is.
    """

    shows_uri: Callable[[str], bool] | None = None
    is_fetchable: bool = True
    text_limit: int | None = None


class Labels:
    """Labels of one message, without what must not be shown."""

    def __init__(self, unit: Unit, registry: Registry) -> None:
        self._unit, self._registry, self._table = unit, registry, references()

    @classmethod
    def alone(cls, registry: Registry) -> Labels:
        """Labels of a record that is spoken of outside a message."""
        return cls(Unit(Source("host"), (), Findings(), Mask((), (), 1, 1)), registry)

    def clean(self, text: str | None, own: Mask | None = None, limit: int | None = None) -> str:
        """A label, cleaned, masked and cut; the empty text where there is none."""
        if not text:
            return ""
        shown = self._table.cleaned.sub("", text[:_READ]).strip()
        if self._unit.mask or own or self._registry.has_secrets:
            shown = self._masked(shown, own)
        return cut(shown, limit or self._table.limits["label"], self._table, more=len(text) > _READ)

    def _masked(self, shown: str, own: Mask | None) -> str:
        """A label without what spells a secret; nothing of it where it spells one in another way."""
        mark = self._table.wording["mask"]
        kept = [mask.spans for mask in (self._unit.mask, own) if mask] + [self._registry.remembered]
        for spans in kept:
            shown = replaced(shown, spans(shown), mark)

        def spelled(text: str) -> list[Span]:
            return [span for spans in kept for span in spans(text)]

        return mark if spells_otherwise(shown, spelled, self._table.limits["masked-run"]) else shown

    def own(self, block: Block, record: Record | None, verdict: Verdict) -> Mask | None:
        """A mask of the block's own address: strict under `never`, else where a label repeats the address itself."""
        uri, limits = block.uri or (record.uri if record else None), self._table.limits
        if uri is None:
            return None
        if verdict in {"never", "foreign"}:
            addresses = {uri, record.uri if record else uri}
            # The message's own mask has most of them already.
            return Mask(addresses, (), limits["masked-run"], 4096) if addresses - self._unit.secret_uris else None
        run = max(limits["masked-run"], min(limits["label-run"], len(uri)))
        if any(text and len(text) >= run for text in (block.claims.name, block.claims.type)):
            return Mask((uri,), (), run, 4096)
        return None


def stub(item: Item, labels: Labels, source: Source, showing: Showing) -> str:
    """The line that stands for a payload.

    It holds the record's id, name, type, size and where it came from; then why the payload is kept back, or
    where it was saved, or that it can be fetched. Its length depends on no field's length.
    """
    wording, own = references().wording, labels.own(item.block, item.record, item.verdict)
    facts = [_named(item.block.claims, labels, own)]
    if item.record is None or item.verdict == "foreign":
        return f"[{wording['foreign'].format(facts=facts[0])}]"
    facts += [_measured(item, labels, own), provenance(source, labels, own), _standing(item, labels, showing)]
    return wording["stub"].format(id=item.record.id, facts="; ".join(filter(None, facts)))


def script_object(item: Item, labels: Labels, source: Source, showing: Showing) -> dict[str, Json]:
    """A script's view of a payload: the stub and its fields, with `saved_to` None where it is kept back."""
    own, wording = labels.own(item.block, item.record, item.verdict), references().wording
    name = labels.clean(item.block.claims.name, own) or None
    if item.record is None or item.verdict == "foreign":
        shown = wording["foreign"].format(facts=name or wording["unnamed"])
        return {"type": "withheld", "name": name, "saved_to": None, "reason": shown, "stub": f"[{shown}]"}
    record, reason = item.record, _reason(item.verdict)
    media_type = labels.clean(_shown_type(item), own) or None
    size = item.block.claims.size
    return {
        "type": "reference",
        "id": record.id,
        "name": name,
        "mime_type": media_type,
        "claimed_bytes": size if reason is None or labels.clean(str(size), own) == str(size) else None,
        "source": provenance(source, labels, own),
        "saved_to": None if reason else record.path,
        "reason": reason,
        "stub": stub(item, labels, source, showing),
    }


def provenance(source: Source, labels: Labels, own: Mask | None = None) -> str:
    """Where a message came from, in words."""
    return references().wording[f"from-{source.kind}"].format(name=labels.clean(source.name, own))


def _named(claims: Claims, labels: Labels, own: Mask | None) -> str:
    """The name in quotes, which the name itself can't end."""
    name = labels.clean(claims.name, own).replace('"', "'")
    return f'"{name}"' if name else references().wording["unnamed"]


def _shown_type(item: Item) -> str | None:
    """The observed type of a saved copy, else the claim."""
    return item.record.type if item.record and item.record.type else item.block.claims.type


def _measured(item: Item, labels: Labels, own: Mask | None) -> str:
    """Type and size: facts of a saved copy, else claims that are called so."""
    wording, record, claims = references().wording, item.record, item.block.claims
    parts = [labels.clean(_shown_type(item), own)]
    if record is not None and record.size is not None:
        parts.append(wording["verified"].format(size=size_words(record.size)))
    elif claims.size is not None:
        parts.append(wording["claimed"].format(size=size_words(claims.size)))
    return ", ".join(filter(None, parts))


def _reason(verdict: Verdict) -> str | None:
    """Why a payload is kept back, or None where it isn't."""
    wording = references().wording
    if verdict in {"never", "foreign"}:
        return wording["marked"]
    return wording["governed"] if verdict in {"beside", "contradiction"} else None


def _standing(item: Item, labels: Labels, showing: Showing) -> str:
    """The reason for keeping back; or where the copy is, the address where policy shows it, or the hint to fetch."""
    wording, table, record = references().wording, references(), item.record
    reason = _reason(item.verdict)
    if reason or record is None:
        return reason or ""
    if record.path is not None:
        return wording["saved"].format(path=labels.clean(record.path, None, table.limits["path"]))
    parts = [wording["fetchable"]] if showing.is_fetchable else []
    if showing.shows_uri is not None and showing.shows_uri(record.uri):
        uri = labels.clean(record.uri, None, table.limits["shown-uri"])
        parts.insert(0, wording["address"].format(uri=uri))
    return "; ".join(parts)


def kept_back(item: Item, labels: Labels) -> str:
    """The notice for inline content that is kept back and has no record."""
    name = {"never": "withheld-never", "beside": "withheld-beside"}.get(item.verdict, "withheld")
    shown = labels.clean(bare_type(item.block.claims.type) or item.block.type)
    return references().wording[name].format(type=shown)
