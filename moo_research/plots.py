"""Pictures of strategies and results, drawn with Matplotlib (the extra ``plots``).

A function here takes trees, or what a file in results/ holds, and returns a figure; :func:`save`
writes it as SVG or PNG. Nothing is drawn that is not in what was given. Equal input gives equal
bytes for SVG: no date and no random name goes into the file. Colours are those of Okabe and Ito
(2008), which colour-blind people can tell apart; hatches and markers tell them apart in grey.
"""

from __future__ import annotations

import io
import json
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from moo_research.errors import MooError, shown
from moo_research.files import write_atomically
from moo_research.formats import json as tree_file
from moo_research.layout import counted
from moo_research.rules import Rules
from moo_research.tree import DecisionTree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import Locator

__all__ = [
    "ENDINGS",
    "RESULT_KINDS",
    "SUFFIXES",
    "TREE_KINDS",
    "benchmark",
    "draw_result",
    "effort",
    "effort_by_size",
    "family",
    "frontier",
    "histograms",
    "landy",
    "large",
    "load_result",
    "players",
    "save",
    "second_guesses",
    "starts",
]

SUFFIXES = (".svg", ".png")
"""How the name of a picture ends, and what is written."""

MOST_STRATEGIES = 6
"""The most strategies side by side: there are no more colours that everybody can tell apart."""

MOST_PANELS = 24
"""The most panels of a picture."""

_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
_HATCHES = ("", "///", "|||", "xxx", "\\\\\\", "++")
_DASHES = ("-", "--", ":", "-.")
_MARKERS = ("o", "s", "^", "D", "v", "P")
# Text that stands on lines or hatches.
_LABEL: dict[str, Any] = {
    "fontsize": 8,
    "bbox": {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"},
}

_STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.formatter.limits": [-9, 12],
    "axes.formatter.useoffset": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlepad": 10,
    "figure.dpi": 100,
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "grid.color": "#d9d9d9",
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.7,
    "legend.frameon": False,
    "savefig.dpi": 160,
    "svg.fonttype": "none",
    "svg.hashsalt": "moo-research",
    "text.parse_math": False,
}

P = ParamSpec("P")


@contextmanager
def _matplotlib() -> Iterator[None]:
    """Draw in the style of this module, whatever else the process draws."""
    try:
        import matplotlib
    except ImportError:
        raise MooError(
            "plots need Matplotlib, which is not installed; pip install 'moo-research[plots]'"
        ) from None
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def _styled(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    @wraps(draw)
    def styled(*args: P.args, **kwargs: P.kwargs) -> Figure:
        with _matplotlib():
            return draw(*args, **kwargs)

    return styled


def save(figure: Figure, path: Path | str) -> None:
    """Write a figure to ``path``, as the ending of its name tells (:data:`SUFFIXES`).

    Raises MooError for another ending, OSError if it cannot be written.
    """
    kind = Path(path).suffix.lower()
    if kind not in SUFFIXES:
        raise MooError(f"{shown(str(path))} must end in {' or '.join(SUFFIXES)}")
    # What would differ from day to day, or from one release of Matplotlib to the next.
    nothing = {"Creator": None, "Date": None} if kind == ".svg" else {"Software": None}
    stream = io.BytesIO()
    with _matplotlib(), warnings.catch_warnings():
        # A name may have letters that the font of this machine has not.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure.savefig(stream, format=kind[1:], metadata=nothing)
    write_atomically(path, stream.getvalue())


# ---- strategies ----


@_styled
def histograms(strategies: Sequence[tuple[str, DecisionTree]]) -> Figure:
    """Draw how many secrets each strategy solves at guess 1, 2, ...; all are for one game.

    ``strategies``: names and trees. Raises MooError for several games or more strategies than can
    be told apart, TreeError if a tree does not solve every secret.
    """
    if not 1 <= len(strategies) <= MOST_STRATEGIES:
        raise MooError(f"from 1 to {MOST_STRATEGIES} strategies can be drawn side by side")
    games = {tree.rules for _, tree in strategies}
    if len(games) > 1:
        raise MooError(
            f"the strategies are for {' and '.join(sorted(map(str, games)))}; one game is drawn"
        )
    (rules,) = games
    most = max(tree.max_guesses for _, tree in strategies)
    figure, axes = _new(min(max(6.4, 1.2 * most), 14), 4.2)
    width = 0.84 / len(strategies)
    for index, (name, tree) in enumerate(strategies):
        counts = [*tree.histogram, *[0] * (most - tree.max_guesses)]
        middle = index - (len(strategies) - 1) / 2
        bars = axes.bar(
            [guess + middle * width for guess in range(1, most + 1)],
            counts,
            width * 0.94,
            # Matplotlib takes a label that begins with an underscore for none.
            label=f"{' ' * name.startswith('_')}{name}: mean {tree.mean:.4f}, total {tree.total}",
            **_fill(index),
        )
        if len(strategies) <= 3:
            axes.bar_label(bars, padding=2, fontsize=8)
        else:
            axes.bar_label(bars, padding=2, fontsize=7, rotation=90)
    axes.set_title(f"{rules}: when the secrets are solved")
    axes.set_xlabel("guess that solves the secret")
    axes.set_ylabel("secrets")
    axes.set_xticks(range(1, most + 1, 1 + most // 40))
    axes.yaxis.set_major_locator(_whole_numbers())
    axes.grid(axis="x", visible=False)
    axes.margins(y=0.12)
    figure.legend(loc="outside lower center", ncols=1 if len(strategies) < 4 else 2)
    return figure


@_styled
def second_guesses(tree: DecisionTree, name: str = "") -> Figure:
    """Draw the parts that the first guess makes, by size, with the guess that follows each.

    Raises TreeError unless the tree solves every secret.
    """
    visits = list(tree.visits())
    root = visits[0]
    questions = dict.fromkeys(root.split, 0)
    for visit in visits[1:]:
        questions[_first_response(visit.place, questions)] += len(visit.candidates)
    rows = sorted(root.split.items(), key=lambda item: len(item[1]))
    figure, axes = _new(7.6, 1.6 + 0.3 * len(rows))
    sizes = [len(members) for _, members in rows]
    bars = axes.barh(range(len(rows)), sizes, 0.72, **_fill(0))
    labels = []
    for response, members in rows:
        node = root.node.parts.get(response)
        then = "solved" if node is None else f"{node.guess}, {questions[response]} guesses"
        labels.append(f"{len(members)}: {then}")
    axes.bar_label(bars, labels, padding=2, fontsize=8.5)
    axes.set_yticks(range(len(rows)), [str(response) for response, _ in rows])
    axes.set_title(
        (f"{name}: " if name else "")
        + f"{tree.rules}: the parts that {root.node.guess} makes, and the second guesses"
    )
    axes.set_xlabel(
        "secrets in the part: the second guess, and the guesses from it on over all of them"
    )
    axes.set_ylabel(f"response to {root.node.guess}")
    axes.grid(visible=False)
    axes.margins(y=0.02)
    axes.set_xlim(0, max(sizes) * 1.36)
    return figure


def _first_response(place: str, responses: Mapping[Any, int]) -> Any:
    step = place.split("/")[1]
    return next(response for response in responses if str(response) == step)


# ---- results ----


@_styled
def frontier(value: Mapping[str, Any]) -> Figure:
    """Draw the total against secrets at the last guess, as experiments/frontier.py wrote it."""
    points = [(point["total"], point["last"]) for point in value["points"]]
    import numpy as np

    rules = Rules.parse(value["rules"])
    figure, axes = _new(7.6, 4.6)
    axes.plot(
        *zip(*points, strict=True),
        color=_COLOURS[0],
        marker=_MARKERS[0],
        markersize=6,
        linestyle="-" if value["complete"] else "--",
        linewidth=1.2,
    )
    for total, last in points:
        axes.annotate(
            f"{total}, {last}",
            (total, last),
            xytext=(6, 5),
            textcoords="offset points",
            fontsize=8,
        )
    note = "There are proven strategies at the points;\nno strategy beats or lies between them."
    if not value["complete"]:
        note = "There are proven strategies at the points;\nno strategy lies below the line."
    axes.text(0.97, 0.95, note, transform=axes.transAxes, ha="right", va="top", **_LABEL)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(_whole_numbers())
    axes.set_title(f"{rules}: total against secrets at guess {value['max_guesses']}")
    axes.set_xlabel(f"total of guesses over all {rules.size} secrets")
    axes.set_ylabel(f"secrets at guess {value['max_guesses']}, the last one")
    mean = axes.secondary_xaxis(
        "top",
        functions=(
            lambda totals: np.asarray(totals) / rules.size,
            lambda means: np.asarray(means) * rules.size,
        ),
    )
    mean.set_xlabel("mean guesses")
    axes.margins(x=0.12, y=0.1)
    return figure


_MOST_LABELS = 24  # points that have room for their figures


@_styled
def family(value: Mapping[str, Any]) -> Figure:
    """Draw the least mean against the number of symbols, as experiments/family.py and optima.py
    wrote it. A mean that is not proved has a ring."""
    lines: dict[tuple[int, bool, bool], list[tuple[int, float]]] = {}
    open_points: list[tuple[int, float]] = []
    for game in value["games"]:
        rules = Rules.parse(game["rules"])
        line = lines.setdefault((rules.positions, rules.repeats, rules.leading_zero), [])
        line.append((rules.symbols, game["mean"]))
        if game.get("proved") is False:
            open_points.append(line[-1])
    labelled = len(value["games"]) <= _MOST_LABELS
    figure, axes = _new(7.0, 4.4)
    for index, ((positions, repeats, leading_zero), points) in enumerate(lines.items()):
        kind = "repeats allowed" if repeats else "all distinct"
        axes.plot(
            *zip(*sorted(points), strict=True),
            color=_COLOURS[index % len(_COLOURS)],
            marker=_MARKERS[index % len(_MARKERS)],
            linestyle=_DASHES[index % len(_DASHES)],
            label=f"{positions} positions, {kind}{'' if leading_zero else ', no leading 0'}",
        )
        for symbols, mean in points if labelled else ():
            axes.annotate(
                f"{mean:.3f}",
                (symbols, mean),
                xytext=(0, 7 if index else -14),
                textcoords="offset points",
                ha="center",
                fontsize=7.5,
            )
    if open_points:
        axes.plot(
            *zip(*open_points, strict=True),
            linestyle="",
            marker="o",
            markersize=11,
            markerfacecolor="none",
            markeredgecolor="black",
            label="best known, not proved",
        )
    axes.set_title("The least mean of guesses, by the number of symbols")
    axes.set_xlabel("symbols")
    axes.set_ylabel("mean guesses of the best strategy")
    axes.set_xticks(sorted({symbols for points in lines.values() for symbols, _ in points}))
    axes.margins(y=0.12)
    figure.legend(loc="outside lower center", ncols=2)
    return figure


ENDINGS = {
    "ended_size": "sizes of its parts",
    "ended_quick": "quick bound or memo",
    "ended_pass": "pass over all guesses",
    "ended_search": "search of its parts",
    "improved": "nothing: the best so far",
}
"""What settles a guess that the search takes up, by the key in :attr:`Search.statistics`."""


@_styled
def effort(value: Mapping[str, Any]) -> Figure:
    """Draw what settled the guesses that a search took up, as experiments/effort.py wrote it."""
    games = value["games"][::-1]
    figure, axes = _new(8.0, 2.1 + 0.42 * len(games))
    totals = [sum(game[ending] for ending in ENDINGS) for game in games]
    left = [0.0] * len(games)
    for index, (ending, name) in enumerate(ENDINGS.items()):
        if not any(game[ending] for game in games):
            continue
        shares = [
            100 * game[ending] / total if total else 0.0
            for game, total in zip(games, totals, strict=True)
        ]
        bars = axes.barh(range(len(games)), shares, 0.7, left, label=name, **_fill(index))
        axes.bar_label(
            bars,
            [f"{share:.0f}" if share >= 5 else "" for share in shares],
            label_type="center",
            **_LABEL,
        )
        left = [before + share for before, share in zip(left, shares, strict=True)]
    for row, total in enumerate(totals):
        axes.text(101, row, f"{total:,}", va="center", fontsize=8)
    axes.set_title("What settles a guess in the search for the least total")
    axes.set_xlabel("guesses taken up by the search, percent; at the right their number")
    axes.set_ylabel("game")
    axes.set_yticks(range(len(games)), [game["rules"] for game in games])
    axes.set_xlim(0, 100)
    axes.grid(axis="y", visible=False)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


@_styled
def effort_by_size(value: Mapping[str, Any]) -> Figure:
    """Draw the guesses that a search took up by the size of their set and by what settled them, as
    experiments/effort.py wrote it; a panel for each game."""
    games = value["games"]
    if len(games) > MOST_PANELS:
        raise MooError(f"at most {MOST_PANELS} games can be drawn side by side, not {len(games)}")
    columns = min(len(games), 4)
    rows = -(-len(games) // columns)
    figure, panels = _panels(rows, columns, 1.2 + 2.6 * columns, 1.4 + 2.3 * rows, shared=True)
    drawn = [
        name for name in ENDINGS if any(band[name] for game in games for band in game["by_size"])
    ]
    sizes = sorted({band["size"] for game in games for band in game["by_size"]})
    for axes in panels[len(games) :]:
        axes.set_visible(False)
    for axes, game in zip(panels, games, strict=False):
        counts = {band["size"]: band for band in game["by_size"]}
        for ending in drawn:
            index = list(ENDINGS).index(ending)
            axes.plot(
                range(len(sizes)),
                # A logarithmic scale has no place for none: there the line is broken.
                [counts.get(size, {}).get(ending) or math.nan for size in sizes],
                color=_COLOURS[index % len(_COLOURS)],
                marker=_MARKERS[index % len(_MARKERS)],
                markersize=4.5,
                linestyle=_DASHES[index % len(_DASHES)],
                linewidth=1.2,
                label=ENDINGS[ending],
            )
        axes.set_title(game["rules"], fontsize=10)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.minorticks_off()
        axes.set_xticks(range(0, len(sizes), 2), [f"{size:,}" for size in sizes[::2]])
        axes.tick_params(labelsize=8)
    least = sizes[0]
    for axes in panels[-columns:]:
        axes.set_xlabel(f"candidates ({least}: {least} to {2 * least - 1})")
    for axes in panels[::columns]:
        axes.set_ylabel("guesses (logarithmic)")
    figure.suptitle(
        "Guesses taken up in the search for the least total, by the size of their set",
        x=0.01,
        ha="left",
        fontsize=12,
        fontweight="bold",
    )
    figure.legend(
        *panels[0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=len(drawn),
        title="settled by",
    )
    return figure


@_styled
def landy(value: Mapping[str, Any]) -> Figure:
    """Draw how far the readings of Landy's function are from the published total, as
    experiments/landy.py wrote it."""
    played = [row for row in value["readings"] if row["total"] is not None]
    weights = list(dict.fromkeys(row["weight"] for row in played))[::-1]
    ties = list(dict.fromkeys(row["ties"] for row in played))
    figure, axes = _new(7.8, 1.9 + 0.32 * len(weights))
    for index, rule in enumerate(ties):
        # Readings that have one total lie on one another.
        points = {(row["weight"], row["total"]) for row in played if row["ties"] == rule}
        shift = 0.3 * ((len(ties) - 1) / 2 - index)
        axes.plot(
            [total - value["published"] for _, total in sorted(points)],
            [weights.index(weight) + shift for weight, _ in sorted(points)],
            color=_COLOURS[index % len(_COLOURS)],
            marker=_MARKERS[index % len(_MARKERS)],
            markersize=4,
            markerfacecolor="none",
            linestyle="none",
            label=f"ties: {rule}",
        )
    axes.axvline(0, color="#222222", linewidth=1)
    axes.set_xscale("symlog", linthresh=100)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_title("Readings of Landy's function beside the published total")
    axes.set_xlabel(
        f"total above the published {value['published']}, in guesses over all secrets of 4x10"
        " (logarithmic from 100 on)"
    )
    axes.set_ylabel("what a part of t candidates counts")
    axes.set_yticks(range(len(weights)), weights)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


@_styled
def large(value: Mapping[str, Any]) -> Figure:
    """Draw how many guesses and how much time games of millions of codes take, as
    experiments/large.py wrote it."""
    games = value["games"][::-1]
    names = [f"{game['rules']}, {game['codes']:,} codes" for game in games]
    figure, (guesses, times) = _panels(1, 2, 10.5, 2.1 + 0.36 * len(games))
    guesses.errorbar(
        [game["mean"] for game in games],
        range(len(games)),
        xerr=[1.96 * game["standard_error"] for game in games],
        color=_COLOURS[0],
        marker=_MARKERS[0],
        linestyle="none",
        capsize=3,
        label="mean, with its 95 % interval",
    )
    for index, game in enumerate(games):
        guesses.annotate(
            f"{game['mean']:.2f}",
            (game["mean"], index),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    guesses.plot(
        [game["worst"] for game in games],
        range(len(games)),
        color=_COLOURS[5],
        marker=_MARKERS[2],
        linestyle="none",
        label="most in a game",
    )
    guesses.set_title("Guesses")
    guesses.set_xlabel(f"guesses of the player {value['player']}; secrets drawn at random")
    guesses.set_ylabel("game")
    guesses.set_yticks(range(len(games)), names)
    guesses.xaxis.set_major_locator(_whole_numbers())
    for index, (key, name) in enumerate(
        (
            ("turn_ms", "mean"),
            ("turn_ms_999_of_1000", "999 of 1000 are faster"),
            ("longest_turn_ms", "longest"),
        )
    ):
        times.plot(
            [game[key] for game in games],
            range(len(games)),
            color=_COLOURS[(1, 2, 3)[index]],
            marker=_MARKERS[(1, 3, 4)[index]],
            linestyle="none",
            label=name,
        )
    times.set_title("Time of a turn")
    times.set_xlabel("processor time from a response to the next guess, ms")
    times.set_yticks(range(len(games)), [])
    times.set_xlim(left=0)
    for axes in (guesses, times):
        axes.margins(y=0.08)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=3, fontsize=8.5)
    return figure


@_styled
def players(value: Mapping[str, Any]) -> Figure:
    """Draw how much more the players take than the best one of each game, as experiments/players.py
    wrote it."""
    rows = value["players"]
    least: dict[str, int] = {}
    for row in rows:
        least[row["rules"]] = min(row["total"], least.get(row["rules"], row["total"]))
    games = list(least)
    above = {
        (row["player"], row["rules"]): 100 * (row["total"] / least[row["rules"]] - 1)
        for row in rows
    }
    names = sorted(
        dict.fromkeys(row["player"] for row in rows),
        key=lambda name: max(above.get((name, game), -1.0) for game in games),
        reverse=True,
    )
    figure, axes = _new(7.8, 1.9 + 0.36 * len(names))
    for index, game in enumerate(games):
        shift = 0.22 * ((len(games) - 1) / 2 - index)
        places = [row for row, name in enumerate(names) if (name, game) in above]
        axes.plot(
            [above[names[row], game] for row in places],
            [row + shift for row in places],
            color=_COLOURS[index % len(_COLOURS)],
            marker=_MARKERS[index % len(_MARKERS)],
            linestyle="none",
            label=f"{game}: the least total is {least[game]}",
        )
    axes.set_xscale("symlog", linthresh=1)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlim(left=-0.1)
    axes.set_title("What players take beside the best of them")
    axes.set_xlabel(
        "total over all secrets, percent above the least of a player here (logarithmic from 1 on)"
    )
    axes.set_ylabel("player")
    axes.set_yticks(range(len(names)), names)
    figure.legend(loc="outside lower center", ncols=2)
    return figure


@_styled
def starts(value: Mapping[str, Any]) -> Figure:
    """Draw how much iterated best replies win over where they began, as
    experiments/strongest_starts.py wrote it."""
    games: dict[str, list[tuple[int, float]]] = {}
    for row in value["starts"]:
        above = 100 * float(Fraction(row["score_against_start"]) - Fraction(1, 2))
        games.setdefault(row["rules"], []).append((row["start_total"], above))
    figure, axes = _new(7.6, 5.2)
    for index, (rules, points) in enumerate(games.items()):
        least = min(total for total, _ in points)
        colour = _COLOURS[index % len(_COLOURS)]
        axes.plot(
            [100 * (total - least) / least for total, _ in points],
            [above for _, above in points],
            color=colour,
            marker=_MARKERS[index % len(_MARKERS)],
            # The second time round the markers are empty.
            markerfacecolor=colour if index < len(_MARKERS) else "white",
            linestyle="none",
            label=rules,
        )
    axes.set_title("The strongest play against the strategies that it was found from")
    # Most lie close to the least total and to one half, a few far away.
    axes.set_xscale("symlog", linthresh=0.1)
    axes.set_yscale("symlog", linthresh=0.1)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel(
        "total of the strategy begun with, percent above the least (logarithmic from 0.1 on)"
    )
    axes.set_ylabel("score of the last reply against it, points above 50 %")
    figure.legend(loc="outside lower center", ncols=6)
    return figure


@_styled
def benchmark(value: Mapping[str, Any]) -> Figure:
    """Draw the times of the searches, as experiments/benchmark.py wrote them."""
    times: dict[str, dict[str, dict[str, float]]] = {}
    for name, time in value["seconds"].items():
        work, _, setting = name.rpartition("; ")
        times.setdefault(setting, {})[work] = time
    if not times:
        raise MooError("benchmark: there are no times in it")
    works = list(dict.fromkeys(work for each in times.values() for work in each))[::-1]
    figure, axes = _new(8.0, 1.8 + 0.62 * len(works))
    for index, (setting, each) in enumerate(times.items()):
        # Rows run upwards, so that the first setting of a group is its highest.
        above = 0.84 / len(times) * ((len(times) - 1) / 2 - index)
        rows = [row for row, work in enumerate(works) if work in each]
        known = [each[works[row]] for row in rows]
        kernel, _, threads = setting.rpartition(", ")
        axes.errorbar(
            [time["median"] for time in known],
            [row + above for row in rows],
            xerr=[
                [time["median"] - time["least"] for time in known],
                [time["most"] - time["median"] for time in known],
            ],
            color=_COLOURS[index % len(_COLOURS)],
            marker=_MARKERS[index % len(_MARKERS)],
            linestyle="none",
            capsize=2,
            label=f"{kernel}, {counted(int(threads), 'thread')}",
        )
        for row, time in zip(rows, known, strict=True):
            axes.annotate(
                f"{time['median']:.2f}",
                (time["most"], row + above),
                xytext=(7, -3),
                textcoords="offset points",
                fontsize=7.5,
            )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_title(f"Time of a whole search ({value['processor']})")
    axes.set_xlabel(
        f"seconds, median and extremes of {counted(value['runs'], 'run')}; logarithmic scale"
    )
    axes.set_ylabel("game and objective")
    axes.set_yticks(range(len(works)), works)
    axes.grid(axis="y", visible=False)
    axes.margins(x=0.08, y=0.03)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


# ---- files ----

TREE_KINDS = {
    "histograms": "secrets solved at guess 1, 2, ... by strategies side by side; tree files",
    "second-guesses": "what the first guess leaves, and the guess after it; a tree file",
}
"""Name of each picture of trees, what it shows, and which files it takes."""

RESULT_KINDS: Mapping[str, str] = {
    "frontier": "total against secrets at the last guess; results/frontier-4x10.json",
    "family": "the least mean by the number of symbols; results/family.json",
    "effort": "what settles a guess in the search; results/effort.json",
    "effort-by-size": "the same by the size of the set; results/effort.json",
    "players": "players beside the best of them; results/players.json",
    "landy": "readings of Landy's function; results/landy.json",
    "large": "guesses and times in games of millions of codes; results/large.json",
    "starts": "strongest play against where it began; results/strongest-starts.json",
    "benchmark": "times of searches; results/benchmark.json",
}
"""Name of each picture of a result, what it shows, and which file it takes."""

_SHAPES: Mapping[str, dict[str, Any]] = {
    "frontier": {
        "rules": str,
        "max_guesses": int,
        "complete": bool,
        "points": [{"total": int, "last": int}],
    },
    "family": {"games": [{"rules": str, "mean": float}]},
    "effort": {"games": [{"rules": str, **dict.fromkeys(ENDINGS, int)}]},
    "effort-by-size": {
        "games": [
            {"rules": str, "by_size": [{"size": int, **dict.fromkeys(ENDINGS, int)}]},
        ]
    },
    "players": {"players": [{"player": str, "rules": str, "total": int}]},
    "landy": {"published": int, "readings": [{"weight": str, "ties": str}]},
    "large": {
        "player": str,
        "games": [
            {
                "rules": str,
                "codes": int,
                "worst": int,
                **dict.fromkeys(
                    ("mean", "standard_error", "turn_ms", "turn_ms_999_of_1000", "longest_turn_ms"),
                    float,
                ),
            }
        ],
    },
    "starts": {"starts": [{"rules": str, "start_total": int, "score_against_start": str}]},
    "benchmark": {"processor": str, "runs": int, "seconds": {}},
}


def draw_result(kind: str, value: object) -> Figure:
    """Draw a result, one of :data:`RESULT_KINDS`. Raises MooError unless it is one of that kind."""
    _check(value, _SHAPES[kind], kind)
    assert isinstance(value, dict)
    draw = {
        "frontier": frontier,
        "family": family,
        "effort": effort,
        "effort-by-size": effort_by_size,
        "players": players,
        "landy": landy,
        "large": large,
        "starts": starts,
        "benchmark": benchmark,
    }[kind]
    try:
        return draw(value)
    except (
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
    ) as error:  # more than the shape tells
        raise MooError(f"{kind}: cannot be drawn: {error}") from None


def load_result(path: Path | str, kind: str) -> object:
    """Read a JSON file of results/. Raises MooError, with the file, unless it is of that kind."""
    with tree_file.naming(path):
        try:
            value = json.loads(tree_file.contents(path))
        except (ValueError, RecursionError):
            raise MooError(f"no JSON, so no result for {kind} either") from None
        _check(value, _SHAPES[kind], kind)
    return value


def _check(value: object, shape: object, place: str) -> None:
    """Raise MooError unless a value has the keys of a shape, and they are of its types."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            raise MooError(f"{place}: it must be an object")
        for key, below in shape.items():
            if key not in value:
                raise MooError(f"{place}: it has no {key}")
            _check(value[key], below, f"{place}: {key}")
    elif isinstance(shape, list):
        if not isinstance(value, list) or not value:
            raise MooError(f"{place}: it must be a list of something")
        for index, each in enumerate(value):
            _check(each, shape[0], f"{place}[{index}]")
    elif type(value) not in ((int, float) if shape is float else (shape,)):
        kinds = {str: "text", bool: "true or false"}
        raise MooError(f"{place}: it must be {kinds.get(shape, 'a number')}")  # type: ignore[call-overload]


# ---- drawing ----


def _new(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure of so many inches, which nothing but its caller holds on to."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def _panels(
    rows: int, columns: int, width: float, height: float, *, shared: bool = False
) -> tuple[Figure, list[Axes]]:
    """A figure of several panels, row by row; ``shared``: all have the same scales."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False, sharex=shared, sharey=shared)
    return figure, list(panels.flat)


def _whole_numbers() -> Locator:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator("auto", integer=True, min_n_ticks=1, steps=[1, 2, 5, 10])


def _fill(index: int) -> dict[str, Any]:
    """How the bars of one series look: a colour, and a hatch for those who do not see it."""
    return {
        "facecolor": _COLOURS[index % len(_COLOURS)],
        "hatch": _HATCHES[index % len(_HATCHES)],
        "edgecolor": "#222222",
        "linewidth": 0.5,
    }
