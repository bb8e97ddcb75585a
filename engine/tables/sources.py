"""Where tables come from: the package itself, entry points of installed packages, and paths of the user."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from toolglot.errors import RuleError
from toolglot.tables.shipped import folder

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from importlib.resources.abc import Traversable

GROUP = "toolglot.rules"

# The package's other tables (keywords, dialects, envelopes...) have readers of their own, and no such row.
_HAS_ROWS = re.compile(r"^\[(?:rule|target)\.", re.MULTILINE)

Text = tuple[str, str]
"""A table's name, for messages, and its text."""


def shipped() -> Iterator[Text]:
    """The tables of rules that this package ships."""
    root = folder("toolglot.rules")
    for name, text in _texts(root.iterdir(), "toolglot.rules"):
        if _HAS_ROWS.search(text):
            yield name, text
    yield from _texts((root / "targets").iterdir(), "toolglot.rules.targets")


def installed() -> Iterator[Text]:
    """The tables of installed packages that name a module of theirs in the entry point group."""
    if not _may_be_installed():
        return
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import, and seldom wanted

    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        module = _module(point)
        yield from _texts(folder(module.__name__).iterdir(), module.__name__)


def _may_be_installed() -> bool:
    """Whether any package may have an entry point of the group; false only where none can.

    To import `importlib.metadata` takes longer than to read a target's table, and to look for the group's name in
    the files that it would read does not. What is installed in another way than in a folder is left to it.
    """
    if any(hasattr(finder, "find_distributions") and finder is not PathFinder for finder in sys.meta_path):
        return True
    return any(map(_may_have_group, map(str, sys.path)))


def _may_have_group(folder: str) -> bool:
    """Whether a package in a folder may have such an entry point."""
    try:
        with os.scandir(folder or ".") as entries:
            names = [entry.name for entry in entries if entry.name.endswith((".dist-info", ".egg-info", ".egg"))]
    except FileNotFoundError:
        return False
    except OSError:  # an archive, or a folder that can't be read
        return True
    return any(name.endswith(".egg") or _names_group(Path(folder, name, "entry_points.txt")) for name in names)


def _names_group(file: Path) -> bool:
    try:
        return GROUP.encode() in file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def at_path(path: str | Path) -> Iterator[Text]:
    """The table at a path, or every `.toml` file in and below a folder."""
    place = Path(path)
    found = [place] if place.is_file() else sorted(place.rglob("*.toml"))
    if not found:
        raise RuleError(str(path), "", "no table here: wanted a TOML file, or a folder with TOML files")
    for file in found:
        yield str(file), _read(file, str(file))


def _module(point: EntryPoint) -> ModuleType:
    """The module that an entry point names."""
    where = f"entry point {point.name} = {point.value}"
    try:
        module = point.load()
    except Exception as error:
        # Another package's module may fail in any way while it is imported, and everything here would fail with it.
        raise RuleError(where, "", f"its module can't be imported: {error}") from error
    if not isinstance(module, ModuleType):
        raise RuleError(where, "", f"wanted a module with TOML files beside it, got {type(module).__name__}")
    return module


def _texts(items: Iterable[Traversable], package: str) -> Iterator[Text]:
    """The TOML files among the items, by name."""
    for item in sorted(items, key=lambda item: item.name):
        if item.name.endswith(".toml") and item.is_file():
            yield f"{package}/{item.name}", _read(item, f"{package}/{item.name}")


def _read(item: Traversable, name: str) -> str:
    """The text of a file."""
    try:
        return item.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RuleError(name, "", f"can't be read: {error}") from error
