"""Plots show the figures of the files they are made from, and nothing else.

Expected values are those of the files in results/ and of the trees themselves; the part sizes of
the first guess of 4x10 are the published ones. How a plot looks is for people to see.
"""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from strategies import first_consistent

from moo_research import players, plots, published
from moo_research.errors import MooError
from moo_research.simulate import decision_tree
from moo_research.tree import DecisionTree

needs_matplotlib = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None,
    reason="Matplotlib is not installed: pip install 'moo-research[plots]'",
)

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"
RESULT_FILES = {  # by the kind of plot
    "frontier": RESULTS / "frontier-4x10.json",
    "family": RESULTS / "family.json",
    "effort": RESULTS / "effort.json",
    "effort-by-size": RESULTS / "effort.json",
    "players": RESULTS / "players.json",
    "landy": RESULTS / "landy.json",
    "large": RESULTS / "large.json",
    "starts": RESULTS / "strongest-starts.json",
    "benchmark": RESULTS / "benchmark.json",
}

Moo = Callable[..., Result]

NOTHING = {"size": 3, **dict.fromkeys(plots.ENDINGS, 0)}


@pytest.fixture(scope="module")
def tree() -> DecisionTree:
    return first_consistent("3x5")


def read(kind: str) -> Any:
    return json.loads(RESULT_FILES[kind].read_text("utf-8"))


def svg(figure: Any, path: Path) -> str:
    plots.save(figure, path)
    return path.read_text("utf-8")


# What is on them


@needs_matplotlib
def test_a_mean_that_is_not_proved_has_a_ring() -> None:
    games = [{"rules": f"4x{n}", "mean": n / 2, "proved": n < 12} for n in range(4, 13)]
    figure = plots.draw_result("family", {"games": games})
    (axes,) = figure.axes
    rings = [line for line in axes.lines if line.get_label() == "best known, not proved"]
    assert [line.get_xydata().tolist() for line in rings] == [[[12.0, 6.0]]]
    (plain,) = plots.draw_result("family", {"games": games[:-1]}).axes
    assert len(plain.lines) == 1


def test_histograms_have_a_bar_for_each_count(tree: DecisionTree) -> None:
    other = decision_tree(players.get("parts"), tree.rules)
    assert other.histogram != tree.histogram
    (axes,) = plots.histograms([("one", tree), ("two", other)]).axes
    most = max(tree.max_guesses, other.max_guesses)
    for bars, drawn in zip(axes.containers, (tree, other), strict=True):
        heights = [bar.get_height() for bar in bars]
        assert heights == [*drawn.histogram, *[0] * (most - drawn.max_guesses)]
        places = [round(bar.get_x() + bar.get_width() / 2) for bar in bars]
        assert places == list(range(1, most + 1))
    names = [text.get_text() for text in axes.figure.legends[0].get_texts()]
    assert names[0] == f"one: mean {tree.mean:.4f}, total {tree.total}"
    # The hatch tells the two apart where the colour does not.
    assert axes.containers[0][0].get_hatch() != axes.containers[1][0].get_hatch()


@needs_matplotlib
def test_second_guesses_of_the_bundled_tree() -> None:
    tree = decision_tree(players.get("optimal"), "4x10")
    (axes,) = plots.second_guesses(tree).axes
    sizes = {
        label.get_text(): round(bar.get_width())
        for label, bar in zip(axes.get_yticklabels(), axes.containers[0], strict=True)
    }
    assert sizes == published.RESPONSE_CLASSES
    texts = [text.get_text() for text in axes.texts]
    assert texts[-1].startswith("1440: ") and texts[0] == "1: solved"
    # All guesses but the first ones, one for each secret.
    assert sum(int(text.split()[-2]) for text in texts[1:]) == tree.total - tree.rules.size


@needs_matplotlib
def test_frontier_goes_through_the_points() -> None:
    value = read("frontier")
    axes = plots.draw_result("frontier", value).axes[0]
    points = [(point["total"], point["last"]) for point in value["points"]]
    assert [tuple(point) for point in axes.lines[0].get_xydata().tolist()] == points
    assert {f"{total}, {last}" for total, last in points} < {t.get_text() for t in axes.texts}
    assert "below the line" in axes.texts[-1].get_text() + axes.texts[0].get_text()
    value["complete"] = True
    texts = [text.get_text() for text in plots.draw_result("frontier", value).axes[0].texts]
    assert any("no strategy beats or lies between" in text for text in texts)


@needs_matplotlib
def test_family_has_a_line_for_each_kind_of_game() -> None:
    value = read("family")
    (axes,) = plots.draw_result("family", value).axes
    drawn = {tuple(point) for line in axes.lines for point in line.get_xydata().tolist()}
    games = value["games"]
    symbols = [int(game["rules"].split("x")[1].rstrip("rz")) for game in games]
    means = [game["mean"] for game in games]
    assert drawn == set(zip(symbols, means, strict=True))
    assert len({line.get_marker() for line in axes.lines}) == len(axes.lines) == 3
    assert len({line.get_linestyle() for line in axes.lines}) == 3


@needs_matplotlib
def test_effort_fills_the_bars() -> None:
    value = read("effort")
    (axes,) = plots.draw_result("effort", value).axes
    games = value["games"][::-1]
    for row, game in enumerate(games):
        total = sum(game[ending] for ending in plots.ENDINGS)
        widths = [bars[row].get_width() for bars in axes.containers]
        counts = [game[ending] for ending in plots.ENDINGS if any(g[ending] for g in games)]
        assert widths == pytest.approx([100 * count / total for count in counts])
        assert sum(widths) == pytest.approx(100)
        # Every guess tried ends in one way.
        assert total == game["guesses_tried"]


@needs_matplotlib
def test_effort_by_size_has_every_count_but_none() -> None:
    value = read("effort-by-size")
    panels = plots.draw_result("effort-by-size", value).axes
    assert [axes.get_title("left") for axes in panels] == [game["rules"] for game in value["games"]]
    for axes, game in zip(panels, value["games"], strict=True):
        counts = [band[ending] for band in game["by_size"] for ending in plots.ENDINGS]
        drawn = [y for line in axes.lines for y in line.get_ydata() if y == y]
        assert sorted(drawn) == sorted(filter(None, counts))
        # The sizes share out what was tried in all.
        assert sum(counts) == game["guesses_tried"]
        assert len({line.get_marker() for line in axes.lines}) == len(axes.lines)


@needs_matplotlib
def test_an_effort_of_nothing_can_be_drawn(tmp_path: Path) -> None:
    value = {"games": [{"rules": "1x1", "by_size": [NOTHING]}]}
    svg(plots.draw_result("effort-by-size", value), tmp_path / "x.svg")


@needs_matplotlib
def test_players_landy_and_large_have_all_points() -> None:
    value = read("players")
    (axes,) = plots.draw_result("players", value).axes
    least = {"4x10": 26274, "4x6r": 5625}  # published: the least of any strategy
    drawn = {
        (axes.get_yticklabels()[round(y)].get_text(), line.get_label().split(":")[0]): x
        for line in axes.lines
        for x, y in line.get_xydata().tolist()
    }
    assert len(drawn) == len(value["players"])
    for row in value["players"]:
        if row["rules"] in least:
            above = 100 * (row["total"] / least[row["rules"]] - 1)
            assert drawn[row["player"], row["rules"]] == pytest.approx(above)
    value = read("landy")
    (axes,) = plots.draw_result("landy", value).axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    points = {
        (names[round(y)], line.get_label().removeprefix("ties: "), value["published"] + x)
        for line in axes.lines[:-1]
        for x, y in line.get_xydata().tolist()
    }
    played = [row for row in value["readings"] if row["total"] is not None]
    assert points == {(row["weight"], row["ties"], row["total"]) for row in played}
    value = read("large")
    guesses, times = plots.draw_result("large", value).axes
    assert list(guesses.lines[-1].get_xdata()) == [game["worst"] for game in value["games"][::-1]]
    assert [text.get_text() for text in guesses.texts] == [
        f"{game['mean']:.2f}" for game in value["games"][::-1]
    ]
    assert list(times.lines[-1].get_xdata()) == [
        game["longest_turn_ms"] for game in value["games"][::-1]
    ]


@needs_matplotlib
def test_starts_and_benchmark_have_all_points() -> None:
    value = read("starts")
    (axes,) = plots.draw_result("starts", value).axes
    assert sum(len(line.get_xdata()) for line in axes.lines) == len(value["starts"])
    value = read("benchmark")
    (axes,) = plots.draw_result("benchmark", value).axes
    medians = [f"{time['median']:.2f}" for time in value["seconds"].values()]
    assert sorted(text.get_text() for text in axes.texts) == sorted(medians)


# Files


@needs_matplotlib
@pytest.mark.parametrize("kind", plots.RESULT_KINDS)
def test_equal_input_gives_equal_bytes(kind: str, tmp_path: Path) -> None:
    one, two = (svg(plots.draw_result(kind, read(kind)), tmp_path / f"{i}.svg") for i in range(2))
    assert one == two
    assert "<dc:date>" not in one and len(one) < 120_000
    assert plots.draw_result(kind, read(kind)).axes[0].get_title("left")


@needs_matplotlib
def test_png_and_other_endings(tree: DecisionTree, tmp_path: Path) -> None:
    figure = plots.second_guesses(tree)
    plots.save(figure, tmp_path / "plot.PNG")
    assert (tmp_path / "plot.PNG").read_bytes().startswith(b"\x89PNG\r\n")
    with pytest.raises(MooError, match=r"must end in \.svg or \.png"):
        plots.save(figure, tmp_path / "plot.pdf")


@needs_matplotlib
def test_names_are_no_formulas_and_any_letters_will_do(tree: DecisionTree, tmp_path: Path) -> None:
    text = svg(
        plots.histograms([("$x_{", tree), ("\u6700\u5584 <&>", tree), ("_", tree)]),
        tmp_path / "x.svg",
    )
    assert "> _: mean" in text
    assert "$x_{" in text and "\u6700\u5584 &lt;&amp;&gt;" in text


@needs_matplotlib
def test_the_style_of_the_process_is_left_alone(tree: DecisionTree, tmp_path: Path) -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    svg(plots.histograms([("", tree)]), tmp_path / "x.svg")
    assert dict(matplotlib.rcParams) == before


def test_every_result_has_its_plot_in_the_document() -> None:
    drawn = {path.with_suffix(".svg").name for path in RESULT_FILES.values()}
    drawn |= {"effort-by-size.svg", "histograms-4x10.svg", "second-guesses-4x10.svg"}
    document = (ROOT / "docs" / "plots.md").read_text("utf-8")
    for name in drawn:
        assert f"](../results/plots/{name})" in document
        assert (RESULTS / "plots" / name).stat().st_size < 120_000


# Wrong input


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        ("frontier", [], "frontier: it must be an object"),
        ("frontier", {}, "frontier: it has no rules"),
        ("frontier", {"rules": 4}, "frontier: rules: it must be text"),
        ("family", {"games": []}, "family: games: it must be a list of something"),
        (
            "family",
            {"games": [{"rules": "4x4", "mean": "4"}]},
            "family: games[0]: mean: it must be",
        ),
        (
            "family",
            {"games": [{"rules": "4x4", "mean": True}]},
            "family: games[0]: mean: it must be",
        ),
        ("effort", {"games": [{"rules": "4x4"}]}, "effort: games[0]: it has no ended_size"),
    ],
)
def test_what_is_no_result_is_refused(kind: str, value: object, message: str) -> None:
    with pytest.raises(MooError) as caught:
        plots.draw_result(kind, value)
    assert str(caught.value).startswith(message)


@needs_matplotlib
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (
            "frontier",
            {
                "rules": "4x4",
                "max_guesses": 7,
                "complete": True,
                "points": [{"total": 10**400, "last": 1}],
            },
        ),
        ("family", {"games": [{"rules": "nothing", "mean": 4.0}]}),
        ("starts", {"starts": [{"rules": "4x4", "start_total": 0, "score_against_start": "1/0"}]}),
        ("effort-by-size", {"games": [{"rules": "4x4", "by_size": [NOTHING]}] * 25}),
        ("landy", {"published": 1, "readings": [{"weight": "t", "ties": "first"}]}),
        ("players", {"players": [{"player": "x", "rules": "4x4", "total": 0}]}),
        ("benchmark", {"processor": "", "runs": 2, "seconds": {}}),
        ("benchmark", {"processor": "", "runs": 2, "seconds": {"a; b, 1": 5}}),
    ],
)
def test_results_that_cannot_be_drawn(kind: str, value: object) -> None:
    with pytest.raises(MooError):
        plots.draw_result(kind, value)


@needs_matplotlib
def test_strategies_that_do_not_go_together(tree: DecisionTree) -> None:
    with pytest.raises(MooError, match="from 1 to 6 strategies"):
        plots.histograms([("", tree)] * 7)
    with pytest.raises(MooError, match="from 1 to 6 strategies"):
        plots.histograms([])
    with pytest.raises(MooError, match="3x4 and 3x5; one game is drawn"):
        plots.histograms([("", tree), ("", first_consistent("3x4"))])


# On the command line


@needs_matplotlib
def test_plot_writes_what_it_says(moo: Moo, tree: DecisionTree, tmp_path: Path) -> None:
    tree.save(tmp_path / "tree.json.gz")
    output = tmp_path / "plot.svg"
    result = moo("plot", "histograms", tmp_path / "tree.json.gz", "-o", output)
    assert (result.exit_code, result.stdout) == (0, f"{output}\n")
    assert ">tree: mean " in output.read_text("utf-8")
    moo("plot", "second-guesses", tmp_path / "tree.json.gz", "-o", output, "--label", "mine")
    assert ">mine: 3x5: the parts" in output.read_text("utf-8")
    result = moo("plot", "family", RESULT_FILES["family"], "-o", output, "--json")
    assert json.loads(result.stdout) == {
        "kind": "family",
        "files": [str(RESULT_FILES["family"])],
        "plot": str(output),
    }


@needs_matplotlib
def test_requests_that_are_wrong(moo: Moo, tree: DecisionTree, tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    tree.save(path)
    output = tmp_path / "plot.svg"
    for arguments, message in (
        (("histograms", path), "--output"),
        (("histograms", "-o", output), "FILES"),
        (("pie", path, "-o", output), "pie"),
        (("histograms", path, "-o", tmp_path / "plot.pdf"), "must end in .svg or .png"),
        (("family", path, path, "-o", output), "family takes one file, not 2"),
        (("family", path, "-o", output), "tree.json: family: it has no games"),
        (("family", path, "-o", output, "--label", "x"), "--label names trees"),
        (("histograms", path, "-o", output, "--label", "x", "--label", "y"), "--label names trees"),
        (("family", tmp_path / "none", "-o", output), "none: cannot be read"),
        (("histograms", RESULT_FILES["family"], "-o", output), "no tree file"),
    ):
        result = moo("plot", *arguments)
        assert result.exit_code == 2 and result.stdout == ""
        assert result.stderr.startswith("moo: ") and result.stderr.count("\n") == 1
        assert message in result.stderr
    assert not output.exists()


def test_without_matplotlib_one_line_says_what_to_install(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from moo_research.cli import main\n"
        f"main(['plot', 'family', {str(RESULT_FILES['family'])!r}, '-o', 'x.svg'])"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 2 and result.stdout == ""
    assert result.stderr == (
        "moo: plots need Matplotlib, which is not installed; pip install 'moo-research[plots]'\n"
    )
    assert not (tmp_path / "x.svg").exists()
