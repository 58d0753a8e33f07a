"""The Chromium of this machine (MOO_CHROMIUM names another); none is downloaded.

Without one, or without its driver, the tests in this folder are skipped; where MOO_BROWSER_TESTS is
``required``, as in .ci/run once it has installed both, they fail.
"""

import os
import shutil
from importlib.util import find_spec

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


def reason_to_skip() -> str | None:
    """Say what the tests lack, and how to get it; None if they have all or are required."""
    if os.environ.get("MOO_BROWSER_TESTS") == "required":
        return None
    for module in ("playwright", "axe_playwright_python"):
        if find_spec(module) is None:
            return f"{module} is not installed; pip install '.[browser]'"
    if find_chromium() is None:
        return (
            "no Chromium found; install it (Debian: apt-get install chromium) or set MOO_CHROMIUM"
        )
    return None
