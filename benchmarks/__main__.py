"""Every claim about speed in one table: `python -m benchmarks [--check] [--json] [NAME ...]`.

Each script of this folder has a `claims()` that yields `Claim`s. With `--check` the exit code is 1 where a
budget is broken, or where a claim with a budget could not be measured.
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
NOT_SCRIPTS = {"__main__", "claims", "data"}


def main() -> int:
    """The exit code of a run."""
    scripts = sorted(file.stem for file in FOLDER.glob("*.py") if file.stem not in NOT_SCRIPTS)
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(scripts)} (default: all)")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a budget is broken")
    parser.add_argument("--json", action="store_true", help="print the claims as JSON")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(scripts))
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(scripts)}")
    claims = list(_claims(options.names or scripts))
    print(_json(claims) if options.json else _table(claims))
    broken = [
        claim for _, claim in claims if claim.holds is False or (claim.budget is not None and claim.value is None)
    ]
    for claim in broken:
        print(f"budget broken: {claim.name}: {_number(claim)}, budget {claim.budget:g} {claim.unit}", file=sys.stderr)
    return 1 if options.check and broken else 0


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


def _table(claims: list[tuple[str, Claim]]) -> str:
    verdicts = {True: "kept", False: "BROKEN", None: ""}
    rows = [
        {
            "benchmark": name,
            "claim": claim.name,
            "measured": _number(claim),
            "budget": "" if claim.budget is None else f"{'≥' if claim.least else '≤'} {claim.budget:g} {claim.unit}",
            "": verdicts[claim.holds],
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
