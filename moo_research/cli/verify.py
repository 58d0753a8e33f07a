"""``moo verify``: replay a decision tree on every secret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from moo_research.cli import common
from moo_research.layout import counted, format_histogram, format_summary, total_of_guesses
from moo_research.rules import Rules
from moo_research.tree import DecisionTree, Verification

ERRORS_SHOWN = 20


@click.command()
@click.argument("tree_file", metavar="TREE")
@common.json_option
def command(tree_file: str, as_json: bool) -> int:
    """Replay the decision tree in the file TREE on every secret.

    The responses are computed anew from the rules. Exit status 1 if the tree does not solve every
    secret; what is wrong is listed with its place, such as root/0B1C/1B1C.
    """
    tree = DecisionTree.load(tree_file, strict=False)
    verification = tree.verify()
    if as_json:
        common.print_json(json_keys(tree.rules, verification))
    else:
        click.echo(format_summary(summary_lines(tree.rules, verification)))
    return 0 if verification.valid else 1


def json_keys(rules: Rules, verification: Verification) -> dict[str, Any]:
    """Return what a replay has shown for --json."""
    return {
        "rules": str(rules),
        "valid": verification.valid,
        "total": verification.total,
        "mean": verification.mean,
        "max_guesses": verification.max_guesses,
        "histogram": verification.histogram,
        "errors": verification.errors,
    }


def summary_lines(rules: Rules, verification: Verification) -> list[tuple[str, str]]:
    """Return what a replay has shown as lines of a name and a text."""
    game = ("game", common.describe_rules(rules))
    if not verification.valid:
        return [game, ("valid", "no"), ("errors", first_of(verification.errors))]
    assert verification.histogram is not None and verification.total is not None
    return [
        game,
        ("valid", "yes, every secret is solved"),
        ("total", f"{total_of_guesses(verification.total)} over all secrets"),
        ("mean", f"{verification.mean:.4f} guesses"),
        ("worst case", counted(len(verification.histogram), "guess", "guesses")),
        ("histogram", format_histogram(verification.histogram)),
    ]


def first_of(errors: Sequence[str]) -> str:
    """Return the first of many errors, one a line, and how many more there are."""
    shown = list(errors[:ERRORS_SHOWN])
    if more := len(errors) - len(shown):
        shown.append(f"and {more} more (--json lists all)")
    return "\n".join(shown)
