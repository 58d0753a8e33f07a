"""Writing files so that nobody ever sees half of one."""

import errno
import os
import stat
import tempfile
from pathlib import Path

__all__ = ["check_writable", "write_atomically"]


def write_atomically(path: Path | str, data: bytes) -> None:
    """Write ``data`` to ``path`` by way of a temporary file in the same folder, then rename it.

    Whatever happens, ``path`` holds either what it held before or all of ``data``. A symbolic link
    is followed. What is no regular file (a device, a pipe) is written to as it is. Raises OSError,
    which names the file.
    """
    target = _target(path)
    if _is_special(target):
        with _naming(path), open(target, "wb") as stream:
            stream.write(data)
        return
    with _naming(path):
        # A short name of its own: the longest name allowed for a file leaves no room to add to it.
        descriptor, temporary = tempfile.mkstemp(prefix=".moo-", dir=target.parent)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, _mode_of_new_file(target))
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise


def check_writable(path: Path | str) -> None:
    """Raise OSError unless :func:`write_atomically` could write ``path`` now; leaves no trace."""
    target = _target(path)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(
            errno.ENOENT, f"there is no folder {str(target.parent)!r}", str(path)
        )
    if _is_special(target):
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return
    # A trial tells more than permission bits: read-only file systems, quotas, access lists.
    with _naming(path), tempfile.TemporaryFile(dir=target.parent):
        pass


class _naming:
    """Name the file in an OSError that does not: a full disk, say, is told of no file."""

    def __init__(self, path: Path | str) -> None:
        self.path = str(path)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            error.filename, error.filename2 = self.path, None


def _target(path: Path | str) -> Path:
    """Follow symbolic links, also one whose file is not there yet; OSError for a circle of them."""
    try:
        target = Path(path).resolve()
    except RuntimeError:  # what a circle raised before Python 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
    try:
        target.lstat()  # whether the name can be there at all: a circle, or longer than is allowed
    except FileNotFoundError:
        pass
    except OSError as error:
        if error.errno != errno.ENOTDIR:
            raise OSError(error.errno, error.strerror, str(path)) from None
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return target


def _is_special(path: Path) -> bool:
    """Whether there is something that is neither a regular file nor a folder."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _mode_of_new_file(path: Path) -> int:
    """Keep the mode of the file replaced; a new one gets what open() would have given it."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
