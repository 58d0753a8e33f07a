"""The exact search in C; see ext/_engine.pyx."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

INFINITE: int
MAX_THREADS: int

class Interrupted(Exception): ...
class TooManyRows(MemoryError): ...

def kernels() -> list[str]: ...
def space_bytes(codes: int, positions: int, symbols: int, most_rows: int = ...) -> int: ...
def search_bytes(codes: int, threads: int) -> int: ...

class Space:
    def __init__(
        self,
        digits: NDArray[np.uint8],
        symbols: int,
        leading_zero: bool = True,
        kernel: str = "auto",
        most_rows: int = ...,
    ) -> None: ...
    @property
    def kernel(self) -> str: ...
    @property
    def most_rows(self) -> int: ...
    @property
    def codes(self) -> int: ...
    def parts(self, candidates: NDArray[np.uint32]) -> bytes: ...
    def excess(self, candidates: NDArray[np.uint32], cap: int) -> bytes | None: ...
    def equal(self, line: bytes, value: int) -> int: ...
    def responses(self, guess: int) -> bytes: ...

class Search:
    def __init__(
        self,
        space: Space,
        cost: NDArray[np.int64],
        limited: bool,
        memo_bytes: int,
        threads: int = 1,
        trace: bool = False,
    ) -> None: ...
    def solve(
        self,
        candidates: NDArray[np.uint32],
        history: Sequence[tuple[int, int]] = (),
        described: bool = True,
        cutoff: int = ...,
    ) -> tuple[int, int]: ...
    def value_of(
        self,
        guess: int,
        candidates: NDArray[np.uint32],
        history: Sequence[tuple[int, int]] = (),
        described: bool = True,
        cutoff: int = ...,
    ) -> int: ...
    def tree(
        self,
        candidates: NDArray[np.uint32],
        value: int,
        history: Sequence[tuple[int, int]] = (),
        described: bool = True,
    ) -> tuple[list[int], list[int], list[int]]: ...
    def claims(self) -> list[tuple[tuple[tuple[int, int], ...], int]]: ...
    def aim(self, least_size: int, gap: float = 0) -> None: ...
    def enlist(self) -> None: ...
    def help(self, index: int) -> None: ...
    def dismiss(self) -> None: ...
    def interrupt(self) -> None: ...
    def resume(self) -> None: ...
    @property
    def stats(self) -> dict[str, int]: ...
    @property
    def tried_by_size(self) -> list[tuple[int, tuple[int, ...]]]: ...
    @property
    def levels(self) -> list[tuple[int, int, int, int, int]]: ...

def symmetries(
    positions: int,
    symbols: int,
    leading_zero: bool,
    guesses: NDArray[np.uint8],
    responses: Sequence[int],
) -> tuple[int, bool]: ...
def image(
    digits: NDArray[np.uint8], symbols: int, leading_zero: bool = True
) -> tuple[tuple[int, int], bytes]: ...
def least_codes(
    positions: int,
    symbols: int,
    leading_zero: bool,
    guesses: NDArray[np.uint8],
    responses: Sequence[int],
    codes: NDArray[np.uint8],
) -> bytes: ...
