import numpy as np
from _typeshed import ReadableBuffer, WriteableBuffer
from numpy.typing import NDArray

# NumPy declares its arrays to be buffers from Python 3.12 on only.
_Codes = ReadableBuffer | NDArray[np.uint8]

def respond(a: _Codes, b: _Codes) -> int: ...
def pack(code: _Codes) -> int: ...
def respond_packed(a: int, b: int, positions: int) -> int: ...
def fill(guesses: _Codes, codes: _Codes, out: WriteableBuffer | NDArray[np.uint8]) -> None: ...
def keep(
    guess: _Codes,
    codes: _Codes,
    symbols: int,
    distinct: bool,
    response: int,
    out: NDArray[np.int64],
    numbers: NDArray[np.int64] | None = None,
) -> int: ...
def rows(codes: _Codes, first: int, last: int) -> memoryview: ...
