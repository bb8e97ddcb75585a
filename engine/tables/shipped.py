"""The data files that this package ships."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def folder(package: str) -> Traversable:
    """The folder of an importable package, to read its files from.

    Where it is a real one it is read as such: to import `importlib.resources` takes longer than to read a target's
    table. What is installed in another way, in an archive for one, is left to it.
    """
    file = import_module(package).__file__
    if file is not None and (place := Path(file).parent).is_dir():
        return place
    from importlib.resources import files  # noqa: PLC0415 - import cost, see above

    return files(package)


def text(name: str, package: str = "toolglot.rules") -> str:
    """The text of a file of a package; a table, if nothing else is said."""
    return folder(package).joinpath(name).read_text(encoding="utf-8")
