"""result to model: content blocks, references, and what is marked never."""

from toolglot.results.blocks import Block, Claims, classify
from toolglot.results.fetcher import Fetched, Fetcher
from toolglot.results.lanes import content_parts, history_text, model_text, render, script_view, wake_text
from toolglot.results.message import Message, Unit, read
from toolglot.results.policy import Connection, FetchError, FetchPolicy
from toolglot.results.registry import Event, Record, Registry, Source, UnknownReferenceError
from toolglot.results.storage import FolderStore, Store
from toolglot.results.stubs import Showing

__all__ = [
    "Block",
    "Claims",
    "Connection",
    "Event",
    "FetchError",
    "FetchPolicy",
    "Fetched",
    "Fetcher",
    "FolderStore",
    "Message",
    "Record",
    "Registry",
    "Showing",
    "Source",
    "Store",
    "Unit",
    "UnknownReferenceError",
    "classify",
    "content_parts",
    "history_text",
    "model_text",
    "read",
    "render",
    "script_view",
    "wake_text",
]
