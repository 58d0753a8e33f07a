"""Laying out text for people to read: tables, summaries, histograms."""

from collections.abc import Iterable, Sequence

__all__ = ["counted", "format_histogram", "format_summary", "format_table", "total_of_guesses"]


def counted(number: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun: ``1 guess``, ``20,000 guesses``; ``many`` is ``one`` + s."""
    noun = one if number == 1 else many or f"{one}s"
    return f"{number} {noun}" if number < 10_000 else f"{number:,} {noun}"


def total_of_guesses(total: int) -> str:
    """Write a total as the literature does: ``1 guess``, ``20000 guesses``."""
    return f"{total} guess" if total == 1 else f"{total} guesses"


def format_summary(lines: Sequence[tuple[str, str]]) -> str:
    """Lay out lines of a name and a text, which may have several lines itself."""
    width = max(len(name) for name, _ in lines) + 2
    return "\n".join(
        f"{name:<{width}}" + text.replace("\n", "\n" + " " * width) for name, text in lines
    )


def format_histogram(histogram: Sequence[int]) -> str:
    """Lay out the secrets solved at guess 1, 2, ... in two lines."""
    widths = [max(len(str(k)), len(str(count))) for k, count in enumerate(histogram, 1)]
    guesses = "  ".join(f"{k:>{width}}" for k, width in enumerate(widths, 1))
    secrets = "  ".join(f"{n:>{width}}" for n, width in zip(histogram, widths, strict=True))
    return f"at guess  {guesses}\nsecrets   {secrets}"


def format_table(
    head: Sequence[str], rows: Iterable[Sequence[object]], right: Sequence[int] = ()
) -> str:
    """Lay out a table in columns of equal width; ``right``: the columns set flush right."""
    lines = [list(head)] + [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "  ".join(
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
