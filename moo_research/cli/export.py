"""``moo export``: write a decision tree in another format."""

from __future__ import annotations

from pathlib import Path

import click

from moo_research import formats
from moo_research.cli import common
from moo_research.errors import TreeError
from moo_research.files import write_atomically
from moo_research.tree import DecisionTree


@click.command()
@click.argument("tree_file", metavar="TREE")
@click.option(
    "--to",
    "name",
    type=click.Choice(list(formats.FORMATS)),
    required=True,
    help="; ".join(f"{name}: {what}" for name, what in formats.FORMATS.items()) + ".",
)
@click.option(
    "--output",
    "-o",
    type=common.output_file(),
    metavar="FILE",
    help="Write FILE, compressed if its name ends in .gz, instead of standard output.",
)
def command(tree_file: str, name: str, output: Path | None) -> None:
    """Write the decision tree in the file TREE in another format.

    Only a tree that solves every secret is written; moo verify lists what is wrong with another.
    """
    tree = DecisionTree.load(tree_file)
    if output is not None and output.exists() and output.samefile(tree_file):
        raise click.UsageError(f"{output} would take the place of the tree that is read")
    try:
        tree.ensure_valid()
    except TreeError as error:
        raise TreeError(f"{tree_file}: {error}; see moo verify") from None
    text = formats.write(tree, name)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, formats.encode(text, output))
