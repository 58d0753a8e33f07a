"""Certificates: what the search writes is accepted, what claims something false is not.

Truth is decided by brute force (tests/oracles/brute_force.py).
"""

import gzip
import hashlib
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st

from moo_research import checker
from moo_research.certificate import certificate_text, save_certificate
from moo_research.errors import MooError
from moo_research.objective import Objective
from moo_research.rules import Rules
from moo_research.search import kernels, solve
from tests.oracles.brute_force import INFINITE, Game, least_cost, vector

Moo = Callable[..., Result]

GAMES = ("2x3", "2x4", "2x5", "3x4", "2x3r", "2x4r", "3x2r", "2x4z", "3x4z", "2x3rz", "4x4")

objectives = st.builds(
    lambda first, steps, tail: Objective(
        "random", tuple(int(x) for x in np.cumsum([first, *steps])), tail
    ),
    st.integers(0, 3),
    st.lists(st.integers(0, 5) | st.sampled_from([0, 0, 100]), max_size=6),
    st.none() | st.integers(0, 4),
)


def certificate(text: str, objective: Objective, **options: object) -> str:
    solution = solve(text, objective=objective, trace=True, **options)
    return certificate_text(
        solution.rules, objective, solution.optimum, solution.tree, solution.claims
    )


def sealed(body: str) -> bytes:
    """A certificate with the trailer that belongs to its lines."""
    return f"{body}end {hashlib.sha256(body.encode()).hexdigest()}\n".encode()


def body_of(text: str) -> str:
    return text[: text.rindex("end ")]


def verdict(data: bytes | str, folder: Path) -> checker.Verdict:
    path = folder / "file.cert"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return checker.check(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("certificates")


@given(text=st.sampled_from(GAMES), objective=objectives, kernel=st.sampled_from(kernels()))
@settings(max_examples=150)
def test_the_true_optimum_is_accepted_and_no_other(
    text: str, objective: Objective, kernel: str, folder: Path
) -> None:
    written = certificate(text, objective, kernel=kernel)
    found = verdict(written, folder)
    assert found.accepted, found.reason
    rules = Rules.parse(text)
    game = Game(rules.positions, rules.symbols, rules.repeats, rules.leading_zero)
    least = least_cost(game, vector(objective.start, objective.step))
    assert found.optimum == (None if least == INFINITE else least)
    if found.optimum is None:
        return
    # The same proof of one more or one less: the tree costs what it costs, and if the claim about
    # all codes is raised as well, that claim is false.
    for other in (found.optimum + 1, found.optimum - 1):
        if other < 0:
            continue
        lines = body_of(written).split("\n")
        lines[3] = f"optimum {other}"
        raised = [str(other) if line == str(found.optimum) else line for line in lines]
        for changed in (lines, raised):
            assert not verdict(sealed("\n".join(changed)), folder).accepted


@pytest.mark.parametrize("text", ["3x6", "4x6r", "3x7z", "1x20", "2x12", "4x5rz", "5x6"])
def test_larger_games(text: str, folder: Path) -> None:
    for objective in (Objective.mean(), Objective.odds(3), Objective.raw((0, 0, 0, 1))):
        solution = solve(text, objective=objective, threads=2, trace=True)
        save_certificate(folder / "larger.cert.gz", solution)
        found = checker.check(folder / "larger.cert.gz")
        assert found.accepted, found.reason
        assert found.optimum == solution.optimum


@pytest.mark.parametrize("objective", ["worst", "last"])
def test_named_objectives_and_tie_breaks(objective: str, folder: Path) -> None:
    solution = solve("3x6", objective=objective, then="mean", trace=True)
    save_certificate(folder / "named.cert", solution)
    found = checker.check(folder / "named.cert")
    assert found.accepted, found.reason
    assert found.optimum == solution.optimum


def test_best_replies(folder: Path) -> None:
    solution = solve("3x6", objective=Objective.against([1, 5, 38, 69, 7]), trace=True)
    save_certificate(folder / "reply.cert", solution)
    assert checker.check(folder / "reply.cert").accepted


def damage(body: str, draw: random.Random) -> str:
    """Change one thing, as somebody would who wants a false claim to pass, or a disk that fails."""
    lines = body.split("\n")
    i = draw.randrange(len(lines))
    how = draw.randrange(7)
    if how == 0:  # a number
        numbers = list(re.finditer(r"\d+", lines[i]))
        if numbers:
            chosen = draw.choice(numbers)
            value = max(0, int(chosen[0]) + draw.choice([-2, -1, 1, 2, 10]))
            lines[i] = lines[i][: chosen.start()] + str(value) + lines[i][chosen.end() :]
    elif how == 1:  # a line lost
        del lines[i]
    elif how == 2:  # a line twice
        lines.insert(i, lines[i])
    elif how == 3:  # two lines change places
        j = draw.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
    elif how == 4:  # a character
        if lines[i]:
            at = draw.randrange(len(lines[i]))
            lines[i] = lines[i][:at] + draw.choice("0123456789BCx rzinf") + lines[i][at + 1 :]
    elif how == 5:  # a word of another line
        words, others = lines[i].split(" "), draw.choice(lines).split(" ")
        words[draw.randrange(len(words))] = draw.choice(others)
        lines[i] = " ".join(words)
    else:  # cut
        lines = lines[:i]
    return "\n".join(lines)


def truth(found: checker.Verdict) -> bool:
    """Whether what was accepted is true, by brute force."""
    assert found.rules is not None and found.cost is not None
    rules = Rules.parse(found.rules)
    game = Game(rules.positions, rules.symbols, rules.repeats, rules.leading_zero)
    least = least_cost(game, vector(found.cost, found.step))
    return found.optimum == (None if least == INFINITE else least)


@pytest.mark.parametrize("seed", range(8))
def test_no_mutation_that_claims_something_false_is_accepted(seed: int, folder: Path) -> None:
    draw = random.Random(seed)
    text = draw.choice(["2x4", "2x5", "3x4", "2x4r", "2x6", "3x3r"])
    objective = draw.choice(
        [Objective.mean(), Objective.raw((0, 0, 0, 1)), Objective.raw((1, 2, 4, 8, 16))]
    )
    original = body_of(certificate(text, objective))
    accepted = rejected = 0
    for _ in range(400):
        body = original
        for _ in range(draw.choice([1, 1, 1, 2, 3])):
            body = damage(body, draw)
        found = verdict(sealed(body), folder)
        if found.accepted:
            accepted += 1
            assert truth(found), body
        else:
            rejected += 1
            assert found.reason
            assert re.match(r"(after )?line \d+: |tree: |end of file: ", found.reason), found.reason
    assert rejected > 100


TAMPERED = {
    "a bound raised": (r"^(\d+)( \d{3} \d)", lambda m: f"{int(m[1]) + 1}{m[2]}"),
    "the optimum": (r"^optimum (\d+)", lambda m: f"optimum {int(m[1]) - 1}"),
    "other rules": (r"^rules 3x6", lambda m: "rules 3x7"),
    "other costs": (r"^cost 1 step 1", lambda m: "cost 1 step 2"),
    "another guess in the tree": (r"^(1 0B1C) \d{3}", lambda m: f"{m[1]} 012"),
    "another response": (r"^1 0B1C", lambda m: "1 0B2C"),
    "a huge number": (r"^optimum \d+", lambda m: "optimum " + "9" * 400),
    "a version": (r"^moo-certificate 1", lambda m: "moo-certificate 2"),
    "a count": (r"^claims \d+", lambda m: "claims 1"),
    "markup": (r"^1 0B1C", lambda m: "1 <b>0B1C</b>"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_tampering_is_rejected_with_a_reason(name: str, folder: Path) -> None:
    pattern, change = TAMPERED[name]
    body, changes = re.subn(
        pattern, change, body_of(certificate("3x6", Objective.mean())), count=1, flags=re.M
    )
    assert changes == 1
    found = verdict(sealed(body), folder)
    assert not found.accepted
    assert found.reason is not None
    assert found.reason.startswith(("line", "after line", "tree"))


def test_every_claim_that_is_raised_is_found_out(folder: Path) -> None:
    """Each bound of this proof is the true one: by one more, something is false."""
    solution = solve("3x5", trace=True)
    body = body_of(certificate("3x5", Objective.mean()))
    lines = body.split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("claims ")) + 1
    assert len(lines) - 1 - first == len({claim.history for claim in solution.claims})
    for i in range(first, len(lines) - 1):
        bound, space, history = lines[i].partition(" ")
        changed = [*lines[:i], f"{int(bound) + 1}{space}{history}", *lines[i + 1 :]]
        assert not verdict(sealed("\n".join(changed)), folder).accepted


def test_the_seal_and_the_ends_of_the_file(folder: Path) -> None:
    text = certificate("2x4", Objective.mean())
    assert verdict(text, folder).accepted
    for wrong in (text[:-1], text + "\n", text + "x", text[: len(text) // 2], "", "\n", text * 2):
        found = verdict(wrong, folder)
        assert not found.accepted and found.reason
    assert not verdict(text.replace("optimum 30", "optimum 31"), folder).accepted
    packed = gzip.compress(text.encode())
    assert verdict(packed, folder).accepted
    for wrong_bytes in (packed[:-3], packed[: len(packed) // 2], packed + b"x", packed + packed):
        assert not verdict(wrong_bytes, folder).accepted


def test_bombs_end_soon(folder: Path) -> None:
    for bomb in (
        gzip.compress(b"0" * 200_000_000),
        gzip.compress(b"moo-certificate 1\nrules 2x4\ncost " + b"1 " * 10_000_000),
        b"moo-certificate 1\nrules 10x36r\n",
        b"moo-certificate 1\nrules 9x9\n",
        b"moo-certificate 1\nrules 2x4\ncost 1 step 1\noptimum 30\ntree 99999999999\n",
    ):
        found = verdict(bomb, folder)
        assert not found.accepted and found.reason


def test_the_checker_stands_alone(folder: Path) -> None:
    """It imports nothing of this package, and runs as a file."""
    source = Path(checker.__file__)
    imports = re.findall(r"^\s*(?:from|import) (\w+)", source.read_text(), flags=re.M)
    assert set(imports) <= sys.stdlib_module_names | {"numpy"}
    path = folder / "alone.cert"
    path.write_text(certificate("2x4", Objective.mean()))
    run = subprocess.run(
        [sys.executable, "-I", str(source), str(path)], capture_output=True, text=True
    )
    assert run.returncode == 0 and run.stdout.startswith("accepted: 2x4")
    path.write_text("nonsense\n")
    run = subprocess.run(
        [sys.executable, "-I", str(source), str(path)], capture_output=True, text=True
    )
    assert run.returncode == 1 and run.stdout.startswith("rejected: line 1")


def test_no_certificate_without_claims(tmp_path: Path) -> None:
    with pytest.raises(MooError, match="trace"):
        save_certificate(tmp_path / "file.cert", solve("2x4"))


def test_the_proof_of_the_strongest_play(moo: Moo, tmp_path: Path) -> None:
    """At an equilibrium the least cost is n^2: the score 1 - n^2 / (2 n^2) is one half."""
    proof, tree = tmp_path / "a.cert", tmp_path / "a.json"
    found = moo("strongest", "3x6", "--certificate", proof, "--tree", tree, "--json")
    assert json.loads(found.stdout)["equilibrium"] is True
    value = json.loads(moo("check", proof, tree, "--json").stdout)
    assert value["accepted"], value["reason"]
    assert value["optimum"] == 120**2


def test_the_commands(moo: Moo, tmp_path: Path) -> None:
    proof, tree, other = (tmp_path / name for name in ("a.cert.gz", "a.json", "b.json"))
    assert moo("solve", "3x5", "--certificate", proof, "--tree", tree).exit_code == 0
    assert moo("solve", "3x5", "--objective", "last", "--tree", other).exit_code == 0
    value = json.loads(moo("check", proof, tree, "--json").stdout)
    assert value["accepted"] and value["optimum"] == 196 and value["rules"] == "3x5"
    assert {"accepted", "rules", "cost", "optimum", "claims", "seconds", "reason"} <= set(value)
    moo("solve", "3x6", "--tree", other)
    result = moo("check", proof, other)
    assert result.exit_code == 1 and "3x6" in result.stdout
    assert moo("check", tmp_path / "missing.cert").exit_code == 2
    (tmp_path / "bad.cert").write_text("moo-certificate 7\n")
    result = moo("check", tmp_path / "bad.cert", "--json")
    assert result.exit_code == 1 and "version" in json.loads(result.stdout)["reason"]
    assert moo("solve", "2x4", "--certificate", tmp_path / "file.txt").exit_code == 2


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments", [[], ["--max-guesses", "6"], ["--objective", "last"], ["--threads", "2"]]
)
def test_the_whole_game(moo: Moo, arguments: list[str], tmp_path: Path) -> None:
    path = tmp_path / "moo.cert.gz"
    assert moo("solve", "4x10", *arguments, "--certificate", path).exit_code == 0
    assert path.stat().st_size < 20_000_000
    assert moo("check", path).exit_code == 0
