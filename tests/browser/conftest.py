"""A real Chromium to open pages in; without one, or without its driver, these tests are skipped.

The browser is the one on the machine (MOO_CHROMIUM names another); none is downloaded. Where
MOO_BROWSER_TESTS is ``required``, as in .ci/run once it has installed both, a test that would be
skipped fails.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from moo_research import explorer
from moo_research.tree import DecisionTree

# What a browser asks of a network by itself, before any page is opened.
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def without(reason: str) -> NoReturn:
    """Skip, or fail where these tests are required."""
    if os.environ.get("MOO_BROWSER_TESTS") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


def find_chromium() -> str:
    if named := os.environ.get("MOO_CHROMIUM"):
        return named
    found = [path for path in map(shutil.which, NAMES) if path is not None]
    # In a snap it sees no files but those of the home folder.
    usable = [path for path in found if not path.startswith("/snap/")]
    if not usable:
        without(
            "no Chromium found; install it (Debian: apt-get install chromium) or set MOO_CHROMIUM"
        )
    return usable[0]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all tests."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        without("Playwright is not installed; pip install '.[browser]'")
    path = find_chromium()
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
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        without("axe-playwright-python is not installed; pip install '.[browser]'")
    script: str = Axe().axe_script
    return script


Open = Callable[..., Any]
"""``open_page(page or trees, hash="", **context)`` gives a Playwright page; see the fixture."""


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Open the page of some trees from disk, in a browser that has no network.

    At the end of the test the page must not have said anything on the console, raised an error, or
    asked for anything but itself.
    """
    contexts: list[Any] = []
    said: list[str] = []
    asked: list[str] = []

    def open_page(*trees: tuple[str, DecisionTree], place: str = "", **context_options: Any) -> Any:
        path = tmp_path / f"page-{len(contexts)}.html"
        path.write_text(explorer.page(trees), "utf-8")
        options = {"viewport": {"width": 1200, "height": 900}, "reduced_motion": "reduce"}
        context = browser.new_context(**{**options, **context_options}, offline=True)
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
