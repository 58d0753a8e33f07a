"""Greedy players in C; see ext/_players.pyx."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

class UselessGuess(Exception): ...

class Greedy:
    def __init__(
        self,
        digits: NDArray[np.uint8],
        symbols: int,
        leading_zero: bool,
        rank: NDArray[np.uint32] | None,
        weights: NDArray[np.float64],
        largest: bool,
        bonus: float,
        candidates_only: bool,
        candidates_first: bool,
        kernel: str = "auto",
    ) -> None: ...
    def choose(
        self,
        candidates: NDArray[np.uint32],
        history: Sequence[tuple[int, int]] = (),
        symmetric: bool = True,
    ) -> int: ...
    def grow(
        self,
        candidates: NDArray[np.uint32],
        history: Sequence[tuple[int, int]],
        lengths: NDArray[np.uint8],
    ) -> tuple[bytes, bytes, bytes]: ...

def measure(
    guesses: NDArray[np.uint8],
    candidates: NDArray[np.uint8],
    symbols: int,
    weights: NDArray[np.float64],
    largest: bool,
    values: NDArray[np.float64],
    kernel: str = "auto",
) -> None: ...
