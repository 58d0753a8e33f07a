"""Published figures are computed and compared; a figure that does not hold is noticed."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from moo_research import DecisionTree, published
from moo_research.cli import main
from moo_research.reproduce import CHECKS, FILES, Finding, Remark, Report

Moo = Callable[..., Result]


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    """``moo reproduce``, once, and the folder it wrote into."""
    folder = tmp_path_factory.mktemp("reproduce") / "made" / "on the way"
    arguments = ["reproduce", "--json", "--threads", "2", "--output", str(folder)]
    return CliRunner().invoke(main, arguments), folder


def test_no_figure_differs(everything: tuple[Result, Path]) -> None:
    result, _ = everything
    value = json.loads(result.stdout)
    differing = [finding for finding in value["results"] if finding["status"] == "differs"]
    assert differing == []
    assert result.exit_code == 0
    for finding in value["results"]:
        assert finding.keys() >= {"name", "source", "published", "computed", "status"}
    names = [finding["name"] for finding in value["results"]]
    assert len(set(names)) == len(names)


def test_only_the_misprints_are_called_misprints(everything: tuple[Result, Path]) -> None:
    findings = json.loads(everything[0].stdout)["results"]
    assert {
        (finding["name"], finding["published"])
        for finding in findings
        if finding["status"] == "published-misprint"
    } == {(f"misprint-{each.response}", each.printed) for each in published.MISPRINTS}


def test_what_improves_is_better(everything: tuple[Result, Path]) -> None:
    """Tanaka's reply is beaten in its score, and the last guess is needed less often."""
    findings = {each["name"]: each for each in json.loads(everything[0].stdout)["results"]}
    improved = {name for name, each in findings.items() if each["status"] == "improves"}
    assert {name for name in improved if not name.startswith("reply-")} == {
        "strongest-score",
        "strongest-histogram",
        "strongest-total",
        "strongest-unbeaten",
        "last-of-least-total",
    }
    for name in ("strongest-score", "strongest-unbeaten"):
        assert float(findings[name]["computed"]) > float(findings[name]["published"])
    last = findings["last-of-least-total"]
    assert last["computed"] < last["published"]
    # Where best play has another total, the published guess may still be a best one.
    for row in published.BEST_REPLY.second_guesses:
        finding = findings[f"reply-{row.response}"]
        assert (finding["published"] == finding["computed"]) == (finding["status"] == "agrees")


def test_the_strongest_strategy_is_kept_with_its_scores(everything: tuple[Result, Path]) -> None:
    """The scores told are those of the tree in the file, pair by pair of secrets."""
    folder = everything[1]
    account = json.loads((folder / "strongest.json").read_text())
    ours = DecisionTree.load(folder / account["tree"]).histogram
    assert account["histogram"] == list(ours)
    opponents = [each["histogram"] for each in account["races"]]
    assert opponents == [
        list(published.MINIMUM_HISTOGRAM),
        list(published.BEST_REPLY.histogram),
        list(ours),
    ]
    for each in account["races"]:
        halves = sum(
            mine * theirs * (2 * (i < j) + (i == j))
            for i, mine in enumerate(ours)
            for j, theirs in enumerate(each["histogram"])
        )
        assert Fraction(each["score"]) == Fraction(halves, 2 * 5040 * 5040)
        assert sum(Fraction(each[key]) for key in ("win", "draw", "loss")) == 1


def test_a_reply_that_is_not_better_differs(moo: Moo, monkeypatch: pytest.MonkeyPatch) -> None:
    """A published score above the best possible is wrong, and ours does not improve it."""
    wrong = replace(published.BEST_REPLY, histogram=(1, 1000, 1000, 3039))
    monkeypatch.setattr(published, "BEST_REPLY", wrong)
    result = moo("reproduce", "strongest", "--json")
    assert result.exit_code == 1
    status = {each["name"]: each["status"] for each in json.loads(result.stdout)["results"]}
    assert status["strongest-published"] == "differs"
    assert status["strongest-score"] == "differs"
    assert status["strongest-histogram"] == "differs"


def test_every_class_and_its_second_guess_is_compared(everything: tuple[Result, Path]) -> None:
    names = {finding["name"] for finding in json.loads(everything[0].stdout)["results"]}
    for row in published.SECOND_GUESSES:
        assert f"classes-{row.response}" in names
        assert f"table-{row.response}" in names or row.guess is None


def test_every_published_player_is_compared_or_told(everything: tuple[Result, Path]) -> None:
    """One finding for each row; Landy's player, given in outline, is shown without a verdict."""
    value = json.loads(everything[0].stdout)
    players = [each for each in value["results"] if each["name"].startswith("player-")]
    totals = [each["published"].get("total") for each in players if "-longest" not in each["name"]]
    assert totals == [row.total for row in published.PLAYERS if not row.in_outline]
    [landy] = value["not_compared"]
    assert landy["published"] == 26347
    assert landy["note"] and all(total > 26347 for total in landy["nearest"].values())
    text = (everything[1] / "reproduce.txt").read_text()
    assert text.count("not compared:") == 1 and "published 26347" in text


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"mean": "5.300", "name": "random", "games": 10_000}, "player-4x10-random"),
        ({"total": 5669, "name": "parts", "rules": "4x6r"}, "player-4x6r-parts"),
        ({"at_worst": 8, "name": "parts", "rules": "4x6r"}, "player-4x6r-parts"),
    ],
)
def test_a_player_that_differs_is_told(
    change: dict[str, object], name: str, moo: Moo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A random mean is wrong by more than chance, a total or a worst case by one."""
    row = published.PlayerResult(
        **{"player": "it", "source": published.WEB, "rules": "4x10"} | change
    )  # type: ignore[arg-type]
    monkeypatch.setattr(published, "PLAYERS", (row,))
    result = moo("reproduce", "players", "--json")
    assert result.exit_code == 1
    [finding] = json.loads(result.stdout)["results"]
    assert (finding["name"], finding["status"]) == (name, "differs")


def test_findings_and_tree_are_written(everything: tuple[Result, Path]) -> None:
    result, folder = everything
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    assert json.loads((folder / "reproduce.json").read_text()) == json.loads(result.stdout)
    text = (folder / "reproduce.txt").read_text()
    assert text.splitlines()[0].split() == [
        "what",
        "by",
        "whom",
        "published",
        "computed",
        "verdict",
    ]
    replay = DecisionTree.load(folder / "4x10-mean.json.gz").verify()
    assert replay.valid and replay.total == published.MINIMUM_TOTAL


def test_list(moo: Moo) -> None:
    result = moo("reproduce", "--list")
    assert [line.split()[0] for line in result.stdout.splitlines()[2:]] == [c.name for c in CHECKS]
    names = json.loads(moo("reproduce", "--list", "--json").stdout)["names"]
    assert list(names) == [check.name for check in CHECKS]


def test_named_checks_only(moo: Moo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of the findings is written only where that was asked for."""
    monkeypatch.chdir(tmp_path)
    value = json.loads(moo("reproduce", "classes", "--json").stdout)
    assert {finding["name"].split("-")[0] for finding in value["results"]} == {"classes"}
    assert not list(tmp_path.iterdir())
    moo("reproduce", "classes", "--output", "here")
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == [
        "reproduce.json",
        "reproduce.txt",
    ]


def test_a_figure_that_differs_is_told(moo: Moo, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = dict(published.RESPONSE_CLASSES) | {"0B0C": 361}
    monkeypatch.setattr(published, "RESPONSE_CLASSES", wrong)
    result = moo("reproduce", "classes", "--json")
    assert result.exit_code == 1
    [finding] = [f for f in json.loads(result.stdout)["results"] if f["status"] == "differs"]
    assert (finding["published"], finding["computed"]) == (361, 360)


def test_a_total_that_differs_is_told(moo: Moo, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = replace(published.MASTERMIND, total=published.MASTERMIND.total - 1)
    monkeypatch.setattr(published, "MASTERMIND", wrong)
    result = moo("reproduce", "mastermind")
    assert result.exit_code == 1
    assert "1 differ\n" in result.stdout


def test_unwritable_folder(moo: Moo, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = moo("reproduce", "--output", tmp_path / "file")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1 and str(tmp_path / "file") in result.stderr


def test_report_as_text() -> None:
    report = Report(
        (
            Finding("one", "a total", "Somebody 1999", 30, 30, "agrees"),
            Finding("two", "a list", "Somebody 1999", [1, 2], [1, 3], "differs", "by one"),
        ),
        1.0,
        {},
        (Remark("three", "a mean", "Nobody", "5.5", {"this": 6, "that": 7}, "why"),),
    )
    assert report.to_text().splitlines() == [
        "what     by whom        published  computed  verdict",
        "-------  -------------  ---------  --------  ---------------",
        "a total  Somebody 1999  30         30        agrees",
        "a list   Somebody 1999  1 2        1 3       differs: by one",
        "",
        "not compared: a mean, published 5.5 (Nobody); nearest here: this 6, that 7: why",
        "2 published figures: 1 agree, 1 differ; 1 more not compared",
    ]
    assert not report.holds
