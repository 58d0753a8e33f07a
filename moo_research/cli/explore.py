"""``moo explore``: a Web page to walk through a decision tree, or to compare two."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

import click

from moo_research.cli import common
from moo_research.errors import MooError
from moo_research.files import write_atomically
from moo_research.rules import Rules
from moo_research.tree import DecisionTree

PAGE_SUFFIXES = (".html", ".htm")


@click.command()
@click.argument("tree_file", metavar="TREE")
@click.option(
    "--compare",
    "other",
    metavar="B",
    help="Compare with another strategy of the same game: a tree file, or a player's name.",
)
@click.option(
    "--output",
    "-o",
    type=common.output_file(PAGE_SUFFIXES),
    metavar="FILE",
    help="Where to write the page.  [default: the name of TREE with .html, in this folder]",
)
@click.option("--no-open", is_flag=True, help="Write the page, but do not open it in a browser.")
@common.json_option
def command(
    tree_file: str, other: str | None, output: Path | None, no_open: bool, as_json: bool
) -> None:
    """Write a Web page to explore the decision tree in the file TREE, and open it.

    The page stands alone: it opens from disk and asks no network for anything. It walks through the
    tree by responses, plays against you, shows the game of any secret, and how many guesses the
    secrets take.
    """
    from moo_research import explorer

    tree = common.load_tree(tree_file)
    if output is None:
        output = _default_output(tree_file)
    trees = [(common.name_of_tree(tree_file), tree)]
    if other is not None:
        trees.append((common.name_of_tree(other), _strategy(other, tree.rules)))
        if trees[0][0] == trees[1][0]:
            trees = [(tree_file, trees[0][1]), (other, trees[1][1])]
    for read in (tree_file, other):
        if read is not None and os.path.exists(read) and output.exists() and output.samefile(read):
            raise click.UsageError(f"{output} would take the place of a tree that is read")
    page = explorer.page(trees)
    write_atomically(output, page.encode())
    opened = not no_open and webbrowser.open(output.resolve().as_uri())
    if as_json:
        common.print_json(
            {
                "rules": str(tree.rules),
                "trees": [{"name": name, "total": tree.total} for name, tree in trees],
                "page": str(output),
                "bytes": len(page.encode()),
                "opened": opened,
            }
        )
        return
    click.echo(f"{output}")
    if not opened and not no_open:
        click.echo("no browser could be opened here; open the page by hand", err=True)


def _strategy(text: str, rules: Rules) -> DecisionTree:
    """Read a tree, or let a player by name make one."""
    from moo_research import players
    from moo_research.simulate import decision_tree

    if text not in players.names():
        tree = common.load_tree(text)
        if tree.rules != rules:
            raise MooError(f"{text} is a tree of {tree.rules}; it takes {rules} to compare")
        return tree
    return decision_tree(players.get(text), rules)


def _default_output(path: str) -> Path:
    """The page of a tree, in this folder; refused if something else has that name."""
    from moo_research.explorer import GENERATOR

    output = common.output_file()(f"{common.name_of_tree(path)}.html")
    if output.exists():
        with output.open("rb") as stream:
            if GENERATOR.encode() not in stream.read(2000):
                raise click.UsageError(
                    f"{output} exists and is no page of moo explore; choose a name with -o"
                )
    return output
