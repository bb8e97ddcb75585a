"""Whether an installed package may bring tables is told without reading the metadata of every package."""

import importlib.metadata
import sys

import pytest

from toolglot.tables import sources


def package(folder, name, entry_points):
    about = folder / name
    about.mkdir()
    (about / "entry_points.txt").write_text(entry_points, "utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "missing")])
    monkeypatch.setattr(sys, "meta_path", [sources.PathFinder])
    return tmp_path


def test_packages_with_other_entry_points_bring_no_tables(folder):
    package(folder, "other-1.dist-info", "[console_scripts]\na = b:c\n")
    (folder / "file.dist-info").write_text("no folder", "utf-8")
    assert not sources._may_be_installed()
    assert not importlib.metadata.entry_points(group=sources.GROUP)


@pytest.mark.parametrize("name", ["mine-1.dist-info", "mine.egg-info"])
def test_a_package_in_the_group_is_found(folder, name):
    package(folder, name, "[toolglot.rules]\nmine = json\n")
    assert sources._may_be_installed()
    assert [point.name for point in importlib.metadata.entry_points(group=sources.GROUP)] == ["mine"]


def test_what_is_no_folder_may_hold_a_package(folder, monkeypatch):
    archive = folder / "packages.zip"
    archive.write_bytes(b"PK")
    monkeypatch.setattr(sys, "path", [str(archive)])
    assert sources._may_be_installed()


def test_an_egg_may_hold_a_package(folder):
    (folder / "old.egg").mkdir()
    assert sources._may_be_installed()


def test_another_finder_of_packages_is_asked(folder, monkeypatch):
    class Finder:
        @staticmethod
        def find_distributions(_context):
            return []

    monkeypatch.setattr(sys, "meta_path", [sources.PathFinder, Finder])
    assert sources._may_be_installed()
    assert list(sources.installed()) == []
    assert folder
