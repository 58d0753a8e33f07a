"""Every published figure, computed here and compared: the logic behind ``moo reproduce``.

A :class:`Check` has a name and yields findings; a :class:`Finding` is one published figure beside
the one computed in this run. A figure whose source does not say how it comes about cannot be
compared: it is a :class:`Remark`, which shows what comes nearest. What several checks need (the
search of the 4 x 10 game, say) is computed once, by :class:`Workbench`. Adding a published result
means adding it to :mod:`moo_research.published` as data and a check here.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from moo_research import players, published
from moo_research.codes import CodeSpace
from moo_research.duel import race
from moo_research.errors import MooError
from moo_research.files import check_writable, write_atomically
from moo_research.layout import format_table
from moo_research.objective import Objective
from moo_research.rules import Response, Rules
from moo_research.search import (
    Engine,
    Progress,
    SecondGuessTable,
    Solution,
    WorstCase,
    least_worst_case,
    named_progress,
    second_guess_table,
    solve,
)
from moo_research.simulate import Simulation, simulate
from moo_research.strongest import ReplyClass, Strongest, best_reply, reply_classes, strongest
from moo_research.tree import DecisionTree

__all__ = [
    "CHECKS",
    "FILES",
    "Check",
    "Finding",
    "Remark",
    "Report",
    "Status",
    "Workbench",
    "check_folder",
    "reproduce",
]

Status = Literal["agrees", "published-misprint", "improves", "differs"]
"""``improves``: better than the best known; ``published-misprint``: the source contradicts itself
or another, and the computation tells which is right."""

TREE_FILE = "4x10-mean.json.gz"
STRONGEST_FILE = "strongest.json"
STRONGEST_TREE_FILE = "4x10-strongest.json.gz"
FILES = ("reproduce.json", "reproduce.txt", TREE_FILE, STRONGEST_FILE, STRONGEST_TREE_FILE)
"""What :meth:`Report.write` writes into its folder; evidence only if it was computed."""

GAME = "4x10"


@dataclass(frozen=True, slots=True)
class Finding:
    """One published figure beside the computed one; both are values that JSON can hold."""

    name: str
    what: str
    source: str
    published: Any
    computed: Any
    status: Status
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the finding as a JSON object."""
        return {
            "name": self.name,
            "what": self.what,
            "source": self.source,
            "published": self.published,
            "computed": self.computed,
            "status": self.status,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Remark:
    """A published figure that cannot be compared, beside what comes nearest to it."""

    name: str
    what: str
    source: str
    published: Any
    nearest: Any
    """Computed in this run."""
    note: str
    """Why there is no comparison."""

    def to_json(self) -> dict[str, Any]:
        """Return the remark as a JSON object."""
        return {
            "name": self.name,
            "what": self.what,
            "source": self.source,
            "published": self.published,
            "nearest": self.nearest,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What was found, in the order of the checks."""

    findings: tuple[Finding, ...]
    seconds: float
    evidence: Mapping[str, DecisionTree | Mapping[str, Any]]
    """The strategies found and what is told about them, by the names of their files."""
    remarks: tuple[Remark, ...] = ()
    """Published figures that were not compared; they have no verdict."""

    @property
    def holds(self) -> bool:
        """Whether no figure differs."""
        return all(finding.status != "differs" for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """Return the report as a JSON object: ``results``, ``not_compared`` and ``seconds``."""
        return {
            "results": [finding.to_json() for finding in self.findings],
            "not_compared": [remark.to_json() for remark in self.remarks],
            "seconds": self.seconds,
        }

    def to_text(self) -> str:
        """Return a table that a person can read: what, by whom, published, computed, verdict."""
        table = format_table(
            ("what", "by whom", "published", "computed", "verdict"),
            [
                (
                    finding.what,
                    finding.source,
                    _show(finding.published),
                    _show(finding.computed),
                    finding.status + (f": {finding.note}" if finding.note else ""),
                )
                for finding in self.findings
            ],
        )
        remarks = "".join(
            f"not compared: {remark.what}, published {_show(remark.published)} ({remark.source});"
            f" nearest here: {_show(remark.nearest)}: {remark.note}\n"
            for remark in self.remarks
        )
        return f"{table}\n\n{remarks}{self.summary()}\n"

    def summary(self) -> str:
        """Count the verdicts in one line."""
        words = {
            "agrees": "agree",
            "published-misprint": "misprinted in the source",
            "improves": "improved",
            "differs": "differ",
        }
        counts = [
            f"{count} {word}"
            for status, word in words.items()
            if (count := sum(finding.status == status for finding in self.findings))
        ]
        more = f"; {len(self.remarks)} more not compared" if self.remarks else ""
        verdicts = ", ".join(counts) or "none computed"
        return f"{len(self.findings)} published figures: {verdicts}{more}"

    def write(self, folder: Path) -> tuple[Path, ...]:
        """Write the findings and the evidence into ``folder``; return the paths."""
        paths = [folder / "reproduce.json", folder / "reproduce.txt"]
        write_atomically(paths[0], _json(self.to_json()))
        write_atomically(paths[1], self.to_text().encode())
        for name, evidence in self.evidence.items():
            paths.append(folder / name)
            if isinstance(evidence, DecisionTree):
                evidence.save(paths[-1])
            else:
                write_atomically(paths[-1], _json(evidence))
        return tuple(paths)


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def check_folder(folder: Path) -> None:
    """Make ``folder`` if it is missing and raise OSError unless a report can be written there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        check_writable(folder / name)


class Workbench:
    """The computations that several checks share, each done once and when first asked for."""

    def __init__(
        self,
        *,
        threads: int = 1,
        memory: int | None = None,
        kernel: str | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._options: dict[str, Any] = {"threads": threads, "memory": memory, "kernel": kernel}
        self._progress = progress
        self.evidence: dict[str, DecisionTree | Mapping[str, Any]] = {}
        """What is to be kept of the computations so far, by file name."""

    def solve(
        self,
        rules: str,
        *,
        objective: Objective | str = "mean",
        max_guesses: int | None = None,
    ) -> Solution:
        """Find the optimum of a game."""
        stage = f"{rules} total" + (f" within {max_guesses}" if max_guesses else "")
        return solve(
            rules,
            objective=objective,
            max_guesses=max_guesses,
            progress=self._named(stage),
            **self._options,
        )

    def worst_case(self, rules: str) -> WorstCase:
        """Find the least worst case of a game."""
        return least_worst_case(rules, progress=self._named(f"{rules} worst case"), **self._options)

    @cached_property
    def game(self) -> Solution:
        """The least total of the 4 x 10 game."""
        solution = self.solve(GAME)
        if solution.tree is not None:
            self.evidence[TREE_FILE] = solution.tree
        return solution

    @cached_property
    def table(self) -> SecondGuessTable:
        """The second-guess table of the 4 x 10 game."""
        guesses = {
            Response.parse(row.response, 4): row.guess
            for row in published.SECOND_GUESSES
            if row.guess is not None
        }
        return second_guess_table(
            GAME, published=guesses, progress=self._named(f"{GAME} table"), **self._options
        )

    @cached_property
    def game_worst_case(self) -> WorstCase:
        """The least worst case of the 4 x 10 game, and its capacities."""
        return self.worst_case(GAME)

    @cached_property
    def mastermind(self) -> Solution:
        """The least total of 4 x 6 with repeats."""
        return self.solve("4x6r")

    @cached_property
    def strongest(self) -> Strongest:
        """Best replies from the histogram of the published minimum strategy to a fixed point."""
        result = strongest(
            GAME,
            start=published.MINIMUM_HISTOGRAM,
            progress=self._named(f"{GAME} strongest"),
            **self._options,
        )
        if result.strategy.tree is not None:
            self.evidence[STRONGEST_TREE_FILE] = result.strategy.tree
            self.evidence[STRONGEST_FILE] = _account(result)
        return result

    @cached_property
    def reply_score(self) -> Fraction:
        """The most that any strategy scores against the published best reply."""
        show = self._named(f"{GAME} reply to the published reply")
        return best_reply(Engine(GAME, **self._options), published.BEST_REPLY.histogram, show)[1]

    def reply_classes(self) -> Iterator[ReplyClass]:
        """Judge the second guesses of the published best reply."""
        guesses = {
            Response.parse(row.response, 4): row.guess
            for row in published.BEST_REPLY.second_guesses
            if row.guess is not None
        }
        return reply_classes(
            Engine(GAME, **self._options),
            published.MINIMUM_HISTOGRAM,
            published.FIRST_GUESS,
            guesses,
            self._named(f"{GAME} best reply"),
        )

    def _named(self, stage: str) -> Callable[[Progress], None] | None:
        """Let the progress say which of the computations is going on."""
        return named_progress(self._progress, stage)


@dataclass(frozen=True, slots=True)
class Check:
    """Some published figures that are computed together."""

    name: str
    what: str
    run: Callable[[Workbench], Iterable[Finding | Remark]]


def reproduce(
    names: Sequence[str] = (),
    *,
    threads: int = 1,
    memory: int | None = None,
    kernel: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Report:
    """Run the checks named, or all of them, and return what they found.

    Raises MooError if a name is unknown; the search's errors pass through.
    """
    known = {check.name: check for check in CHECKS}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise MooError(
            f"there is no published result named {unknown[0]!r}; choose from {', '.join(known)}"
        )
    start = time.perf_counter()
    bench = Workbench(threads=threads, memory=memory, kernel=kernel, progress=progress)
    found = [
        each for check in CHECKS if not names or check.name in names for each in check.run(bench)
    ]
    return Report(
        tuple(each for each in found if isinstance(each, Finding)),
        time.perf_counter() - start,
        bench.evidence,
        tuple(each for each in found if isinstance(each, Remark)),
    )


def _compare(
    name: str, what: str, source: published.Source, known: Any, computed: Any, note: str = ""
) -> Finding:
    """The finding for a figure that claims to be exact: it agrees or it differs."""
    status: Status = "agrees" if known == computed else "differs"
    return Finding(name, what, source.name, known, computed, status, note)


def _or_improves(finding: Finding, better: bool, note: str) -> Finding:
    """The finding for a figure that claims to be the best known: ours may be better."""
    if finding.status == "differs" and better:
        return replace(finding, status="improves", note=note)
    return finding


def _least(
    name: str, what: str, source: published.Source, known: int, solution: Solution
) -> Finding:
    """The finding for a least total, which has to be proven here as well."""
    finding = _compare(name, what, source, known, solution.total)
    if solution.proved and solution.feasible:
        return finding
    return replace(finding, status="differs", note="not proved")


# --- The checks ---------------------------------------------------------------------------------


def _classes(_bench: Workbench) -> Iterator[Finding]:
    """The sizes of the classes that the first guess makes."""
    rules = Rules.parse(GAME)
    space = CodeSpace(rules)
    first = space.index(rules.read_code(published.FIRST_GUESS))
    sizes = {str(response): len(part) for response, part in space.split(None, first).items()}
    for response, size in published.RESPONSE_CLASSES.items():
        yield _compare(
            f"classes-{response}",
            f"{GAME}: secrets with {response} to {published.FIRST_GUESS}",
            published.TANAKA,
            size,
            sizes.get(response, 0),
        )


def _total(bench: Workbench) -> Iterator[Finding]:
    """The least total of 4 x 10, by exhaustive search."""
    game = bench.game
    yield _least(
        "total", f"{GAME}: least total of guesses", published.TANAKA, published.MINIMUM_TOTAL, game
    )
    yield _compare(
        "mean", f"{GAME}: least mean", published.TANAKA, published.MINIMUM_MEAN, f"{game.mean:.4f}"
    )


def _tree(bench: Workbench) -> Iterator[Finding]:
    """The tree found, played on every secret with responses computed anew from the rules."""
    tree = bench.game.tree
    if tree is None:
        return
    replay = tree.verify()
    finding = _compare(
        "tree",
        f"{GAME}: total of our tree, replayed on every secret",
        published.TANAKA,
        published.MINIMUM_TOTAL,
        replay.total,
    )
    if replay.histogram is None:
        yield replace(finding, status="differs", note=replay.errors[0])
        return
    yield finding
    known = published.MINIMUM_HISTOGRAM
    same_sums = _sums(replay.histogram) == _sums(known)
    yield Finding(
        "histogram",
        f"{GAME}: secrets at guess 1, 2, ...",
        published.TANAKA.name,
        list(known),
        list(replay.histogram),
        "agrees" if same_sums else "differs",
        "" if not same_sums or replay.histogram == known else "another strategy of the same total",
    )


def _sums(histogram: Sequence[int]) -> tuple[int, int]:
    """The number of secrets and the total of guesses."""
    return sum(histogram), sum(k * secrets for k, secrets in enumerate(histogram, 1))


def _table(bench: Workbench) -> Iterator[Finding]:
    """Tanaka's second guesses: each has to be a best one here, with the total he gives."""
    rows = {str(row.response): row for row in bench.table.rows}
    for known in published.SECOND_GUESSES:
        if known.guess is None:
            continue
        row = rows[known.response]
        best = row.guess == known.guess or known.guess in row.ties
        yield Finding(
            f"table-{known.response}",
            f"{GAME}: after {known.response}, second guess and total",
            published.TANAKA.name,
            {"guess": known.guess, "total": known.total},
            {"guess": row.guess, "total": row.total, "ties": list(row.ties)},
            "agrees" if best and row.total == known.total else "differs",
            _others(len(row.ties) - 1) if best else "",
        )
    yield _compare(
        "table-sum",
        f"{GAME}: sum of the table and the first guesses",
        published.TANAKA,
        published.MINIMUM_TOTAL,
        bench.table.total,
    )


def _others(number: int) -> str:
    return f"{number} more {'tie' if number > 1 else 'ties'}" if number else ""


def _misprints(bench: Workbench) -> Iterator[Finding]:
    """Totals that the Hit&Blow article prints otherwise than the table that it copies."""
    rows = {str(row.response): row for row in bench.table.rows}
    tanaka = {row.response: row.total for row in published.SECOND_GUESSES}
    for misprint in published.MISPRINTS:
        computed = rows[misprint.response].total
        finding = _compare(
            f"misprint-{misprint.response}",
            f"{GAME}: after {misprint.response}, total",
            misprint.source,
            misprint.printed,
            computed,
        )
        if computed == tanaka[misprint.response] != misprint.printed:
            others = sum(tanaka.values()) - tanaka[misprint.response]
            finding = replace(
                finding,
                status="published-misprint",
                note=f"{published.TANAKA} has {computed}, and only that adds up to"
                f" {_sums(published.MINIMUM_HISTOGRAM)[0] + others + computed}",
            )
        yield finding


def _capacities(bench: Workbench) -> Iterator[Finding]:
    """The most secrets within k guesses, and the lower bound on the total that follows."""
    capacities = bench.game_worst_case.capacities
    known = published.CAPACITIES
    yield _compare(
        "capacities",
        f"{GAME}: most secrets within 1, 2, 3, 4 guesses",
        published.TANAKA,
        list(known),
        list(capacities[: len(known)]),
    )
    computed = tuple(_capacity_bound(capacities[: len(known)]))
    for k, (line, ours) in enumerate(zip(published.CAPACITY_BOUND, computed, strict=True), 1):
        yield _compare(
            f"capacity-bound-{k}",
            f"{GAME}: lower bound of the total, n secrets",
            published.TANAKA,
            _line(*line),
            _line(*ours),
        )


def _capacity_bound(capacities: Sequence[int]) -> Iterator[tuple[int, int, int | None]]:
    """Rows (a, b, last): for n secrets up to ``last`` the total is at least a n + b.

    At most capacities[k-1] secrets are solved within k guesses, so filling the capacities from the
    front costs least: k guesses for each secret beyond them, and less for those before.
    """
    spared = 0
    for k, last in enumerate((*capacities, None), 1):
        yield k, -spared, last
        spared += last or 0


def _line(slope: int, offset: int, last: int | None) -> str:
    line = f"{slope}n".removeprefix("1") + (f"{offset:+d}" if offset else "")
    return f"{line} for n <= {last}" if last is not None else f"{line} above"


def _worst_case(bench: Workbench) -> Iterator[Finding]:
    """Seven guesses always suffice for 4 x 10, and six do not."""
    worst = bench.game_worst_case
    finding = _compare(
        "worst-case",
        f"{GAME}: guesses necessary and sufficient",
        published.CHEN_2007,
        published.WORST_CASE,
        worst.max_guesses,
    )
    yield finding if worst.proved else replace(finding, status="differs", note="not proved")
    fewer = worst.impossible
    refuted = fewer is not None and fewer.proved and not fewer.feasible
    yield _compare(
        "worst-case-less",
        f"{GAME}: a strategy within {published.WORST_CASE - 1} guesses",
        published.CHEN_2007,
        "impossible",
        "impossible" if refuted and worst.max_guesses == published.WORST_CASE else "possible",
    )


def _strongest(bench: Workbench) -> Iterator[Finding]:
    """The best reply to the minimum strategy, and whether any strategy beats that."""
    known, source, result = published.BEST_REPLY, published.TANAKA, bench.strongest
    printed = race(known.histogram, published.MINIMUM_HISTOGRAM).score
    yield _compare(
        "strongest-published",
        f"{GAME}: score % of the published reply, by the histograms",
        source,
        known.score,
        _percent(printed),
    )
    reply = result.rounds[min(1, len(result.rounds) - 1)]
    score = reply.score or Fraction(1, 2)
    better = score > printed
    yield _or_improves(
        _compare(
            "strongest-score",
            f"{GAME}: score % of the best reply to the minimum strategy",
            source,
            known.score,
            _percent(score),
        ),
        better,
        f"{score} exactly, proved best",
    )
    for name, what, theirs, ours in (
        ("histogram", "secrets at guess 1, 2, ...", list(known.histogram), list(reply.histogram)),
        ("total", "total", known.total, reply.total),
    ):
        yield _or_improves(
            _compare(f"strongest-{name}", f"{GAME}: {what} of that reply", source, theirs, ours),
            better,
            "of a reply that scores more",
        )
    yield _or_improves(
        _compare(
            "strongest-unbeaten",
            f"{GAME}: score % of the best reply to the published reply",
            source,
            known.unbeaten,
            _percent(bench.reply_score),
        ),
        bench.reply_score > Fraction(1, 2),
        f"{bench.reply_score} exactly: a fixed strategy does score above 50 % against it",
    )
    last = result.strategy
    yield _compare(
        "strongest-fixed-point",
        f"{GAME}: score % of the best reply to our last reply",
        source,
        known.unbeaten,
        "not known" if last.best_score is None else _percent(last.best_score),
        "it is a best reply to itself, proved" if result.equilibrium else "",
    )


def _reply_classes(bench: Workbench) -> Iterator[Finding]:
    """Tanaka's reply class by class: his second guesses, and his totals.

    Guess and total hold if some best play has them; a total that no best play has shows that his
    play of the class costs more than ours.
    """
    known = {row.response: row for row in published.BEST_REPLY.second_guesses}
    for ours in bench.reply_classes():
        theirs = known[str(ours.response)]
        fewest, most = ours.totals
        best = ours.asked_cost == ours.cost
        total = min(max(theirs.total, fewest), most)  # the nearest that best play may have
        finding = _compare(
            f"reply-{theirs.response}",
            f"{GAME}: best reply after {theirs.response}, second guess and total",
            published.TANAKA,
            {"guess": theirs.guess, "total": theirs.total},
            {"guess": theirs.guess if best else ours.guess, "total": total},
        )
        yield _or_improves(
            finding,
            True,  # the cost of ours is proven least
            f"{theirs.guess} is best, but no best play has his total"
            if best
            else f"{theirs.guess} costs {ours.asked_cost}, the best guess {ours.cost}",
        )


def _fewest_last(bench: Workbench) -> Iterator[Finding]:
    """Fewest secrets at the seventh guess: of all strategies, and of those of least total."""
    guess = published.WORST_CASE
    codes = Rules.parse(GAME).size
    last, mean = Objective.at_last(guess, codes), Objective.mean()
    safest = bench.solve(GAME, objective=last.limited(guess).then(mean, codes))
    fewest = _at(safest, guess)
    finding = _compare(
        "last",
        f"{GAME}: fewest secrets at guess {guess}, none later",
        published.SLOVESNOV,
        published.FEWEST_LAST,
        fewest,
        f"proved least here, only the best known there; the least total with it is {safest.total}",
    )
    yield _or_improves(finding, fewest < published.FEWEST_LAST, "proved least")
    fastest = bench.solve(GAME, objective=mean.then(last, codes))
    known = published.MINIMUM_HISTOGRAM[guess - 1]
    fewest = _at(fastest, guess)
    finding = _compare(
        "last-of-least-total",
        f"{GAME}: secrets at guess {guess} with the least total",
        published.TANAKA,
        known,
        fewest,
    )
    same_total = fastest.total == published.MINIMUM_TOTAL
    yield _or_improves(finding, fewest < known and same_total, "proved least")


def _at(solution: Solution, guess: int) -> int:
    """The secrets that the solution's strategy solves at a guess or later."""
    return sum((solution.histogram or ())[guess - 1 :])


def _account(result: Strongest) -> dict[str, Any]:
    """What results/ keeps about the strongest strategy: its exact scores in races."""
    ours = result.strategy
    opponents = {
        "published minimum strategy": published.MINIMUM_HISTOGRAM,
        "published best reply": published.BEST_REPLY.histogram,
        "itself": ours.histogram,
    }
    return {
        "rules": str(result.rules),
        "tree": STRONGEST_TREE_FILE,
        "histogram": list(ours.histogram),
        "total": ours.total,
        "best_reply_to_itself": result.equilibrium,
        "races": [
            {
                "against": name,
                "histogram": list(histogram),
                "win": str(outcome.win),
                "draw": str(outcome.draw),
                "loss": str(outcome.loss),
                "score": str(outcome.score),
                "score_percent": float(100 * outcome.score),
            }
            for name, histogram in opponents.items()
            for outcome in (race(ours.histogram, histogram),)
        ],
    }


def _percent(score: Fraction) -> str:
    """A score in per cent, with as many decimals as the paper prints."""
    return f"{float(100 * score):.5f}"


def _mastermind(bench: Workbench) -> Iterator[Finding]:
    """Mastermind, 4 x 6 with repeats."""
    known = published.MASTERMIND
    source = published.KOYAMA_LAI
    best = bench.mastermind
    yield _least("mastermind-total", "4x6r: least total of guesses", source, known.total, best)
    yield _compare("mastermind-mean", "4x6r: least mean", source, known.mean, f"{best.mean:.4f}")
    fewest = bench.solve(
        "4x6r", objective=Objective.mean().then(Objective.at_last(6, best.codes), best.codes)
    )
    finding = _compare(
        "mastermind-six",
        "4x6r: with it, fewest secrets at guess 6",
        source,
        known.at_six,
        sum((fewest.histogram or ())[5:]),
    )
    yield (
        finding
        if fewest.total == best.total
        else replace(finding, status="differs", note=f"with a total of {fewest.total}")
    )
    yield _least(
        "mastermind-five",
        f"4x6r: least total within {known.worst_case} guesses",
        source,
        known.total_within_five,
        bench.solve("4x6r", max_guesses=known.worst_case),
    )
    worst = bench.worst_case("4x6r")
    finding = _compare(
        "mastermind-worst-case",
        "4x6r: guesses necessary and sufficient",
        published.KNUTH,
        known.worst_case,
        worst.max_guesses,
    )
    yield finding if worst.proved else replace(finding, status="differs", note="not proved")


def _two_by_n(bench: Workbench) -> Iterator[Finding]:
    """The closed forms of 2 x n."""
    for symbols in range(2, 11):
        rules = f"2x{symbols}"
        mean = published.two_by_n_mean(symbols)
        best = bench.solve(rules)
        worst = bench.worst_case(rules)
        finding = _compare(
            rules,
            f"{rules}: least mean, total, worst case",
            published.CHEN_LIN,
            {
                "mean": str(mean),
                "total": str(mean * symbols * (symbols - 1)),
                "worst case": published.two_by_n_worst_case(symbols),
            },
            {
                "mean": str(Fraction(best.total or 0, best.codes)),
                "total": str(best.total),
                "worst case": worst.max_guesses,
            },
        )
        proved = best.proved and worst.proved
        yield finding if proved else replace(finding, status="differs", note="not proved")


def _ville(bench: Workbench) -> Iterator[Finding]:
    """Mastermind with seven colours."""
    best = bench.solve("4x7r")
    finding = _compare(
        "4x7r", "4x7r: least mean", published.VILLE, published.VILLE_MEAN, f"{best.mean:.3f}"
    )
    yield (
        replace(finding, note=f"total {best.total}")
        if best.proved
        else replace(finding, status="differs", note="not proved")
    )


_ERRORS = 4
"""Standard errors by which the means of random games may differ and still agree."""


def _players(_bench: Workbench) -> Iterator[Finding | Remark]:
    """Players that choose one guess at a time, over all secrets or over random games."""
    for row in published.PLAYERS:
        name = f"player-{row.rules}-{row.name}" + ("-swap" if row.order == "swap" else "")
        order = "" if row.order is None else f", {row.order} order"
        what = f"{row.rules}: {row.player}{order}"
        if row.in_outline:
            yield Remark(
                name,
                f"{what}, total",
                row.source.name,
                row.total,
                _readings_of_landy(),
                "the source only outlines its function of parts of t, with x^x = t, and no reading"
                " tried has its total",
            )
            continue
        player = players.get(row.name, order=row.order or "lexicographic", ties=row.ties, seed=1)
        found = simulate(player, row.rules, games=row.games, seed=1)
        if row.games is None:
            yield _all_secrets(row, found, name, what)
        else:
            yield _random_games(row, found, name, what)
        if row.source == published.CHECKIO:
            yield _compare(
                f"{name}-longest",
                f"{what}: secrets that take longest",
                row.source,
                list(published.NINE_TURN_SECRETS),
                list(found.longest),
            )


def _all_secrets(row: published.PlayerResult, found: Simulation, name: str, what: str) -> Finding:
    """A player over all secrets: whatever was published about it has to be the same."""
    figures = (
        ("total", row.total, found.total),
        ("mean", row.mean, _as_printed(found.mean, row.mean)),
        ("secrets", row.histogram and list(row.histogram), list(found.histogram)),
        ("worst case", row.worst_case, found.max_guesses),
        ("secrets with it", row.at_worst, found.histogram[-1]),
    )
    told = [figure for figure in figures if figure[1] is not None]
    return _compare(
        name,
        what,
        row.source,
        {key: known for key, known, _ in told},
        {key: computed for key, _, computed in told},
        "" if row.total is not None else f"total {found.total}",
    )


def _random_games(row: published.PlayerResult, found: Simulation, name: str, what: str) -> Finding:
    """A random player over as many games as the source played: means agree but for chance."""
    assert row.mean is not None and row.games is not None
    # The source's games have the error of ours, as far as one can tell from ours.
    error = math.hypot(found.standard_error, found.deviation / math.sqrt(row.games))
    apart = abs(found.mean - float(row.mean)) / error
    return Finding(
        name,
        what,
        row.source.name,
        {"mean": row.mean, "games": row.games},
        {"mean": _as_printed(found.mean, row.mean), "games": found.games},
        "agrees" if apart <= _ERRORS else "differs",
        f"{apart:.1f} standard errors (of {error:.4f}) apart; up to {_ERRORS} are taken for chance",
    )


def _as_printed(value: float, printed: str | None) -> str:
    """Write a value with as many decimals as another was printed with."""
    return f"{value:.{len((printed or '').partition('.')[2])}f}"


def _readings_of_landy() -> dict[str, int]:
    """Totals of the plain reading, and of the nearest that was tried: experiments/landy.py."""
    nearest = players.Measure(lambda t: t * np.log(np.maximum(t, 1)), bonus=1.5)
    return {
        "t x": simulate(players.get("landy")).total,
        "t x log x (1.5 off for a candidate)": simulate(
            players.Greedy("landy", nearest, False, "consistent", "lexicographic")
        ).total,
    }


CHECKS = (
    Check("classes", "sizes of the response classes of the first guess, 4x10", _classes),
    Check(
        "capacities", "most secrets within k guesses, 4x10, and the bound from them", _capacities
    ),
    Check("total", "least total and mean, 4x10", _total),
    Check("tree", "an optimal tree replayed on every secret, and its histogram, 4x10", _tree),
    Check("table", "second-guess table, 4x10", _table),
    Check("misprints", "two totals misprinted in a copy of that table", _misprints),
    Check("worst-case", "least worst case, both halves, 4x10", _worst_case),
    Check("last", "fewest secrets at the seventh guess, 4x10", _fewest_last),
    Check("strongest", "best reply to the minimum strategy, to a fixed point, 4x10", _strongest),
    Check("reply", "second guesses of the published best reply, 4x10", _reply_classes),
    Check("mastermind", "4x6r: least total, within five guesses, least worst case", _mastermind),
    Check("2xn", "closed forms of 2xn for n = 2..10", _two_by_n),
    Check("4x7r", "least mean of 4x7r", _ville),
    Check("players", "players that choose one guess at a time, 4x10 and 4x6r", _players),
)
"""Every check, in the order in which they are reported."""


def _show(value: Any) -> str:
    """Write a value of a finding in one short line."""
    match value:
        case {"guess": guess, "total": total}:
            return f"{guess} {total}"
        case dict():
            return ", ".join(f"{key} {_show(each)}" for key, each in value.items())
        case list():
            between = ", " if any(isinstance(each, str) for each in value) else " "
            return between.join(map(str, value))
        case _:
            return str(value)
