"""Writing files so that nobody ever sees half of one."""

import errno
import os
import tempfile
from pathlib import Path

__all__ = ["check_writable", "write_atomically"]


def write_atomically(path: Path | str, data: bytes) -> None:
    """Write ``data`` to ``path`` by way of a temporary file in the same folder, then rename it.

    Whatever happens, ``path`` holds either what it held before or all of ``data``. Raises OSError.
    """
    path = Path(path)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode_of_new_file(path))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def check_writable(path: Path | str) -> None:
    """Raise OSError unless :func:`write_atomically` could write ``path`` now; leaves no trace."""
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {str(path.parent)!r}", str(path))
    # A trial tells more than permission bits: read-only file systems, quotas, access lists.
    with tempfile.TemporaryFile(dir=path.parent):
        pass


def _mode_of_new_file(path: Path) -> int:
    """Keep the mode of the file replaced; a new one gets what open() would have given it."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
