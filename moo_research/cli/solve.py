"""``moo solve``: prove the optimum of a game."""

from __future__ import annotations

import math
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from moo_research.cli import common
from moo_research.history import read_turn
from moo_research.layout import counted, format_histogram, format_summary, total_of_guesses
from moo_research.rules import Rules

if TYPE_CHECKING:
    from moo_research.cluster import Cluster
    from moo_research.search import Solution
    from moo_research.store import Store


@click.command()
@common.rules_argument
@click.option(
    "--objective",
    metavar="NAME",
    help="mean: the least total of guesses (the default). worst: the least worst case, then the"
    " least total. last: within the least worst case, the fewest secrets at the last guess.",
)
@click.option(
    "--cost",
    type=common.parse_cost,
    metavar="C1,C2,...",
    help="The cost of a secret by the guess that solves it, instead of a named objective; guesses"
    " past the end of the list are not allowed.",
)
@click.option(
    "--then",
    multiple=True,
    metavar="NAME",
    help="A further objective, mean or last, to choose among equals; may be given again.",
)
@click.option(
    "--max-guesses", type=click.IntRange(min=1), metavar="N", help="Allow no more than N guesses."
)
@click.option(
    "--after",
    multiple=True,
    metavar="TURN",
    help='Search only what comes after a guess and its response, "0123 1B2C"; may be given again.'
    " Goes with the objective mean, and with --cost, which counts all guesses of the game.",
)
@click.option(
    "--tree",
    "tree_file",
    type=common.output_file(common.TREE_SUFFIXES),
    metavar="FILE",
    help="Write an optimal decision tree to FILE, .json or .json.gz.",
)
@click.option(
    "--certificate",
    "certificate_file",
    type=common.output_file(common.CERTIFICATE_SUFFIXES),
    metavar="FILE",
    help="Write a proof that moo check can verify to FILE, .cert or .cert.gz.",
)
@click.option(
    "--resume",
    "store_file",
    type=common.store_file,
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Keep what is proven, as it comes, in FILE (.sqlite), and take up from what is there: the"
    " same command continues after Ctrl-C, a crash or a power cut. Without FILE in $MOO_STORE, or"
    " moo_research/store.sqlite in $XDG_DATA_HOME or ~/.local/share. See moo store.",
)
@click.option(
    "--cluster",
    is_flag=False,
    flag_value="",
    metavar="[ADDRESS]",
    help="Have the work done by a Dask cluster: that of a scheduler at ADDRESS (tcp://host:port, or"
    " a scheduler file), or one of this machine's processors. Keeps what is proven as --resume"
    " does. Needs the extra: pip install 'moo-research[cluster]'. See docs/cluster.md.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1, max=4096),
    metavar="N",
    help="Worker processes of a --cluster on this machine; by default one a processor.",
)
@click.option(
    "--patience",
    type=click.FloatRange(min=0, min_open=True, max=1e9),
    metavar="SECONDS",
    help="How long --cluster waits for a scheduler that is gone; 600 by default.",
)
@common.first_symbol_option
@common.search_options
def command(
    rules: Rules,
    objective: str | None,
    cost: tuple[int, ...] | None,
    then: tuple[str, ...],
    max_guesses: int | None,
    after: tuple[str, ...],
    tree_file: Path | None,
    certificate_file: Path | None,
    store_file: Path | None,
    cluster: str | None,
    workers: int | None,
    patience: float | None,
    first_symbol: int,
    threads: int,
    memory: int | None,
    kernel: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Prove the optimum of a game by exhaustive search and find a strategy that reaches it."""
    if cost is not None and objective is not None:
        raise click.UsageError("give --objective or --cost, not both", click.get_current_context())
    if certificate_file is not None and not (store_file is None and cluster is None):
        other = "--cluster" if store_file is None else "--resume"
        raise click.UsageError(
            f"give --certificate or {other}, not both: a certificate must contain the whole proof",
            click.get_current_context(),
        )
    if after and (tree_file is not None or certificate_file is not None):
        raise click.UsageError(
            "--tree and --certificate are of a whole game, without --after",
            click.get_current_context(),
        )
    if workers is not None and cluster != "":
        raise click.UsageError(
            "--workers is for a --cluster on this machine, without an address",
            click.get_current_context(),
        )
    if patience is not None and (cluster is None or math.isnan(patience)):
        raise click.UsageError(
            "--patience is a number of seconds, for a --cluster", click.get_current_context()
        )
    if cluster is not None and threads > 1:
        raise click.UsageError(
            "a --cluster has --workers instead of --threads", click.get_current_context()
        )
    rules.alphabet(first_symbol)  # refused now rather than after the search
    history = [read_turn(turn, rules, first_symbol) for turn in after]
    from moo_research.search import solve

    with ExitStack() as stack:
        progress = stack.enter_context(common.progress_line(str(rules), quiet))
        store = None
        if store_file is not None or cluster is not None:
            store = stack.enter_context(common.open_store(store_file or common.store_file("")))
        helpers = None
        if cluster is not None:
            helpers = stack.enter_context(
                _open_cluster(cluster, workers, memory, kernel, patience or 600, quiet)
            )
        solution = solve(
            rules,
            objective=objective or "mean",
            then=then,
            cost=cost,
            max_guesses=max_guesses,
            threads=threads,
            memory=memory,
            kernel=kernel,
            progress=progress,
            trace=certificate_file is not None,
            store=store,
            cluster=helpers,
            after=[(turn.guess, turn.response) for turn in history],
        )
    # The result first: should a disk be full, what was proven is on the screen.
    if as_json:
        common.print_json(_as_json(solution, first_symbol, store, helpers))
    else:
        click.echo(_summary(solution, first_symbol, tree_file, store, helpers))
    common.tell_statistics(solution.statistics)
    if tree_file is not None:
        if solution.tree is not None:
            solution.tree.save(tree_file)
        else:
            click.echo(f"moo: there is no strategy, so {tree_file} is not written", err=True)
    if certificate_file is not None:
        from moo_research.certificate import save_certificate

        save_certificate(certificate_file, solution)


def _open_cluster(
    address: str,
    workers: int | None,
    memory: int | None,
    kernel: str | None,
    patience: float,
    quiet: bool,
) -> Cluster:
    from moo_research.cluster import Cluster, silence

    silence()
    cluster = Cluster(
        address,
        workers=workers,
        memory=memory,
        kernel=kernel,
        patience=patience,
        say=lambda text: common.print_line(f"moo: {text}", err=True),
    )
    if cluster.dashboard and not quiet:
        common.print_line(f"moo: dashboard at {cluster.dashboard}", err=True)
    return cluster


def _as_json(
    solution: Solution, first_symbol: int, store: Store | None, cluster: Cluster | None
) -> dict[str, Any]:
    result = {
        "rules": str(solution.rules),
        "objective": solution.objective,
        "cost": list(solution.cost),
        "codes": solution.codes,
        "history": [
            f"{common.write_code(solution.rules, guess, first_symbol)} {response}"
            for guess, response in solution.history
        ],
        "optimum": solution.optimum,
        "optima": None if solution.optima is None else list(solution.optima),
        "total": solution.total,
        "mean": solution.mean,
        "max_guesses": solution.max_guesses,
        "histogram": None if solution.histogram is None else list(solution.histogram),
        "first_guess": _first_guess(solution, first_symbol),
        "proved": solution.proved,
        "feasible": solution.feasible,
        "seconds": solution.seconds,
        "guesses_tried": solution.guesses_tried,
        "sets_solved": solution.sets_solved,
        "threads": solution.threads,
        "peak_memory_mb": solution.peak_memory_mb,
        "kernel": solution.kernel,
    }
    if store is not None:
        result["store"] = {"file": str(store.path), "used": store.used, "kept": store.kept}
    if cluster is not None:
        result["cluster"] = {"workers": cluster.workers, "tasks": cluster.done}
    return result


def _first_guess(solution: Solution, first_symbol: int) -> str | None:
    if solution.first_guess is None:
        return None
    return common.write_code(solution.rules, solution.first_guess, first_symbol)


def _summary(
    solution: Solution,
    first_symbol: int,
    tree_file: Path | None,
    store: Store | None,
    cluster: Cluster | None,
) -> str:
    rules = solution.rules
    lines = [("game", common.describe_rules(rules))]
    for guess, response in solution.history:
        lines.append(("after", f"{common.write_code(rules, guess, first_symbol)} {response}"))
    if solution.history:
        lines.append(("candidates", str(solution.codes)))
    lines.append(("objective", solution.objective))
    proof = "proved" if solution.proved else "not proved"
    if solution.feasible:
        assert solution.mean is not None and solution.histogram is not None
        assert solution.total is not None
        assert solution.optima is not None and solution.max_guesses is not None
        secrets = "candidates, from here on" if solution.history else "secrets"
        guess = str(_first_guess(solution, first_symbol))
        lines += [
            ("optimum", f"{', then '.join(map(str, solution.optima))} ({proof})"),
            ("total", f"{total_of_guesses(solution.total)} over all {secrets}"),
            ("mean", f"{solution.mean:.4f} guesses"),
            ("worst case", counted(solution.max_guesses, "guess", "guesses")),
            ("histogram", format_histogram(solution.histogram)),
            ("next guess" if solution.history else "first guess", guess),
        ]
    else:
        limit = len(solution.cost)
        lines.append(
            (
                "optimum",
                f"none: no strategy solves every secret within {limit} guesses"
                f"{' of the game' if solution.history else ''} ({proof})",
            )
        )
    lines += [
        (
            "effort",
            f"{counted(solution.guesses_tried, 'guess', 'guesses')} tried,"
            f" {counted(solution.sets_solved, 'set')} solved",
        ),
        (
            "time",
            f"{solution.seconds:.2f} s, {counted(solution.threads, 'thread')},"
            f" {solution.kernel} kernel",
        ),
        ("memory", f"{solution.peak_memory_mb:.0f} MB at the peak"),
    ]
    if store is not None:
        used = counted(store.used, "result")
        lines.append(("store", f"{store.path}: {used} used, {store.kept} kept"))
    if cluster is not None:
        tasks, workers = counted(cluster.done, "task"), counted(cluster.workers, "worker")
        lines.append(("cluster", f"{tasks} answered, {workers} at the end"))
    if tree_file is not None and solution.tree is not None:
        lines.append(("tree", str(tree_file)))
    return format_summary(lines)
