"""The checker piece by piece, against oracles and against brute force.

What matters most is that nothing false is ever accepted, even if every true claim stands in the
certificate. :class:`AllTrue` is that certificate: it knows the least cost of every set, by the
definition. With it, the checker must accept exactly the bounds that are true.
"""

import gzip
import hashlib
import io
import multiprocessing
import os
import random
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from moo_research import checker
from moo_research.certificate import certificate_text, save_certificate
from moo_research.cli import main
from moo_research.objective import Objective
from moo_research.search import solve
from tests.oracles.brute_force import INFINITE, vector
from tests.oracles.responses import all_codes, respond

GAMES = {
    "1x1": (1, 1, False, True),
    "1x7": (1, 7, False, True),
    "2x3": (2, 3, False, True),
    "2x4": (2, 4, False, True),
    "2x5": (2, 5, False, True),
    "3x3": (3, 3, False, True),
    "3x4": (3, 4, False, True),
    "4x4": (4, 4, False, True),
    "2x3r": (2, 3, True, True),
    "3x2r": (3, 2, True, True),
    "2x4r": (2, 4, True, True),
    "3x3r": (3, 3, True, True),
    "2x4z": (2, 4, False, False),
    "3x4z": (3, 4, False, False),
    "2x4rz": (2, 4, True, False),
    "3x3rz": (3, 3, True, False),
}
"""Rules as text, and in words: positions, symbols, repeats, leading zero."""


def game_of(text: str) -> checker.Game:
    return checker.Game(text, "test")


# ---- Codes and responses ----


@pytest.mark.parametrize("text", [*GAMES, "3x5", "4x5r", "2x12"])
def test_codes_and_responses_are_those_of_the_oracle(text: str) -> None:
    game = game_of(text)
    others = {"3x5": (3, 5, False, True), "4x5r": (4, 5, True, True), "2x12": (2, 12, False, True)}
    codes = all_codes(*(GAMES | others)[text])
    assert [tuple(code) for code in game.codes.tolist()] == codes
    assert game.names == ["".join("0123456789ab"[s] for s in code) for code in codes]
    draw = random.Random(text)
    pairs = [(i, j) for i in range(len(codes)) for j in range(len(codes))]
    for i, j in draw.sample(pairs, min(len(pairs), 3000)):
        bulls, cows = respond(codes[i], codes[j])
        assert game.response_names[game.table[i, j]] == f"{bulls}B{cows}C"
    assert (np.diag(game.table) == game.win).all()
    assert np.count_nonzero(game.table == game.win) == len(codes)


NO_RULES = (
    "4|4x|x4|04x10|4x010|0x4|4x0|4x3|1x1z|11x3r|4x37|4x10R|4x10zr| 4x10|4x10 |4x10\n|-4x10|4x10rr"
    "|9x9|10x36r|٤x10|4×10|"
)


@pytest.mark.parametrize("text", NO_RULES.split("|"))
def test_rules_that_are_none_or_too_many(text: str) -> None:
    with pytest.raises(checker.Rejected):
        game_of(text)


@pytest.mark.parametrize("text", ["3x4", "3x3r", "2x12"])
def test_parts_are_counted_right(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(text)
    for table in (checker.CACHED_TABLE, 0):  # with and without a table of bits
        monkeypatch.setattr(checker, "CACHED_TABLE", table)
        game = game_of(text)
        for _ in range(20):
            members = np.array(sorted(draw.sample(range(game.size), draw.randint(1, game.size))))
            expected = [len({game.table[g, s] for s in members}) for g in range(game.size)]
            assert game.parts(members).tolist() == expected


def test_bits_are_counted_alike_without_numpy_2(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [0, 1, 2**15, 2**16 - 1, 2**31 + 5, 2**63, 2**64 - 1, 0x0123456789ABCDEF]
    expected = [bin(number).count("1") for number in numbers]
    words = np.array(numbers, np.uint64)
    assert checker.ones_in(words).tolist() == expected
    monkeypatch.delattr(np, "bitwise_count", raising=False)
    assert checker.ones_in(words).tolist() == expected
    assert checker.ones_in(np.array([7, 0, 65535], np.uint16)).tolist() == [3, 0, 16]


# ---- Symmetry ----


def group_of(text: str, history: set[tuple[tuple[int, ...], int]]) -> list[Callable[..., object]]:
    """Every permutation of positions and symbols that keeps the rules and the set of turns."""
    positions, symbols, _, leading_zero = GAMES[text]
    found = []
    for places in permutations(range(positions)):
        for names in permutations(range(symbols)):
            if not leading_zero and (places[0] != 0 or names[0] != 0):
                continue

            def move(code: tuple[int, ...], places=places, names=names) -> tuple[int, ...]:
                return tuple(names[code[place]] for place in places)

            if {(move(code), response) for code, response in history} == history:
                found.append(move)
    return found


@pytest.mark.parametrize("text", ["2x4", "3x4", "3x3r", "2x4r", "3x4z", "3x3rz", "4x4", "1x7"])
def test_a_guess_is_skipped_if_a_symmetry_makes_it_smaller(text: str) -> None:
    game = game_of(text)
    codes = [tuple(code) for code in game.codes.tolist()]
    draw = random.Random(text)
    for _ in range(25):
        turns = draw.sample(range(game.size), min(draw.choice([0, 1, 2, 2, 3]), game.size))
        secret = draw.randrange(game.size)
        history = [(guess, int(game.table[guess, secret])) for guess in turns]
        group = group_of(text, {(codes[guess], response) for guess, response in history})
        least = [i for i, code in enumerate(codes) if min(move(code) for move in group) == code]
        kept = checker.least_of_orbits(game, history, np.arange(game.size))
        assert kept.tolist() == least
        # Repeated and many turns leave fewer symmetries, never wrong ones.
        for longer in (history * 2, history * 13):
            kept = checker.least_of_orbits(game, longer, np.arange(game.size))
            assert set(least) <= set(kept.tolist())


# ---- Claims ----


class AllTrue(dict):
    """What every set costs at least after ``depth`` guesses, by the definition."""

    def __init__(self, value: Callable[[int, int], float], depth: int) -> None:
        super().__init__()
        self.value, self.depth = value, depth

    def get(self, name: bytes, _default: object = None) -> int:
        secrets = sum(1 << int(code) for code in np.frombuffer(name, np.uint16))
        value = self.value(secrets, self.depth)
        return checker.INFINITE if value == INFINITE else int(value)


def definition(game: checker.Game, cost: Callable[[int], float]) -> Callable[[int, int], float]:
    """V(S, d) as it is defined; sets are integers with a bit a code."""
    masks = [
        [sum(1 << int(s) for s in np.flatnonzero(row == r)) for r in range(game.responses)]
        for row in game.table
    ]

    @cache
    def value(secrets: int, depth: int) -> float:
        if cost(depth + 1) == INFINITE:
            return INFINITE
        if secrets & (secrets - 1) == 0:
            return cost(depth + 1)
        best = INFINITE
        for *others, win in masks:
            parts = [part for mask in others if (part := secrets & mask)]
            won = secrets & win
            if len(parts) == 1 and not won:
                continue
            total = cost(depth + 1) if won else 0
            for part in parts:
                total += value(part, depth + 1)
            best = min(best, total)
        return best

    return value


def random_costs(draw: random.Random) -> tuple[tuple[int, ...], int | None]:
    """Linear, flat, convex, concave, stepped, with and without a limit."""
    rises = draw.choice([[0], [1], [0, 1], [0, 0, 1, 5], [1, 2, 4, 8], [0, 0, 0, 1000], [7, 3, 1]])
    start = [draw.choice([0, 1, 5])]
    for _ in range(draw.randint(0, 6)):
        start.append(start[-1] + draw.choice(rises))
    return tuple(start), draw.choice([None, 0, 1, draw.choice(rises)])


@pytest.mark.parametrize("text", GAMES)
def test_with_all_claims_exactly_the_true_bounds_are_accepted(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "FEW_POSITIONS", 0)
    game = game_of(text)
    draw = random.Random(text)
    for _ in range(200 if game.size < 20 else 60):
        start, step = random_costs(draw)
        prices = checker.Prices(start, step, game.size, "test")
        value = definition(game, vector(start, step))
        proof = checker.Checker(checker.Lines(io.BytesIO()), lambda *_: None)
        proof.game, proof.prices = game, prices
        depths = range(1 if prices.uniform else checker.MOST_TURNS + 2)
        proof.known = [AllTrue(value, depth) for depth in depths]
        for probe in range(8):
            history = []
            if probe % 2:  # what a history leaves
                secret = draw.randrange(game.size)
                for guess in draw.sample(range(game.size), min(draw.randint(0, 3), game.size)):
                    if (response := int(game.table[guess, secret])) != game.win:
                        history.append((guess, response))
                members = proof.left_by(history)
                monkeypatch.setattr(checker, "SYMMETRY_FROM", 1)
            else:  # any set, which has no symmetry
                some = draw.sample(range(game.size), draw.randint(1, game.size))
                members = np.array(sorted(some), np.uint16)
                monkeypatch.setattr(checker, "SYMMETRY_FROM", game.size + 1)
            true = value(sum(1 << int(code) for code in members), len(history))
            if true == INFINITE:
                assert proof.refuted(history, members, checker.INFINITE) is None
                continue
            true = int(true)
            assert proof.refuted(history, members, true) is None
            assert proof.refuted(history, members, max(true - 1, 0)) is None
            for more in (true + 1, true + 1000, checker.INFINITE):
                refuted = proof.refuted(history, members, more)
                assert refuted is not None and refuted[1] < more
            # The lemma alone never says too much.
            assert proof.by_best_parts(members.tobytes(), prices.at(len(history))) <= true


@pytest.mark.parametrize("text", ["2x4", "3x4", "3x3r", "3x4z"])
def test_costs_past_the_number_of_codes_make_no_difference(text: str, tmp_path: Path) -> None:
    size = game_of(text).size
    for objective in (
        Objective.raw(range(1, size + 4)),
        Objective.raw(range(1, size + 1)),
        Objective.raw([0] * size + [1, 5, 1000]),
        Objective("long", tuple(range(size + 5)), 7),
    ):
        solution = solve(text, objective=objective, trace=True)
        path = tmp_path / "long.cert"
        path.write_text(
            certificate_text(
                solution.rules, objective, solution.optimum, solution.tree, solution.claims
            )
        )
        verdict = checker.check(path)
        assert verdict.accepted, verdict.reason
        assert (verdict.cost, verdict.step) == (objective.start, objective.step)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("BLOCK", 50),
        ("PAIRS_UP_TO", 2),
        ("CACHED_SETS", 1),
        ("SYMMETRY_FROM", 1),
        ("CACHED_TABLE", 0),
    ],
)
def test_what_is_for_speed_decides_nothing(
    name: str, number: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    paths = []
    for objective in (Objective.mean(), Objective.raw((0, 0, 1, 5)), Objective.raw((0, 0, 0))):
        solution = solve("3x6", objective=objective, trace=True)
        text = certificate_text(
            solution.rules, objective, solution.optimum, solution.tree, solution.claims
        )
        paths.append(tmp_path / f"{len(paths)}.cert")
        paths[-1].write_text(text)
    (tmp_path / "packed.cert.gz").write_bytes(gzip.compress(paths[0].read_bytes()))
    monkeypatch.setattr(checker, name, number)
    for path in (*paths, tmp_path / "packed.cert.gz"):
        verdict = checker.check(path)
        assert verdict.accepted, verdict.reason


@pytest.fixture(scope="module")
def game_of_many_claims(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate with more claims than one process checks alone, were the limit lower."""
    path = tmp_path_factory.mktemp("many") / "many.cert"
    solution = solve("4x8", trace=True)
    save_certificate(path, solution)
    return path


def test_processes_share_a_certificate(
    game_of_many_claims: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    alone = checker.check(game_of_many_claims)
    assert alone.accepted and alone.claims is not None and alone.claims > 600
    monkeypatch.setattr(checker, "ALONE_UP_TO", 0)
    monkeypatch.setattr(checker, "SHARED_CLAIMS", 50)
    seen: list[tuple[int, int]] = []
    verdict = checker.check(
        game_of_many_claims, lambda what, done, of: seen.append((done, of)), processes=2
    )
    assert verdict.accepted and verdict.claims == alone.claims
    assert seen[-1] == (alone.claims, alone.claims)
    checked = [done for done, of in seen if of == alone.claims][-9:]
    assert checked == sorted(checked) and len(set(checked)) == 9
    # Two claims are made to say too much; the first of them is told, whoever finds what first.
    lines = game_of_many_claims.read_text().splitlines()[:-1]
    start = next(i for i, line in enumerate(lines) if line.startswith("claims ")) + 1
    for at in (start + 333, len(lines) - 1):
        bound, _, history = lines[at].partition(" ")
        lines[at] = f"{int(bound) + 1000} {history}"
    forgery = tmp_path / "forged.cert"
    forgery.write_text(sealed(*lines))
    for processes in (1, 2, 3):
        verdict = checker.check(forgery, processes=processes)
        assert not verdict.accepted and verdict.reason is not None
        assert verdict.reason.startswith(f"line {start + 334}: it is claimed that ")


def test_a_helper_that_is_killed_is_noticed(
    game_of_many_claims: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "ALONE_UP_TO", 0)
    monkeypatch.setattr(checker, "SHARED_CLAIMS", 20)
    start = checker.Helpers.__init__

    def start_and_kill(self: checker.Helpers, *arguments: Any) -> None:
        start(self, *arguments)
        self.processes[1].kill()

    monkeypatch.setattr(checker.Helpers, "__init__", start_and_kill)
    with pytest.raises(ChildProcessError, match="was ended"):
        checker.check(game_of_many_claims, processes=2)


def test_a_helper_reads_the_same_file(game_of_many_claims: Path, tmp_path: Path) -> None:
    ours, theirs = multiprocessing.Pipe()
    for path, digest, reason in [
        (game_of_many_claims, "0" * 64, "the file was changed while it was checked"),
        (tmp_path / "none", "0" * 64, "No such file"),
    ]:
        process = multiprocessing.get_context("spawn").Process(
            target=checker.help_check, args=(theirs, str(path), digest)
        )
        process.start()
        ours.send((0, 1))
        assert reason in ours.recv()
        process.kill()
        process.join()


def test_a_helper_ends_without_a_word_when_the_other_process_does(
    game_of_many_claims: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with open(game_of_many_claims, "rb") as stream:
        reader = checker.Checker(checker.Lines(stream), lambda *_: None)
        reader.read()
    for question in ([], [(0, 20)]):
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.get_context("spawn").Process(
            target=checker.help_check,
            args=(theirs, str(game_of_many_claims), reader.lines.digest),
        )
        process.start()
        theirs.close()
        for block in question:
            ours.send(block)
        ours.close()
        process.join(60)
        assert process.exitcode == 0
    assert capfd.readouterr().err == ""


def test_a_certificate_from_a_pipe(
    game_of_many_claims: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be read once, so no other process can help."""
    monkeypatch.setattr(checker, "ALONE_UP_TO", 0)

    def feed(end: int) -> None:
        with open(end, "wb") as pipe:
            pipe.write(game_of_many_claims.read_bytes())

    for source in ("/dev/stdin", "pipe"):
        reading, writing = os.pipe()
        feeder = threading.Thread(target=feed, args=(writing,))
        feeder.start()
        if source == "pipe":
            verdict = checker.check(f"/dev/fd/{reading}", processes=2)
            accepted = verdict.accepted
        else:
            run = subprocess.run(
                [sys.executable, checker.__file__, source, "2"], stdin=reading, check=False
            )
            accepted = run.returncode == 0
        feeder.join()
        os.close(reading)
        assert accepted


def test_as_many_processes_as_the_system_tells_of(
    game_of_many_claims: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not every system tells which processors a process may use."""
    asked = []
    check = checker.check
    monkeypatch.setattr(
        checker, "check", lambda path, report, count: asked.append(count) or check(path)
    )
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 3, 5}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert main_status(game_of_many_claims) == 0
    monkeypatch.delattr(os, "sched_getaffinity")
    assert main_status(game_of_many_claims) == 0
    assert asked == [3, 7]


def main_status(path: Path) -> int:
    return CliRunner().invoke(main, ["check", str(path)]).exit_code


def test_processes_share_the_memory_that_a_certificate_may_take(
    game_of_many_claims: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []

    class Counted(checker.Helpers):
        def __init__(self, count: int, arguments: tuple[str, str]) -> None:
            started.append(count)
            super().__init__(count, arguments)

    monkeypatch.setattr(checker, "Helpers", Counted)
    monkeypatch.setattr(checker, "ALONE_UP_TO", 0)
    # 4x8: 1680 codes, a table of 2.8 MB and one of bits of 5.6 MB; 64 MB for a process as such.
    for together, expected in ((2**20, []), (2**27, []), (2 * 80 << 20, [2])):
        monkeypatch.setattr(checker, "MOST_TOGETHER", together)
        assert checker.check(game_of_many_claims, processes=9).accepted
        assert started == expected


# ---- Forged files ----


def sealed(*lines: str) -> str:
    body = "".join(f"{line}\n" for line in lines)
    return f"{body}end {hashlib.sha256(body.encode()).hexdigest()}\n"


def forged(tmp_path: Path, *lines: str) -> str | None:
    """Check lines with the trailer that belongs to them, and return why they are rejected."""
    path = tmp_path / "forged.cert"
    path.write_text(sealed(*lines))
    return checker.check(path).reason


def head(cost: str, optimum: str) -> list[str]:
    return ["moo-certificate 1", "rules 2x3", f"cost {cost}", f"optimum {optimum}"]


# Costs 13 (docs/formats.md draws it), the least that is possible by brute force.
BEST = ["0 01", "1 0B1C 12", "2 0B1C 20", "1 1B0C 02", "2 0B1C 21", "1 0B2C 10"]
# One guess more for 21, a useless one: 14.
WORSE = ["0 01", "1 0B1C 12", "2 0B1C 20", "1 1B0C 02", "2 0B1C 01", "3 1B0C 21", "1 0B2C 10"]


def test_a_tree_that_is_not_the_best_proves_nothing(tmp_path: Path) -> None:
    mean = "1 step 1"
    assert forged(tmp_path, *head(mean, "13"), "tree 6", *BEST, "claims 1", "13") is None
    # All of this is true, but for the optimum.
    for claims in (["claims 1", "13"], ["claims 0"], ["claims 1", "5 01 0B1C"]):
        reason = forged(tmp_path, *head(mean, "14"), "tree 7", *WORSE, *claims)
        assert reason and "claimed about all codes, where the optimum needs 14" in reason
    reason = forged(tmp_path, *head(mean, "14"), "tree 7", *WORSE, "claims 1", "14")
    assert reason and reason.startswith("line 14: it is claimed that 6 codes cost at least 14")
    reason = forged(tmp_path, *head(mean, "13"), "tree 7", *WORSE, "claims 1", "13")
    assert reason == "tree: it costs 14, and the optimum is claimed to be 13"
    reason = forged(tmp_path, *head("1 2 3 limit", "none"), "tree 0", "claims 1", "inf")
    assert reason and reason.startswith("line 7: it is claimed that 6 codes cost at least more")


def test_a_tree_must_solve_every_secret_in_time(tmp_path: Path) -> None:
    """Costs are nothing here, so that a secret left out would make no difference."""
    free = "0 0 0 limit"
    assert forged(tmp_path, *head(free, "0"), "tree 6", *BEST, "claims 1", "0") is None
    for i in range(1, 6):
        kept = [line for k, line in enumerate(BEST) if k != i]
        reason = forged(tmp_path, *head(free, "0"), "tree 5", *kept, "claims 1", "0")
        assert reason and reason.startswith("line ")
    for cut in range(6):
        reason = forged(tmp_path, *head(free, "0"), f"tree {cut}", *BEST[:cut], "claims 1", "0")
        assert reason and reason.startswith("line ")
    reason = forged(tmp_path, *head(free, "0"), "tree 7", *WORSE, "claims 1", "0")
    assert reason and "guess 4 is past the limit" in reason
    # A part twice, a response that is none of this guess, the win, a level too deep.
    for wrong in ("1 0B2C 10", "1 0B0C 10", "1 2B0C 10", "3 0B1C 10", "0 01", "x 0B1C 10"):
        reason = forged(tmp_path, *head(free, "0"), "tree 7", *BEST, wrong, "claims 1", "0")
        assert reason and reason.startswith("line 12: ")


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("5 01 2B0C", "after the win"),
        ("5 01 0B0C", "no response of 2x3"),
        ("5 01 0B1C 10 0B2C", "no code agrees"),
        ("5 00 0B1C", "no code of 2x3"),
        ("5 03 0B1C", "no code of 2x3"),
        ("5 01", "pairs of guess and response"),
        ("5  01 0B1C", "pairs of guess and response"),
        ("-5 01 0B1C", "not a number"),
        ("05 01 0B1C", "not a number"),
        ("5.0 01 0B1C", "not a number"),
        ("1e1 01 0B1C", "not a number"),
        ("9999999999999999 01 0B1C", "2^50"),
        ("99999999999999999999999999 01 0B1C", "not a number"),
        ("", "not a number"),
        ("13", "ascending"),
        ("6 01 0B1C", "it is claimed that 2 codes cost at least 6"),
    ],
)
def test_claims_that_are_none(claim: str, reason: str, tmp_path: Path) -> None:
    lines = [*head("1 step 1", "13"), "tree 6", *BEST, "claims 2", "13"]
    assert forged(tmp_path, *lines, "5 01 0B1C") is None
    found = forged(tmp_path, *lines, claim)
    assert found and found.startswith("line 14: ") and reason in found


def test_the_digest_counts(tmp_path: Path) -> None:
    text = sealed(*head("1 step 1", "13"), "tree 6", *BEST, "claims 2", "13", "5 01 0B1C")
    path = tmp_path / "file.cert"
    path.write_text(text)
    assert checker.check(path).accepted
    path.write_text(text.replace("\n5 01", "\n4 01"))  # as true, but not what was sealed
    assert checker.check(path).reason == "line 15: the digest is not that of the lines before"


# ---- Hostile files ----


def test_a_bomb_takes_little_memory(tmp_path: Path) -> None:
    head = b"moo-certificate 1\nrules 2x4\ncost 1 step 1\noptimum 30\ntree 12\n"
    for filling in (b"0", b"\n", b"1 0B0C 01\n", head):
        path = tmp_path / "bomb.cert.gz"
        path.write_bytes(gzip.compress(head + filling * (100_000_000 // len(filling))))
        tracemalloc.start()
        verdict = checker.check(path)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert not verdict.accepted and verdict.reason
        assert peak < 20_000_000


def test_more_claims_than_are_allowed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    solution = solve("3x5", trace=True)
    path = tmp_path / "file.cert"
    path.write_text(
        certificate_text(
            solution.rules, Objective.mean(), solution.optimum, solution.tree, solution.claims
        )
    )
    assert checker.check(path).accepted
    for name in ("MOST_CLAIMS", "MOST_NODES", "MOST_MEMBERS", "LARGEST_NUMBER", "MOST_TABLE"):
        with monkeypatch.context() as patch:
            patch.setattr(checker, name, 3)
            verdict = checker.check(path)
            assert not verdict.accepted and verdict.reason


def test_costs_that_grow_out_of_range(tmp_path: Path) -> None:
    """Steps so large that costs would reach what stands for infinite."""
    path = tmp_path / "file.cert"
    for step in (2**50, 2**49, 2**47):
        path.write_text(
            f"moo-certificate 1\nrules 1x36\ncost 0 step {step}\noptimum 0\ntree 1\n0 0\n"
        )
        verdict = checker.check(path)
        assert not verdict.accepted and "2^50" in str(verdict.reason)
