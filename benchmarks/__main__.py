"""Every claim about speed and size in one table: `python -m benchmarks [--check] [--json] [--plot FILE] [NAME ...]`.

Each script of this folder has a `claims()` that yields `Claim`s. With `--check` the exit code is 1 where a
budget is broken three times in a row, or where a claim with a budget could not be measured. A claim with a goal has not
reached it; its budget holds what is reached. `--plot` draws cost against
size, and the work beside that of other libraries, into a .png or .svg file.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.claims import Claim
from tabulate import tabulate

FOLDER = Path(__file__).resolve().parent
NOT_SCRIPTS = {"__main__", "claims", "data", "models", "peers", "plot", "population", "soak", "tightness"}

MORE_ROUNDS = 2


def main() -> int:
    """The exit code of a run."""
    scripts = sorted(file.stem for file in FOLDER.glob("*.py") if file.stem not in NOT_SCRIPTS)
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(scripts)} (default: all)")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a budget is broken")
    parser.add_argument("--json", action="store_true", help="print the claims as JSON")
    parser.add_argument("--plot", metavar="FILE", help="draw into a .png or .svg file, instead of measuring all claims")
    options = parser.parse_args()
    if options.plot:
        from benchmarks.plot import draw  # noqa: PLC0415 - needs the extra `bench`

        draw(Path(options.plot))
        return 0
    unknown = sorted(set(options.names) - set(scripts))
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(scripts)}")
    claims = list(_claims(options.names or scripts))
    if options.check:
        claims = _again(claims)
    print(_json(claims) if options.json else _table(claims))
    broken = [claim for _, claim in claims if _is_broken(claim)]
    for claim in broken:
        print(f"budget broken: {claim.name}: {_number(claim)}, budget {claim.budget:g} {claim.unit}", file=sys.stderr)
    return 1 if options.check and broken else 0


def _is_broken(claim: Claim) -> bool:
    return claim.holds is False or (claim.budget is not None and claim.value is None)


def _again(claims: list[tuple[str, Claim]]) -> list[tuple[str, Claim]]:
    """The claims; those of the scripts with a broken budget are measured again, as a busy machine breaks some."""
    for _ in range(MORE_ROUNDS):
        doubtful = sorted({name for name, claim in claims if claim.holds is False})
        second = {(name, claim.name): claim for name, claim in _claims(doubtful)}
        claims = [
            (name, second.get((name, claim.name), claim) if _is_broken(claim) else claim) for name, claim in claims
        ]
    return claims


def _claims(names: list[str]) -> Iterator[tuple[str, Claim]]:
    for name in names:
        for claim in importlib.import_module(f"benchmarks.{name}").claims():
            if sys.stderr.isatty():
                print(f"\r\033[K{name}: {claim.name}", end="", file=sys.stderr, flush=True)
            yield name, claim
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _number(claim: Claim) -> str:
    return "not measured" if claim.value is None else f"{claim.value:.4g} {claim.unit}"


def _verdict(claim: Claim) -> str:
    said = {True: "kept", False: "BROKEN", None: ""}[claim.holds]
    return said if claim.goal is None else f"{said}, goal {claim.goal:g} NOT REACHED"


def _table(claims: list[tuple[str, Claim]]) -> str:
    rows = [
        {
            "benchmark": name,
            "claim": claim.name,
            "measured": _number(claim),
            "budget": "" if claim.budget is None else f"{'≥' if claim.least else '≤'} {claim.budget:g} {claim.unit}",
            "": _verdict(claim),
            "beside it": ", ".join(f"{other} {value:.4g}" for other, value in (claim.compared_with or {}).items()),
            "note": claim.note,
        }
        for name, claim in claims
    ]
    return tabulate(rows, headers="keys", disable_numparse=True, maxcolwidths=[None, 48, None, None, None, 40, 40])


def _json(claims: list[tuple[str, Claim]]) -> str:
    rows = [{"benchmark": name, **dataclasses.asdict(claim), "holds": claim.holds} for name, claim in claims]
    return json.dumps(rows, indent=2)


if __name__ == "__main__":
    sys.exit(main())
