"""``moo certify``: a proof that a decision tree cannot be bettered."""

from __future__ import annotations

from pathlib import Path

import click

from moo_research.cli import common
from moo_research.layout import counted


@click.command()
@click.argument("tree_file", metavar="TREE")
@click.argument(
    "certificate_file", metavar="CERTIFICATE", type=common.output_file(common.CERTIFICATE_SUFFIXES)
)
@common.search_options
def command(
    tree_file: str,
    certificate_file: Path,
    threads: int,
    memory: int | None,
    kernel: str | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Prove that the decision tree in the file TREE has the least total of guesses, and write the
    proof to CERTIFICATE, .cert or .cert.gz, for moo check.

    The tree may come from anywhere: a search with --resume or on a cluster, another program. Exit
    status 1 if it is not optimal; then it is said where it can be bettered.
    """
    from moo_research.certificate import prove_tree

    tree = common.load_tree(tree_file)
    with common.progress_line(str(tree.rules), quiet) as progress:
        proof = prove_tree(tree, threads=threads, memory=memory, kernel=kernel, progress=progress)
    if proof.optimal:
        proof.save(certificate_file)
    after = " ".join(f"{guess} {response}" for guess, response in proof.better_after)
    if as_json:
        common.print_json(
            {
                "rules": str(tree.rules),
                "total": tree.total,
                "optimal": proof.optimal,
                "better": None
                if proof.optimal
                else {"history": after, "total": proof.better, "taken": proof.taken},
                "claims": len(proof.claims) if proof.optimal else None,
                "seconds": proof.seconds,
            }
        )
    elif proof.optimal:
        click.echo(
            f"{tree_file}: {tree.rules}, {tree.total} guesses over all secrets: optimal\n"
            f"{certificate_file}: the proof; moo check {certificate_file} {tree_file} checks it"
            f"\n{counted(len(proof.claims), 'set')} searched, {proof.seconds:.2f} s"
        )
    else:
        where = f"after {after} " if after else ""
        click.echo(
            f"{tree_file}: not optimal: {where}{proof.better} guesses are enough, and it takes"
            f" {proof.taken}"
        )
    return 0 if proof.optimal else 1
