"""Where fetched payloads are kept: a store of the host's own, or a folder."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Protocol

_NAME = re.compile(r"[a-z0-9_]{1,64}\.[a-z0-9]{1,16}\Z")


class Store(Protocol):
    """Keeps payloads. Both methods are called from worker threads."""

    def save(self, name: str, content: bytes, media_type: str) -> str:
        """Keeps a payload under a name that the library made; returns its path. All of it is there, or nothing is."""

    def remove(self, path: str) -> None:
        """Removes what `save` kept at a path."""


class FolderStore:
    """Keeps payloads as files of one folder, each written whole or not at all, readable by this user alone."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def save(self, name: str, content: bytes, media_type: str) -> str:  # noqa: ARG002 - part of what a store is told
        """Writes beside the final place and moves the file there in one step."""
        if not _NAME.match(name):
            raise ValueError("a stored name is the library's own: an id and an ending")
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".part-", dir=self.folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            path = self.folder / name
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        return str(path)

    def remove(self, path: str) -> None:
        """Removes a file of the folder."""
        Path(path).unlink(missing_ok=True)
