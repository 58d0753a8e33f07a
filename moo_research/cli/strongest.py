"""``moo strongest``: iterated best reply to a fixed point."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from moo_research.cli import common
from moo_research.rules import Rules

if TYPE_CHECKING:
    from fractions import Fraction

    from moo_research.strongest import Round, Strongest
    from moo_research.tree import DecisionTree


@click.command()
@common.rules_argument
@click.option(
    "--start",
    metavar="TREE|H1,H2,...",
    help="Begin with this strategy: a tree file, or the number of secrets that it solves at guess"
    " 1, 2, ...; by default one of least total.",
)
@click.option(
    "--rounds", type=click.IntRange(min=1), metavar="N", help="Search no more than N best replies."
)
@click.option(
    "--tree",
    "tree_file",
    type=common.output_file(common.TREE_SUFFIXES),
    metavar="FILE",
    help="Write the last strategy to FILE, .json or .json.gz.",
)
@click.option(
    "--certificate",
    "certificate_file",
    type=common.output_file(common.CERTIFICATE_SUFFIXES),
    metavar="FILE",
    help="Write a proof that nothing scores more against the last strategy searched, .cert or"
    " .cert.gz.",
)
@common.search_options
def command(
    rules: Rules,
    start: str | None,
    rounds: int | None,
    tree_file: Path | None,
    certificate_file: Path | None,
    threads: int,
    memory: int | None,
    kernel: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Find the strongest strategy in a race, by best replies to best replies.

    Two players solve independent uniform secrets; fewer guesses win and count 1, equal counts are
    a draw and count 1/2. Each round is a strategy that scores as much as any can against the one
    before, its score recomputed from its replayed tree. The last is a best reply to itself, unless
    the rounds run out or go in a circle.
    """
    from moo_research.strongest import MAX_ROUNDS, strongest

    begin = _read_start(start)

    def show(each: Round) -> None:
        if each.score is None:
            common.print_line(f"{common.describe_rules(rules)}\n\n{_HEAD}")
        histogram = " ".join(map(str, each.histogram))
        common.print_line(_line(str(each.total), _score(each), histogram))

    with common.progress_line(f"{rules} strongest", quiet) as progress:
        result = strongest(
            rules,
            start=begin,
            rounds=rounds or MAX_ROUNDS,
            threads=threads,
            memory=memory,
            kernel=kernel,
            progress=progress,
            trace=certificate_file is not None,
            found=None if as_json else show,
        )
    common.tell_statistics(result.proof.statistics)
    tree = result.strategy.tree
    if tree_file is not None:
        if tree is not None:
            tree.save(tree_file)
        else:
            click.echo(
                f"moo: the last strategy is only a histogram, so {tree_file} is not written",
                err=True,
            )
    if as_json:
        common.print_json(_as_json(result))
    else:
        click.echo(f"\n{_verdict(result)}\nin {result.seconds:.2f} s")
        if tree_file is not None and tree is not None:
            click.echo(f"tree: {tree_file}")
    if certificate_file is not None:
        from moo_research.certificate import save_certificate

        save_certificate(certificate_file, result.proof)


def _read_start(text: str | None) -> DecisionTree | tuple[int, ...] | None:
    """Read a histogram, or the tree file of that name."""
    if text is None:
        return None
    if re.fullmatch(r"[0-9]+(,[0-9]+)*", text):
        return tuple(int(count) for count in text.split(","))
    from moo_research.tree import DecisionTree

    return DecisionTree.load(text)


def _line(total: str, score: str, histogram: str) -> str:
    return f"{total:>7}  {score:<34}  {histogram}"


_HEAD = _line("total", "score against the one before", "secrets at guess 1, 2, ...")


def _score(each: Round) -> str:
    return "-" if each.score is None else f"{each.score} ({_percent(each.score):.4f} %)"


def _percent(score: Fraction) -> float:
    return float(100 * score)


def _verdict(result: Strongest) -> str:
    """Say in one sentence how the sequence ended."""
    if result.equilibrium:
        return (
            "The last is a best reply to itself: no fixed strategy scores above one half against"
            " it (proved)."
        )
    if result.circle is not None:
        return (
            f"The last is strategy {result.circle + 1} again, so that the best replies go round in"
            " a circle; it is no best reply to itself."
        )
    return "The rounds ran out before it was asked whether the last is a best reply to itself."


def _as_json(result: Strongest) -> dict[str, Any]:
    return {
        "rules": str(result.rules),
        "rounds": [
            {
                "histogram": list(each.histogram),
                "total": each.total,
                "score": None if each.score is None else str(each.score),
                "score_percent": None if each.score is None else _percent(each.score),
            }
            for each in result.rounds
        ],
        "equilibrium": result.equilibrium,
        "circle": result.circle,
        "seconds": result.seconds,
    }
