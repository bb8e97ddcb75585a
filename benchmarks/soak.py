"""A long run: `python -m benchmarks.soak [--operations N] [--tools N] [--threads N] [--window N]`.

Threads convert and read over a rolling population of distinct tools, as a gateway does whose tools come and go. First
each tool's wire and answers are worked out once without any cache; then every operation is held against them.
Throughput (by the processor's time) and memory are told as it goes. The exit code is 1 for a wrong answer, for
memory that grows, and for a throughput that falls.

The whole run is `--operations 10_000_000 --tools 100_000`; the default is a tenth of it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.population import FITTING, REFUSED, TARGETS, call_of, name_of, tool

from toolglot import Answer, Toolbox, convert, load_rules
from toolglot.calls.check import whole
from toolglot.calls.checker import checker_of
from toolglot.schemas.normal import normal_form
from toolglot.wire.convert import Conversion, convert_normal

# Tables of one's own are never answered from a cache.
UNCACHED = load_rules(entry_points=False)
SLICES = 30
# Of the last third of the slices, beside the second; the first third fills the caches.
MOST_GROWTH, LEAST_THROUGHPUT = 1.10, 0.85
# How often a tool is asked for that left long ago, or is not there yet.
FAR = 0.002
# How often a call comes as an object; else it is the JSON text.
AS_OBJECT = 0.3
# The share of the calls that are legal.
LEGAL = 0.95
DIGEST = 8


class Expected:
    """What the run without caches gave: the digest of each tool's wire, and of what each of its calls gave."""

    def __init__(self, tools: int) -> None:
        self.tools, self.each = tools, 1 + len(REFUSED)
        self._digests = bytearray(tools * self.each * DIGEST)

    def fill(self) -> Iterator[int]:
        """Works all of it out, and tells how far it is."""
        for number in range(self.tools):
            self._digests[self._place(number, 0) : self._place(number + 1, 0)] = b"".join(_uncached(number))
            if (number + 1) * 10 % self.tools < 10:
                yield number + 1

    def of_wire(self, number: int) -> bytes:
        return self._at(self._place(number, 0))

    def of_call(self, number: int, call: int) -> bytes:
        return self._at(self._place(number, 1 + call))

    def _place(self, number: int, entry: int) -> int:
        return (number * self.each + entry) * DIGEST

    def _at(self, place: int) -> bytes:
        return bytes(self._digests[place : place + DIGEST])


def _uncached(number: int) -> Iterator[bytes]:
    schema = tool(number)["inputSchema"]
    normal = normal_form(schema)
    conversion = convert_normal(normal, UNCACHED.target(target_of(number)))
    check = whole(checker_of(normal), schema)
    yield digest(conversion.wire_json)
    for kind in FITTING:
        call = call_of(number, kind)
        value, problems = conversion.restore(call, check.accepts)
        assert value == call
        assert not problems + check.problems(value)
    for kind in REFUSED:
        value, problems = conversion.restore(call_of(number, kind), check.accepts)
        problems = problems or check.problems(value)
        assert problems
        yield digest(repr(problems))


def target_of(number: int) -> str:
    return TARGETS[number % len(TARGETS)]


def digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


@dataclass(frozen=True)
class Slice:
    """What one part of the run showed."""

    operations: int
    seconds: float
    megabytes: float

    @property
    def rate(self) -> float:
        """The operations in a second of the processor's, of all threads: what else runs is left out."""
        return self.operations / self.seconds


class Soak:
    """The threads, what they are held against, and what went wrong."""

    def __init__(self, operations: int, threads: int, window: int, expected: Expected) -> None:
        self.each, self.threads, self.expected = operations // threads // SLICES, threads, expected
        self.window = min(window, expected.tools)
        self.boxes = Boxes(2 * self.window)
        self.wrong: list[str] = []

    def run(self) -> Iterator[Slice]:
        for part in range(SLICES):
            start = time.process_time()
            workers = [threading.Thread(target=self._work, args=(part, each)) for each in range(self.threads)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            yield Slice(self.each * self.threads, time.process_time() - start, resident())

    def _work(self, part: int, thread: int) -> None:
        chance = random.Random(part * 1_000 + thread)  # noqa: S311 - the same run again is what is wanted
        for turn in range(self.each):
            number = self._number((part + turn / self.each) / SLICES, chance)
            try:
                wrong = self._once(number, chance)
            except Exception as error:  # noqa: BLE001 - a long run tells what went wrong at its end
                wrong = f"{type(error).__name__}: {error}"
            if wrong:
                self.wrong.append(f"tool {number} for {target_of(number)}: {wrong}")

    def _number(self, share: float, chance: random.Random) -> int:
        """A tool of those in use, which move through the population once."""
        if chance.random() < FAR:
            return chance.randrange(self.expected.tools)
        return int(share * (self.expected.tools - self.window)) + chance.randrange(self.window)

    def _once(self, number: int, chance: random.Random) -> str | None:
        kind = chance.random()
        if kind < 0.85:
            return self._read(number, self.boxes.of(number), chance)
        made, target = tool(number), target_of(number)
        if kind < 0.93:
            return self._converted(number, convert(made["inputSchema"], target))
        if kind < 0.98:
            return self._read(number, Toolbox([made], target), chance)
        return self._there_and_back(number, Toolbox([made], target), convert(made["inputSchema"], target))

    def _read(self, number: int, box: Toolbox, chance: random.Random) -> str | None:
        legal = chance.random() < LEGAL
        at = int(chance.random() * len(FITTING if legal else REFUSED))
        call = call_of(number, (FITTING if legal else REFUSED)[at])
        answer = box.read(name_of(number), call if chance.random() < AS_OBJECT else json.dumps(call))
        if legal:
            return None if answer == Answer(call) else f"{call} gives {answer}"
        same = digest(repr(answer.problems)) == self.expected.of_call(number, at)
        return None if same and answer.arguments is None and answer.refusal else f"{call} gives {answer}"

    def _converted(self, number: int, conversion: Conversion) -> str | None:
        same = digest(conversion.wire_json) == self.expected.of_wire(number)
        return None if same else f"another wire: {conversion.wire_json}"

    def _there_and_back(self, number: int, box: Toolbox, conversion: Conversion) -> str | None:
        """A legal call as the model would say it on the wire."""
        call = call_of(number, FITTING[0])
        back = box.read(name_of(number), conversion.spellings(call)[0]).arguments
        return None if back == call else f"{call} comes back as {back}"


class Boxes:
    """The toolboxes that all threads share, one place for every so-many-th tool."""

    def __init__(self, places: int) -> None:
        self._held: list[tuple[int, Toolbox] | None] = [None] * places

    def of(self, number: int) -> Toolbox:
        place = number % len(self._held)
        held = self._held[place]
        if held is None or held[0] != number:
            held = self._held[place] = number, Toolbox([tool(number)], target_of(number))
        return held[1]


def resident() -> float:
    """The megabytes of memory that this process holds now."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096 / 1e6


def main() -> int:
    """The exit code of a run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--operations", type=int, default=1_000_000)
    parser.add_argument("--tools", type=int, default=10_000, help="distinct tools in the population")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--window", type=int, default=500, help="tools in use at a time")
    options = parser.parse_args()
    print(f"{sys.version.split()[0]}, {_locked()}", flush=True)
    expected = Expected(options.tools)
    for known in expected.fill():
        print(f"{known:>12,} tools without a cache  {time.process_time():>7,.0f} s  {resident():8.1f} MB", flush=True)
    soak = Soak(options.operations, options.threads, options.window, expected)
    slices: list[Slice] = []
    for each in soak.run():
        slices.append(each)
        done = sum(one.operations for one in slices)
        said = f"{done:>12,} operations  {each.rate:>9,.0f} a second  {each.megabytes:8.1f} MB"
        print(f"{said}  {len(soak.wrong)} wrong", flush=True)
    for line in soak.wrong[:20]:
        print(line)
    return 1 if soak.wrong or not _is_steady(slices) else 0


def _locked() -> str:
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    return "an interpreter with one lock" if locked else "a free-threaded interpreter"


def _is_steady(slices: list[Slice]) -> bool:
    third = len(slices) // 3
    before, last = slices[third:-third], slices[-third:]
    growth = _median("megabytes", last) / _median("megabytes", before)
    kept = _median("rate", last) / _median("rate", before)
    print(f"the last third beside the one before: memory {growth:.3f}, throughput {kept:.3f}")
    return growth <= MOST_GROWTH and kept >= LEAST_THROUGHPUT


def _median(name: str, slices: list[Slice]) -> float:
    return statistics.median(getattr(each, name) for each in slices)


if __name__ == "__main__":
    sys.exit(main())
