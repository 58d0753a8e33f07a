"""``moo import``: a tree that another program wrote, into ours."""

from __future__ import annotations

from pathlib import Path

import click

from moo_research import formats
from moo_research.cli import common, verify
from moo_research.files import write_atomically
from moo_research.layout import counted, format_summary
from moo_research.rules import Rules


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--from",
    "name",
    type=click.Choice(list(formats.FOREIGN)),
    required=True,
    help="; ".join(f"{name}: {what}" for name, what in formats.FOREIGN.items()) + ".",
)
@click.option(
    "--rules",
    type=Rules.of,
    metavar="RULES",
    help="The rules of the game, such as 4x6r.  [default: found out from the file]",
)
@click.option(
    "--symbols",
    metavar="SYMBOLS",
    help="The symbols of the file in the order of ours from 0 on: A-F, 1-6, 0-9a-f."
    "  [default: found out from the file]",
)
@click.option(
    "--output",
    "-o",
    type=common.output_file(common.TREE_SUFFIXES),
    metavar="FILE",
    help="Write a tree file instead of printing it.",
)
@click.option("--force", is_flag=True, help="Write the tree even if it fails on some secret.")
@common.json_option
def command(
    file: str,
    name: str,
    rules: Rules | None,
    symbols: str | None,
    output: Path | None,
    force: bool,
    as_json: bool,
) -> int:
    """Read a decision tree that another program wrote to FILE, and write it as a tree file.

    The tree is replayed on every secret: exit status 1 if it fails on one, and then nothing is
    written without --force. What the file leaves out is filled in if the rules determine it.
    Without --output the tree goes to standard output and the findings to standard error; --json
    prints the findings only.
    """
    from moo_research.formats import foreign

    found = foreign.load(file, name, rules, symbols)
    tree, result = found.tree, found.verification
    if output is not None and output.exists() and output.samefile(file):
        raise click.UsageError(f"{output} would take the place of the file that is read")
    written = result.valid or force
    if written and output is not None:
        write_atomically(output, formats.encode(formats.write(tree, "json"), output))
    if as_json:
        common.print_json(
            {
                **verify.json_keys(tree.rules, result),
                "symbols": found.symbols,
                "completed": found.completed,
                "remarks": found.remarks,
                "tree": str(output) if written and output is not None else None,
            }
        )
        return 0 if result.valid else 1
    lines = verify.summary_lines(tree.rules, result)
    lines.insert(1, ("symbols", foreign.describe_symbols(found.symbols)))
    if found.completed:
        what = counted(found.completed, "guess", "guesses")
        lines.append(("filled in", f"{what} that the file leaves out"))
    if found.remarks:
        lines.append(("remarks", verify.first_of(found.remarks)))
    if not written:
        lines.append(("tree", "not written; --force writes it nevertheless"))
    elif output is not None:
        lines.append(("tree", str(output)))
    else:
        click.echo(formats.write(tree, "json"), nl=False)
    click.echo(format_summary(lines), err=output is None)
    return 0 if result.valid else 1
