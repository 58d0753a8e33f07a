"""What a store costs a search that takes long, and what a kill takes from it.

A class of a game, by default what 01234 answered 1B2C leaves of 5 x 9, is solved without a store,
with a new one, and by processes of which each is killed (SIGKILL) after some seconds, until one is
through. Processor time is that of the search, without the start of Python and the table of
responses; a killed process has no more than its share of the seconds, so that what is told of these
is wall time, from the start of each process. Writes results/resume.json and results/resume.md,
unless --print is given.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import common

PROGRAM = """
import sys, time
from moo_research.search import solve
from moo_research.store import Store
rules, after, path = sys.argv[1:]
began = time.process_time()
store = Store(path) if path else None
solution = solve(rules, store=store, after=[tuple(after.split())] if after else ())
if store:
    store.close()
print(solution.total, time.process_time() - began)
"""


def run(
    rules: str, after: str, path: str, seconds: float | None = None
) -> tuple[int, float] | None:
    """Solve in another process; None if that was killed first, else total and processor time."""
    command = [sys.executable, "-c", PROGRAM, rules, after, path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            out, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None
        if process.returncode:
            raise SystemExit(f"the search failed: {' '.join(command[3:])}")
    total, took = out.split()
    return int(total), float(took)


def killed(rules: str, after: str, every: float) -> dict[str, Any]:
    """Solve with a kill every so many seconds."""
    kills, began = 0, time.perf_counter()
    with TemporaryDirectory() as folder:
        while (found := run(rules, after, f"{folder}/new.sqlite", every)) is None:
            kills += 1
    seconds = time.perf_counter() - began
    return {"every": every, "kills": kills, "seconds": seconds, "total": found[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="?", default="5x9", metavar="RULES")
    parser.add_argument("--after", default="01234 1B2C", metavar="TURN")
    parser.add_argument("--every", type=float, nargs="+", default=[20, 10, 5], metavar="SECONDS")
    parser.add_argument("--output", type=Path, default=common.RESULTS, metavar="DIR")
    parser.add_argument("--print", action="store_true", help="write no files")
    args = parser.parse_args()
    load = os.getloadavg()[0]
    rows: list[dict[str, Any]] = []
    for name, file in (("no store", ""), ("a new store", "new.sqlite")):
        with TemporaryDirectory() as folder:
            began = time.perf_counter()
            found = run(args.rules, args.after, file and f"{folder}/{file}")
            assert found is not None
            seconds = time.perf_counter() - began
        rows.append({"way": name, "kills": 0, "seconds": seconds, "total": found[0]})
        rows[-1]["processor_seconds"] = found[1]
    for every in args.every:
        rows.append({"way": f"killed every {every:g} s", **killed(args.rules, args.after, every)})
    if len({row["total"] for row in rows}) != 1:
        raise SystemExit("the totals differ")
    lines = [
        (
            row["way"],
            row["kills"],
            f"{row['seconds']:.1f}",
            f"{row['processor_seconds']:.1f}" if "processor_seconds" in row else "",
        )
        for row in rows
    ]
    table = common.table(("", "kills", "seconds", "processor seconds"), lines)
    after = f" after {args.after}" if args.after else ""
    text = (
        f"# A search that is killed\n\n{args.rules}{after}: {rows[0]['total']} guesses. Load"
        f" before: {load:.1f}; above 0.5 others were at work.\n\n{table}\n"
    )
    if args.print:
        print(text)
    else:
        value = {"rules": args.rules, "after": args.after, "load": load, "rows": rows}
        common.write(args.output, "resume", value, text)


if __name__ == "__main__":
    main()
