"""The README's examples are run: its Python and its console blocks."""

import doctest
import itertools
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

README = Path(__file__).parent.parent / "README.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def console_blocks() -> list[list[tuple[str, str]]]:
    """The blocks marked ``console``, each a list of a command after ``$`` and what it prints."""
    blocks = re.findall(r"^```console\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    return [re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE) for block in blocks]


def test_console_blocks_are_found() -> None:
    assert len(console_blocks()) >= 3


def test_console(
    moo: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All blocks in one folder and in their order, since one reads what another wrote."""
    monkeypatch.chdir(tmp_path)
    for line, expected in itertools.chain(*console_blocks()):
        program, *arguments = shlex.split(line)
        assert program == "moo"
        result = moo(*arguments)
        assert result.exit_code == 0, result.output
        if not doctest.OutputChecker().check_output(expected, result.output, FLAGS):
            assert result.output == expected, line


def test_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(README), module_relative=False, optionflags=FLAGS)
    assert result.attempted > 0
    assert result.failed == 0
