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


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    check_writable(tmp_path / "link")
    write_atomically(tmp_path / "link", b"data")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"data"


def test_a_circle_of_links_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for act in (check_writable, lambda path: write_atomically(path, b"")):
        with pytest.raises(OSError, match="symbolic links"):
            act(tmp_path / "a")


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check_writable(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, b"data")
        assert os.read(reader, 10) == b"data"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_stays_a_device() -> None:
    # /dev/stdout may be anything; the null device is known to be one.
    write_atomically(os.devnull, b"data")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_the_longest_name_that_is_allowed(tmp_path: Path) -> None:
    longest = os.pathconf(tmp_path, "PC_NAME_MAX")
    check_writable(tmp_path / ("n" * longest))
    write_atomically(tmp_path / ("n" * longest), b"data")
    with pytest.raises(OSError, match="name too long"):
        check_writable(tmp_path / ("n" * (longest + 1)))


def test_an_error_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError) as caught:
        write_atomically(tmp_path / "file", b"new")
    assert caught.value.filename == str(tmp_path / "file")
