"""``moo export``: write a decision tree in another format."""

from __future__ import annotations

from pathlib import Path

import click

from moo_research import formats
from moo_research.cli import common
from moo_research.files import write_atomically


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
@click.option(
    "--max-bytes",
    type=click.IntRange(min=1),
    metavar="N",
    help="Make a program of at most N bytes: terse, and if need be a part of the tree is left to a"
    " rule that the program plays by itself.",
)
def command(tree_file: str, name: str, output: Path | None, max_bytes: int | None) -> None:
    """Write the decision tree in the file TREE in another format.

    Only a tree that solves every secret is written; moo verify lists what is wrong with another.
    The programs (python, c, javascript) are files of their own that need nothing of this package;
    their size and how well they play go to standard error.
    """
    tree = common.load_tree(tree_file)
    if output is not None and output.exists() and output.samefile(tree_file):
        raise click.UsageError(f"{output} would take the place of the tree that is read")
    written = formats.export(tree, name, max_bytes=max_bytes)
    if output is None:
        click.echo(written.text, nl=False)
    else:
        write_atomically(output, formats.encode(written.text, output))
    if written.note:
        click.echo(written.note, err=True)
