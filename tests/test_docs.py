"""The documents: links, examples, pictures. What is expected stands in the documents themselves."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result

from moo_research import __version__
from moo_research.cli import main
from tests.documents import DOCUMENTS, ROOT, anchors, links, prose, run_console

DOCS = ROOT / "docs"


def name_of(document: Path) -> str:
    return str(document.relative_to(ROOT))


# --- Links --------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(document: Path) -> None:
    wrong = []
    for link in links(document):
        if re.match(r"[a-z]+:", link):
            continue
        place, _, anchor = link.partition("#")
        target = (document.parent / place).resolve() if place else document
        if not target.is_file() or (anchor and anchor not in anchors(target)):
            wrong.append(link)
    assert not wrong


def test_wrong_links_are_found(tmp_path: Path) -> None:
    """The reader of links sees links, pictures and anchors, and no code."""
    document = tmp_path / "page.md"
    document.write_text(
        "# A `code` heading, twice\n\n# A `code` heading, twice\n\n[one](a.md#b) ![two](p.svg)\n"
        "`[no](link)` [three\nlines](c.md)\n\n```\n[no](block)\n# no heading\n```\n"
    )
    assert links(document) == ["a.md#b", "p.svg", "c.md"]
    assert anchors(document) == {"a-code-heading-twice", "a-code-heading-twice-1"}


def test_every_page_is_listed() -> None:
    listed = {link.partition("#")[0] for link in links(DOCS / "README.md")}
    pages = {
        str(page.relative_to(DOCS)) for page in DOCS.rglob("*.*") if page.suffix in (".md", ".rst")
    }
    assert pages - {"README.md"} <= listed


def test_every_command_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = "".join(re.findall(r"^\| (`.*?) \|", text, re.MULTILINE))
    named = set(re.findall(r"`([a-z]+)`", rows))
    assert set(main.list_commands(None)) <= named  # type: ignore[arg-type]


def test_the_documents_ask_no_host_for_pictures() -> None:
    for document in DOCUMENTS:
        assert not re.search(r"!\[[^]]*\]\(\w+:|<img|<script", prose(document)), document


# --- Examples -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "page",
    ["start.md", "solving.md", "guides.md", pytest.param("large.md", marks=pytest.mark.long)],
)
def test_examples(
    page: str, moo: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run_console(moo, DOCS / page)


def test_version_to_cite() -> None:
    for document in (ROOT / "CITATION.cff", DOCS / "cite.md"):
        assert f"{__version__}" in document.read_text(encoding="utf-8")


# --- Pictures -----------------------------------------------------------------------------------


def test_pictures_are_what_the_program_computes() -> None:
    """If this fails, ``python docs/pictures/make.py`` draws them anew."""
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures" / "make.py")
    assert spec is not None and spec.loader is not None
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    drawn = make.draw()
    assert {path.name for path in (DOCS / "pictures").glob("*.svg")} == set(drawn)
    for name, text in drawn.items():
        assert (DOCS / "pictures" / name).read_text(encoding="utf-8") == text, name


@pytest.mark.parametrize("path", sorted((DOCS / "pictures").glob("*.svg")), ids=lambda p: p.name)
def test_pictures_can_be_read_by_anyone(path: Path) -> None:
    """A title for screen readers, and nothing fetched from elsewhere."""
    picture = ElementTree.parse(path).getroot()
    assert picture.get("role") == "img"
    assert picture.findtext("{*}title")
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|@import|url\(|<script", text)
