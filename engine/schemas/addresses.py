"""Addresses: what a reference, or an identifier, stands for inside of a resource."""

from __future__ import annotations

from urllib.parse import urljoin

# Each address is kept whole and joined with others: long ones would cost far more than the text that they stand in.
_LENGTH = 4_096


def joined(base: str, reference: str) -> tuple[str, str]:
    """The address that a reference stands for, and its fragment; ValueError for what is no address."""
    if reference.startswith("#"):
        return base, reference[1:]
    before, _, fragment = reference.partition("#")
    uri = urljoin(base, before)
    if len(uri) > _LENGTH:
        raise ValueError(f"longer than {_LENGTH} characters")
    return uri, fragment
