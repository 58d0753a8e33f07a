"""The errors of this package: one family, so that a caller can catch :class:`MooError`.

``str(error)`` is always a single line that says what is wrong with the request and how to mend it;
the command line prints that line and nothing else. Text that came from outside goes into a message
through :func:`shown`, which keeps it on the line and short.
"""

__all__ = [
    "ClusterError",
    "CodeError",
    "HistoryError",
    "MemoryLimitError",
    "MooError",
    "ObjectiveError",
    "ResponseError",
    "RulesError",
    "SearchInterrupted",
    "StoreError",
    "TreeError",
    "shown",
]


class MooError(Exception):
    """Something in the request is wrong, or the work could not be finished."""


class RulesError(MooError):
    """Rules that do not exist, or that describe a game without a code."""


class CodeError(MooError):
    """A guess or a secret that is not a code under the rules."""


class ResponseError(MooError):
    """A response that cannot be read, or that no guess can get."""


class HistoryError(MooError):
    """Guesses with their responses that cannot be read, or that do not fit together."""


class StoreError(MooError):
    """A store of proven results cannot be opened, read or written."""


class ClusterError(MooError):
    """A cluster cannot be started or reached, or its workers cannot do what is asked."""


class TreeError(MooError):
    """A decision tree or its file is damaged; the message names the place."""


class ObjectiveError(MooError):
    """An unknown objective, or a cost vector that makes no sense."""


class MemoryLimitError(MooError):
    """The work does not fit the memory that it was allowed."""


class SearchInterrupted(MooError):
    """The search was stopped before it had a proof."""


_SHOWN_LENGTH = 40


def shown(text: str) -> str:
    """Return ``text`` in quotes for a message: on one line, in ASCII, cut short.

    >>> shown("4x10\\n")
    "'4x10\\\\n'"
    """
    if len(text) <= _SHOWN_LENGTH:
        return ascii(text)
    return f"{text[:_SHOWN_LENGTH]!a}... ({len(text)} characters)"
