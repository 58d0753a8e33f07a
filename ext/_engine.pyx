# cython: language_level=3, boundscheck=False, wraparound=False, freethreading_compatible=False
"""The exact search, for Python.

A :class:`Space` is a game laid out in memory; a :class:`Search` is one cost vector over it. The long calls
(`solve`, `value_of`, `tree`, `help`) run without the interpreter lock; `interrupt` may be called from another thread
and ends them soon. Sets of candidates are arrays of code numbers (uint32), a history is a list of
pairs (number of the guess, id of the response).
"""

from contextlib import nullcontext
from threading import RLock

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport UINT32_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy


cdef extern from "responses.h" nogil:
    int moo_response_count(int positions)

cdef extern from "kernels.h" nogil:
    ctypedef struct moo_kernel:
        const char *name
        void (*parts)(const uint8_t *, size_t, const uint32_t *, uint32_t, int, uint8_t *) noexcept nogil
        bint (*excess)(const uint8_t *, size_t, const uint32_t *, uint32_t, int, uint32_t, uint8_t *) noexcept
        uint64_t (*equal)(const uint8_t *, uint8_t) noexcept
    const moo_kernel *moo_kernel_find(const char *name)
    const char *moo_kernel_name(int i)
    enum: MOO_LINE

cdef extern from "symmetry.h" nogil:
    ctypedef struct moo_turn:
        const uint8_t *guess
        int response
    ctypedef struct moo_group:
        int count, free_count
        bint complete
    void moo_group_init(moo_group *)
    void moo_group_free(moo_group *)
    bint moo_group_make(moo_group *, int, int, bint, const moo_turn *, int)
    void moo_group_least(const moo_group *, const uint8_t *, uint8_t *)

cdef extern from "canonical.h" nogil:
    enum: MOO_MAX_POSITIONS
    enum: MOO_MAX_SYMBOLS
    ctypedef struct moo_image:
        uint64_t key[2]
        uint8_t position[MOO_MAX_POSITIONS]
        uint8_t symbol[MOO_MAX_SYMBOLS]
    void moo_image_make(moo_image *, const uint8_t *, int, int, bint, const uint32_t *, uint32_t)
    void moo_image_of(const moo_image *, const uint8_t *, int, uint8_t *)
    void moo_image_origin(const moo_image *, const uint8_t *, int, int, uint8_t *)

cdef extern from "search.h" nogil:
    ctypedef int64_t moo_cost
    int64_t MOO_INFINITE
    enum: MOO_MAX_LEVELS
    enum: MOO_MAX_THREADS
    enum: MOO_BANDS
    enum: MOO_ENDINGS
    ctypedef struct moo_space:
        uint32_t codes
        int positions, symbols, responses
        bint leading_zero
        const uint8_t *digits
        uint8_t *table
        size_t stride
        const moo_kernel *kernel
        uint32_t most_rows, rows
        uint8_t *filled
    size_t moo_space_bytes(uint32_t, int, int, uint32_t)
    size_t moo_search_bytes_needed(uint32_t, int)
    bint moo_space_init(moo_space *, const uint8_t *, uint32_t, int, int, bint, const moo_kernel *, uint32_t)
    void moo_space_fill(moo_space *, uint32_t, uint32_t)
    uint32_t moo_space_need(moo_space *, const uint32_t *, uint32_t, uint32_t)
    const uint8_t *moo_space_row(const moo_space *, uint32_t, uint8_t *)
    void moo_space_free(moo_space *)
    ctypedef struct moo_stats:
        uint64_t sets_bounded, sets_solved, memo_hits, memo_misses
        uint64_t tried[24][5]
    ctypedef struct moo_level:
        uint32_t size, tried, settled
        moo_cost best, bound
    ctypedef struct moo_search:
        pass
    ctypedef struct moo_result:
        moo_cost value
        uint32_t guess
        bint interrupted, out_of_memory
    ctypedef struct moo_tree:
        uint32_t *guess
        uint32_t *parent
        uint8_t *response
        size_t nodes
    moo_search *moo_search_new(const moo_space *, const moo_cost *, uint32_t, bint, size_t, int)
    void moo_search_free(moo_search *)
    moo_result moo_search_solve(moo_search *, const uint32_t *, uint32_t, const moo_turn *, int, bint, moo_cost)
    moo_result moo_search_guess(moo_search *, const uint32_t *, uint32_t, const moo_turn *, int, bint, uint32_t,
                                moo_cost)
    moo_result moo_search_tree(moo_search *, const uint32_t *, uint32_t, const moo_turn *, int, bint, moo_cost,
                               moo_tree *)
    void moo_tree_free(moo_tree *)
    void moo_search_help(moo_search *, int)
    void moo_search_steps(moo_search *, uint32_t, double)
    void moo_search_enlist(moo_search *)
    void moo_search_dismiss(moo_search *)
    void moo_search_trace(moo_search *, bint)
    const uint32_t *moo_search_claims(const moo_search *, int, size_t *)
    uint32_t MOO_ONLY_BOUND
    void moo_search_note(moo_search *, uint64_t)
    uint32_t *moo_search_notes(moo_search *, int, size_t *)
    uint32_t *moo_search_left(moo_search *, size_t *)
    bint moo_search_leave(moo_search *, const uint32_t *, size_t)
    void moo_search_leave_nothing(moo_search *)
    void moo_search_stop_after(moo_search *, uint64_t)
    void moo_search_tell(moo_search *, const uint32_t *, uint32_t, int, moo_cost, uint32_t)
    void moo_search_interrupt(moo_search *)
    void moo_search_resume(moo_search *)
    bint moo_search_interrupted(const moo_search *)
    void moo_search_stats(const moo_search *, moo_stats *)
    void moo_search_levels(const moo_search *, moo_level *)


INFINITE = MOO_INFINITE
MAX_THREADS = MOO_MAX_THREADS


class Interrupted(Exception):
    """The search was interrupted; nothing is known of what was asked."""


class TooManyRows(MemoryError):
    """The rows of the response table that a question needs do not fit."""


def kernels():
    """Names of the kernels that this processor can run, the best first."""
    names = []
    while moo_kernel_name(<int>len(names)) != NULL:
        names.append(moo_kernel_name(<int>len(names)).decode())
    return names


def space_bytes(uint32_t codes, int positions, int symbols, uint32_t most_rows=UINT32_MAX):
    """Bytes of memory that a Space takes, with a whole table or with so many rows of it."""
    return moo_space_bytes(codes, positions, symbols, most_rows)


def search_bytes(uint32_t codes, int threads):
    """Bytes of memory that a Search takes for its threads, as a rule, its memo not included."""
    return moo_search_bytes_needed(codes, threads)


cdef class Space:
    """A game laid out for the search.

    `digits` has a row of symbols (uint8) per code, in lexicographic order; every code may be
    guessed. Raises MemoryError, and ValueError for a kernel that this processor cannot run.

    With fewer than all `most_rows` the response table is not made at once: rows of the candidates that something is asked about
    are filled when they are needed, and `TooManyRows` is raised if there are more candidates. Then one question is
    answered at a time.
    """

    cdef moo_space space
    cdef const uint8_t[:, ::1] digits
    cdef bint made
    cdef object guard  # held while rows are in use that may be given up

    def __init__(self, const uint8_t[:, ::1] digits, int symbols, bint leading_zero=True, str kernel="auto",
                 uint32_t most_rows=UINT32_MAX):
        cdef const moo_kernel *chosen = moo_kernel_find(kernel.encode())
        if chosen == NULL:
            raise ValueError(f"no kernel {kernel!r} on this processor")
        if self.made or digits.shape[0] < 1:
            raise ValueError("a space is made once, of at least one code")
        self.digits = digits
        cdef uint32_t codes = <uint32_t>digits.shape[0]
        cdef int positions = <int>digits.shape[1]
        if not moo_space_init(&self.space, &digits[0, 0], codes, positions, symbols, leading_zero, chosen,
                              most_rows):
            raise MemoryError
        self.made = True
        self.guard = nullcontext()
        if most_rows < codes:
            self.guard = RLock()
            return
        # A few rows at a time, so that a large table can be interrupted.
        cdef uint32_t rows = <uint32_t>max(1, (64 << 20) // self.space.stride), first = 0, last
        while first < codes:
            last = min(codes - first, rows) + first
            with nogil:
                moo_space_fill(&self.space, first, last)
            PyErr_CheckSignals()
            first = last

    def __dealloc__(self):
        if self.made:
            moo_space_free(&self.space)

    @property
    def kernel(self):
        """Name of the kernel in use."""
        return self.space.kernel.name.decode()

    @property
    def codes(self):
        """Number of codes."""
        return self.space.codes

    @property
    def most_rows(self):
        """Number of candidates that may be asked about."""
        return self.space.most_rows

    cdef check_set(self, const uint32_t[::1] candidates, moo_search *search=NULL):
        """See that the candidates are well-formed and that their rows are filled, unless the search is interrupted."""
        cdef Py_ssize_t i
        if candidates.shape[0] == 0:
            raise ValueError("no candidates")
        for i in range(candidates.shape[0]):
            if candidates[i] >= self.space.codes or i and candidates[i] <= candidates[i - 1]:
                raise ValueError("candidates must be code numbers in ascending order")
        cdef uint32_t left = 1
        while left:
            with nogil:
                left = moo_space_need(&self.space, &candidates[0], <uint32_t>candidates.shape[0], 1024)
            if left == UINT32_MAX:
                raise TooManyRows(candidates.shape[0])
            if search != NULL and moo_search_interrupted(search):
                raise Interrupted
            PyErr_CheckSignals()

    def parts(self, const uint32_t[::1] candidates):
        """Number of parts that each guess makes of the candidates, as bytes."""
        out = bytearray(self.space.stride)
        cdef uint8_t[::1] view = out
        with self.guard:
            self.check_set(candidates)
            with nogil:
                self.space.kernel.parts(self.space.table, self.space.stride, &candidates[0],
                                        <uint32_t>candidates.shape[0], self.space.responses, &view[0])
        return bytes(out[:self.space.codes])

    def sizes(self, const uint32_t[::1] candidates, const uint32_t[::1] guesses):
        """Sizes of the parts that guesses make of the candidates: for each guess in turn a row of as many
        uint32 as there are responses, as bytes."""
        cdef Py_ssize_t responses = self.space.responses, count = guesses.shape[0], i, j
        out = bytearray(count * responses * sizeof(uint32_t))
        if count == 0:
            return bytes(out)
        cdef uint32_t[:, ::1] view = memoryview(out).cast("I", (count, responses))
        cdef const uint8_t *row
        for j in range(count):
            if guesses[j] >= self.space.codes:
                raise ValueError("guesses must be code numbers")
        with self.guard:
            self.check_set(candidates)
            with nogil:
                # The table is symmetric, and the candidates' rows are there.
                for i in range(candidates.shape[0]):
                    row = self.space.table + candidates[i] * self.space.stride
                    for j in range(count):
                        view[j, row[guesses[j]]] += 1
        return bytes(out)

    def excess(self, const uint32_t[::1] candidates, uint32_t cap):
        """Sum over its parts of the secrets past `cap`, for each guess, as bytes; at most 255 candidates.

        None where the kernel leaves this to counting guess by guess.
        """
        out = bytearray(self.space.stride)
        cdef uint8_t[::1] view = out
        with self.guard:
            self.check_set(candidates)
            if candidates.shape[0] > 255:
                raise ValueError("at most 255 candidates")
            if self.space.kernel.excess == NULL or not self.space.kernel.excess(
                    self.space.table, self.space.stride, &candidates[0], <uint32_t>candidates.shape[0],
                    self.space.responses, cap, &view[0]):
                return None
        return bytes(out[:self.space.codes])

    def equal(self, bytes line, uint8_t value):
        """Bits that tell which bytes of a line of MOO_LINE bytes have a value."""
        if len(line) != MOO_LINE:
            raise ValueError(f"a line has {MOO_LINE} bytes")
        return self.space.kernel.equal(<const uint8_t *><char *>line, value)

    def responses(self, uint32_t guess):
        """Ids of the responses of a guess to every code, as bytes."""
        if guess >= self.space.codes:
            raise ValueError("no such code")
        # A whole table has the row already.
        cdef uint8_t[::1] view = bytearray(1 if self.space.filled == NULL else self.space.stride)
        cdef const uint8_t *row
        with self.guard:
            row = moo_space_row(&self.space, guess, &view[0])
            return (<const char *>row)[:self.space.codes]


cdef class History:
    """Turns in the form that the search wants; keeps no reference to the list."""

    cdef moo_turn *turns
    cdef int count

    def __cinit__(self, Space space, history):
        self.count = <int>len(history)
        self.turns = <moo_turn *>malloc((self.count + 1) * sizeof(moo_turn))
        if self.turns == NULL:
            raise MemoryError
        for i, (guess, response) in enumerate(history):
            if not 0 <= guess < space.space.codes or not 0 <= response < space.space.responses:
                raise ValueError("no such guess or response")
            self.turns[i].guess = space.space.digits + <size_t>guess * <size_t>space.space.positions
            self.turns[i].response = response

    def __dealloc__(self):
        free(self.turns)


cdef list read_record(const uint32_t *at, size_t words):
    """What the search has put down of sets: a list of (history, bound, best guess or None)."""
    cdef size_t i = 0
    cdef uint32_t turns, guess, t
    cdef list found = []
    while i < words:
        turns, guess = at[i], at[i + 3]
        bound = <int64_t>(<uint64_t>at[i + 1] | <uint64_t>at[i + 2] << 32)
        i += 4
        history = tuple([(at[i + 2 * t], at[i + 2 * t + 1]) for t in range(turns)])
        i += 2 * turns
        found.append((history, bound, None if guess == MOO_ONLY_BOUND else guess))
    return found


cdef class Search:
    """The search for one cost vector.

    `cost[k-1]` is what it costs to solve a secret at guess k, non-decreasing; `limited` forbids
    guesses past its end, otherwise it must be longer than any strategy is deep. `memo_bytes` bounds the
    memo. `threads` is how many threads take part: one calls `solve`, the others `help(1)`, `help(2)`, ...
    `trace` keeps the claims of a certificate. The same search must not be asked two questions at a time. Raises MemoryError.
    """

    cdef moo_search *search
    cdef readonly Space space
    cdef readonly int threads
    cdef uint32_t guesses

    def __cinit__(self, Space space, const int64_t[::1] cost, bint limited, size_t memo_bytes, int threads=1,
                  bint trace=False):
        if not 1 <= threads <= MOO_MAX_THREADS:
            raise ValueError("unreasonable number of threads")
        if cost.shape[0] < 1:
            raise ValueError("no costs")
        self.space = space
        self.threads = threads
        self.guesses = <uint32_t>cost.shape[0]
        self.search = moo_search_new(&space.space, &cost[0], self.guesses, limited, memo_bytes, threads)
        if self.search == NULL:
            raise MemoryError
        moo_search_trace(self.search, trace)

    def __dealloc__(self):
        moo_search_free(self.search)

    cdef check(self, const uint32_t[::1] candidates, History turns):
        self.space.check_set(candidates, self.search)
        if <uint32_t>turns.count >= self.guesses:
            raise ValueError("the history is longer than the cost vector")

    cdef result(self, moo_result r):
        if r.out_of_memory:
            raise MemoryError
        if r.interrupted:
            raise Interrupted
        return r.value, r.guess

    def solve(self, const uint32_t[::1] candidates, history=(), bint described=True, int64_t cutoff=MOO_INFINITE):
        """Least cost of the candidates after a history, and a guess that attains it.

        `described` says that the candidates are all codes that the history leaves, so that its
        symmetries may be used. If the cost is not below the cutoff, a lower bound that is not below it
        either is returned, and the guess means nothing.
        """
        cdef History turns = History(self.space, history)
        cdef moo_result r
        with self.space.guard:
            self.check(candidates, turns)
            with nogil:
                r = moo_search_solve(self.search, &candidates[0], <uint32_t>candidates.shape[0], turns.turns,
                                     turns.count, described, cutoff)
        return self.result(r)

    def value_of(self, uint32_t guess, const uint32_t[::1] candidates, history=(), bint described=True,
                 int64_t cutoff=MOO_INFINITE):
        """Least cost of the candidates if `guess` comes first; a lower bound if not below the cutoff."""
        cdef History turns = History(self.space, history)
        if guess >= self.space.space.codes:
            raise ValueError("no such code")
        cdef moo_result r
        with self.space.guard:
            self.check(candidates, turns)
            with nogil:
                r = moo_search_guess(self.search, &candidates[0], <uint32_t>candidates.shape[0], turns.turns,
                                     turns.count, described, guess, cutoff)
        return self.result(r)[0]

    def tree(self, const uint32_t[::1] candidates, int64_t value, history=(), bint described=True):
        """A tree that attains the exact least cost `value`: lists of guesses, parents and responses.

        In preorder; node 0 is the root, the response of a node is the one that leads to it.
        """
        cdef History turns = History(self.space, history)
        cdef moo_result r
        cdef moo_tree tree
        cdef size_t i
        with self.space.guard:
            self.check(candidates, turns)
            with nogil:
                r = moo_search_tree(self.search, &candidates[0], <uint32_t>candidates.shape[0], turns.turns,
                                    turns.count, described, value, &tree)
        try:
            self.result(r)
            return ([tree.guess[i] for i in range(tree.nodes)], [tree.parent[i] for i in range(tree.nodes)],
                    [tree.response[i] for i in range(tree.nodes)])
        finally:
            moo_tree_free(&tree)

    def claims(self):
        """What was proven of sets by trying their guesses: a list of (history, bound, guess); INFINITE if not to be had,
        and a best guess if the bound is what they cost, else None.

        Must not be called while a search runs.
        """
        cdef size_t words
        cdef const uint32_t *at
        found = []
        for thread in range(self.threads):
            at = moo_search_claims(self.search, thread, &words)
            found += read_record(at, words)
        return found

    def note(self, uint64_t work):
        """Note, from now on, what is proven of sets for which so much work was done: a guess tried is 1, a pass over all
        guesses 4. With 0 nothing is noted."""
        moo_search_note(self.search, work)

    def notes(self):
        """What was noted since this was last asked, in the form of `claims`; also while a search runs."""
        cdef size_t words
        cdef uint32_t *at
        found = []
        for thread in range(self.threads):
            at = moo_search_notes(self.search, thread, &words)
            try:
                found += read_record(at, words)
            finally:
                free(at)
        return found

    def left(self):
        """What would be lost besides the notes if the search were interrupted now, as bytes; also while it runs."""
        cdef size_t words
        cdef uint32_t *at
        with nogil:
            at = moo_search_left(self.search, &words)
        try:
            return (<const char *>at)[:words * sizeof(uint32_t)] if words else b""
        finally:
            free(at)

    def leave(self, bytes left):
        """Take over what an earlier search for the same costs has left; what is not needed of it is left in turn. It is
        believed. Raises ValueError if it is damaged."""
        cdef size_t words = len(left) // sizeof(uint32_t), size = len(left)
        cdef uint32_t *at = <uint32_t *>malloc(size + 1)
        if at == NULL:
            raise MemoryError
        memcpy(at, <const char *>left, size)
        try:
            if size % sizeof(uint32_t) or not moo_search_leave(self.search, at, words):
                raise ValueError("no such thing was left by a search")
        finally:
            free(at)

    def stop_after(self, uint64_t work):
        """Interrupt the search after so much work; then `left` tells, once, what was left at that moment. For tests."""
        moo_search_stop_after(self.search, work)

    def leave_nothing(self):
        """Forget what was taken over from an earlier search."""
        moo_search_leave_nothing(self.search)

    def tell(self, const uint32_t[::1] candidates, int depth, int64_t bound, guess=None):
        """Remember of the candidates, after so many guesses, that they cost at least `bound`; with a best guess, that they
        cost just that. It is believed. Also while a search runs."""
        if candidates.shape[0] == 0 or not 0 <= depth < <int64_t>self.guesses:
            raise ValueError("no candidates, or no such depth")
        if candidates[candidates.shape[0] - 1] >= self.space.space.codes:
            raise ValueError("candidates must be code numbers")
        if guess is not None and not 0 <= guess < self.space.space.codes:
            raise ValueError("no such guess")
        moo_search_tell(self.search, &candidates[0], <uint32_t>candidates.shape[0], depth, bound,
                        MOO_ONLY_BOUND if guess is None else <uint32_t>guess)

    def steps(self, uint32_t least_size, double step):
        """Solve sets from this size on step by step, and leave guesses of theirs to go on with them later; a part is
        raised by `step` per candidate at first. For tests on small games: changes no result."""
        moo_search_steps(self.search, least_size, step)

    def enlist(self):
        """Let threads that come to help stay until `dismiss`."""
        moo_search_enlist(self.search)

    def help(self, int index):
        """Lend the calling thread to the search until it is dismissed."""
        if not 1 <= index < self.threads:
            raise ValueError("no such thread")
        with nogil:
            moo_search_help(self.search, index)

    def dismiss(self):
        """Let the helping threads go, and those that come until `enlist`."""
        moo_search_dismiss(self.search)

    def interrupt(self):
        """End whatever this search is doing, and refuse all else until `resume`."""
        moo_search_interrupt(self.search)

    def resume(self):
        """Answer questions again after `interrupt`; only when nothing runs. What is remembered holds."""
        moo_search_resume(self.search)

    @property
    def stats(self):
        """What was done so far, as a dict of counts."""
        cdef moo_stats s
        cdef int band, ending
        cdef uint64_t[5] ended
        moo_search_stats(self.search, &s)
        for ending in range(MOO_ENDINGS):
            ended[ending] = 0
            for band in range(MOO_BANDS):
                ended[ending] += s.tried[band][ending]
        return {"guesses_tried": ended[0] + ended[1] + ended[2] + ended[3] + ended[4],
                "sets_bounded": s.sets_bounded, "sets_solved": s.sets_solved,
                "memo_hits": s.memo_hits, "memo_misses": s.memo_misses, "ended_size": ended[0],
                "ended_quick": ended[1], "ended_pass": ended[2], "ended_search": ended[3], "improved": ended[4]}

    @property
    def tried_by_size(self):
        """Guesses tried by the size of their set: (least size, counts in the order of the stats from ended_size on)."""
        cdef moo_stats s
        cdef int band, ending
        moo_search_stats(self.search, &s)
        return [(3 << band, tuple([s.tried[band][ending] for ending in range(MOO_ENDINGS)])) for band in range(MOO_BANDS)]

    @property
    def levels(self):
        """Where the search is: (size, guesses tried, secrets settled, best, bound) of the set asked for and of its part."""
        cdef moo_level levels[MOO_MAX_LEVELS]
        cdef int i
        moo_search_levels(self.search, levels)
        return [(levels[i].size, levels[i].tried, levels[i].settled, levels[i].best, levels[i].bound)
                for i in range(MOO_MAX_LEVELS)]


def symmetries(int positions, int symbols, bint leading_zero, const uint8_t[:, ::1] guesses, responses):
    """Number of symmetries that keep a history, and whether it is exact (it may be cut short)."""
    cdef Stabilizer s = Stabilizer(positions, symbols, leading_zero, guesses, responses)
    cdef int i
    order = s.group.count
    for i in range(2, s.group.free_count + 1):
        order *= i
    return order, s.group.complete


def image(const uint8_t[:, ::1] digits, int symbols, bint leading_zero=True):
    """The name under which the memo keeps a set of codes, given by their digits, and its image.

    Returns the key and the rows of the images, as bytes, after looking whether each leads back to its code.
    """
    cdef uint32_t n = <uint32_t>digits.shape[0], i
    cdef int positions = <int>digits.shape[1]
    if n < 1 or not 1 <= positions <= MOO_MAX_POSITIONS or not 1 <= symbols <= MOO_MAX_SYMBOLS:
        raise ValueError("no codes, or no such game")
    cdef uint32_t *every = <uint32_t *>malloc(n * sizeof(uint32_t))
    if every == NULL:
        raise MemoryError
    for i in range(n):
        every[i] = i
    cdef moo_image found
    moo_image_make(&found, &digits[0, 0], positions, symbols, leading_zero, every, n)
    free(every)
    rows = bytearray(n * positions)
    cdef uint8_t[::1] view = rows
    cdef uint8_t back[MOO_MAX_POSITIONS]
    for i in range(n):
        moo_image_of(&found, &digits[i, 0], positions, &view[i * positions])
        moo_image_origin(&found, &view[i * positions], positions, symbols, back)
        if any([back[p] != digits[i, p] for p in range(positions)]):
            raise AssertionError("an image that leads to another code")
    return (int(found.key[0]), int(found.key[1])), bytes(rows)


def least_codes(int positions, int symbols, bint leading_zero, const uint8_t[:, ::1] guesses, responses,
                const uint8_t[:, ::1] codes):
    """For each code the least code of its orbit under the symmetries that keep a history.

    All arrays have a row of symbols per code; `responses` has an id per guess. Returns the rows as bytes.
    """
    cdef Stabilizer s = Stabilizer(positions, symbols, leading_zero, guesses, responses)
    if codes.shape[1] != positions:
        raise ValueError("codes of another length")
    out = bytearray(codes.shape[0] * positions)
    cdef uint8_t[::1] view = out
    cdef Py_ssize_t i
    with nogil:
        for i in range(codes.shape[0]):
            moo_group_least(&s.group, &codes[i, 0], &view[i * positions])
    return bytes(out)


cdef class Stabilizer:
    cdef moo_group group

    def __cinit__(self, int positions, int symbols, bint leading_zero, const uint8_t[:, ::1] guesses, responses):
        moo_group_init(&self.group)
        cdef Py_ssize_t i, turns = guesses.shape[0]
        if turns and guesses.shape[1] != positions or len(responses) != turns:
            raise ValueError("guesses and responses do not fit together")
        cdef moo_turn *history = <moo_turn *>malloc((turns + 1) * sizeof(moo_turn))
        if history == NULL:
            raise MemoryError
        for i in range(turns):
            history[i].guess = &guesses[i, 0]
            history[i].response = responses[i]
        fine = moo_group_make(&self.group, positions, symbols, leading_zero, history, <int>turns)
        free(history)
        if not fine:
            raise MemoryError

    def __dealloc__(self):
        moo_group_free(&self.group)
