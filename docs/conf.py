"""How Sphinx builds the documents: ``make docs``. Why so is told in docs/README.md."""

from pathlib import Path

from sphinx.application import Sphinx

from moo_research import __version__

project = "moo_research"
author = "The moo_research authors"
copyright = author
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]

# The source folder is the root of the repository, so that a link between documents leads to the
# same place here and where the files are read as they are.
root_doc = "README"
include_patterns = [
    "README.md",
    "CHANGELOG.md",
    "docs/*.md",
    "docs/*.rst",
    "docs/results/*.md",
    "results/*.md",
]
exclude_patterns = [".*", "build", "ext", "tests", "moo_research"]

CONTENTS = {
    "Use": ["docs/start", "docs/solving", "docs/guides", "docs/play", "docs/explorer"],
    "Results": ["docs/results", "docs/results/*", "docs/players", "docs/large", "docs/plots"],
    "How it works": [
        "docs/search",
        "docs/certificate",
        "docs/store",
        "docs/cluster",
        "docs/performance",
    ],
    "Reference": ["docs/python", "docs/formats", "docs/cite", "CHANGELOG", "docs/README"],
    "Tables": ["results/*"],
}

html_theme = "furo"
html_title = "moo_research"
html_additional_pages = {"index": "index.html"}
templates_path = ["site"]
html_show_sphinx = False
html_copy_source = False

myst_heading_anchors = 4

# Types of ours must have their place on the page of the Python interface.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!moo_research\.).*")]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"


def _add_contents(_app: Sphinx, document: str, source: list[str]) -> None:
    """Give the front page the table of contents, which is no Markdown for people."""
    if document == root_doc:
        root = Path(__file__).parents[1]
        for caption, names in CONTENTS.items():
            pages = [name for name in names if any(root.glob(f"{name}.*"))]
            lines = ["", "```{toctree}", ":hidden:", ":glob:", f":caption: {caption}", "", *pages]
            source[0] += "\n".join([*lines, "```", ""])


def setup(app: Sphinx) -> None:
    app.connect("source-read", _add_contents)
