"""The explorer's page in a real browser: what a person does with it, and what it must not do.

Every figure expected here comes from the tree itself, replayed by moo_research.tree, or from
counting all codes with the slow definition in strategies.py.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import reason_to_skip
from strategies import all_codes, answer

from moo_research import players
from moo_research.duel import race
from moo_research.errors import ResponseError
from moo_research.rules import Response, Rules, response_id
from moo_research.simulate import decision_tree
from moo_research.tree import DecisionTree, Visit

if reason := reason_to_skip():
    pytest.skip(reason, allow_module_level=True)

DESKTOP = {"width": 1200, "height": 900}
PHONE = {"width": 360, "height": 740}

GAMES = ["1x1", "1x36", "2x4", "3x10", "4x6r", "4x10z", "5x7", "10x2r", "2x36"]


@pytest.fixture(scope="module")
def best() -> DecisionTree:
    """The tree of 4x10 that comes with the package."""
    return decision_tree(players.get("optimal"), "4x10")


@pytest.fixture(scope="module")
def numeron() -> DecisionTree:
    return decision_tree(players.get("entropy"), "3x10")


@pytest.fixture(scope="module")
def first() -> DecisionTree:
    """Another tree of the same game."""
    return decision_tree(players.get("first"), "3x10")


def shows(page: Any, heading: str | re.Pattern[str]) -> None:
    """Wait until this is the heading of the view: a new address is followed a moment later."""
    wait_for(page, "#heading", heading)


def wait_for(page: Any, selector: str, text: str | re.Pattern[str]) -> None:
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_have_text(text, timeout=10_000)


def go(page: Any, place: str) -> None:
    """Change the address, and wait until the page has followed."""
    page.evaluate(
        """(place) => new Promise((done) => {
          if (location.hash === place) return done();
          addEventListener("hashchange", () => done(), { once: true });
          location.hash = place;
        })""",
        place,
    )


def fact(page: Any, name: str) -> str:
    return page.locator(f"dl.facts div:has(dt:text-is('{name}')) dd").inner_text()


def rows(page: Any, caption: str) -> list[list[str]]:
    """The cells of a table's body."""
    return page.evaluate(
        """(caption) => {
          const tables = [...document.querySelectorAll("table")];
          const table = tables.find((one) => one.caption.textContent === caption);
          const cells = (row) => [...row.cells].map((cell) => cell.textContent);
          return [...table.tBodies[0].rows].map(cells);
        }""",
        caption,
    )


def responses_shown(page: Any) -> dict[str, list[str]]:
    """What stands under each response of the grid."""
    return {
        link.get_attribute("data-response"): link.locator("span:not(.bar), small").all_inner_texts()
        for link in page.locator("a[data-response]").all()
    }


def solved_at(visit: Visit, tree: DecisionTree) -> list[int]:
    return [len(tree.play(secret)) for secret in visit.candidates]


def span(guesses: list[int]) -> str:
    low, high = min(guesses), max(guesses)
    return str(low) if low == high else f"{low}–{high}"


def place_of(visit: Visit) -> str:
    return "#walk" + visit.place.removeprefix("root")


# Walk


def test_the_first_guess_with_its_responses(open_page: Any, best: DecisionTree) -> None:
    page = open_page(("4x10-mean", best))
    root = next(best.visits())
    assert page.title() == f"Guess 1: {root.node.guess} · 4x10 decision tree"
    assert page.locator("h1").inner_text() == "4x10 decision tree"
    assert page.locator("#summary").inner_text() == (
        "4x10-mean: 4 positions, 10 symbols, all distinct; 5040 codes"
    )
    shows(page, f"Guess 1 {root.node.guess}")
    assert fact(page, "Candidates") == "5040"
    assert fact(page, "Total") == f"{best.total:,}"
    assert fact(page, "Mean") == f"{best.mean:.4f}"
    assert responses_shown(page) == {
        str(response): [
            str(len(members)),
            "solved" if response.bulls == 4 else span([len(best.play(code)) for code in members]),
        ]
        for response, members in root.split.items()
    }
    assert rows(page, "When candidates are solved") == [
        [f"Guess {guess}", str(count), ""] for guess, count in enumerate(best.histogram, 1)
    ]


def test_walking_down_by_clicks_and_back(open_page: Any, best: DecisionTree) -> None:
    secret = next(secret for secret, guesses in best.games() if len(guesses) == best.max_guesses)
    page = open_page(("", best))
    visits = {visit.place: visit for visit in best.visits()}
    place = "root"
    for number, (guess, response) in enumerate(best.play(secret), 1):
        visit = visits[place]
        shows(page, f"Guess {number} {guess}")
        guesses = solved_at(visit, best)
        assert fact(page, "Candidates").split(" of ")[0] == str(len(guesses))
        assert fact(page, "Best").split()[0] == str(min(guesses))
        assert fact(page, "Worst").split()[0] == str(max(guesses))
        assert fact(page, "Mean") == f"{sum(guesses) / len(guesses):.4f}"
        shown = page.locator(".chips a").all_inner_texts()
        assert shown == list(visit.candidates[:40])
        can = "may be the secret" if visit.may_win else "cannot be the secret"
        can = "it is the secret" if len(guesses) == 1 else can
        assert page.get_by_text(can).is_visible()
        assert page.url.endswith(place_of(visit)) or number == 1
        page.locator(f"a[data-response='{response}']").click()
        place = f"{place}/{response}"
    shows(page, f"Solved in {best.max_guesses} guesses {secret}")
    assert [row[1] for row in rows(page, "Game")] == [guess for guess, _ in best.play(secret)]
    # The browser's way back, then that of the page, then the history above.
    page.go_back()
    shows(page, f"Guess {best.max_guesses} {secret}")
    page.get_by_role("link", name="Back").click()
    shows(page, f"Guess {best.max_guesses - 1} {best.play(secret)[-2][0]}")
    page.get_by_label("History").get_by_role("link", name=best.play(secret)[1][0]).click()
    shows(page, f"Guess 2 {best.play(secret)[1][0]}")
    page.get_by_role("link", name="Start").click()
    shows(page, f"Guess 1 {best.root.guess}")


def test_a_place_can_be_linked(open_page: Any, numeron: DecisionTree) -> None:
    visit = [visit for visit in numeron.visits() if len(visit.guesses) == 4][7]
    page = open_page(("", numeron), place=place_of(visit))
    shows(page, f"Guess 4 {visit.node.guess}")
    page.reload()
    shows(page, f"Guess 4 {visit.node.guess}")


@pytest.mark.parametrize(
    "place",
    [
        "#walk/nonsense",
        "#walk/9B9C",
        "#walk/0B0C/3B0C/1B1C",
        "#walk/%E0%A4%A/<b>x",
        "#unknown/0B0C",
        "#2/walk",
        "#constructor",
        "#figures/99",
        "#secrets/zz<i>",
        "#play/zzz",
        "#////",
    ],
)
def test_an_address_that_leads_nowhere_still_shows_a_page(
    open_page: Any, numeron: DecisionTree, place: str
) -> None:
    page = open_page(("", numeron), place=place)
    assert page.locator("#heading").is_visible()
    assert page.locator("main b:text('x'), main i").count() == 0


def test_all_candidates_can_be_shown(open_page: Any, numeron: DecisionTree) -> None:
    page = open_page(("", numeron))
    button = page.locator("button.more")
    assert button.inner_text() == "Show 500 more of 680"
    button.click()
    assert page.evaluate("document.activeElement.textContent") == all_codes(numeron.rules)[40]
    assert button.inner_text() == "Show the other 180"
    button.click()
    assert button.is_hidden()
    assert page.locator(".chips a").all_inner_texts() == all_codes(numeron.rules)


def test_the_list_of_responses(open_page: Any, numeron: DecisionTree) -> None:
    page = open_page(("", numeron))
    page.get_by_role("button", name="List").click()
    root = next(numeron.visits())
    expected = sorted(root.split.items(), key=lambda part: (-len(part[1]), response_id(part[0])))
    shown = rows(page, "Responses, most candidates first")
    assert [row[:2] for row in shown] == [[str(key), str(len(part))] for key, part in expected]
    nexts = [numeron.root.parts[key].guess if key.bulls < 3 else "solved" for key, _ in expected]
    assert [row[-1] for row in shown] == nexts
    # The choice is kept for the next page.
    page.reload()
    assert page.get_by_role("button", name="List").get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="Grid").click()
    assert page.locator("table.grid").is_visible()


# Secrets


def test_the_game_of_a_secret_that_is_typed(open_page: Any, best: DecisionTree) -> None:
    page = open_page(("", best))
    page.get_by_role("link", name="Secrets").click()
    for secret in ("9360", best.root.guess):
        page.get_by_label("Secret", exact=True).fill("")
        page.get_by_label("Secret", exact=True).press_sequentially(secret)
        game = best.play(secret)
        assert [row[1:3] for row in rows(page, "Game")] == [[g, str(r)] for g, r in game]
        noun = "guess" if len(game) == 1 else "guesses"
        assert page.get_by_role(
            "heading", name=f"{secret} is solved in {len(game)} {noun}"
        ).is_visible()
        assert page.url.endswith(f"#secrets/{secret}")
    page.get_by_role("link", name="Secrets").click()
    wait_for(page, ".results h3 >> nth=0", "5040 codes")
    # Each guess leads to its place in the tree.
    page.get_by_label("Secret", exact=True).fill("9360")
    guess = best.play("9360")[2][0]
    page.get_by_role("link", name=guess).first.click()
    shows(page, f"Guess 3 {guess}")


def test_searching_for_codes(open_page: Any, numeron: DecisionTree) -> None:
    page = open_page(("", numeron), place="#secrets")
    field = page.get_by_label("Secret", exact=True)
    codes = all_codes(numeron.rules)
    for typed, found in (
        ("", codes),
        ("98", [code for code in codes if "98" in code]),
        ("4?", [code for code in codes if "4" in code[:2]]),
        ("?7?", [code for code in codes if code[1] == "7"]),
    ):
        field.fill(typed)
        shown = page.locator(".chips a").all_inner_texts()
        assert shown == found[:60]
        count = page.locator(".results h3").inner_text()
        assert count == f"{len(found)} codes" + (" like this" if typed else "")
        assert page.get_by_role("status").inner_text() == (count if typed else "")
        guesses = page.locator(".chips small").all_inner_texts()
        assert guesses == [str(len(numeron.play(code))) for code in shown]
    for typed in ("00", "9999", "x", "<b>"):
        field.fill(typed)
        assert page.locator(".results h3").inner_text() == "No such code"
    assert page.get_by_text("A code has 3 different symbols out of 0 to 9.").is_visible()


def test_places_where_a_code_is_guessed(open_page: Any, best: DecisionTree) -> None:
    counts = Counter(visit.node.guess for visit in best.visits())
    guess = max(counts, key=lambda code: (counts[code], code))
    assert counts[guess] > 1
    page = open_page(("", best), place=f"#secrets/{guess}")
    visits = [visit for visit in best.visits() if visit.node.guess == guess]
    expected = [visit.place.removeprefix("root").replace("/", " ").strip() for visit in visits]
    assert page.locator(".chips a").all_inner_texts() == expected[:30]
    page.locator(".chips a").first.click()
    shows(page, f"Guess {len(visits[0].guesses)} {guess}")


def test_any_secret(open_page: Any, numeron: DecisionTree) -> None:
    page = open_page(("", numeron), place="#secrets")
    page.get_by_role("button", name="Any secret").click()
    wait_for(page, ".results h3 >> nth=0", re.compile("is solved in"))
    secret = page.get_by_label("Secret", exact=True).input_value()
    assert [row[1] for row in rows(page, "Game")] == [guess for guess, _ in numeron.play(secret)]


# Play


def test_playing_by_buttons_and_by_typing(open_page: Any, best: DecisionTree) -> None:
    page = open_page(("", best))
    page.get_by_role("link", name="Play").click()
    secret = "9360"
    game = best.play(secret)
    for number, (guess, response) in enumerate(game, 1):
        shows(page, f"Guess {number} {guess}")
        if number % 2:
            page.locator(f"a[data-response='{response}']").click()
        else:
            field = page.get_by_label("Answer", exact=True)
            field.fill(response.format("1A2B" if number == 2 else "1,2"))
            field.press("Enter")
    shows(page, f"Solved in {len(game)} guesses {secret}")
    page.get_by_role("link", name="Play again").click()
    shows(page, f"Guess 1 {best.root.guess}")


def test_an_answer_that_is_none_is_refused(open_page: Any, best: DecisionTree) -> None:
    page = open_page(("", best), place="#play")
    field = page.get_by_label("Answer", exact=True)
    for typed, words in (
        ("no", "Write the answer as 1B2C"),
        ("", "Write the answer as 1B2C"),
        ("3,1", "3,1 cannot be an answer in this game"),
        ("9" * 30 + "B1C", "9B1C cannot be an answer in this game"),
        ("2B7C", "2B7C cannot be an answer in this game"),
    ):
        field.fill(typed)
        field.press("Enter")
        assert words in page.get_by_role("alert").inner_text()
        assert field.get_attribute("aria-invalid") == "true"
    shows(page, f"Guess 1 {best.root.guess}")


def test_a_contradiction_is_told_with_the_answers_that_could_be_wrong(
    open_page: Any, numeron: DecisionTree
) -> None:
    visit = next(
        visit
        for visit in numeron.visits()
        if len(visit.guesses) == 3
        and len(visit.candidates) > 3
        and Response(0, 0) not in visit.split
    )
    answers = [Response.parse(word, 3) for word in visit.place.split("/")[1:]] + [Response(0, 0)]
    page = open_page(("", numeron), place="#play" + visit.place.removeprefix("root"))
    page.locator("a[data-response='0B0C']").click()
    shows(page, "No code fits these answers")
    expected = []
    for turn, guess in enumerate(visit.guesses):
        could: Counter[Response] = Counter()
        for code in all_codes(numeron.rules):
            given = [answer(asked, code) for asked in visit.guesses]
            wrong = [k for k, response in enumerate(given) if response != answers[k]]
            if wrong == [turn]:
                could[given[turn]] += 1
        if could:
            options = " or ".join(
                f"{response} ({could[response]} code{'s' * (could[response] != 1)})"
                for response in sorted(could, key=response_id)
            )
            expected.append(f"Guess {turn + 1}, {guess}: not {answers[turn]}, but {options}")
    assert expected
    assert page.locator(".suspects li").all_inner_texts() == expected
    page.get_by_role("link", name="Take back").click()
    shows(page, f"Guess 3 {visit.node.guess}")


# Figures and comparing


def test_the_histogram_and_the_longest_secrets(open_page: Any, best: DecisionTree) -> None:
    page = open_page(("", best))
    page.get_by_role("link", name="Figures").click()
    shows(page, "Figures")
    assert [row[:2] for row in rows(page, "Secrets solved at each guess")] == [
        [f"Guess {guess}", str(count)] for guess, count in enumerate(best.histogram, 1)
    ]
    lengths = {secret: len(guesses) for secret, guesses in best.games()}
    longest = [secret for secret, taken in lengths.items() if taken == best.max_guesses]
    assert (
        page.locator("#longest").inner_text() == f"{len(longest)} secrets at guess 7, the longest"
    )
    assert page.locator(".chips a").all_inner_texts() == longest[:100]
    page.get_by_role("link", name="Guess 3", exact=True).click()
    third = [secret for secret, taken in lengths.items() if taken == 3]
    wait_for(page, "#longest", f"{len(third)} secrets at guess 3")
    assert page.locator(".chips a").all_inner_texts() == third[:100]
    assert fact(page, "Nodes") == str(sum(1 for _ in best.visits()))


def test_what_a_tree_was_made_for(open_page: Any, first: DecisionTree) -> None:
    page = open_page(("", first), place="#figures")
    assert page.get_by_text("Made for the least total").is_visible()
    cost = tuple(k * k for k in range(1, first.max_guesses + 1))
    total = sum(n * c for n, c in zip(first.histogram, cost, strict=True))
    page = open_page(("", DecisionTree(first.rules, cost, first.root)), place="#figures")
    assert page.get_by_text(f"Made for the cost {', '.join(map(str, cost))} of").is_visible()
    assert page.get_by_text(f"{total} over all secrets").is_visible()


def parting(ours: DecisionTree, theirs: DecisionTree) -> Iterator[tuple[str, str, str]]:
    """Where two trees guess different codes after the same guesses and responses."""
    pairs = [("", ours.root, theirs.root)]
    while pairs:
        place, a, b = pairs.pop()
        if a.guess != b.guess:
            yield place.strip(), a.guess, b.guess
        else:
            pairs += [(f"{place} {key}", part, b.parts[key]) for key, part in a.parts.items()]


def test_comparing_two_trees(open_page: Any, numeron: DecisionTree, first: DecisionTree) -> None:
    page = open_page(("entropy", numeron), ("first", first))
    page.get_by_role("link", name="Compare").click()
    result = race(numeron.histogram, first.histogram)
    winner = "entropy" if result.win > result.loss else "first"
    shows(page, f"{winner} wins the race")
    assert [row[2] for row in rows(page, "Race")] == [
        str(share) for share in (result.win, result.draw, result.loss, result.score)
    ]
    guesses = max(numeron.max_guesses, first.max_guesses)
    counts = [[*tree.histogram, *[0] * guesses][:guesses] for tree in (numeron, first)]
    assert [row[1:3] for row in rows(page, "Secrets solved at each guess")] == [
        [str(a), str(b)] for a, b in zip(*counts, strict=True)
    ]
    assert rows(page, "Figures of both")[0] == ["Total", str(numeron.total), str(first.total)]
    differences = [
        len(numeron.play(secret)) - len(first.play(secret)) for secret in all_codes(numeron.rules)
    ]
    sooner, later = (sum(d * sign > 0 for d in differences) for sign in (-1, 1))
    assert page.get_by_text(f"entropy is sooner on {sooner} secrets").is_visible()
    assert page.get_by_text(f"first on {later} secrets").is_visible()
    places = set(parting(numeron, first))
    if page.locator("button.more").is_visible():
        page.locator("button.more").click()
    shown = rows(page, "Where they part")
    guessed = [(row[0], *(cell.split()[0] for cell in row[2:])) for row in shown]
    assert {(after.replace("first guess", ""), *both) for after, *both in guessed} == places
    after = [Response.parse(word, 3) for word in shown[0][0].split() if word[0].isdigit()]
    for tree, cell in ((numeron, shown[0][2]), (first, shown[0][3])):
        games = [tree.play(code) for code in all_codes(tree.rules)]
        there = [game for game in games if [reply for _, reply in game[: len(after)]] == after]
        assert int(cell.split()[1]) == sum(map(len, there))
    sizes = {visit.place: len(visit.candidates) for visit in numeron.visits()}
    assert [int(row[1]) for row in shown] == sorted(
        (sizes["/".join(["root", *place.split()])] for place, _, _ in places), reverse=True
    )


def test_two_trees_are_walked_side_by_side(
    open_page: Any, numeron: DecisionTree, first: DecisionTree
) -> None:
    place, ours, theirs = next(iter(parting(numeron, first)))
    page = open_page(("A", numeron), ("B", first), place="#walk/" + place.replace(" ", "/"))
    shows(page, re.compile(f"{ours}$"))
    assert f"B parts here: it guesses {theirs}" in page.locator(".notice").inner_text()
    page.get_by_label("Trees").get_by_role("link", name="B").click()
    shows(page, re.compile(f"{theirs}$"))
    assert f"A parts here: it guesses {ours}" in page.locator(".notice").inner_text()
    page = open_page(("A", numeron), ("B", numeron), place="#walk/0B1C")
    assert page.get_by_text("guesses the same here").is_visible()
    page.get_by_role("link", name="Compare").click()
    shows(page, "Even in a race")
    assert page.get_by_role("heading", name="The two trees are the same").is_visible()


def test_a_secret_in_both_trees(open_page: Any, numeron: DecisionTree, first: DecisionTree) -> None:
    page = open_page(("A", numeron), ("B", first), place="#2/secrets/987")
    for name, tree in (("A", numeron), ("B", first)):
        game = tree.play("987")
        caption = f"{name}: {len(game)} guesses"
        assert [row[1] for row in rows(page, caption)] == [guess for guess, _ in game]


# The script's own idea of the game


@pytest.mark.parametrize("game", GAMES)
def test_every_secret_is_played_as_the_tree_says(open_page: Any, game: str) -> None:
    tree = decision_tree(players.get("first"), game)
    page = open_page(("", tree))
    games = page.evaluate(
        """() => candidatesOf(trees[0], 0).map(({ code }) => [
          code,
          gameOf(trees[0], code).map(({ node, response }) =>
            `${guessAt(trees[0], node)} ${responseText(response)}`),
        ])"""
    )
    assert [code for code, _ in games] == all_codes(tree.rules)
    for code, turns in games:
        assert turns == [f"{guess} {response}" for guess, response in tree.play(code)]
    shows(page, f"Guess 1 {tree.root.guess}")


def test_responses_are_those_of_the_definition(open_page: Any, numeron: DecisionTree) -> None:
    page = open_page(("", numeron))
    for rules in ("3x4r", "4x5", "10x2r"):
        codes = all_codes(Rules.of(rules))[:60]
        shown = page.evaluate(
            "(codes) => codes.map((a) => codes.map((b) => responseText(respond(a, b))))", codes
        )
        assert shown == [[str(answer(a, b)) for b in codes] for a in codes]


def test_answers_are_read_as_the_command_line_reads_them(
    open_page: Any, numeron: DecisionTree
) -> None:
    texts = [
        *(
            "1B2C",
            "1b2c",
            " 1A2B ",
            "1H2B",
            "1,2",
            "1 , 2",
            "1 2",
            "12",
            "eat 1 bite 2",
            "EAT1,BITE2",
        ),
        *(
            "b3s1",
            "s1b3",
            "balls 3 strikes 1",
            "b1s3",
            "3,1",
            "1",
            "123",
            "B1C2",
            "1B2",
            "",
            "-1,2",
        ),
        *("1.5,2", "\uff11B2C", "2B0C", "0B4C", "99,99"),
    ]
    page = open_page(("", numeron))
    read = page.evaluate(
        "(texts) => texts.map((text) => { const id = readResponse(text); "
        "return id === null ? null : responseText(id); })",
        texts,
    )
    known = [str(response) for response in Rules.of("4x10").responses]
    for text, ours in zip(texts, read, strict=True):
        try:
            theirs = str(Response.parse(text, 4))
        except ResponseError:
            theirs = None
        # What the game does not have is refused where the answer is used.
        assert (ours if ours in known else None) == theirs, text


# Keyboard, touch, screen readers


def focused(page: Any) -> str:
    return page.evaluate("document.activeElement.dataset.response ?? document.activeElement.id")


def test_the_keyboard(open_page: Any, numeron: DecisionTree, first: DecisionTree) -> None:
    page = open_page(("", numeron), ("", first))
    press = page.keyboard.press
    second = numeron.root.parts[Response(0, 1)].guess
    page.keyboard.type("01")
    shows(page, f"Guess 2 {second}")
    assert focused(page) == "heading"
    press("Backspace")
    shows(page, f"Guess 1 {numeron.root.guess}")
    page.keyboard.type("01")
    shows(page, f"Guess 2 {second}")
    press("Home")
    shows(page, f"Guess 1 {numeron.root.guess}")
    page.keyboard.type("99")
    assert page.get_by_role("status").inner_text() == "9B9C is not among the responses here."
    for key, name in (
        ("p", "Play"),
        ("f", "Figures"),
        ("c", "Compare"),
        ("?", "Help"),
        ("w", "Walk"),
    ):
        press(key)
        wait_for(page, "#views [aria-current]", name)
    press("p")
    wait_for(page, "#views [aria-current]", "Play")
    page.keyboard.type("01")
    shows(page, f"Guess 2 {second}")
    press("/")
    wait_for(page, "#views [aria-current]", "Secrets")
    assert focused(page) == "search"
    page.keyboard.type("wp01")  # in a field, letters are letters
    assert page.get_by_label("Secret", exact=True).input_value() == "wp01"
    page.keyboard.press("Tab")
    press("/")
    assert focused(page) == "search"


def test_arrows_move_among_the_responses(open_page: Any, numeron: DecisionTree) -> None:
    page = open_page(("", numeron))
    page.locator("a[data-response='0B0C']").focus()
    for key, expected in (
        ("ArrowRight", "0B1C"),
        ("ArrowDown", "1B1C"),
        ("ArrowLeft", "1B0C"),
        ("ArrowLeft", "1B0C"),
        ("ArrowUp", "0B0C"),
        ("ArrowUp", "0B0C"),
    ):
        page.keyboard.press(key)
        assert focused(page) == expected
    page.keyboard.press("Enter")
    shows(page, f"Guess 2 {numeron.root.parts[Response(0, 0)].guess}")


def test_shortcuts_can_be_switched_off(open_page: Any, numeron: DecisionTree) -> None:
    page = open_page(("", numeron), place="#help")
    page.get_by_label("Letters, digits and signs are shortcuts").uncheck()
    page.keyboard.press("w")
    page.keyboard.type("01")
    page.keyboard.press("Tab")  # answered after the keys before it
    shows(page, "Keyboard")
    page.reload()
    page.keyboard.press("w")
    page.keyboard.press("Tab")
    shows(page, "Keyboard")
    page.get_by_label("Letters, digits and signs are shortcuts").check()
    page.keyboard.press("w")
    shows(page, f"Guess 1 {numeron.root.guess}")


def test_tab_reaches_everything_and_the_way_past_the_head(
    open_page: Any, numeron: DecisionTree
) -> None:
    page = open_page(("", numeron))
    page.keyboard.press("Tab")
    assert focused(page) == "skip"
    page.keyboard.press("Enter")
    assert focused(page) == "main" and "#main" not in page.url
    reached = set()
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.add(focused(page))
    assert {str(response) for response in next(numeron.visits()).split} <= reached


def test_touch_on_a_phone(open_page: Any, best: DecisionTree) -> None:
    page = open_page(("", best), viewport=PHONE, has_touch=True, is_mobile=True)
    page.locator("a[data-response='0B1C']").tap()
    shows(page, f"Guess 2 {best.root.parts[Response(0, 1)].guess}")
    boxes = [link.bounding_box() for link in page.locator("a[data-response]").all()]
    assert min(min(box["width"], box["height"]) for box in boxes) >= 40
    page.get_by_role("link", name="Back").tap()
    shows(page, f"Guess 1 {best.root.guess}")


def test_a_screen_reader_is_told_what_is_drawn(open_page: Any, best: DecisionTree) -> None:
    page = open_page(("", best))
    part = best.root.parts[Response(0, 1)]
    link = page.get_by_role("link", name="0B1C: 1440 candidates, solved at guess 2 to 7")
    assert link.count() == 1
    link.click()
    shows(page, f"Guess 2 {part.guess}")
    spelled = " ".join(part.guess)
    assert page.get_by_role("heading", name=f"Guess 2 {spelled}").count() == 1
    assert page.get_by_role("navigation", name="History").count() == 1
    assert page.get_by_role("region", name="1440 candidates").count() == 1
    table = page.get_by_role("table", name="Responses: a row for each number of bulls")
    assert table.get_by_role("rowheader", name="0B").count() == 1
    assert table.get_by_role("columnheader", name="4C").count() == 1


PLACES = (
    "#2/walk/1B1C",
    "#walk/0B1C/{win}",
    "#walk/nowhere",
    "#play",
    "#play/0B1C/0B0C/0B0C/0B0C",
    "#secrets/0",
    "#secrets/{secret}",
    "#figures",
    "#compare",
    "#help",
)


@pytest.fixture(scope="module")
def two() -> tuple[tuple[str, DecisionTree], tuple[str, DecisionTree]]:
    """Two trees with names that have nowhere to break."""
    trees = (decision_tree(players.get(name), "4x6") for name in ("entropy", "first"))
    names = ("a" * 60, "a strategy with a long name, but one of several words")
    ours, theirs = zip(names, trees, strict=True)
    return ours, theirs


def places(tree: DecisionTree) -> list[str]:
    win = Response(tree.rules.positions, 0)
    return [place.format(win=win, secret=tree.root.guess) for place in PLACES]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_stands_in_the_way_of_anybody(
    open_page: Any, axe_script: str, two: Any, scheme: str, size: dict[str, int]
) -> None:
    """axe-core finds nothing, not even of little weight."""
    page = open_page(*two, viewport=size, color_scheme=scheme)
    page.evaluate(axe_script)
    for place in places(two[0][1]):
        go(page, place)
        found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
        assert [(place, one["id"], one["nodes"][0]["html"]) for one in found] == []


@pytest.mark.parametrize("game", ["4x6", "5x6", "8x2r"])
def test_a_phone_shows_all_without_moving_sideways(open_page: Any, game: str) -> None:
    ours, theirs = (decision_tree(players.get(name), game) for name in ("entropy", "first"))
    page = open_page(("least", ours), ("4x10-strongest", theirs), viewport=PHONE)
    for place in ("#walk", "#walk/0B4C", "#play", "#figures", "#compare"):
        go(page, place)
        cut = page.evaluate(
            """() => [...document.querySelectorAll(".scroll")]
              .filter((box) => box.scrollWidth > box.clientWidth)
              .map((box) => box.querySelector("caption").textContent)"""
        )
        assert cut == [], place


@pytest.mark.parametrize("width", [320, 768])
def test_nothing_is_wider_than_the_screen(open_page: Any, two: Any, width: int) -> None:
    large = decision_tree(players.get("first"), "10x2r")
    for trees in (two, [("", large)]):
        page = open_page(*trees, viewport={"width": width, "height": 700})
        for place in places(trees[0][1]):
            go(page, place)
            widest = page.evaluate("document.documentElement.scrollWidth")
            assert widest <= width, place


def test_light_dark_and_print(open_page: Any, numeron: DecisionTree) -> None:
    colours = {}
    for scheme in ("light", "dark"):
        page = open_page(("", numeron), color_scheme=scheme)
        colours[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colours["light"] != colours["dark"]
    page.keyboard.type("01")
    shows(page, f"Guess 2 {numeron.root.parts[Response(0, 1)].guess}")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("#views").is_hidden() and page.locator(".buttons").is_hidden()
    assert page.locator("table.grid").is_visible() and page.get_by_label("History").is_visible()


def test_bars_are_seen_in_colours_of_the_reader(
    open_page: Any, numeron: DecisionTree, first: DecisionTree
) -> None:
    page = open_page(("", numeron), ("", first), place="#compare", forced_colors="active")
    seen = page.evaluate(
        """() => {
          const colour = (one) => getComputedStyle(one).backgroundColor;
          const bars = [...document.querySelectorAll("main .bar")].map(colour);
          return { page: colour(document.body), bars: [...new Set(bars)] };
        }"""
    )
    assert len(seen["bars"]) == 2 and seen["page"] not in seen["bars"]


# Harm


@pytest.mark.parametrize(
    "name",
    [
        "</script><script>window.hacked = 1</script>",
        "<img src=x onerror='window.hacked = 1'>",
        "<!--<script>",
        "two\u2028lines & 'quotes' \"too\"",
    ],
)
def test_names_with_markup_are_shown_as_they_are(
    open_page: Any, numeron: DecisionTree, first: DecisionTree, name: str
) -> None:
    page = open_page((name, numeron), (name[::-1], first))
    for place in ("#walk/0B1C", "#secrets/012", "#compare"):
        go(page, place)
        shown = page.locator("#trees a").first.evaluate("(link) => link.textContent")
        assert shown == name
        assert page.evaluate("window.hacked") is None
        assert page.locator("img, main script").count() == 0
    page = open_page((name, numeron))
    assert page.locator("#summary").evaluate("(one) => one.textContent").startswith(name)


def test_the_policy_stops_scripts_that_are_not_of_the_page(
    browser: Any, tmp_path: Path, numeron: DecisionTree
) -> None:
    from moo_research import explorer

    page_text = explorer.page([("", numeron)])
    foreign = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>"
    path = tmp_path / "changed.html"
    path.write_text(page_text.replace("</body>", f"{foreign}</body>"), "utf-8")
    page = browser.new_page()
    try:
        page.goto(path.as_uri())
        shows(page, f"Guess 1 {numeron.root.guess}")
        assert page.evaluate("window.hacked") is None
    finally:
        page.close()


def test_without_javascript_the_page_says_so(open_page: Any, numeron: DecisionTree) -> None:
    page = open_page(("", numeron), java_script_enabled=False)
    assert "needs JavaScript" in page.locator("noscript").inner_text()
