"""What the experiments share: where results go, and tables that Markdown and people can read."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from moo_research.files import write_atomically

RESULTS = Path(__file__).resolve().parent.parent / "results"


def arguments(about: str, games: Sequence[str]) -> argparse.Namespace:
    """Read the command line of an experiment: games, threads, folder for the results."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("games", nargs="*", default=list(games), metavar="RULES")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="DIR")
    return parser.parse_args()


def write(folder: Path, name: str, value: dict[str, Any], text: str) -> None:
    """Write ``name``.json and ``name``.md into a folder, and print the text."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(f" {json.dumps(key)}: {_lay_out(each)}" for key, each in value.items())
    write_atomically(folder / f"{name}.json", f"{{\n{lines}\n}}\n".encode())
    write_atomically(folder / f"{name}.md", f"{text.rstrip()}\n".encode())
    print(text)


def plot(folder: Path, name: str, kind: str, value: dict[str, Any]) -> None:
    """Draw a result into ``plots/name``.svg of a folder, if Matplotlib is there."""
    from moo_research import plots

    if importlib.util.find_spec("matplotlib") is None:
        print("no picture: Matplotlib is not installed (pip install 'moo-research[plots]')")
        return
    (folder / "plots").mkdir(exist_ok=True)
    plots.save(plots.draw_result(kind, value), folder / "plots" / f"{name}.svg")


def _lay_out(value: Any) -> str:
    """Write JSON with one line for each element of a list of objects."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(f"  {json.dumps(each)}" for each in value) + "\n ]"
    return json.dumps(value)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Lay out a table in Markdown."""
    lines = [list(map(str, head)), *(list(map(str, row)) for row in rows)]
    widths = [max(3, *(len(line[i]) for line in lines)) for i in range(len(head))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| "
        + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        + " |"
        for line in lines
    )


def histogram(counts: Sequence[int]) -> str:
    """Write the secrets solved at guess 1, 2, ..."""
    return " ".join(map(str, counts))
