"""Pages of the explorer, opened from disk in a real Chromium."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import QUIET, find_chromium

from moo_research import explorer
from moo_research.tree import DecisionTree


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all tests."""
    from playwright.sync_api import sync_playwright

    path = find_chromium()
    assert path is not None, "no Chromium found"
    with sync_playwright() as playwright:
        # Chromium has no sandbox for root, who runs tests in containers.
        sandbox = os.geteuid() != 0
        browser = playwright.chromium.launch(
            executable_path=path, args=list(QUIET), chromium_sandbox=sandbox
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def axe_script() -> str:
    """The checker axe-core, which comes inside its Python package: nothing is fetched."""
    from axe_playwright_python.sync_playwright import Axe

    script: str = Axe().axe_script
    return script


Open = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Open pages from disk, in a browser that has no network: ``open_page((name, tree), ...)``.

    ``place`` is the part of the address after the file; other options are those of a Playwright
    context. At the end of the test no page may have said anything on the console, raised an error,
    or asked for anything but itself.
    """
    contexts: list[Any] = []
    said: list[str] = []
    asked: list[str] = []

    def open_page(*trees: tuple[str, DecisionTree], place: str = "", **options: Any) -> Any:
        path = tmp_path / f"page-{len(contexts)}.html"
        path.write_text(explorer.page(trees), "utf-8")
        defaults = {"viewport": {"width": 1200, "height": 900}, "reduced_motion": "reduce"}
        context = browser.new_context(**{**defaults, **options}, offline=True)
        contexts.append(context)
        context.set_default_timeout(10_000)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri() + place)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []
    others = [url for url in asked if not url.startswith("data:image/svg+xml,")]
    assert all(url.startswith(tmp_path.as_uri()) for url in others), others
