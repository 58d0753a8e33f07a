"""The notebooks in experiments/ run from top to bottom, and print what they are committed with.

What they print is proven (totals, capacities, scores) or counted in the tree that comes with the
package; they compare it with the published figures themselves. Pictures are not committed.
"""

from pathlib import Path

import pytest

pytest.importorskip("ipykernel", reason="needs pip install '.[notebooks]'")
nbformat = pytest.importorskip("nbformat", reason="needs pip install '.[notebooks]'")
nbclient = pytest.importorskip("nbclient", reason="needs pip install '.[notebooks]'")

NOTEBOOKS = sorted((Path(__file__).parent.parent / "experiments").glob("*.ipynb"))


def texts(notebook: object) -> list[str]:
    """What each cell prints."""
    return [
        "".join(output.text for output in cell.get("outputs", ()) if output.output_type == "stream")
        for cell in notebook.cells  # type: ignore[attr-defined]
    ]


@pytest.mark.long
@pytest.mark.filterwarnings("default")  # the warnings of Jupyter are not ours
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebook(path: Path) -> None:
    """If only the text differs: ``jupyter execute --inplace``, then clear the pictures."""
    notebook = nbformat.read(path, as_version=4)
    printed = texts(notebook)
    client = nbclient.NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": path.parent}}
    )
    client.execute()
    assert texts(notebook) == printed
    pictures = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "image/png" in output.get("data", {})
    ]
    assert pictures


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_committed_notebooks_are_small(path: Path) -> None:
    assert path.stat().st_size < 40_000
    nbformat.validate(nbformat.read(path, as_version=4))
