"""Players against the published totals and histograms, and against slow, obvious twins."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from moo_research import _responses, published
from moo_research._engine import kernels
from moo_research._players import Greedy, measure
from moo_research.codes import CodeSpace
from moo_research.errors import HistoryError, MooError, RulesError
from moo_research.players import CATALOGUE, State, get, names, solve_x_to_the_x, swap_order
from moo_research.rules import Response, Rules, response_id
from moo_research.search import Solution, solve
from moo_research.simulate import decision_tree, draw_secrets, simulate
from tests.strategies import all_codes, answer, first_consistent

Moo = Callable[..., Result]

DETERMINISTIC = [name for name in names() if get(name).deterministic]
RANDOM = [name for name in names() if name not in DETERMINISTIC]

# --- Published ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row",
    [row for row in published.PLAYERS if row.games is None and not row.in_outline],
    ids=lambda row: f"{row.name}, {row.order}",
)
def test_published_totals_and_histograms(row: published.PlayerResult) -> None:
    player = get(row.name, order=row.order or "lexicographic", ties=row.ties)
    found = simulate(player, row.rules)
    assert found.games == Rules.parse(row.rules).size
    if row.total is not None:
        assert found.total == row.total
    if row.histogram is not None:
        assert found.histogram == row.histogram
    if row.mean is not None:
        digits = len(row.mean.split(".")[1])
        assert f"{found.mean:.{digits}f}" == row.mean
    if row.worst_case is not None:
        assert found.max_guesses == row.worst_case
    if row.at_worst is not None:
        assert found.histogram[-1] == row.at_worst


def test_defaults_are_those_of_the_sources() -> None:
    """No option but the order: the C++ article's players, and Knuth's under his name."""
    totals = {(row.player, row.rules): row.total for row in published.PLAYERS}
    wanted = totals["smallest largest class, all codes", "4x10"]
    assert simulate(get("minimax", order="swap")).total == wanted
    assert simulate(get("knuth"), "4x6r").total == totals["smallest largest class", "4x6r"]


@pytest.mark.parametrize("row", published.FASTEST_PLAYERS, ids=lambda row: row.rules)
def test_entropy_is_no_worse_than_the_fastest_public_program(row: published.PlayerSpeed) -> None:
    """The totals are those that the program reports for its own entropy player."""
    assert simulate(get(row.name), row.rules).total <= row.total


def test_the_secrets_that_take_nine_turns() -> None:
    assert simulate(get("first")).longest == published.NINE_TURN_SECRETS


@pytest.mark.parametrize("name", ["random", "table-random"])
def test_random_players_within_sampling_error(name: str) -> None:
    """Ten thousand games each: the difference has the errors of both, four of which are allowed."""
    row = next(row for row in published.PLAYERS if row.name == name)
    assert row.games is not None and row.mean is not None
    found = simulate(get(name, seed=2), games=row.games, seed=2)
    error = math.hypot(found.standard_error, found.deviation / row.games**0.5)
    assert abs(found.mean - float(row.mean)) < 4 * error
    assert error < 0.02


def test_optimal_is_optimal() -> None:
    known = published.MASTERMIND
    assert simulate(get("optimal"), "4x6r").total == known.total
    assert simulate(get("optimal"), "2x6").total == published.TWO_BY_N_TOTALS[6]


@pytest.mark.parametrize("name", ["optimal", "table-random"])
def test_the_search_for_a_tree_can_be_watched(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who plays a tree that is still to be found passes on who is to be told of the search."""
    told: list[object] = []

    def search(rules: Rules, progress: object) -> Solution:
        told.append(progress)
        return solve(rules)

    def watch(_progress: object) -> None: ...

    monkeypatch.setattr("moo_research.search.solve", search)
    assert simulate(get(name), "2x5z", searching=watch).games == 16
    assert told == [watch]


# --- Slow twins ---------------------------------------------------------------------------------


def swap_generator(rules: Rules) -> list[str]:
    """The recursive generator as it is described, on a list of symbols."""
    symbols = list(rules.alphabet())
    found = []

    def fix(s: int) -> None:
        if s == rules.positions:
            found.append("".join(symbols[:s]))
            return
        for i in range(s, rules.symbols):
            symbols[s], symbols[i] = symbols[i], symbols[s]
            fix(s + 1)
            symbols[s], symbols[i] = symbols[i], symbols[s]

    fix(0)
    return [code for code in found if rules.leading_zero or code[0] != "0"]


@pytest.mark.parametrize("text", ["1x1", "1x4", "3x3", "3x6", "4x5z", "4x10"])
def test_swap_order(text: str) -> None:
    space = CodeSpace(text)
    assert [space.text(i) for i in swap_order(space.rules)] == swap_generator(space.rules)


def test_swap_order_needs_distinct_symbols() -> None:
    with pytest.raises(RulesError, match="repeats"):
        simulate(get("first", order="swap"), "2x3r")


def _x(t: int) -> float:
    """The x with x^x = t, by bisection."""
    low, high = 1.0, 1.0 + t
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle**middle < t else (low, middle)
    return low


MEASURES: dict[str, Callable[[list[int], bool], float]] = {
    "minimax": lambda sizes, _wins: max(sizes),
    "minimax-consistent": lambda sizes, _wins: max(sizes),
    "knuth": lambda sizes, _wins: max(sizes),
    "expected-size": lambda sizes, _wins: sum(t * t for t in sizes),
    "entropy": lambda sizes, _wins: sum(t * math.log(t) for t in sizes),  # with ties given
    "parts": lambda sizes, _wins: -len(sizes),
    "larmouth": lambda sizes, wins: sum(t * math.log(t) for t in sizes) - 2 * math.log(2) * wins,
    "landy": lambda sizes, _wins: sum(t * _x(t) for t in sizes),
}


def slow_guess(name: str, ties: str, codes: list[str], candidates: list[str]) -> str:
    """The guess of a greedy player by its definition; ``codes`` in the order."""
    if len(candidates) == 1:
        return candidates[0]

    def rank(guess: str) -> tuple[float, bool]:
        sizes = Counter(answer(guess, secret) for secret in candidates)
        value = MEASURES[name](list(sizes.values()), guess in candidates)
        return round(value, 8), ties == "consistent" and guess not in candidates

    pool = [code for code in codes if code in candidates or "consistent" not in name]
    return min(pool, key=rank)  # the earliest of those with the least rank


@pytest.mark.parametrize("name", list(MEASURES))
@pytest.mark.parametrize("ties", ["consistent", "earliest"])
@pytest.mark.parametrize(
    ("text", "order"),
    [("2x5", "swap"), ("3x5", "lexicographic"), ("3x3r", "lexicographic"), ("3x5z", "swap")],
)
def test_greedy_players_by_their_definition(name: str, ties: str, text: str, order: str) -> None:
    rules = Rules.parse(text)
    codes = swap_generator(rules) if order == "swap" else all_codes(rules)
    player = get(name, order=order, ties=ties)  # type: ignore[arg-type]
    for visit in decision_tree(player, rules).visits():
        candidates = list(visit.candidates)
        assert visit.node.guess == slow_guess(name, ties, codes, candidates), visit.place


@pytest.mark.parametrize("name", ["minimax", "entropy", "parts"])
@pytest.mark.parametrize("ties", ["consistent", "earliest"])
@pytest.mark.parametrize("text", ["4x5", "3x6r", "4x4rz"])
def test_many_candidates_by_definition(name: str, ties: str, text: str) -> None:
    """More candidates than the pass over all codes is for: orbits of guesses are weighed."""
    rules = Rules.parse(text)
    codes = all_codes(rules)
    player = get(name, ties=ties)  # type: ignore[arg-type]
    for visit in decision_tree(player, rules).visits():
        candidates = list(visit.candidates)
        if len(candidates) > 40:
            assert visit.node.guess == slow_guess(name, ties, codes, candidates), visit.place


# ---- The kernels ----


WEIGHTS: dict[str, tuple[Callable[[np.ndarray], np.ndarray], bool]] = {
    "entropy": (lambda t: t * np.log(np.maximum(t, 1)), False),
    "squares": (lambda t: t * t, False),
    "parts": (lambda t: -np.asarray(t > 0, np.float64), False),
    "largest": (lambda t: t, True),
    "concave": (np.sqrt, False),
}


def best_by_definition(
    space: CodeSpace,
    candidates: list[int],
    weight: Callable[[np.ndarray], np.ndarray],
    largest: bool,
    bonus: float,
    rank: np.ndarray,
    first: bool,
) -> int:
    """The best guess, every code weighed in full."""

    def key(guess: int) -> tuple[float, bool, int]:
        sizes = Counter(space.response_ids(guess, candidates).tolist())
        parts = weight(np.array(list(sizes.values()), np.float64))
        value = (parts.max() if largest else parts.sum()) - bonus * (guess in candidates)
        return round(float(value), 7), first and guess not in candidates, int(rank[guess])

    return min(range(space.size), key=key)


@pytest.mark.parametrize("kernel", kernels())
@pytest.mark.parametrize("name", list(WEIGHTS))
def test_kernels_choose_by_definition(kernel: str, name: str) -> None:
    """Random sets below and above the size from which on guesses are no longer sorted by parts."""
    weight, largest = WEIGHTS[name]
    draw = np.random.default_rng(5)
    for text in ("4x6", "3x5r"):
        space = CodeSpace(text)
        for size in (2, 3, 5, 9, 17, 40, 96, 97, 110):
            first, bonus = bool(draw.integers(2)), float(draw.choice([0.0, 0.5, 2.0]))
            if name == "concave":
                first = False  # a candidate that splits all is not the best by such weights
            rank = draw.permutation(space.size).astype(np.uint32)
            player = Greedy(
                space.codes,
                space.rules.symbols,
                True,
                rank,
                weight(np.arange(space.size + 2, dtype=np.float64)),
                largest,
                bonus,
                False,
                first,
                kernel,
            )
            some = np.sort(draw.choice(space.size, size, replace=False)).astype(np.uint32)
            found = player.choose(some, (), False)
            assert found == best_by_definition(
                space, some.tolist(), weight, largest, bonus, rank, first
            )


@pytest.mark.parametrize("text", ["4x7", "3x7r", "4x7z"])
def test_symmetry_changes_no_guess(text: str) -> None:
    space = CodeSpace(text)
    weight, _largest = WEIGHTS["entropy"]
    for first in (False, True):
        player = Greedy(
            space.codes,
            space.rules.symbols,
            space.rules.leading_zero,
            None,
            weight(np.arange(space.size + 2, dtype=np.float64)),
            False,
            0.0,
            False,
            first,
        )
        everything = np.arange(space.size, dtype=np.uint32)
        guess = player.choose(everything)
        assert guess == player.choose(everything, (), False)
        parts = space.split(everything, guess)
        assert max(map(len, parts.values())) > 96
        for response, part in parts.items():
            turns = [(guess, response_id(response))]
            members = part.astype(np.uint32)
            assert player.choose(members, turns) == player.choose(members, turns, False)


@pytest.mark.parametrize("kernel", kernels())
@pytest.mark.parametrize("text", ["1x3", "4x10", "5x5r", "10x10"])
def test_measures_of_any_codes(kernel: str, text: str) -> None:
    """Guesses and candidates need not be numbered; part sizes are counted one by one."""
    rules = Rules.parse(text)
    draw = np.random.default_rng(6)
    codes = np.array(
        [
            draw.choice(rules.symbols, rules.positions, replace=rules.repeats)
            for _ in range(300 if rules.positions > 1 else 3)
        ],
        np.uint8,
    )
    guesses, candidates = codes[:40], codes[1:]
    for weight, largest in WEIGHTS.values():
        values = np.empty(len(guesses))
        weights = weight(np.arange(len(candidates) + 2, dtype=np.float64))
        measure(guesses, candidates, rules.symbols, weights, largest, values, kernel)
        for guess, value in zip(guesses, values.tolist(), strict=True):
            sizes = Counter(_responses.respond(guess, code) for code in candidates)
            parts = weight(np.array(list(sizes.values()), np.float64))
            assert value == pytest.approx(parts.max() if largest else parts.sum())


def test_first_is_the_first_candidate() -> None:
    assert decision_tree(get("first"), "3x5") == first_consistent("3x5")


def test_solution_of_x_to_the_x() -> None:
    n = np.array([1.0, 2.0, 4.0, 27.0, 256.0, 3125.0, 5040.0, 1e9])
    x = solve_x_to_the_x(n)
    assert x[[0, 2, 3, 4, 5]] == pytest.approx([1, 2, 3, 4, 5], abs=1e-12)
    assert x**x == pytest.approx(n, rel=1e-9)


# --- What every player does ---------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("text", ["1x1", "1x5", "2x2", "3x4", "2x4r", "3x4z", "2x3rz"])
def test_every_player_solves_every_secret(name: str, text: str) -> None:
    rules = Rules.parse(text)
    found = simulate(get(name), rules)
    assert found.games == sum(found.histogram) == rules.size
    assert found.total >= (solve(rules).total or 0)
    assert len(found.longest) == found.histogram[-1] > 0


@pytest.mark.parametrize("name", DETERMINISTIC)
def test_the_tree_and_single_games_agree(name: str) -> None:
    """All secrets at once, the tree replayed, and games played one by one."""
    player, rules = get(name), Rules.parse("3x5")
    found = simulate(player, rules)
    tree = decision_tree(player, rules)
    assert tree.histogram == found.histogram
    space = CodeSpace(rules)
    for secret in range(0, space.size, 7):
        state = State.start(space)
        while (guess := player.choose(state)) != secret:
            state = state.after(guess, space.response(guess, secret))
        assert len(state.history) + 1 == len(tree.play(space.text(secret)))


def test_drawn_games() -> None:
    """The lengths of drawn games are those of the secrets drawn."""
    space, player = CodeSpace("3x5"), get("entropy")
    tree = decision_tree(player, "3x5")
    secrets = draw_secrets(space, 50, seed=3)
    lengths = Counter(len(tree.play(space.text(secret))) for secret in secrets.tolist())
    found = simulate(player, "3x5", games=50, seed=3)
    assert found.games == 50
    assert found.histogram == tuple(lengths[k] for k in range(1, max(lengths) + 1))
    every = list(lengths.elements())
    assert found.mean == pytest.approx(np.mean(every))
    assert found.standard_error == pytest.approx(np.std(every) / 50**0.5)


@pytest.mark.parametrize("name", RANDOM)
def test_a_seed_repeats_the_games(name: str) -> None:
    one, two, other = (simulate(get(name, seed=seed), "3x6").histogram for seed in (5, 5, 6))
    assert one == two != other


def test_random_guesses_are_even() -> None:
    """Each of four candidates in a quarter of the guesses: within five standard errors."""
    player, space = get("random", seed=2), CodeSpace("1x4")
    counts = Counter(player.choose(State.start(space)) for _ in range(4000))
    assert all(abs(counts[code] - 1000) < 5 * (4000 * 3 / 16) ** 0.5 for code in range(4))


def test_table_random_begins_as_the_table_does() -> None:
    space = CodeSpace("3x6")
    tree = solve("3x6").tree
    assert tree is not None
    player = get("table-random")
    start = State.start(space)
    assert space.text(player.choose(start)) == tree.root.guess
    guess = space.index(tree.root.guess)
    for response, node in tree.root.parts.items():
        assert space.text(player.choose(start.after(guess, response))) == node.guess


# --- Wrong requests -----------------------------------------------------------------------------


def test_unknown_names() -> None:
    with pytest.raises(MooError, match="no player 'nobody'; choose from first, random"):
        get("nobody")
    with pytest.raises(MooError, match="lexicographic, swap"):
        get("first", order="sorted")  # type: ignore[arg-type]
    with pytest.raises(MooError, match="consistent, earliest"):
        get("first", ties="last")  # type: ignore[arg-type]
    with pytest.raises(MooError, match="seed"):
        get("random", seed=-1)


def test_answers_that_contradict() -> None:
    space = CodeSpace("3x4")
    state = State.start(space).after(0, Response(2, 0))
    with pytest.raises(HistoryError, match="no code is left after 012 0B3C"):
        state.after(0, Response(0, 3))


def test_a_tree_player_keeps_to_its_tree() -> None:
    space = CodeSpace("2x4")
    player = get("optimal")
    first = player.choose(State.start(space))
    other = next(code for code in range(space.size) if code != first)
    with pytest.raises(HistoryError, match="guesses"):
        player.choose(State.start(space).after(other, Response(0, 0)))


def test_random_players_have_no_tree() -> None:
    with pytest.raises(MooError, match="random"):
        decision_tree(get("random"), "2x3")


def test_games_too_large_are_refused() -> None:
    with pytest.raises(MooError, match="can be simulated"):
        simulate(get("entropy"), "10x10")


# --- The commands -------------------------------------------------------------------------------


def test_list(moo: Moo) -> None:
    value = json.loads(moo("players", "--json").stdout)
    assert [each["name"] for each in value["players"]] == list(names())
    assert all(each["description"] and each["source"] for each in value["players"])
    assert [each["name"] for each in value["players"] if not each["deterministic"]] == RANDOM
    assert {each["name"]: each["ties"] for each in value["players"]}["minimax"] == "earliest"
    lines = moo("players").stdout.splitlines()
    assert [line.split()[0] for line in lines[:-2:2]] == [entry.name for entry in CATALOGUE]


def test_simulate_as_json(moo: Moo) -> None:
    value = json.loads(moo("simulate", "first", "--order", "swap", "--json").stdout)
    row = next(each for each in published.PLAYERS if each.order == "swap")
    assert value["player"] == "first" and value["games"] == 5040
    assert (value["total"], tuple(value["histogram"])) == (row.total, row.histogram)
    assert value["mean"] == value["total"] / 5040
    assert value["max_guesses"] == len(value["histogram"]) == 9
    assert value["seconds"] > 0 and len(value["longest"]) == value["histogram"][-1]


def test_simulate_as_text(moo: Moo) -> None:
    lines = moo("simulate", "first").stdout.splitlines()
    text = {line.split()[0]: line.split()[1:] for line in lines}
    assert text["mean"] == ["5.5603", "guesses"]
    assert text["longest"] == list(published.NINE_TURN_SECRETS)
    assert text["secrets"] == [str(count) for count in published.PLAYERS[0].histogram or ()]


def test_simulate_tells_how_the_player_chooses(moo: Moo) -> None:
    """Order and ties where the player has a use for them; the error of a mean where it has one."""
    chosen = json.loads(moo("simulate", "knuth", "3x4", "--order", "swap", "--json").stdout)
    assert (chosen["order"], chosen["ties"]) == ("swap", "consistent")
    assert chosen["standard_error"] is None
    text = moo("simulate", "minimax", "3x4").stdout
    assert "order       lexicographic\nties        the earliest\n" in text
    drawn = json.loads(moo("simulate", "random", "3x4", "--json").stdout)
    assert drawn["order"] is drawn["ties"] is None and drawn["standard_error"] > 0
    text = moo("simulate", "random", "3x4").stdout
    assert "standard error" in text and "order" not in text


def test_documented_figures(moo: Moo) -> None:
    """Every command in docs/players.md that stands beside a figure comes to that figure."""
    text = (Path(__file__).parent.parent / "docs" / "players.md").read_text()
    rows = re.findall(r"^\|.*\| `moo (simulate .+)` \| (mean )?([\d.]+)", text, re.MULTILINE)
    assert len(rows) == sum(not row.in_outline for row in published.PLAYERS)
    for command, mean, figure in rows:
        found = json.loads(moo(*command.split(), "--json").stdout)
        digits = len(figure.partition(".")[2])
        assert figure == (f"{found['mean']:.{digits}f}" if mean else str(found["total"])), command


def test_documented_totals_are_those_of_the_experiment() -> None:
    """The table of all players in docs/players.md against results/players.json."""
    root = Path(__file__).parent.parent
    text = (root / "docs" / "players.md").read_text()
    record = json.loads((root / "results" / "players.json").read_text())["players"]
    assert {row["player"] for row in record} == set(names())
    for row in record:
        line = next(
            line
            for line in text.splitlines()
            if re.match(rf"\| `{row['player']}` .*±?\d\.\d", line)
        )
        assert str(row["total"]) in re.split(r"[ |]+", line), (row["player"], row["rules"])


def test_simulate_drawn_games(moo: Moo) -> None:
    request = ("simulate", "random", "3x5", "--games", "200", "--seed", "4")
    one, two = (json.loads(moo(*request, "--json").stdout) for _ in range(2))
    assert one["games"] == sum(one["histogram"]) == 200
    assert one["histogram"] == two["histogram"]
    assert "standard error" in moo(*request).stdout


def test_simulate_a_tree_file(moo: Moo, tmp_path: Path) -> None:
    tree = first_consistent("2x5")
    tree.save(tmp_path / "tree.json")
    value = json.loads(moo("simulate", tmp_path / "tree.json", "--json").stdout)
    assert value["rules"] == "2x5" and tuple(value["histogram"]) == tree.histogram
    result = moo("simulate", tmp_path / "tree.json", "2x4")
    assert result.exit_code == 2 and "is for 2x5, not for 2x4" in result.stderr


@pytest.mark.parametrize(
    "request_",
    [
        ("nobody",),
        ("entropy", "10x10"),
        ("first", "4x6r", "--order", "swap"),
        ("first", "--games", "0"),
        ("first", "4y10"),
        ("missing.json",),
    ],
)
def test_wrong_requests(moo: Moo, request_: tuple[str, ...]) -> None:
    result = moo("simulate", *request_)
    assert result.exit_code == 2
    assert result.stdout == "" and result.stderr.count("\n") == 1


@pytest.mark.parametrize("games", ["99999999999999999999", "9223372036854775808", "10000001"])
def test_more_games_than_can_be_drawn(moo: Moo, games: str) -> None:
    result = moo("simulate", "first", "3x10", "--games", games)
    assert result.exit_code == 2 and "10000000" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_names_in_capitals() -> None:
    assert get("ENTROPY") == get("entropy")
