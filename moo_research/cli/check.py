"""``moo check``: check a proof of optimality."""

from __future__ import annotations

import click

from moo_research.cli import common
from moo_research.machine import processors


@click.command()
@click.argument("certificate", type=str)
@click.argument("tree", required=False)
@click.option(
    "--processes",
    type=click.IntRange(min=1, max=999),
    metavar="N",
    help="Processes that share a large certificate; by default one for each processor.",
)
@common.json_option
@common.quiet_option
def command(
    certificate: str, tree: str | None, processes: int | None, quiet: bool, as_json: bool
) -> int | None:
    """Check the proof in the file CERTIFICATE, and that the strategy in TREE attains its optimum.

    The checker is one file, moo_research/checker.py, which shares no code with the search and also
    runs alone. Exit status 1: the proof is rejected, or the tree does not attain the optimum.
    """
    from moo_research import checker

    report = None if quiet else checker.terminal_report()
    verdict = checker.check(certificate, report, processes or processors())
    if report is not None:
        common.wipe_line()
    accepted, reason = verdict.accepted, verdict.reason
    if accepted and tree is not None:
        from moo_research.certificate import shortcoming_of

        reason = shortcoming_of(tree, verdict)
        accepted = reason is None
    if as_json:
        common.print_json(
            {
                "accepted": accepted,
                "rules": verdict.rules,
                "cost": None if verdict.cost is None else list(verdict.cost),
                "step": verdict.step,
                "optimum": verdict.optimum,
                "claims": verdict.claims,
                "seconds": verdict.seconds,
                "reason": reason,
            }
        )
    elif not accepted:
        click.echo(f"rejected: {certificate}: {reason}")
    else:
        click.echo(checker.describe(verdict))
        if tree is not None:
            click.echo(f"{tree} attains it")
    return None if accepted else 1
