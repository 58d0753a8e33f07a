"""Files are written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from moo_research.files import check_writable, write_atomically


def test_write_and_replace(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_modes(tmp_path: Path) -> None:
    """As open() would have it: the umask for a new file, its own mode for an old one."""
    mask = os.umask(0o027)
    try:
        write_atomically(tmp_path / "new", b"")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    (tmp_path / "new").chmod(0o600)
    write_atomically(tmp_path / "new", b"again")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o600


def test_check_leaves_no_trace(tmp_path: Path) -> None:
    check_writable(tmp_path / "file")
    assert not list(tmp_path.iterdir())


def test_check_refuses(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        check_writable(tmp_path)
    with pytest.raises(FileNotFoundError, match="no folder"):
        check_writable(tmp_path / "missing" / "file")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_check_refuses_a_locked_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        check_writable(tmp_path / "file")
