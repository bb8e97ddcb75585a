"""The public names: all there, all listed, none of them paid for before its first use."""

from __future__ import annotations

import subprocess
import sys

import pytest

import toolglot


def test_every_public_name_is_there_and_listed() -> None:
    assert sorted(toolglot.__all__) == toolglot.__all__
    assert {name for name in toolglot.__all__ if getattr(toolglot, name, None) is None} == set()
    assert set(toolglot.__all__) <= set(dir(toolglot))


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        _ = toolglot.no_such_name


def test_importing_the_package_loads_nothing_that_is_not_used() -> None:
    code = "import sys, toolglot; print(sorted(m for m in sys.modules if m.startswith('toolglot.') or m == 'lark'))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_first_conversion_builds_no_parser_and_loads_what_it_needs_only() -> None:
    code = """if True:
        import sys, toolglot
        schema = {"properties": {"a": {"type": "string", "pattern": "^[a-z]+$"}}}
        toolglot.convert(schema, "llama.cpp").wire
        slow = {"lark", "importlib.resources", "importlib.metadata", "referencing", "hashlib", "fractions"}
        print(sorted(slow & sys.modules.keys()))"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
