"""``moo reproduce``: compute every published figure and compare."""

from __future__ import annotations

from pathlib import Path

import click

from moo_research.cli import common


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--list", "list_names", is_flag=True, help="List the names and stop.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder for the findings (reproduce.json, reproduce.txt) and the 4x10 tree. Without it"
    " they go to results/, or nowhere if NAMEs are given.",
)
@common.search_options
def command(
    names: tuple[str, ...],
    list_names: bool,
    output: Path | None,
    threads: int,
    memory: int | None,
    kernel: str | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Compute every published figure, or those of the NAMEs, and compare.

    The exit status is 1 if a figure differs.
    """
    from moo_research.layout import format_table
    from moo_research.reproduce import CHECKS, check_folder, reproduce

    if list_names:
        if as_json:
            common.print_json({"names": {check.name: check.what for check in CHECKS}})
        else:
            click.echo(format_table(("name", "what"), [(c.name, c.what) for c in CHECKS]))
        return 0
    # A part of the findings must not replace the whole unless that was asked for.
    folder = output if output is not None else None if names else Path("results")
    if folder is not None:
        check_folder(folder)
    with common.progress_line("reproduce", quiet) as progress:
        report = reproduce(names, threads=threads, memory=memory, kernel=kernel, progress=progress)
    common.tell_statistics()
    written = () if folder is None else report.write(folder)
    if as_json:
        common.print_json(report.to_json())
    else:
        click.echo(report.to_text(), nl=False)
        click.echo(f"computed in {report.seconds:.1f} s")
        for path in written:
            click.echo(f"written: {path}")
    return 0 if report.holds else 1
