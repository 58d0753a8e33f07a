"""The trees that come with the package: each solves its game with the published least total."""

from importlib.resources import files
from pathlib import Path

import pytest
from strategies import follow

from moo_research import players, published
from moo_research.rules import Rules
from moo_research.tree import DecisionTree

LEAST = {"4x10": published.MINIMUM_TOTAL}
DATA = files("moo_research") / "data"
RESULTS = Path(__file__).parents[1] / "results"


def test_every_bundled_tree_is_known_here() -> None:
    names = {path.name for path in DATA.iterdir() if path.name.endswith(".json.gz")}
    assert names == {f"{game}-mean.json.gz" for game in LEAST}


@pytest.mark.parametrize("game", LEAST)
def test_a_bundled_tree_solves_its_game_with_the_least_total(game: str) -> None:
    tree = DecisionTree.load(str(DATA / f"{game}-mean.json.gz"))
    assert tree.rules == Rules.parse(game)
    assert tree.verify().valid and tree.total == LEAST[game]
    assert tree.cost == tuple(range(1, tree.max_guesses + 1))  # made for the least total


def test_the_optimal_player_takes_the_bundled_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    def search(*_arguments: object, **_options: object) -> None:
        pytest.fail("the search began")

    monkeypatch.setattr("moo_research.search.solve", search)
    tree = players.TreePlayer().tree_for(Rules.parse("4x10"))
    secrets = ["0123", "9876", "5293", "9431"]
    assert all(follow(tree, secret, tree.max_guesses) for secret in secrets)


@pytest.mark.parametrize("game", LEAST)
def test_what_reproduce_wrote_is_no_better_and_no_worse(game: str) -> None:
    """Optimal trees are many: the two files may differ, their totals may not."""
    path = RESULTS / f"{game}-mean.json.gz"
    if not path.exists():
        pytest.skip("results/ is not part of the source distribution")
    assert DecisionTree.load(path).total == LEAST[game]
