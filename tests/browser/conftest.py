"""A real Chromium to open pages in; without one, or without its driver, these tests are skipped.

The browser is the one on the machine (MOO_CHROMIUM names another); none is downloaded. Where
MOO_BROWSER_TESTS is ``required``, as in .ci/run once it has installed both, nothing is skipped.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

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


def find_chromium() -> str | None:
    if named := os.environ.get("MOO_CHROMIUM"):
        return named
    found = [path for path in map(shutil.which, NAMES) if path is not None]
    # In a snap it sees no files but those of the home folder.
    return next((path for path in found if not path.startswith("/snap/")), None)


def what_is_missing() -> str | None:
    """Say what these tests lack, and how to get it; None if nothing."""
    for module in ("playwright", "axe_playwright_python"):
        if find_spec(module) is None:
            return f"{module} is not installed; pip install '.[browser]'"
    if find_chromium() is None:
        return (
            "no Chromium found; install it (Debian: apt-get install chromium) or set MOO_CHROMIUM"
        )
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of this folder together, so that the reason is told once."""
    missing = what_is_missing()
    if missing is None or os.environ.get("MOO_BROWSER_TESTS") == "required":
        return
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=missing))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all tests."""
    from playwright.sync_api import sync_playwright

    path = find_chromium()
    assert path is not None, what_is_missing()
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
