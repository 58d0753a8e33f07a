"""Speed of the parts that matter: ``make bench-parts``. Not run by ``make test``, and nothing is
asserted about time; what is computed is asserted, so that a fast wrong answer is noticed."""

from typing import Any

import pytest

from moo_research import CodeSpace, published
from moo_research.search import kernels, solve


def test_responses_of_one_guess(benchmark: Any) -> None:
    space = CodeSpace("4x10")
    ids = benchmark(space.response_ids, 0)
    assert len(ids) == space.size


@pytest.mark.parametrize("kernel", kernels())
def test_mastermind(benchmark: Any, kernel: str) -> None:
    solution = benchmark(solve, "4x6r", kernel=kernel)
    assert solution.total == published.MASTERMIND.total


@pytest.mark.parametrize("kernel", kernels())
def test_whole_game(benchmark: Any, kernel: str) -> None:
    solution = benchmark.pedantic(solve, ("4x10",), {"kernel": kernel})
    assert solution.total == published.MINIMUM_TOTAL


@pytest.mark.parametrize("threads", [1, 2])
def test_threads(benchmark: Any, threads: int) -> None:
    solution = benchmark.pedantic(solve, ("4x10",), {"threads": threads}, rounds=3)
    assert solution.total == published.MINIMUM_TOTAL


def test_tree_replay(benchmark: Any) -> None:
    from moo_research import DecisionTree

    tree = solve("4x10").tree
    assert tree is not None
    # Made anew each time: a tree remembers its replay.
    replay = benchmark(lambda: DecisionTree(tree.rules, tree.cost, tree.root).verify())
    assert replay.total == published.MINIMUM_TOTAL
