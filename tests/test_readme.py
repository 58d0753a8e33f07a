"""The README's examples are run: its Python and its console blocks."""

import doctest
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.documents import FLAGS, ROOT, console_examples, run_console

README = ROOT / "README.md"


def test_console_blocks_are_found() -> None:
    assert len(console_examples(README)) >= 5


def test_console(
    moo: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run_console(moo, README)


def test_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(README), module_relative=False, optionflags=FLAGS)
    assert result.attempted > 0
    assert result.failed == 0
