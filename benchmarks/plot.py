"""Two pictures in one file: what converting costs as schemas grow, and one request beside other libraries."""

from __future__ import annotations

import copy
import itertools
import json
from pathlib import Path
from typing import Any

from benchmarks.claims import medians
from benchmarks.cold import PEER_TARGETS, cold
from benchmarks.convert import growth
from benchmarks.data import request_tools
from benchmarks.peers import answers, converters

from toolglot import Toolbox

SIZES = {"properties": (10, 100, 1_000, 10_000), "levels": (10, 100, 1_000), "unions": (10, 100, 1_000)}
TARGET = "llama.cpp"
# One access is too short for the clock.
HELD = 1_000


def draw(file: Path) -> None:
    """Measures and draws; the file's ending says how."""
    import matplotlib as mpl  # noqa: PLC0415 - of the extra `bench`

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415 - as above

    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 5.5), layout="constrained")
    _growth(left)
    _request(right)
    figure.savefig(file, dpi=130)
    plt.close(figure)


def _growth(axes: Any) -> None:
    for shape, sizes in SIZES.items():
        seconds = growth(shape, sizes, TARGET)
        times = [seconds[size] * 1000 for size in sizes]
        axes.plot(sizes, times, marker="o", label=f"{shape}: {times[-1]:.0f} ms at {sizes[-1]:,}")
    axes.plot((10, 10_000), (0.1, 100), color="lightgray", linestyle="--", label="linear")
    axes.set(xscale="log", yscale="log", xlabel="how many", ylabel="milliseconds")
    axes.set_title(f"A schema never seen before, for {TARGET}")
    axes.margins(x=0.12)
    axes.legend(frameon=False)


def _request(axes: Any) -> None:
    bars = _bars()
    names, times = list(bars), [value * 1000 for value in bars.values()]
    colours = ["tab:blue" if name.startswith("toolglot") else "tab:gray" for name in names]
    drawn = axes.barh(names, times, color=colours)
    axes.bar_label(drawn, [f"{value:.2f}" if value >= 0.01 else f"{value:.4f}" for value in times], padding=4)
    axes.invert_yaxis()
    axes.set(xlabel="milliseconds (each scale step is ten times)", xscale="log")
    axes.margins(x=0.15)
    axes.set_title("One request of the 23 largest MCP tools")
    axes.spines[["top", "right"]].set_visible(False)


def _bars() -> dict[str, float]:
    """The seconds for all tools, by what does the work."""
    tools = request_tools()
    rebuilt = itertools.cycle([copy.deepcopy(tools) for _ in range(8)])
    held = Toolbox(tools, TARGET)
    schemas = [tool["inputSchema"] for tool in tools]
    work: dict[str, Any] = {
        "toolglot, a held Toolbox": lambda: [held.wire_json for _ in range(HELD)],
        "toolglot, repeated request": lambda: Toolbox(next(rebuilt), TARGET).wire,
        "json.dumps": lambda: json.dumps(next(rebuilt)),
    }
    for target in PEER_TARGETS:
        for name, peer in converters(target).items():
            both = [schema for schema in schemas if answers(peer, schema)]
            label = f"{name}, {target}" + ("" if len(both) == len(schemas) else f" ({len(both)} of {len(schemas)})")
            work[label] = lambda both=both, peer=peer: [peer(schema) for schema in both]
    for target in (TARGET, *PEER_TARGETS):
        work[f"toolglot, never seen, {target}"] = lambda target=target: [cold(schema, target) for schema in schemas]
    found = medians(work, seconds=2)
    found["toolglot, a held Toolbox"] /= HELD
    return found
