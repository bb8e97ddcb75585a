"""The built wheel, installed in a fresh environment and used outside the checkout: a forgotten file shows here."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.readme import block

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("engine", "rules", "pyproject.toml", "README.md", "LICENSE")
TOOLS = [
    {
        "name": "search",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string", "pattern": "^a.b$"}, "n": {"type": "number", "minimum": 1}},
        },
    }
]

pytestmark = pytest.mark.heavy


def run(*words: str | Path, at: Path) -> str:
    """What a command prints; it runs in a folder outside the checkout and does not see it."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [str(word) for word in words], cwd=at, env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment that has the wheel, and nothing else of ours."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / part, source / part)
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder / "dist", source, at=folder)
    run(sys.executable, "-m", "venv", folder / "environment", at=folder)
    programs = folder / "environment" / ("Scripts" if os.name == "nt" else "bin")
    (wheel,) = (folder / "dist").glob("toolglot-*.whl")
    run(programs / "pip", "install", "-q", wheel, at=folder)
    shutil.rmtree(source)
    return programs


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder with a list of tools, and the user's table of the README."""
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    (tmp_path / "house.toml").write_text(block("user-table"), encoding="utf-8")
    return tmp_path


def toolglot(installed: Path, outside: Path, *words: str) -> Any:
    return json.loads(run(installed / "toolglot", *words, "--json", at=outside))


def test_every_module_and_table_of_the_checkout_is_in_the_wheel(installed: Path, outside: Path) -> None:
    lines = run(installed / "python", "-c", "import toolglot; print(toolglot.__file__)", at=outside)
    package = Path(lines.strip()).parent
    wanted = [file for folder in ("engine", "rules") for file in (ROOT / folder).rglob("*") if _ships(file)]
    names = {str(file.relative_to(ROOT / "engine")) for file in wanted if file.is_relative_to(ROOT / "engine")}
    names |= {str(file.relative_to(ROOT)) for file in wanted if file.is_relative_to(ROOT / "rules")}
    assert {name for name in names if not (package / name).exists()} == set()


def _ships(file: Path) -> bool:
    return (file.is_file() and file.suffix in (".py", ".toml", ".lark", ".typed")) or file.name == "py.typed"


def test_the_main_job_runs(installed: Path, outside: Path) -> None:
    report = toolglot(installed, outside, "audit", "tools.json", "--target", "llama.cpp")
    assert report["tools"][0]["verdict"] in ("edited", "narrowed")
    wire = json.loads(run(installed / "toolglot", "convert", "tools.json", "--target", "llama.cpp", at=outside))
    assert wire[0]["function"]["name"] == "search"
    answer = toolglot(installed, outside, "check", "tools.json", "--arguments", '{"n": 2}')
    assert answer["fits"] is True


def test_a_users_table_adds_a_target_and_retires_a_shipped_row(installed: Path, outside: Path) -> None:
    shipped = {rule["id"] for rule in toolglot(installed, outside, "rules")}
    with_ours = {rule["id"] for rule in toolglot(installed, outside, "rules", "--rules", "house.toml")}
    assert len(shipped - with_ours) == 1
    assert len(with_ours - shipped) == 1
    targets = toolglot(installed, outside, "targets", "--rules", "house.toml")
    (ours,) = {target["id"] for target in targets} - {
        target["id"] for target in toolglot(installed, outside, "targets")
    }
    report = toolglot(installed, outside, "audit", "tools.json", "--target", ours, "--rules", "house.toml")
    assert (with_ours - shipped) & {edit["rule"] for tool in report["tools"] for edit in tool["edits"]}


def test_importing_the_package_loads_nothing_heavy(installed: Path, outside: Path) -> None:
    code = "import sys, toolglot; print([m for m in ('lark', 'jsonschema', 're2', 'tabulate') if m in sys.modules])"
    assert run(installed / "python", "-c", code, at=outside).strip() == "[]"


def test_an_installed_package_brings_its_tables_by_entry_point(installed: Path, outside: Path) -> None:
    where = run(installed / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", at=outside)
    package, about = (Path(where.strip()) / name for name in ("house_tables", "house_tables-1.0.dist-info"))
    package.mkdir()
    about.mkdir()
    try:
        (package / "__init__.py").touch()
        shutil.copy(outside / "house.toml", package)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: house-tables\nVersion: 1.0\n", encoding="utf-8")
        (about / "entry_points.txt").write_text("[toolglot.rules]\nhouse = house_tables\n", encoding="utf-8")
        report = toolglot(installed, outside, "audit", "tools.json", "--target", "house")
        assert report["target"] == "house"
    finally:
        shutil.rmtree(package)
        shutil.rmtree(about)
