# cython: language_level=3, boundscheck=False, wraparound=False
"""Greedy players for Python: greedy.c behind checks of its arguments.

Codes are rows of symbols (uint8), sets of candidates arrays of code numbers (uint32, ascending), a history
is a list of pairs (number of the guess, id of the response). Weights are doubles, `weights[t]` for a part of
t candidates, from 0 to one more than there can be.
"""

from libc.stdint cimport uint8_t, uint32_t, UINT32_MAX
from libc.stdlib cimport free, malloc


cdef extern from "responses.h" nogil:
    enum:
        MOO_MAX_POSITIONS
        MOO_MAX_SYMBOLS
    int moo_response_count(int positions)

cdef extern from "kernels.h" nogil:
    ctypedef struct moo_kernel:
        pass
    const moo_kernel *moo_kernel_find(const char *name)

cdef extern from "symmetry.h" nogil:
    enum: MOO_MAX_HISTORY
    ctypedef struct moo_turn:
        const uint8_t *guess
        int response

cdef extern from "search.h" nogil:
    ctypedef struct moo_tree:
        uint32_t *guess
        uint32_t *parent
        uint8_t *response
        size_t nodes
    void moo_tree_free(moo_tree *)

cdef extern from "greedy.h" nogil:
    ctypedef struct moo_measure:
        const double *weight
        bint largest, convex
        double bonus
    ctypedef struct moo_player:
        const uint8_t *digits
        uint32_t codes
        int positions, symbols
        bint leading_zero
        const uint32_t *rank
        moo_measure measure
        bint candidates_only, candidates_first
        const moo_kernel *kernel
    ctypedef struct moo_greedy:
        pass
    enum moo_growth:
        MOO_GROWN
        MOO_USELESS_GUESS
        MOO_TOO_DEEP
        MOO_NO_MEMORY
    moo_greedy *moo_greedy_new(const moo_player *)
    void moo_greedy_free(moo_greedy *)
    uint32_t moo_greedy_choose(moo_greedy *, const uint32_t *, uint32_t, const moo_turn *, int, bint)
    moo_growth moo_greedy_grow(moo_greedy *, const uint32_t *, uint32_t, const moo_turn *, int, moo_tree *,
                               uint8_t *, uint32_t *)
    bint moo_measure_all(const moo_measure *, const moo_kernel *, const uint8_t *, uint32_t, const uint8_t *,
                         uint32_t, int, int, double *)


class UselessGuess(Exception):
    """The player comes to a guess, its number is the argument, that tells nothing."""


cdef const moo_kernel *kernel_of(str name) except NULL:
    cdef const moo_kernel *kernel = moo_kernel_find(name.encode())
    if kernel == NULL:
        raise ValueError(f"no kernel {name!r} on this processor")
    return kernel


cdef int fill_measure(moo_measure *measure, const double[::1] weights, bint largest, double bonus,
                      size_t most) except -1:
    cdef Py_ssize_t t
    if <size_t>weights.shape[0] < most + 2 or weights[0] != 0 or not bonus >= 0:
        raise ValueError("weights are for parts of 0 candidates, which weigh nothing, and up to one more than all")
    measure.weight = &weights[0]
    measure.largest = largest
    measure.bonus = bonus
    measure.convex = True
    for t in range(2, <Py_ssize_t>most + 1):
        # Rounding may bend a straight line a little.
        if weights[t + 1] - weights[t] < weights[t] - weights[t - 1] - 1e-9:
            measure.convex = False
        if largest and weights[t] < weights[t - 1]:
            raise ValueError("weights of a largest part must not fall")
    return 0


cdef class Greedy:
    """A greedy player in one game. It keeps the interpreter lock: its working memory serves one question at a time.

    `rank` gives each code its place in the order, None for the lexicographic one. `largest`: the largest
    weight of a part is the measure, otherwise their sum, less `bonus` for a candidate.
    """

    cdef moo_greedy *greedy
    cdef moo_player player
    cdef const uint8_t[:, ::1] digits
    cdef const double[::1] weights
    cdef const uint32_t[::1] rank

    def __cinit__(self, const uint8_t[:, ::1] digits, int symbols, bint leading_zero, const uint32_t[::1] rank,
                  const double[::1] weights, bint largest, double bonus, bint candidates_only,
                  bint candidates_first, str kernel="auto"):
        cdef Py_ssize_t codes = digits.shape[0]
        if not 1 <= digits.shape[1] <= MOO_MAX_POSITIONS or not 1 <= symbols <= MOO_MAX_SYMBOLS:
            raise ValueError("no such game")
        if not 1 <= codes < UINT32_MAX:
            raise ValueError("no codes, or too many")
        self.digits, self.weights, self.rank = digits, weights, rank
        self.player.digits = &digits[0, 0]
        self.player.codes = <uint32_t>codes
        self.player.positions = <int>digits.shape[1]
        self.player.symbols = symbols
        self.player.leading_zero = leading_zero
        if rank is not None:
            if rank.shape[0] != codes:
                raise ValueError("every code has one rank")
            self.player.rank = &rank[0]
        fill_measure(&self.player.measure, weights, largest, bonus, codes)
        self.player.candidates_only = candidates_only
        self.player.candidates_first = candidates_first
        self.player.kernel = kernel_of(kernel)
        self.greedy = moo_greedy_new(&self.player)
        if self.greedy == NULL:
            raise MemoryError

    def __dealloc__(self):
        moo_greedy_free(self.greedy)

    cdef moo_turn *turns_of(self, history) except NULL:
        cdef moo_turn *turns = <moo_turn *>malloc((len(history) + 1) * sizeof(moo_turn))
        if turns == NULL:
            raise MemoryError
        for i, (guess, response) in enumerate(history):
            if not 0 <= guess < self.player.codes:
                free(turns)
                raise ValueError("no such guess")
            turns[i].guess = self.player.digits + <size_t>guess * <size_t>self.player.positions
            turns[i].response = response
        return turns

    cdef int check_set(self, const uint32_t[::1] candidates) except -1:
        cdef Py_ssize_t i
        if candidates.shape[0] == 0:
            raise ValueError("no candidates")
        for i in range(candidates.shape[0]):
            if candidates[i] >= self.player.codes or i and candidates[i] <= candidates[i - 1]:
                raise ValueError("candidates must be code numbers in ascending order")
        return 0

    def choose(self, const uint32_t[::1] candidates, history=(), bint symmetric=True):
        """Number of the next guess.

        `symmetric` says that the candidates are all codes that the history leaves.
        """
        self.check_set(candidates)
        cdef moo_turn *turns = self.turns_of(history)
        cdef int count = <int>len(history)
        cdef uint32_t guess
        guess = moo_greedy_choose(self.greedy, &candidates[0], <uint32_t>candidates.shape[0], turns, count, symmetric)
        free(turns)
        return guess

    def grow(self, const uint32_t[::1] candidates, history, uint8_t[::1] lengths):
        """What the player does with all codes that a history leaves: guesses, parents, responses of its tree.

        Buffers of uint32, uint32 and uint8, in preorder; the first node's parent means nothing. Sets `lengths` of
        each candidate to the guesses it takes, the history's included. Raises UselessGuess.
        """
        self.check_set(candidates)
        if <uint32_t>lengths.shape[0] != self.player.codes:
            raise ValueError("every code has one length")
        cdef moo_turn *turns = self.turns_of(history)
        cdef int count = <int>len(history)
        cdef moo_tree tree
        cdef uint32_t guess = 0
        cdef moo_growth result
        result = moo_greedy_grow(self.greedy, &candidates[0], <uint32_t>candidates.shape[0], turns, count, &tree,
                                 &lengths[0], &guess)
        free(turns)
        try:
            if result == MOO_NO_MEMORY:
                raise MemoryError
            if result != MOO_GROWN:
                raise UselessGuess(guess)
            return (bytes_of(tree.guess, tree.nodes * sizeof(uint32_t)),
                    bytes_of(tree.parent, tree.nodes * sizeof(uint32_t)), bytes_of(tree.response, tree.nodes))
        finally:
            moo_tree_free(&tree)


cdef bytes bytes_of(const void *start, size_t length):
    return (<const char *>start)[:length]


def measure(const uint8_t[:, ::1] guesses, const uint8_t[:, ::1] candidates, int symbols, const double[::1] weights,
            bint largest, double[::1] values, str kernel="auto"):
    """Set ``values[i]`` to the measure of guess i among the candidates, any rows of symbols below `symbols`."""
    cdef Py_ssize_t positions = candidates.shape[1]
    if guesses.shape[1] != positions or values.shape[0] != guesses.shape[0]:
        raise ValueError("guesses, candidates and values do not fit together")
    if not 1 <= positions <= MOO_MAX_POSITIONS or not 1 <= symbols <= MOO_MAX_SYMBOLS:
        raise ValueError("no such game")
    if not 1 <= candidates.shape[0] < UINT32_MAX or guesses.shape[0] >= UINT32_MAX:
        raise ValueError("no candidates, or too many")
    if guesses.shape[0] == 0:
        return
    check_symbols(&guesses[0, 0], guesses.shape[0] * positions, symbols)
    check_symbols(&candidates[0, 0], candidates.shape[0] * positions, symbols)
    cdef moo_measure m
    fill_measure(&m, weights, largest, 0, candidates.shape[0])
    cdef const moo_kernel *chosen = kernel_of(kernel)
    cdef bint made
    with nogil:
        made = moo_measure_all(&m, chosen, &guesses[0, 0], <uint32_t>guesses.shape[0], &candidates[0, 0],
                               <uint32_t>candidates.shape[0], <int>positions, symbols, &values[0])
    if not made:
        raise MemoryError


cdef int check_symbols(const uint8_t *digits, size_t n, int symbols) except -1:
    cdef size_t i
    cdef uint8_t largest = 0
    for i in range(n):
        largest = max(largest, digits[i])
    if largest >= symbols:
        raise ValueError(f"a symbol is below {symbols}, not {largest}")
    return 0
