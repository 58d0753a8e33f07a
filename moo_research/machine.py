"""What this machine lets a process have."""

from __future__ import annotations

import os
import sys

__all__ = ["available_memory", "peak_memory", "processors"]


def processors() -> int:
    """Return how many processors this process may use, or, where that is not told, how many there
    are."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def peak_memory() -> int:
    """Return the largest resident memory of this process so far, in bytes."""
    try:
        # A process begins with the ru_maxrss of the one that it was forked from.
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


def available_memory() -> int:
    """Return most of the bytes that are left to this process, or to the machine."""
    limits = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            limits += [
                int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")
            ]
    except OSError:
        pass
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(path, encoding="ascii") as file:
                limits.append(int(file.read()))
        except (OSError, ValueError):  # no such control group, or "max"
            continue
    return min(limits) * 4 // 5
