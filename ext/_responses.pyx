# cython: language_level=3, boundscheck=False, wraparound=False
"""Responses of guesses to secrets, for Python: responses.c behind checks of its arguments.

A code is P bytes, a symbol being a number from 0 to 35 (``bytes((0, 1, 2, 3))``, not ``b"0123"``);
many codes are an array of N x P bytes. A response is its id (see responses.h). Anything with a
buffer will do, so that this module needs no NumPy. Wrong arguments raise ValueError: they are
mistakes of the caller, since codes that people write have been checked by then.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t, UINT32_MAX


cdef extern from "responses.h" nogil:
    enum:
        MOO_MAX_POSITIONS
        MOO_MAX_SYMBOLS
        MOO_MAX_PACKED_SYMBOLS
    ctypedef uint64_t moo_packed
    int moo_respond(const uint8_t *, const uint8_t *, int)
    moo_packed moo_pack(const uint8_t *, int)
    int moo_respond_packed(moo_packed, moo_packed, int)
    size_t moo_keep(const uint8_t *, const uint8_t *, size_t, int, int, bint, const int64_t *, size_t, int,
                    int64_t *)
    void moo_fill_table(const uint8_t *, uint32_t, const uint8_t *, uint32_t, int, int, uint8_t *,
                        size_t)


cdef int check_positions(Py_ssize_t positions) except -1:
    if not 1 <= positions <= MOO_MAX_POSITIONS:
        raise ValueError(f"a code has 1 to {MOO_MAX_POSITIONS} positions, not {positions}")
    return <int>positions


cdef int largest_symbol(const uint8_t *symbols, size_t n) noexcept nogil:
    cdef size_t i
    cdef uint8_t largest = 0
    for i in range(n):
        largest = max(largest, symbols[i])
    return largest


cdef int check_symbols(const uint8_t *symbols, size_t n) except -1:
    """Return the number of symbols in use: one more than the largest."""
    cdef int largest = largest_symbol(symbols, n)
    if largest >= MOO_MAX_SYMBOLS:
        raise ValueError(f"a symbol is a number below {MOO_MAX_SYMBOLS}, not {largest}")
    return largest + 1


def respond(const uint8_t[::1] a, const uint8_t[::1] b):
    """Return the id of the response to two codes of equal length, under any rules."""
    cdef int positions = check_positions(a.shape[0])
    if b.shape[0] != positions:
        raise ValueError(f"the codes have {positions} and {b.shape[0]} positions")
    check_symbols(&a[0], positions)
    check_symbols(&b[0], positions)
    return moo_respond(&a[0], &b[0], positions)


def pack(const uint8_t[::1] code):
    """Return Tanaka's packed form, an integer, of a code of distinct symbols below 10."""
    cdef int positions = check_positions(code.shape[0])
    if check_symbols(&code[0], positions) > MOO_MAX_PACKED_SYMBOLS:
        raise ValueError(f"a packed code has symbols below {MOO_MAX_PACKED_SYMBOLS}")
    if len(set(code)) < positions:
        raise ValueError("a packed code has distinct symbols")
    return moo_pack(&code[0], positions)


def respond_packed(uint64_t a, uint64_t b, int positions):
    """Return the id of the response to two packed codes of ``positions`` positions."""
    check_positions(positions)
    if (a | b) >> (48 + MOO_MAX_PACKED_SYMBOLS):
        raise ValueError("not a packed code")
    return moo_respond_packed(a, b, positions)


def fill(const uint8_t[:, ::1] guesses, const uint8_t[:, ::1] codes, uint8_t[:, ::1] out):
    """Set ``out[i, j]`` to the id of guess i and code j; further columns of ``out`` are set to 0.

    ``guesses`` has R x P bytes, ``codes`` N x P, and ``out`` R x at least N.
    """
    cdef size_t positions = check_positions(codes.shape[1])
    cdef size_t rows = guesses.shape[0], n = codes.shape[0], stride = out.shape[1]
    cdef int symbols
    if <size_t>guesses.shape[1] != positions:
        raise ValueError(f"the codes have {guesses.shape[1]} and {positions} positions")
    if <size_t>out.shape[0] != rows or stride < n:
        raise ValueError(f"{rows} rows of {n} responses do not fit {out.shape[0]} x {stride} bytes")
    if n > UINT32_MAX or rows > UINT32_MAX:
        raise ValueError(f"there are more than {UINT32_MAX} codes")
    if rows == 0 or stride == 0:
        return
    symbols = check_symbols(&guesses[0, 0], rows * positions)
    if n > 0:
        symbols = max(symbols, check_symbols(&codes[0, 0], n * positions))
    with nogil:
        moo_fill_table(&guesses[0, 0], <uint32_t>rows, &codes[0, 0] if n > 0 else NULL,
                       <uint32_t>n, <int>positions, symbols, &out[0, 0], stride)


def keep(const uint8_t[::1] guess, const uint8_t[:, ::1] codes, int symbols, bint distinct, int response,
         int64_t[::1] out, const int64_t[::1] numbers=None):
    """Write to ``out`` the numbers of the codes that give the guess this response; return how many.

    ``numbers``: those of N x P ``codes`` to look at, all of them if None; ``out`` has room for as many,
    and may be the same array. The symbols of the codes, which are not looked at first, must be below
    ``symbols``; ``distinct`` says that none of them, nor the guess, has a symbol twice.
    """
    cdef size_t n, i, count = codes.shape[0]
    cdef int positions = check_positions(codes.shape[1])
    if guess.shape[0] != positions:
        raise ValueError(f"the guess has {guess.shape[0]} positions, the codes {positions}")
    if check_symbols(&guess[0], positions) > symbols or symbols > MOO_MAX_SYMBOLS:
        raise ValueError(f"a symbol is below {symbols}")
    n = count if numbers is None else <size_t>numbers.shape[0]
    if <size_t>out.shape[0] < n:
        raise ValueError(f"{n} numbers do not fit {out.shape[0]}")
    if n == 0:
        return 0
    if numbers is not None:
        for i in range(n):
            if numbers[i] < 0 or <size_t>numbers[i] >= count:
                raise ValueError(f"there is no code number {numbers[i]}")
    with nogil:
        n = moo_keep(&guess[0], &codes[0, 0], count, positions, symbols, distinct,
                     NULL if numbers is None else &numbers[0], n, response, &out[0])
    return int(n)


def rows(const uint8_t[:, ::1] codes, Py_ssize_t first, Py_ssize_t last):
    """Return rows ``first`` to ``last - 1`` of the table of N codes against themselves.

    A memoryview of (last - first) x N bytes, for ``numpy.asarray``; at least one row.
    """
    cdef Py_ssize_t n = codes.shape[0]
    if not 0 <= first < last <= n:
        raise ValueError(f"there are no rows {first} to {last - 1} in a table of {n} codes")
    out = memoryview(bytearray((last - first) * n)).cast("B", (last - first, n))
    fill(codes[first:last], codes, out)
    return out
