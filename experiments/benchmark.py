"""Time the proofs that the toolkit is measured by, cold, for each kernel and thread count.

Every figure is the median of several runs of ``moo`` as a new process; the time is the one that the
command reports, from the reading of the rules to the replay of the tree. Beside them stands what
the fastest public solver was found to need on this class of machine. Writes results/benchmark.txt
and .json, unless it is only asked to print. Nothing else should run on the machine meanwhile.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import common

from moo_research import published
from moo_research.files import write_atomically
from moo_research.layout import format_table
from moo_research.search import kernels

TANAKA = ",".join(map(str, published.MINIMUM_HISTOGRAM))

WORK = {
    "4x10, least total": ["solve", "4x10"],
    "4x9, least total": ["solve", "4x9"],
    "5x7, least total": ["solve", "5x7"],
    "5x8, least total": ["solve", "5x8"],
    "4x6 with repeats, least total": ["solve", "4x6r"],
    "4x7 with repeats, least total": ["solve", "4x7r"],
    "5x5 with repeats, least total": ["solve", "5x5r"],
    "4x10, fewest at the last guess": ["solve", "4x10", "--objective", "last"],
    "4x10, least worst case": ["bound", "4x10"],
    "4x10, one best reply": ["strongest", "4x10", "--rounds", "1", "--start", TANAKA],
    "4x10, strongest play to its fixed point": ["strongest", "4x10"],
}
PUBLIC_SOLVER = {
    "4x10, least total": "105",
    "4x9, least total": "2.6",
    "5x7, least total": "62",
    "5x8, least total": "over 2400",
    "4x6 with repeats, least total": "0.11",
    "4x7 with repeats, least total": "16",
    "5x5 with repeats, least total": "4.5",
}
"""Seconds of the fastest public solver on this class of machine, one thread; not run here."""


def timed(arguments: list[str], runs: int) -> dict[str, Any]:
    """Return the median of the seconds that a command reports, and its peak memory if it does."""
    answers = []
    for _ in range(runs):
        command = [sys.executable, "-m", "moo_research", *arguments, "--json"]
        answers.append(json.loads(subprocess.run(command, capture_output=True, check=True).stdout))
    seconds = [answer["seconds"] for answer in answers]
    memory = [answer["peak_memory_mb"] for answer in answers if "peak_memory_mb" in answer]
    return {
        "median": median(seconds),
        "least": min(seconds),
        "most": max(seconds),
        "memory": max(memory, default=None),
    }


def processor() -> str:
    """Name the processor as well as the system can."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def main() -> None:
    """Run everything and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="runs for each figure (default 5)")
    parser.add_argument("--only", help="only work whose name contains this")
    parser.add_argument("--print", action="store_true", help="write no files")
    options = parser.parse_args()
    settings = [(kernels()[0], 2)] + [(name, 1) for name in kernels() if name != "portable"]
    rows, record = [], {}
    for name, arguments in WORK.items():
        if options.only and options.only not in name:
            continue
        cells = []
        for kernel, threads in settings:
            found = timed([*arguments, "--kernel", kernel, "--threads", str(threads)], options.runs)
            record[f"{name}; {kernel}, {threads}"] = found
            cells.append(f"{found['median']:.2f}")
            print(name, kernel, threads, found, file=sys.stderr)
        rows.append((name, PUBLIC_SOLVER.get(name, ""), *cells))
    heads = (
        "seconds, median",
        "public solver",
        *(f"{kernel} x{threads}" for kernel, threads in settings),
    )
    text = f"{processor()}, {options.runs} runs each\n\n{format_table(heads, rows)}\n"
    print(text)
    if not options.only and not options.print:
        write_atomically(common.RESULTS / "benchmark.txt", text.encode())
        value = {"processor": processor(), "runs": options.runs, "seconds": record}
        write_atomically(
            common.RESULTS / "benchmark.json", (json.dumps(value, indent=1) + "\n").encode()
        )
        common.plot(common.RESULTS, "benchmark", "benchmark", value)


if __name__ == "__main__":
    main()
