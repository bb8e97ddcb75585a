"""A long run: `python -m benchmarks.soak [--operations N] [--tools N] [--threads N] [--window N]`.

Threads convert and read over a rolling population of distinct tools, as a gateway does whose tools come and go.
What comes out is compared with what comes out without any cache; memory and throughput are told as it goes. The
exit code is 1 for a wrong answer, for memory that still grows at the end, and for a throughput that falls.

The whole run of ten million operations over a hundred thousand tools takes hours; the default one takes a minute.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from toolglot import Toolbox, convert, load_rules
from toolglot.schemas.normal import normal_form
from toolglot.wire.convert import convert_normal

TARGETS = ("llama.cpp", "openai/strict", "gemini/parameters", "mcp")
UNCACHED = load_rules(entry_points=False)
PARTS = 8
# What memory may still grow by at the end, and what is left of the throughput of the first.
MOST_GROWTH, LEAST_THROUGHPUT = 1.10, 0.6


def tool(number: int) -> dict[str, Any]:
    """One of the population; its number stands in a bound, so that a mix-up of two tools changes answers."""
    properties: dict[str, Any] = {
        "query": {"type": "string", "minLength": 1, "description": f"what to look for, variant {number}"},
        "limit": {"type": "integer", "minimum": 0, "maximum": number},
        "mode": {"enum": ["fast", "deep", f"mode-{number}"]},
    }
    for extra in range(number % 7):
        properties[f"filter_{extra}"] = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}
    schema = {"type": "object", "properties": properties, "required": ["query"], "additionalProperties": False}
    return {"name": f"tool_{number % 50}", "inputSchema": schema}


class Soak:
    """The population, what each tool's wire has to be, and what went wrong."""

    def __init__(self, operations: int, tools: int, threads: int, window: int) -> None:
        self.each, self.tools, self.threads, self.window = operations // threads // PARTS, tools, threads, window
        self.wrong: list[str] = []
        self.done = 0
        self._wanted: dict[tuple[int, str], bytes] = {}

    def run(self) -> Iterator[tuple[int, float, float]]:
        """For each part: the operations so far, the operations in a second of the processor, and the megabytes held."""
        for part in range(PARTS):
            start = time.process_time()  # of all threads: what else runs on the machine is left out
            workers = [threading.Thread(target=self._work, args=(part, one)) for one in range(self.threads)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            made = self.each * self.threads
            self.done += made
            yield self.done, made / (time.process_time() - start), resident()

    def _work(self, part: int, thread: int) -> None:
        chance = random.Random(part * 1_000 + thread)  # noqa: S311 - the same run again is what is wanted
        for turn in range(self.each):
            # The window of tools in use moves through the population once.
            share = (part + turn / self.each) / PARTS
            number = int(share * max(self.tools - self.window, 0)) + chance.randrange(min(self.window, self.tools))
            try:
                self._once(number, chance)
            except Exception as error:  # noqa: BLE001 - a run of hours tells what went wrong at its end
                self.wrong.append(f"tool {number}: {type(error).__name__}: {error}")

    def _once(self, number: int, chance: random.Random) -> None:
        made, target = tool(number), TARGETS[number % len(TARGETS)]
        if chance.random() < 0.5:
            found = convert(made["inputSchema"], target).wire_json
            if digest(found) != self._wanted_of(number, target, made):
                self.wrong.append(f"tool {number}: another wire for {target}")
            return
        box = Toolbox([made])
        call = {"query": "x", "limit": number, "mode": f"mode-{number}"}
        if box.read(made["name"], json.dumps(call)).arguments != call:
            self.wrong.append(f"tool {number}: a legal call is refused")
        if box.read(made["name"], {**call, "limit": number + 1}).fits:
            self.wrong.append(f"tool {number}: an illegal call is accepted")

    def _wanted_of(self, number: int, target: str, made: dict[str, Any]) -> bytes:
        known = self._wanted.get((number, target))
        if known is None:
            anew = convert_normal(normal_form(made["inputSchema"]), UNCACHED.target(target))
            known = self._wanted[number, target] = digest(anew.wire_json)
        return known


def digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=8).digest()


def resident() -> float:
    """The megabytes of memory that this process holds now."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096 / 1e6


def main() -> int:
    """The exit code of a run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument("--tools", type=int, default=10_000, help="distinct tools in the population")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--window", type=int, default=2_000, help="tools in use at a time")
    options = parser.parse_args()
    soak = Soak(options.operations, options.tools, options.threads, options.window)
    parts = []
    for done, rate, megabytes in soak.run():
        parts.append((rate, megabytes))
        print(
            f"{done:>12,} operations  {rate:>9,.0f} a second  {megabytes:8.1f} MB  {len(soak.wrong)} wrong", flush=True
        )
    # The caches fill first; then nothing may grow any more.
    half, last = PARTS // 2, PARTS // 4
    growth = max(memory for _, memory in parts[-last:]) / max(memory for _, memory in parts[half:-last])
    kept = min(rate for rate, _ in parts[half:]) / max(rate for rate, _ in parts)
    print(f"memory at the end {growth:.2f} of what it was before; slowest late part {kept:.2f} of the fastest")
    for line in soak.wrong[:20]:
        print(line)
    return 1 if soak.wrong or growth > MOST_GROWTH or kept < LEAST_THROUGHPUT else 0


if __name__ == "__main__":
    sys.exit(main())
