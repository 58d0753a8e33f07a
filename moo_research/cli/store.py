"""``moo store``: what has been proven and kept."""

from __future__ import annotations

import os
import time
from pathlib import Path

import click

from moo_research.cli import common
from moo_research.layout import counted, format_table
from moo_research.rules import Rules

_file_option = click.option(
    "--file",
    "-f",
    "store_file",
    type=common.store_file,
    default="",
    metavar="FILE",
    help="The store; by default $MOO_STORE, or moo_research/store.sqlite in $XDG_DATA_HOME or"
    " ~/.local/share.",
)
_rules_option = click.option("--rules", type=Rules.of, metavar="RULES", help="Only of this game.")


@click.group(invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Show, check, write out and merge what moo solve --resume has proven and kept.

    Costs are listed from the guess on that a result is about, less the first of them: "0 step 1"
    is the least total. How results are kept, and why they can be trusted, is in docs/store.md.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command("list")
@_file_option
@common.json_option
def list_(store_file: Path, as_json: bool) -> None:
    """List the games and costs about which something is kept."""
    from moo_research.store import VERSION

    with common.open_store(store_file, read_only=True) as store:
        counts = store.count()
        unfinished = store.unfinished()
    size = os.path.getsize(store_file)
    if as_json:
        common.print_json(
            {
                "file": str(store_file),
                "bytes": size,
                "version": VERSION,
                "questions": [
                    {
                        "rules": count.rules,
                        "cost": count.cost,
                        "version": count.version,
                        "values": count.values,
                        "bounds": count.bounds,
                        "largest": count.largest,
                    }
                    for count in counts
                ],
                "unfinished": [
                    {
                        "rules": search.rules,
                        "cost": search.cost,
                        "history": search.history,
                        "version": search.version,
                        "bytes": len(content),
                    }
                    for search, content in unfinished
                ],
            }
        )
        return
    total = sum(count.values + count.bounds for count in counts)
    click.echo(f"{store_file}: {counted(total, 'result')}, {counted(size, 'byte')}")
    if counts:
        rows = [
            (
                count.rules,
                count.cost if len(count.cost) <= _LONGEST else f"{count.cost[:_LONGEST]}...",
                count.values,
                count.bounds,
                count.largest,
                "" if count.version == VERSION else f"of version {count.version}: not used",
            )
            for count in counts
        ]
        head = ("game", "costs ahead", "exact", "bounds", "largest", "")
        click.echo(format_table(head, rows, right=(2, 3, 4)))
    for search, content in unfinished:
        after = f" after {search.history}" if search.history else ""
        costs = search.cost if len(search.cost) <= _LONGEST else f"{search.cost[:_LONGEST]}..."
        click.echo(
            f"unfinished: {search.rules}{after}, costs {costs}; {counted(len(content), 'byte')}"
            + ("" if search.version == VERSION else f", of version {search.version}: not used")
        )


_LONGEST = 40


@command.command()
@_file_option
@_rules_option
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    metavar="N",
    help="How many results, drawn at random, are solved afresh.",
)
@click.option("--all", "everything", is_flag=True, help="Solve all of them afresh.")
@click.option("--seed", type=int, metavar="S", help="Which are drawn; by default others each time.")
@common.search_options
def verify(
    store_file: Path,
    rules: Rules | None,
    sample: int,
    everything: bool,
    seed: int | None,
    threads: int,
    memory: int | None,
    kernel: str | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Check every digest, and solve some results afresh by a search that knows no store."""
    from moo_research.recheck import draw, recheck, recheck_unfinished
    from moo_research.store import VERSION

    began = time.perf_counter()
    with common.open_store(store_file, read_only=True) as store:
        every = [
            (key, proven)
            for key, proven in store.results()
            if key.version == VERSION and (rules is None or key.rules == str(rules))
        ]
        searches = [
            (search, content)
            for search, content in store.unfinished()
            if search.version == VERSION and (rules is None or search.rules == str(rules))
        ]
    seed = int.from_bytes(os.urandom(4), "big") if seed is None else seed
    drawn = every if everything else draw(every, sample, seed)
    with common.progress_line(str(store_file), quiet) as progress:
        failures = recheck(drawn, threads=threads, memory=memory, kernel=kernel, progress=progress)
        bounds, false_bounds = recheck_unfinished(
            *(searches, sample, seed),
            threads=threads,
            memory=memory,
            kernel=kernel,
            progress=progress,
        )
    if as_json:
        common.print_json(
            {
                "file": str(store_file),
                "results": len(every),
                "checked": len(drawn),
                "seed": seed,
                "failures": [
                    {
                        "rules": failure.key.rules,
                        "cost": failure.key.cost,
                        "history": failure.proven.history,
                        "bound": failure.proven.bound,
                        "exact": failure.proven.exact,
                        "reason": failure.reason,
                    }
                    for failure in failures
                ],
                "unfinished": len(searches),
                "bounds_checked": bounds,
                "bounds_failed": false_bounds,
                "seconds": time.perf_counter() - began,
            }
        )
    else:
        for failure in failures:
            where = f"after {failure.proven.history}" if failure.proven.history else "at the start"
            click.echo(f"{failure.key.rules} {where}, costs {failure.key.cost}: {failure.reason}")
        verdict = f"{counted(len(failures), 'result')} wrong" if failures else "all hold"
        click.echo(
            f"{store_file}: {counted(len(every), 'result')} intact,"
            f" {len(drawn)} solved afresh (seed {seed}): {verdict}"
        )
        for line in false_bounds:
            click.echo(line)
        if searches:
            verdict = f"{len(false_bounds)} wrong" if false_bounds else "all hold"
            click.echo(
                f"{counted(len(searches), 'unfinished search', 'unfinished searches')},"
                f" {counted(bounds, 'bound')} proven afresh: {verdict}"
            )
    return 1 if failures or false_bounds else 0


@command.command()
@_file_option
@_rules_option
@click.option(
    "--output",
    "-o",
    type=common.output_file(),
    metavar="FILE",
    help="Write to FILE instead of standard output.",
)
def export(store_file: Path, rules: Rules | None, output: Path | None) -> None:
    """Write all results as JSON, one a line, each with its digest."""
    from moo_research.files import write_atomically
    from moo_research.store import SUFFIX, write_line

    if output is not None and output.name.endswith(SUFFIX):
        raise click.BadParameter(
            f"{str(output)!r} would be taken for a store; name it otherwise, .jsonl for example"
        )
    with common.open_store(store_file, read_only=True) as store:
        lines = (
            write_line(key, proven)
            for key, proven in store.results()
            if rules is None or key.rules == str(rules)
        )
        if output is None:
            for line in lines:
                click.echo(line)
        else:
            write_atomically(output, "".join(f"{line}\n" for line in lines).encode())


@command.command()
@click.argument("others", nargs=-1, required=True, metavar="OTHER...")
@_file_option
@common.json_option
def merge(others: tuple[str, ...], store_file: Path, as_json: bool) -> int:
    """Add the results of other stores, or of what moo store export wrote.

    Results of another version of the search are refused, and the exit status is 1 then.
    """
    from moo_research.store import SUFFIX, read_lines

    new = known = refused = unfinished = 0
    with common.open_store(store_file) as store:
        for other in others:
            if other.endswith(SUFFIX):
                with common.open_store(Path(other), read_only=True) as source:
                    merged = store.merge(source.results())
                    unfinished += store.merge_unfinished(source)
            else:
                merged = store.merge(read_lines(other))
            new, known = new + merged.new, known + merged.known
            refused += merged.refused
    if as_json:
        common.print_json(
            {
                "file": str(store_file),
                "new": new,
                "known": known,
                "refused": refused,
                "unfinished": unfinished,
            }
        )
    else:
        text = f"{store_file}: {counted(new, 'result')} new, {known} known already"
        if unfinished:
            text += f", {counted(unfinished, 'unfinished search', 'unfinished searches')}"
        click.echo(f"{text}, {refused} refused: of another version" if refused else text)
    return 1 if refused else 0
