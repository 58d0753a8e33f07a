"""``moo plot``: pictures of strategies and of results."""

from __future__ import annotations

from pathlib import Path

import click

from moo_research import plots
from moo_research.cli import common

KINDS = {**plots.TREE_KINDS, **plots.RESULT_KINDS}


@click.command()
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.argument("files", metavar="FILES...", nargs=-1, required=True)
@click.option(
    "--output",
    "-o",
    type=common.output_file(plots.SUFFIXES),
    required=True,
    metavar="FILE",
    help="Where to draw: a name that ends in .svg or .png.",
)
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="TEXT",
    help="What a tree is called in the picture, once for each.  [default: the name of its file]",
)
@common.json_option
def command(
    kind: str, files: tuple[str, ...], output: Path, labels: tuple[str, ...], as_json: bool
) -> None:
    """Draw trees, or a result that an experiment has written, as an SVG or PNG file.

    \b
    histograms      secrets solved at guess 1, 2, ..., of up to six trees
    second-guesses  what the first guess of a tree leaves, and the guess after it
    frontier        total against secrets at the last guess: results/frontier-4x10.json
    family          the least mean by the number of symbols: results/family.json
    effort          what settles a guess in the search: results/effort.json
    effort-by-size  the same by the size of the set: results/effort.json
    players         players beside the best of them: results/players.json
    landy           readings of Landy's function: results/landy.json
    large           guesses and times in games of millions of codes: results/large.json
    starts          strongest play against where it began: results/strongest-starts.json
    benchmark       times of searches: results/benchmark.json

    Needs Matplotlib: pip install 'moo-research[plots]'.
    """
    if kind != "histograms" and len(files) > 1:
        raise click.UsageError(f"{kind} takes one file, not {len(files)}")
    if labels and (kind in plots.RESULT_KINDS or len(labels) != len(files)):
        raise click.UsageError("--label names trees, one label for each")
    if kind in plots.RESULT_KINDS:
        figure = plots.draw_result(kind, plots.load_result(files[0], kind))
    else:
        names = labels or tuple(map(common.name_of_tree, files))
        if not labels and len(set(names)) < len(names):
            names = files
        trees = [(name, common.load_tree(file)) for name, file in zip(names, files, strict=True)]
        if kind == "histograms":
            figure = plots.histograms(trees)
        else:
            figure = plots.second_guesses(trees[0][1], labels[0] if labels else "")
    plots.save(figure, output)
    if as_json:
        common.print_json({"kind": kind, "files": list(files), "plot": str(output)})
    else:
        click.echo(str(output))
