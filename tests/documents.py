"""Reading the documents: their console blocks, links and headings."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted(
    page
    for folder in ("", "docs/", "docs/results/", "results/")
    for page in ROOT.glob(f"{folder}*.md")
)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def console_examples(document: Path) -> list[tuple[str, str]]:
    """The commands after ``$`` in the blocks marked ``console``, each with what it prints."""
    text = document.read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    command = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
    return [example for block in blocks for example in command.findall(block)]


def run_console(moo: Callable[..., Result], document: Path) -> None:
    """Run the examples in their order, in the current folder, since one reads what another wrote.

    ``...`` stands for anything. One that prints an error is a wrong request.
    """
    for line, expected in console_examples(document):
        program, *arguments = shlex.split(line)
        assert program == "moo"
        result = moo(*arguments)
        assert result.exit_code == (2 if expected.startswith("moo: ") else 0), result.output
        if not doctest.OutputChecker().check_output(expected, result.output, FLAGS):
            assert result.output == expected, line


def prose(document: Path) -> str:
    """The text without its code, blocks and spans."""
    text = document.read_text(encoding="utf-8")
    text = re.sub(r"^(```+).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(?: {4}|\t).*$", "", text, flags=re.MULTILINE)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", text, flags=re.DOTALL)


def links(document: Path) -> list[str]:
    """The targets of links and pictures."""
    return re.findall(r"\]\(\s*<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)", prose(document))


def anchors(document: Path) -> set[str]:
    """The anchors of the headings, as hosts of repositories and the generator make them."""
    text = document.read_text(encoding="utf-8")
    text = re.sub(r"^(```+).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", text, re.MULTILINE):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        name, number = slug, 0
        while name in found:
            number += 1
            name = f"{slug}-{number}"
        found.add(name)
    return found
