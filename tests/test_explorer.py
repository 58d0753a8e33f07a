"""The explorer's page and the picture, as far as they can be told without a browser.

What a page holds is read back here by a reader of its own, written from the description in
moo_research/explorer/__init__.py, and compared with the tree. tests/browser/ looks at the page as a
person does.
"""

import base64
import hashlib
import json
import re
import webbrowser
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import Result
from strategies import first_consistent

from moo_research import explorer, formats, players
from moo_research.duel import race
from moo_research.errors import TreeError
from moo_research.formats import svg
from moo_research.rules import Response, Rules, response_of_id
from moo_research.simulate import decision_tree
from moo_research.tree import DecisionTree, Node

GAMES = ["1x1", "1x12", "2x3", "2x3r", "2x3z", "2x3rz", "3x4", "4x4", "10x2r", "2x36"]

HOSTILE = (
    "</script><script>window.hacked=1</script>",
    "<!--<script>",
    "]]>&lt;img src=x onerror=alert(1)>",
    "two\u2028lines\u2029and\na third",
    "{{data}} {{script}}",
    "a lone surrogate \udc80, as file names have them",
)


class Page(HTMLParser):
    """The elements of a page: their attributes, and the text in scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag
        if tag in ("script", "style"):
            self.texts.append((tag, ""))

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in ("script", "style"):
            tag, text = self.texts.pop()
            self.texts.append((tag, text + data))

    @property
    def data(self) -> dict[str, Any]:
        """What the page holds: the first of its scripts."""
        return json.loads(next(text for tag, text in self.texts if tag == "script"))


def read_back(data: dict[str, Any], positions: int) -> Node:
    """Make the nodes of a tree from the four texts in a page."""
    codes = re.findall("." * positions, data["guesses"])
    stack: list[tuple[Node, dict[Response, Node], int]] = []
    for index, code in enumerate(codes):
        parts: dict[Response, Node] = {}
        node = Node(code, parts)
        if stack:
            above, below, left = stack.pop()
            below[response_of_id(explorer.DIGITS.index(data["responses"][index]))] = node
            stack.append((above, below, left - 1))
        stack.append((node, parts, explorer.DIGITS.index(data["parts"][index])))
        while len(stack) > 1 and stack[-1][2] == 0:
            stack.pop()
    (root, _, left), *others = stack
    assert left == 0 and not others
    return root


def optimal() -> DecisionTree:
    """The tree of 4x10 that comes with the package."""
    player = players.get("optimal")
    assert isinstance(player, players.TreePlayer)
    return player.tree_for(Rules.of("4x10"))


# The page


@pytest.mark.parametrize("game", GAMES)
def test_a_page_holds_the_tree(game: str) -> None:
    tree = decision_tree(players.get("first"), game)
    page = Page(explorer.page([("a name", tree)]))
    (data,) = page.data["trees"]
    assert data["name"] == "a name"
    assert DecisionTree(tree.rules, tree.cost, read_back(data, tree.rules.positions)) == tree
    assert [win == "1" for win in data["wins"]] == [visit.may_win for visit in tree.visits()]
    assert page.data["race"] is None
    rules = page.data["rules"]
    assert (rules["text"], rules["size"]) == (game, tree.rules.size)
    assert [response_of_id(number) for number in rules["responses"]] == [*tree.rules.responses]


def test_the_digits_are_those_of_the_script_and_enough_for_every_game() -> None:
    model = explorer._asset("model.js")
    assert f'const DIGITS = "{explorer.DIGITS}";' in model
    # 66 response ids at ten positions, see test_rules.py; and no node has as many parts.
    assert len(set(explorer.DIGITS)) == 66


def test_the_page_of_a_whole_game_is_small_and_always_the_same() -> None:
    tree = optimal()
    page = explorer.page([("", tree)])
    assert len(page.encode()) < 1_000_000
    assert page == explorer.page([("", tree)])
    assert formats.write(tree, "html") == page


def test_a_page_asks_nothing_of_any_network() -> None:
    page = Page(explorer.page([("", first_consistent("2x3"))]))
    for tag, attributes in page.elements:
        assert tag not in ("iframe", "object", "embed", "img", "audio", "video", "base", "form")
        for name, value in attributes.items():
            assert not name.startswith("on") and name not in ("src", "srcset", "action", "style")
            if name == "href":
                assert value == "#main" or str(value).startswith("data:image/svg+xml,")
    for _, text in page.texts:
        assert not re.search(r"https?:|url\(|@import|fetch\(|XMLHttp|WebSocket|import\(", text)


def test_scripts_make_no_markup_of_texts() -> None:
    for name in ("app.js", "model.js"):
        script = explorer._asset(name)
        assert script.count('"use strict";') == 1
        assert "</" not in script and "<!--" not in script
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|\.write\(|\beval\(|Function\(", script
        )


def test_the_policy_allows_the_scripts_and_the_style_of_the_page_and_nothing_else() -> None:
    page = Page(explorer.page([("", first_consistent("2x3"))]))
    (policy,) = (
        str(attributes["content"])
        for tag, attributes in page.elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.partition(" ")[::2] for rule in policy.split("; "))

    def source(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    style, _data, *scripts = (text for _, text in page.texts)
    assert len(scripts) == 2
    assert rules == {
        "default-src": "'none'",
        "script-src": " ".join(map(source, scripts)),
        "style-src": source(style),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "",
    }


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_with_markup_in_it_stays_a_name(name: str) -> None:
    tree = first_consistent("2x3")
    plain, hostile = (explorer.page([(text, tree), ("other", tree)]) for text in ("plain", name))
    assert Page(hostile).data["trees"][0]["name"] == name
    assert Page(hostile).elements == Page(plain).elements
    data = hostile.partition('id="data">')[2].partition("</script>")[0]
    assert data.isascii() and data.isprintable() and not set(data) & set("<>&")
    hostile.encode()  # a lone surrogate would not go into a file


def test_two_trees_have_the_score_of_their_race() -> None:
    ours, theirs = (decision_tree(players.get(name), "3x5") for name in ("entropy", "first"))
    result = Page(explorer.page([("a", ours), ("b", theirs)])).data["race"]
    expected = race(ours.histogram, theirs.histogram)
    assert {name: share["exact"] for name, share in result.items() if name != "winner"} == {
        "win": str(expected.win),
        "draw": str(expected.draw),
        "loss": str(expected.loss),
        "score": str(expected.score),
    }
    assert result["score"]["percent"] == f"{float(expected.score):.4%}".replace("%", " %")
    assert result["winner"] == (0 if expected.win > expected.loss else 1)
    assert Page(explorer.page([("a", ours), ("b", ours)])).data["race"]["winner"] is None


def test_the_cost_of_a_tree_is_told_with_all_its_digits() -> None:
    root = first_consistent("2x3").root
    costs = [(0, 2**62 + 1, 2**63 - 1), (1, 2), (1, 2, 3)]
    pages = [Page(explorer.page([("", DecisionTree(Rules.of("2x3"), c, root))])) for c in costs]
    told = [page.data["trees"][0] for page in pages]
    assert told[0]["cost"] == [str(cost) for cost in costs[0]]
    histogram = first_consistent("2x3").histogram
    assert told[0]["totalCost"] == str(sum(map(int.__mul__, histogram, costs[0])))
    assert told[1]["totalCost"] is None  # a third guess has no cost
    assert told[2]["totalCost"] == str(first_consistent("2x3").total)


def test_trees_that_cannot_be_shown_are_refused() -> None:
    small, other = first_consistent("2x3"), first_consistent("2x4")
    with pytest.raises(TreeError, match=r"trees of 2x3 and of 2x4 cannot be compared"):
        explorer.page([("", small), ("", other)])
    with pytest.raises(TreeError, match=r"^root: ends with 01 where 6 codes"):
        explorer.page([("", DecisionTree.of("2x3", Node("01")))])
    for number in (0, 3):
        with pytest.raises(ValueError, match="one tree or two"):
            explorer.page([("", small)] * number)


# The picture


SPACE = "{http://www.w3.org/2000/svg}"


def texts(element: ElementTree.Element) -> list[str]:
    return [str(text.text) for text in element.iter(f"{SPACE}text")]


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_is_plain_and_stays_inside_its_frame(game: str) -> None:
    picture = ElementTree.fromstring(
        formats.write(decision_tree(players.get("first"), game), "svg")
    )
    tags = {element.tag.removeprefix(SPACE) for element in picture.iter()}
    assert tags <= {"svg", "title", "style", "rect", "path", "text"}
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    for element in picture.iter():
        assert not any(name.startswith("on") or "href" in name for name in element.attrib)
        right = float(element.get("x", 0)) + float(element.get("width", 0))
        bottom = float(element.get("y", 0)) + float(element.get("height", 0))
        assert 0 <= right <= width and 0 <= bottom <= height


@pytest.mark.parametrize("game", ["1x1", "2x3", "3x4", "4x4", "10x2r"])
def test_rows_of_a_picture_hold_every_secret_once(game: str) -> None:
    tree = decision_tree(players.get("first"), game)
    picture = ElementTree.fromstring(formats.write(tree, "svg"))
    # Nothing else has a figure that ends just left of the bars.
    edge = next(text for text in picture.iter(f"{SPACE}text") if text.text == "candidates").attrib[
        "x"
    ]
    rows = [
        int(str(text.text))
        for text in picture.iter(f"{SPACE}text")
        if text.attrib["x"] == edge and text.text != "candidates"
    ]
    assert sum(rows) == tree.rules.size
    assert len(rows) <= svg.MAX_ROWS


def test_the_picture_of_4x10_shows_the_first_guesses() -> None:
    """Sizes of the parts: docs of the game, as in test_published.py; the rest by replay."""
    tree = optimal()
    words = texts(ElementTree.fromstring(formats.write(tree, "svg")))
    for visit in tree.visits():
        if len(visit.guesses) == 2:
            at = words.index(str(visit.response))
            assert words[at : at + 2] == [str(visit.response), visit.node.guess]
            assert str(len(visit.candidates)) in words
    shown = [words[words.index(f"guess {k}", words.index("mean")) + 1] for k in range(1, 8)]
    assert shown == [str(count) for count in tree.histogram]


# The command


@pytest.fixture
def tree_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree file in the folder that the command runs in; nothing opens a browser."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(webbrowser, "open", lambda url: pytest.fail(f"{url} is opened"))
    path = tmp_path / "small.json"
    first_consistent("2x3").save(path)
    return path


Moo = Callable[..., Result]


def test_explore_writes_a_page_named_after_the_tree(tree_file: Path, moo: Moo) -> None:
    result = moo("explore", tree_file, "--no-open")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "small.html\n", "")
    written = Path("small.html").read_text("utf-8")
    assert written == explorer.page([("small", first_consistent("2x3"))])
    # Its own pages are written anew; what else has that name is left alone.
    assert moo("explore", tree_file, "--no-open").exit_code == 0
    Path("small.html").write_text("notes")
    result = moo("explore", tree_file, "--no-open")
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert "small.html exists and is no page of moo explore" in result.stderr
    assert Path("small.html").read_text() == "notes"
    assert moo("explore", tree_file, "--no-open", "-o", "small.html").exit_code == 0
    assert Path("small.html").read_text("utf-8") == written


def test_explore_opens_the_page(tree_file: Path, moo: Moo, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: not opened.append(url))
    page = tree_file.with_name("a page#1.html")
    result = moo("explore", tree_file, "-o", page)
    assert (result.exit_code, result.stderr) == (0, "")
    assert opened == [page.as_uri()] and "%231" in opened[0]
    monkeypatch.setattr(webbrowser, "open", lambda url: False)
    result = moo("explore", tree_file, "-o", page)
    assert (result.exit_code, result.stdout) == (0, f"{page}\n")
    assert "no browser could be opened" in result.stderr


def test_explore_as_json(tree_file: Path, moo: Moo) -> None:
    result = moo("explore", tree_file, "--compare", "first", "--no-open", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    total = first_consistent("2x3").total
    assert json.loads(result.stdout) == {
        "rules": "2x3",
        "trees": [{"name": "small", "total": total}, {"name": "first", "total": total}],
        "page": "small.html",
        "bytes": Path("small.html").stat().st_size,
        "opened": False,
    }


def test_trees_of_one_name_are_told_apart_by_their_folders(tree_file: Path, moo: Moo) -> None:
    Path("other").mkdir()
    first_consistent("2x3").save("other/small.json.gz")
    result = moo("explore", "small.json", "--compare", "other/small.json.gz", "--no-open", "--json")
    names = [tree["name"] for tree in json.loads(result.stdout)["trees"]]
    assert names == ["small.json", "other/small.json.gz"]


def test_explore_refuses_in_one_line(tree_file: Path, moo: Moo) -> None:
    DecisionTree.of("2x3", Node("01")).save("fails.json")
    first_consistent("2x4").save("other.json")
    for arguments, words in (
        (["missing.json"], "missing.json: cannot be read"),
        (["fails.json"], "fails.json: root: ends with 01"),
        ([tree_file, "--compare", "missing.json"], "missing.json: cannot be read"),
        ([tree_file, "--compare", "other.json"], "other.json is a tree of 2x4"),
        ([tree_file, "--compare", "random"], "guesses at random"),
        ([tree_file, "-o", "page.txt"], "must end in .html"),
        ([tree_file, "-o", "nowhere/page.html"], "there is no folder"),
        ([], "Missing argument"),
    ):
        result = moo("explore", *arguments, "--no-open")
        assert result.exit_code == 2 and result.stdout == ""
        assert result.stderr.count("\n") == 1 and words in result.stderr
    assert not list(Path().glob("*.html"))
    tree_file.rename("tree.html")
    result = moo("explore", "tree.html", "-o", "tree.html", "--no-open")
    assert result.exit_code == 2 and "take the place of a tree" in result.stderr
