"""moo certify: a tree is proved optimal, or where it can be bettered is told. The optima are those
of the search, which its own tests compare with brute force and published figures; the proofs are
checked by checker.py, which trusts nobody."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from moo_research import checker
from moo_research.certificate import prove_tree
from moo_research.codes import CodeSpace
from moo_research.errors import MooError
from moo_research.players import get
from moo_research.search import solve
from moo_research.simulate import decision_tree
from moo_research.tree import DecisionTree, Node

Moo = Callable[..., Result]


@pytest.mark.parametrize(
    "text", ["2x5", "3x6", "4x6", "3x4r", "2x4z", "3x3rz", "1x4", "2x2", "1x1"]
)
@pytest.mark.parametrize("threads", [1, 2])
def test_an_optimal_tree_is_proved(text: str, threads: int, tmp_path: Path) -> None:
    solution = solve(text)
    assert solution.tree is not None
    proof = prove_tree(solution.tree, threads=threads)
    assert proof.optimal and proof.better is None
    proof.save(tmp_path / "a.cert.gz")
    verdict = checker.check(tmp_path / "a.cert.gz")
    assert verdict.accepted, verdict.reason
    assert (verdict.rules, verdict.optimum) == (text, solution.total)


def test_the_command(moo: Moo, tmp_path: Path) -> None:
    tree, certificate = tmp_path / "a.json", tmp_path / "a.cert.gz"
    solution = solve("4x7")
    assert solution.tree is not None
    solution.tree.save(tree)
    result = moo("certify", tree, certificate)
    assert result.exit_code == 0 and "optimal" in result.stdout
    assert moo("check", certificate, tree).exit_code == 0
    told = json.loads(moo("certify", tree, certificate, "--json").stdout)
    assert (told["rules"], told["total"], told["optimal"]) == ("4x7", solution.total, True)
    assert told["better"] is None and told["claims"] > 0


@pytest.mark.parametrize("text", ["4x6", "4x7", "3x4r"])
def test_a_tree_that_can_be_bettered(text: str, moo: Moo, tmp_path: Path) -> None:
    tree = decision_tree(get("first"), text)
    optimum = solve(text).total
    assert optimum is not None and tree.total > optimum
    proof = prove_tree(tree)
    assert not proof.optimal and proof.better is not None and proof.taken is not None
    assert proof.better < proof.taken
    # What is said to be enough there is the least.
    assert solve(text, after=proof.better_after).total == proof.better
    with pytest.raises(MooError, match="no proof"):
        proof.save(tmp_path / "a.cert")
    tree.save(tmp_path / "a.json")
    result = moo("certify", tmp_path / "a.json", tmp_path / "a.cert")
    assert result.exit_code == 1 and "not optimal: after" in result.stdout
    assert not (tmp_path / "a.cert").exists()
    told = json.loads(moo("certify", tmp_path / "a.json", tmp_path / "a.cert", "--json").stdout)
    assert told["better"]["total"] == proof.better and not told["optimal"]


def test_a_first_guess_that_can_be_bettered(moo: Moo, tmp_path: Path) -> None:
    """All that follows it is as good as can be, so that only another first guess is better."""
    optimum = solve("3x4r").total
    assert optimum is not None
    guess = "000"
    parts = {}
    space = CodeSpace("3x4r")
    for response in space.split(None, space.index(guess)):
        if response.bulls < 3:
            root = solve("3x4r", after=[(guess, response)]).root
            assert root is not None
            parts[response] = root
    tree = DecisionTree.of("3x4r", Node(guess, parts))
    assert tree.total > optimum
    proof = prove_tree(tree)
    assert (proof.optimal, proof.better, proof.better_after) == (False, optimum, ())
    tree.save(tmp_path / "a.json")
    result = moo("certify", tmp_path / "a.json", tmp_path / "a.cert")
    assert result.exit_code == 1
    assert f"not optimal: {optimum} guesses are enough, and it takes {tree.total}" in result.stdout


def test_requests_that_are_wrong(moo: Moo, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"format": "moo-tree"')
    decision_tree(get("entropy"), "3x5").save(tmp_path / "a.json")
    for tree, certificate in [
        ("none.json", "a.cert"),
        ("broken.json", "a.cert"),
        ("a.json", "a.txt"),
        ("a.json", "missing/a.cert"),
    ]:
        result = moo("certify", tmp_path / tree, tmp_path / certificate)
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1
