/* The exact search: depth-first branch and bound over sets of candidates.
 *
 * Let S be the candidates left after d guesses and c[k] the cost of solving a secret at guess d + k. A
 * guess splits S by its response into parts, and
 *
 *     V(S, d) = min over guesses g of  [g in S] c[1] + sum over the other parts P of V(P, d + 1).
 *
 * Every guess of every set is either tried or refuted by a bound. The bounds hold for every non-decreasing
 * cost vector; each has its argument where it is computed:
 *
 *     capacity    fill()        what the sizes alone cost
 *     quick       quick()       a member that splits all, and what follows if none does
 *     parts       parts_bound() how many parts the best guess makes
 *     memo                      what was proven before, of this set or of one that a symmetry turns into it
 *
 * The design follows T. Tanaka (1996) in its table of capacities and its packed codes, and the public solvers in
 * symmetry and order of bounds; docs/search.md tells what is different here.
 *
 * Threads share the memo and the loops over guesses: a thread without work takes guesses from a loop that another has
 * opened. Results do not depend on the number of threads; the tree found may.
 */
#include "search.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "canonical.h"
#include "responses.h"

enum {
    CAPACITIES = 4,        /* capacities kept per node: M_1 .. M_3, index from 1 */
    MEMO_SIZE = 8,         /* smaller sets are solved afresh sooner than found; */
    MEMO_SIZE_SHORT = 6,   /* with few responses they are harder to tell apart, and meet more often */
    SHORT_POSITIONS = 3,   /* that is, for codes of so many positions at most */
    PAIRS_SIZE = 255,      /* larger sets have no table of the responses among their members */
    GLANCE_SIZE = 128,     /* larger sets have their guesses not glanced at, */
    GLANCE_PARTS = 3,      /* nor have those with more members than this for each part */
    SYMMETRY_SIZE = 20,    /* smaller sets do not repay looking for symmetries, */
    SYMMETRY_POSITIONS = 3, /* but with fewer positions there is little else that tells guesses apart */
    DIRECT_SIZE = 6,       /* smaller sets do not repay putting their guesses in order */
    EXCESS_SIZE = 24,      /* smaller sets have few parts past the capacity */
    SHARE_SIZE = 48,       /* smaller sets do not repay sharing their guesses among threads */
    STEPS_SIZE = 24,       /* smaller sets are solved to the end at once, larger ones step by step */
    LOOSE_SIZE = 100,      /* smaller sets have their guesses followed to the end, however far the cutoff is */
    MOST_KEPT = 64,        /* guesses of a set that are left and gone on with later */
    KEPT_WORK = 100,       /* those that took less are begun again */
    KEPT_BYTES = 1 << 18,  /* memory of one to begin with */
    NOT_LEAST = 65535,     /* raised: another guess of the orbit is tried in its place */
    MAX_LOOPS = 64,        /* loops open to other threads at a time */
    NOTES = 1 << 19,       /* see note() */
    LEFT_SIZES = 4096,
    LISTED_SIZE = 64,      /* what is known of the guesses of smaller sets is not worth keeping */
};

#define NO_GUESS 0xffffffu

/* How far a bound is raised at a time, in cost per candidate: that of a part while others might do as well, at first; and
 * that of a guess past the least bound of the others, before its parts are solved and then. */
#define STEP 0.05
#define COARSE 0.05
#define FINE 0.02
#define MOST_GROWTH 1.3 /* of a step; */
#define MOST_RATIO 10   /* it shrinks so that what was done for a part does not grow by more than this, */
#define FREE_WORK 1000  /* where this and less counts as nothing */

/* ---- Memory of one thread: a stack of chunks ------------------------------------------------------- */

typedef struct chunk {
    struct chunk *below, *above;
    size_t size, used;
    uint8_t data[];
} chunk;

typedef struct arena {
    chunk *top;
    bool failed;
} arena;

typedef struct mark {
    chunk *top;
    size_t used;
} mark;

static chunk *new_chunk(size_t size) {
    chunk *c = malloc(sizeof *c + size);
    if (c) *c = (chunk){.size = size};
    return c;
}

static void free_above(chunk *c) {
    while (c->above) {
        chunk *above = c->above;
        c->above = above->above;
        free(above);
    }
}

static void *take(arena *a, size_t bytes) {
    bytes = (bytes + 63) & ~(size_t)63;
    while (a->top->used + bytes + 64 > a->top->size) {
        chunk *next = a->top->above;
        if (next && next->size < bytes + 64) { /* too small and, being above, empty */
            a->top->above = next->above;
            if (next->above) next->above->below = a->top;
            free(next);
            continue;
        }
        if (!next) {
            size_t size = bytes + 64 > 2 * a->top->size ? bytes + 64 : 2 * a->top->size;
            next = new_chunk(size);
            if (!next) {
                a->failed = true;
                return NULL;
            }
            next->below = a->top;
            a->top->above = next;
        }
        next->used = 0;
        a->top = next;
    }
    uintptr_t start = ((uintptr_t)a->top->data + a->top->used + 63) & ~(uintptr_t)63;
    a->top->used = start + bytes - (uintptr_t)a->top->data;
    return (void *)start;
}

static inline mark mark_of(const arena *a) { return (mark){a->top, a->top->used}; }

static inline void release(arena *a, mark m) {
    a->top = m.top;
    a->top->used = m.used;
}

/* ---- The search's state ----------------------------------------------------------------------------- */

/* A guess to be tried on a node's set. */
typedef struct trial {
    moo_cost bound;
    uint32_t guess;
    uint32_t squares; /* sum of the squares of the part sizes */
} trial;

/* The most parts that a member, or a code outside, makes of a set. */
typedef struct most {
    uint32_t member_parts, outside_parts, member;
} most;

/* A set whose guesses are tried. Read-only while its loop is shared, but for what is known of its guesses. */
typedef struct node {
    const uint32_t *set;
    uint32_t n;
    int depth;
    int band;                      /* of its size, for counting */
    const moo_cost *c;             /* c[k]: cost of solving a secret at the k-th guess from here */
    uint32_t caps[CAPACITIES];     /* caps[k] >= M_k(S), the most secrets that k guesses can solve */
    moo_cost *by_size;             /* lower bound of a part, by its size */
    const uint8_t **rows;          /* the members' rows of the response table */
    const uint8_t *pairs;          /* response of each member to each, n x n; NULL for large sets */
    bool glance;                   /* whether guesses are glanced at first */
    const moo_turn *history;
    int turns;
    bool described;
    most most;
    moo_cost bound;                /* by its parts */
    uint8_t *counts;               /* parts of each code outside the set, 0 for members; NULL until it is laid out */
    uint8_t *member_counts;        /* parts of each member, in the order of the set; NULL until guesses are to be tried */
    const uint8_t *excess;         /* if not NULL: secrets past caps[2] in the parts of each guess */
    bool symmetric;
    moo_group group;
    bool loose;                    /* whether the cutoff says little */
    bool again;                    /* whether it will be asked for again, with a larger cutoff; then: */
    uint16_t *raised;              /* how far above the bound each guess is known to be, under the lock of the loop; */
    moo_cost first;                /* bound of the first guess tried, */
    moo_cost reached;              /* and the cutoff that was reached */
    moo_cost proven;               /* what was shown last that the set costs at least */
    uint64_t work, unnoted;        /* done for it, and how much of that since it was last noted */
    moo_cost step;                 /* of the bound, next time */
    bool listed;                   /* whether it is in the list of nodes that an interrupted search leaves; then, under */
    struct node *older, *newer;    /* that list's lock: its neighbours there, */
    const struct loop *loop;       /* the loop that its guesses are tried in at the moment, */
    uint32_t hint;                 /* and the best guess of an earlier search, or NO_GUESS */
} node;

/* The guesses of a node in the order to try them: by bound, then by the sum of squared part sizes. Most nodes end after a
 * few guesses, so part sizes are counted late: guesses come in groups of equal parts bound, and a group is laid out
 * when its turn comes. */
typedef struct agenda {
    uint32_t next[2];              /* parts of the next group: codes outside, members; 0: none left */
    trial *heap;
    uint32_t size;
    moo_cost slack;                /* by which earlier cutoffs passed the first bound */
    bool direct;                   /* a small set, whose groups are tried as they stand */
    bool member;                   /* the open group: members or codes outside, their parts and bound */
    uint32_t parts;
    moo_cost bound;
    size_t at;                     /* where to go on in it */
    uint64_t found;
} agenda;

/* A node's loop over its guesses, which several threads may work on. */
typedef struct loop {
    const node *node;
    agenda agenda;       /* under lock, as all that follows */
    moo_cost best;       /* atomic: cutoff, then best cost found */
    moo_cost first;      /* bound of the first guess, 0 if there is none */
    moo_cost low;        /* least of what the other guesses were shown to cost at least */
    uint32_t guess;
    bool done;           /* atomic, as it is looked at without the lock, too */
    bool loose;          /* the cutoff says little: guesses are followed only a little past the least bound, in turn */
    bool dry;            /* atomic: none is left but those that others are at, which may come back */
    int busy;            /* so many */
    struct kept *kept;   /* guesses that were left */
    int kept_count;
    int helpers;         /* atomic */
    int lock;
    int level;
} loop;

/* What was proven of sets, one after the other; see moo_search_claims for the form. */
typedef struct record {
    uint32_t *words;
    size_t used, room;
} record;

/* What an earlier search has left of a set whose guesses it was trying; see "What outlives the search". */
typedef struct leaving {
    moo_key key;
    uint32_t n;
    int depth;
    uint32_t *words;        /* its record, */
    size_t count;
    const uint32_t *state;  /* and the part of it behind the turns */
} leaving;

static bool find_left(moo_search *s, const uint32_t *set, uint32_t n, int depth, moo_cost *proven, double *work,
                      double *step);
static void close_node(moo_search *s, node *nd);

typedef struct worker {
    moo_search *search;
    arena memory;
    moo_stats stats;
    uint8_t *counts; /* stride bytes for passes that only bound */
    chunk *spare;    /* for the next guess that is left */
    uint64_t work;   /* passes and guesses tried, in one number */
    record claims;   /* see moo_search_trace */
    record notes;    /* see moo_search_note; under their lock */
    int notes_lock;
} __attribute__((aligned(128))) worker; /* so that no two threads count in the same cache line */

struct moo_search {
    const moo_space *space;
    moo_cost *cost;
    uint32_t guesses;
    bool limited;
    bool largest_first; /* order in which a guess's parts are looked at */
    bool shift;         /* equal steps without a limit: a set's cost depends on d only by d |S| steps */
    uint32_t flat_from; /* cost[k] is the same for all k >= flat_from, without a limit */
    moo_memo memo;
    uint32_t memo_from; /* size of the smallest sets that it keeps */
    uint32_t steps_from; /* size of the smallest sets that are solved step by step */
    uint32_t loose_from; /* size of the smallest sets whose guesses are followed in turn */
    uint32_t listed_from; /* LISTED_SIZE, but for tests; */
    uint64_t stop_after;  /* and for tests alone: work of a thread after which the search is interrupted, unless 0, */
    record at_stop;       /* and what it leaves then, under list_lock */
    double step;         /* STEP, but for tests; */
    double kept_work;    /* and KEPT_WORK */
    bool trace;
    uint64_t note_work;  /* least work of a set that is noted; 0: none is */
    node *newest;        /* what would be left if the search were interrupted, under list_lock, */
    leaving *left;       /* and what an earlier one has left, */
    size_t left_count;
    uint64_t left_sizes[LEFT_SIZES / 64]; /* of sets of these sizes, modulo LEFT_SIZES; does not change while it searches */
    int list_lock;
    int threads;
    worker *workers;
    int stop, dismissed, out_of_memory; /* atomic */
    int loops_lock, loops_open;
    loop *loops[MAX_LOOPS];
    int base_depth;
    moo_level levels[MOO_MAX_LEVELS];
};

#define ATOMIC_GET(x) __atomic_load_n(&(x), __ATOMIC_ACQUIRE)
#define ATOMIC_SET(x, v) __atomic_store_n(&(x), v, __ATOMIC_RELEASE)

static void lock(int *l) {
    while (__atomic_exchange_n(l, 1, __ATOMIC_ACQUIRE)) sched_yield();
}
static void unlock(int *l) { __atomic_store_n(l, 0, __ATOMIC_RELEASE); }

/* Whether to give up: what is at hand is then worth nothing. A thread that runs out of memory stops all. */
static inline bool stopped(worker *w) {
    if (w->memory.failed) {
        ATOMIC_SET(w->search->out_of_memory, 1);
        ATOMIC_SET(w->search->stop, 1);
    }
    return __atomic_load_n(&w->search->stop, __ATOMIC_RELAXED);
}

static uint64_t scramble(uint64_t *state) { /* splitmix64, public domain (S. Vigna) */
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* count secrets at that price each; nothing of an unavailable price is free only for nobody */
static inline moo_cost times(uint32_t count, moo_cost price) {
    return count == 0 ? 0 : price >= MOO_INFINITE ? MOO_INFINITE : (moo_cost)count * price;
}

static inline moo_cost at_most_infinite(moo_cost x) { return x < MOO_INFINITE ? x : MOO_INFINITE; }

static inline moo_cost smaller(moo_cost a, moo_cost b) { return a < b ? a : b; }

/* Which level of the display a depth is at, or -1. */
static int level_of(const moo_search *s, int depth) {
    int level = depth - s->base_depth;
    return level < MOO_MAX_LEVELS ? level : -1;
}

/* ---- Bounds ------------------------------------------------------------------------------------------ */

/* Capacity bound (Tanaka 1996). At most caps[k] secrets are solved within k guesses, whatever the
 * strategy, and c does not decrease: filling the early guesses first costs least. `solved` of the
 * secrets with their `spent` are accounted for within `from` guesses; the rest is filled from guess from + 1. */
static inline moo_cost fill(const moo_cost *c, const uint32_t *caps, uint32_t n, int from, uint32_t solved,
                            moo_cost spent) {
    for (int k = from + 1; solved < n; k++) {
        uint32_t until = k < CAPACITIES && caps[k] < n ? caps[k] : n;
        if (until <= solved) continue;
        spent += times(until - solved, c[k]);
        solved = until;
    }
    return at_most_infinite(spent);
}

/* What is known of a set: its cost, or a lower bound of it. */
typedef struct known {
    moo_cost bound;
    bool exact;
    uint32_t guess; /* if exact; NO_GUESS where it would take work to tell */
} known;

/* Sets of one, two, or at prices that no longer rise. With c[2] = c[3] = ... the only thing that a strategy decides is
 * whether one secret is solved at once. True if settled. */
static inline bool settled(const moo_search *s, int depth, const uint32_t *set, uint32_t n, known *k) {
    const moo_cost *c = s->cost + depth;
    if (n > 2 && (uint32_t)depth + 2 < s->flat_from) return false;
    k->exact = true;
    k->guess = set[0];
    k->bound = at_most_infinite(c[1] + times(n - 1, c[2]));
    return true;
}

/* A member that puts every other member in a part of its own solves one secret at guess 1 and all others at
 * guess 2; nothing can do better, since only one secret can be solved at guess 1.
 * If no member does, a strategy begins with a member, and then some secret is left for guess 3 or later:
 * at least c[1] + (n-2) c[2] + c[3]; or with a code outside: at least n c[2]. If a member leaves exactly one secret
 * for guess 3, the first of the two is attained, and is the value if it is not the larger.
 * `found`: the member that leaves fewest secrets over, of n; `left`: how many, 2 standing for more. */
static inline known quick_bound(const moo_cost *c, uint32_t n, uint32_t found, uint32_t left) {
    if (left == 0) return (known){at_most_infinite(c[1] + times(n - 1, c[2])), true, found};
    moo_cost member = at_most_infinite(c[1] + times(n - 2, c[2]) + c[3]), outside = times(n, c[2]);
    if (member <= outside) return (known){member, left == 1, found};
    return (known){outside, false, NO_GUESS};
}

/* Bits set; the compiler may not use the instruction for it, which not every processor has. */
static inline uint32_t ones(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return (uint32_t)(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

/* The quick bound of a set; `rows` + `stride` times an element of the set finds its responses to the elements. What a member
 * leaves over are the others less the different responses they have; without a branch, since most members leave
 * some. The member's own response is left out; it is the winning id, which may be past 63. */
#define QUICK(rows, stride, c, set, n)                                                                \
    uint32_t least = 2, found = NO_GUESS;                                                             \
    for (uint32_t i = 0; i < n && least; i++) {                                                       \
        const uint8_t *row = rows + (size_t)set[i] * stride;                                          \
        uint64_t seen = 0;                                                                            \
        for (uint32_t j = 0; j < n; j++) seen |= (uint64_t)(j != i) << (row[set[j]] & 63);            \
        uint32_t left = n - 1 - ones(seen);                                                           \
        if (left < least) {                                                                           \
            least = left;                                                                             \
            found = set[i];                                                                           \
        }                                                                                             \
    }                                                                                                 \
    return quick_bound(c, n, found, least);

/* Of codes, by the response table. */
static inline known quick(const moo_space *space, const moo_cost *c, const uint32_t *set, uint32_t n) {
    QUICK(space->table, space->stride, c, set, n)
}

/* Of places in a node's set, by its pairs, which lie in a near cache; the guess found is a place, too. */
static inline known quick_places(const node *nd, const uint8_t *places, uint32_t n) {
    QUICK(nd->pairs, nd->n, nd->c + 1, places, n)
}

/* The parts bound. A guess that makes k parts solves at most one secret at guess 1 (if it is a member), and at most
 * one of each other part at guess 2; the rest takes three guesses or more, at most caps[3] in all within
 * three. More parts never cost more, so the best member and the best code outside bound all.
 * With k >= n - 1 no part has more than two secrets, and with c[3] = c[4] = ... it does not matter what the parts
 * look like: then the guess attains its bound. */
static known parts_bound(const moo_search *s, int depth, const uint32_t *caps, uint32_t n, const most *m) {
    const moo_cost *c = s->cost + depth;
    bool flat = (uint32_t)depth + 3 >= s->flat_from;
    uint32_t k = m->member_parts, j = m->outside_parts;
    moo_cost member = fill(c, caps, n, 2, k, c[1] + times(k - 1, c[2]));
    moo_cost outside = j ? fill(c, caps, n, 2, j, times(j, c[2])) : MOO_INFINITE;
    if (member <= outside) return (known){member, flat || k + 1 >= n, m->member};
    return (known){outside, flat || j + 1 >= n, NO_GUESS};
}

/* Count the parts that each guess makes, in one pass; leaves them in counts. */
static most most_parts(worker *w, const uint32_t *set, uint32_t n, uint8_t *counts) {
    const moo_space *space = w->search->space;
    w->stats.sets_bounded++;
    w->work += 4; /* about as long as so many guesses take */
    space->kernel->parts(space->table, space->stride, set, n, space->responses, counts);
    most m = {0, 0, NO_GUESS};
    uint8_t saved[n];
    for (uint32_t i = 0; i < n; i++) {
        saved[i] = counts[set[i]];
        counts[set[i]] = 0;
        if (saved[i] > m.member_parts) {
            m.member_parts = saved[i];
            m.member = set[i];
        }
    }
    uint8_t best = 0;
    for (uint32_t g = 0; g < space->codes; g++) best = counts[g] > best ? counts[g] : best;
    m.outside_parts = best;
    for (uint32_t i = 0; i < n; i++) counts[set[i]] = saved[i];
    return m;
}

/* ---- Memo -------------------------------------------------------------------------------------------- */

/* With equal steps and no limit, the cost above n c[1] does not depend on the depth. */
static inline moo_cost offset(const moo_search *s, int depth, uint32_t n) {
    return s->shift ? times(n, s->cost[depth + 1]) : 0;
}

static inline moo_key memo_key(const moo_search *s, moo_key key, int depth) {
    if (s->shift) return key;
    uint64_t state = (uint64_t)depth;
    moo_key salt;
    salt[0] = scramble(&state);
    salt[1] = scramble(&state);
    return key + salt;
}

/* The image of a set under which the memo keeps it. While claims are noted a set goes under its own name, so that every
 * set which is made use of has a claim. */
static void image_of(const worker *w, const uint32_t *set, uint32_t n, moo_image *image) {
    const moo_space *space = w->search->space;
    if (!w->search->trace) {
        moo_image_make(image, space->digits, space->positions, space->symbols, space->leading_zero, set, n);
        return;
    }
    moo_image_itself(image, space->digits, space->positions, space->symbols, set, n);
}

/* The number of the code with these digits; codes are in lexicographic order. */
static uint32_t find_code(const moo_space *space, const uint8_t *digits) {
    uint32_t low = 0, high = space->codes - 1;
    const size_t length = (size_t)space->positions;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (memcmp(space->digits + middle * length, digits, length) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The memo keeps guesses as their images, too. */
static uint32_t image_of_guess(const worker *w, const moo_image *image, uint32_t guess) {
    const moo_space *space = w->search->space;
    uint8_t digits[MOO_MAX_POSITIONS];
    moo_image_of(image, space->digits + (size_t)guess * (size_t)space->positions, space->positions, digits);
    return find_code(space, digits);
}

static uint32_t guess_of_image(const worker *w, const moo_image *image, uint32_t guess) {
    const moo_space *space = w->search->space;
    uint8_t digits[MOO_MAX_POSITIONS];
    moo_image_origin(image, space->digits + (size_t)guess * (size_t)space->positions, space->positions,
                     space->symbols, digits);
    return find_code(space, digits);
}

/* What is known of a set by its image; the guess is an image as well. */
static bool recall(worker *w, moo_key key, int depth, uint32_t n, known *k) {
    const moo_search *s = w->search;
    moo_memo_hit hit;
    if (!moo_memo_find(&s->memo, memo_key(s, key, depth), &hit)) {
        w->stats.memo_misses++;
        return false;
    }
    w->stats.memo_hits++;
    *k = (known){hit.bound >= MOO_INFINITE ? MOO_INFINITE : hit.bound + offset(s, depth, n), hit.exact, hit.guess};
    return true;
}

static void remember(worker *w, moo_key key, int depth, const uint32_t *set, uint32_t n, known k) {
    moo_search *s = w->search;
    if (n < s->memo_from || stopped(w)) return;
    if (k.guess != NO_GUESS) {
        moo_image image;
        image_of(w, set, n, &image);
        k.guess = image_of_guess(w, &image, k.guess);
    }
    moo_cost value = k.bound >= MOO_INFINITE ? MOO_INFINITE : k.bound - offset(s, depth, n);
    moo_memo_store(&s->memo, memo_key(s, key, depth), n, value, k.exact, k.guess & NO_GUESS);
}

/* ---- One guess --------------------------------------------------------------------------------------- */

typedef struct part {
    uint32_t *set;
    uint8_t *places; /* of the members in the node's set; NULL if the node has no pairs */
    uint32_t n;
    int response;
    moo_key key; /* of a set that the memo was asked for */
    known known;
    bool passed; /* bounded by a pass over all guesses already */
} part;

typedef struct split {
    int count;
    bool member;
    moo_cost sum; /* what the guess costs at least, as far as is known */
    part parts[MOO_MAX_RESPONSES];
} split;

static known solve(worker *w, node *nd, moo_key key, moo_cost cutoff);

/* Split a node's set by a guess; false on lack of memory. Takes memory that the caller releases. */
static bool make_split(worker *w, const node *nd, uint32_t guess, split *sp) {
    const moo_space *space = w->search->space;
    const int responses = space->responses;
    uint8_t *response = take(&w->memory, nd->n);
    uint32_t *members = take(&w->memory, nd->n * sizeof *members);
    uint8_t *places = nd->pairs ? take(&w->memory, nd->n) : NULL;
    if (w->memory.failed) return false;

    uint32_t size[MOO_MAX_RESPONSES];
    memset(size, 0, (size_t)responses * sizeof *size);
    for (uint32_t i = 0; i < nd->n; i++) {
        uint8_t r = nd->rows[i][guess]; /* the table is symmetric, and these rows are at hand */
        response[i] = r;
        size[r]++;
    }
    /* Small parts are settled sooner and with less work. But where one part may decide alone, because it cannot be solved
     * in time, that is most likely a large one. */
    const int win = responses - 1;
    const bool largest_first = w->search->largest_first;
    uint8_t order[MOO_MAX_RESPONSES];
    int count = 0;
    for (int r = 0; r < win; r++) {
        if (!size[r]) continue;
        int j = count++;
        for (; j > 0 && (largest_first ? size[order[j - 1]] < size[r] : size[order[j - 1]] > size[r]); j--)
            order[j] = order[j - 1];
        order[j] = (uint8_t)r;
    }
    sp->member = size[win] != 0;
    sp->sum = sp->member ? nd->c[1] : 0;
    sp->count = count;
    uint32_t end[MOO_MAX_RESPONSES], at = 0;
    for (int i = 0; i < count; i++) {
        const int r = order[i];
        part *p = &sp->parts[i];
        p->set = members + at;
        p->places = places ? places + at : NULL;
        p->n = size[r];
        p->response = r;
        p->known.bound = nd->by_size[size[r]];
        p->known.exact = size[r] <= 2;
        p->passed = false;
        sp->sum += p->known.bound;
        end[r] = at;
        at += size[r];
    }
    end[win] = at; /* at most one, past the others */
    for (uint32_t i = 0; i < nd->n; i++) {
        const uint32_t place = end[response[i]]++;
        members[place] = nd->set[i];
        if (places) places[place] = (uint8_t)i;
    }
    return true;
}

static inline void improve(split *sp, part *p, known k) {
    if (k.bound < p->known.bound && !k.exact) return;
    sp->sum += k.bound - p->known.bound;
    p->known = k;
}

/* The node that a part becomes; its history is taken from the thread's memory. */
static node child_of(worker *w, const node *nd, uint32_t guess, const part *p) {
    const moo_space *space = w->search->space;
    moo_turn *history = take(&w->memory, (size_t)(nd->turns + 1) * sizeof *history);
    node child = {.set = p->set, .n = p->n, .depth = nd->depth + 1, .c = nd->c + 1, .history = history,
                  .turns = nd->turns + 1, .described = nd->described};
    if (!history) return child;
    memcpy(child.caps, nd->caps, sizeof child.caps);
    if (nd->turns) memcpy(history, nd->history, (size_t)nd->turns * sizeof *history);
    history[nd->turns] = (moo_turn){space->digits + (size_t)guess * (size_t)space->positions, p->response};
    return child;
}

/* What the memo has of a part. */
static bool known_of_old(worker *w, part *p, int depth, known *k) {
    if (p->n < w->search->memo_from) return false;
    moo_image image;
    image_of(w, p->set, p->n, &image);
    p->key = image.key;
    return recall(w, image.key, depth, p->n, k);
}

/* The last steps of a bound are the dearest, since the guesses that have to be refuted for one more grow in number with the
 * bound: to show that a set costs a little less than it does takes a small part of what it takes to solve it. So where
 * a bound may be enough, large sets are solved in steps, with cutoffs that rise; what has been found out about their
 * guesses is kept from step to step. Any steps are right: solve() returns a bound that reaches the cutoff, or the value. */

/* A first step for n secrets after the node's guess, in the unit of the prices ahead. */
static double first_step(const node *nd, uint32_t n, double share) {
    const moo_cost *c = nd->c;
    moo_cost rise = 1;
    for (int k = 1; k <= 3; k++)
        if (c[k + 1] < MOO_INFINITE && c[k + 1] - c[k] > rise) rise = c[k + 1] - c[k];
    return 1 + share * n * (double)rise;
}

/* The next step, from what was done before the last one and after it. Steps grow, or there would be no end of them where
 * prices rise late; those that cost many times what was done before were too long. */
static double next_step(double step, double before, double after) {
    const double ratio = log((after + FREE_WORK) / (before + FREE_WORK)), most = log(MOST_RATIO);
    const double factor = ratio * MOST_GROWTH < most ? MOST_GROWTH : most / ratio;
    step *= factor < 0.125 ? 0.125 : factor;
    return step < 1 ? 1 : step;
}

/* A guess whose parts are solved step by step. */
typedef struct pursuit {
    split split;
    node *child[MOO_MAX_RESPONSES]; /* those of parts that will be asked for again */
    double work[MOO_MAX_RESPONSES]; /* done for each part; below 0 for those that come first */
    double step[MOO_MAX_RESPONSES];
    double all_work;
} pursuit;

static void begin_pursuit(moo_search *s, const node *nd, pursuit *p) {
    p->all_work = 0;
    for (int i = 0; i < p->split.count; i++) {
        part *q = &p->split.parts[i];
        p->child[i] = NULL;
        p->work[i] = q->n < s->steps_from ? -1.0 : 0.0;
        p->step[i] = first_step(nd, q->n, s->step);
        moo_cost proven;
        if (q->known.exact || !find_left(s, q->set, q->n, nd->depth + 1, &proven, &p->work[i], &p->step[i])) continue;
        p->all_work += p->work[i];
        improve(&p->split, q, (known){proven, false, NO_GUESS});
    }
}

static void end_pursuit(moo_search *s, pursuit *p) {
    for (int i = 0; i < p->split.count; i++)
        if (p->child[i]) close_node(s, p->child[i]);
}

/* Solve the parts of a guess that are not exact yet, until the sum reaches the cutoff; true if it does not. The part that has
 * taken least so far is solved a step further, so that none is solved to the end if others are easier raised. */
static bool deepen(worker *w, const node *nd, uint32_t guess, moo_cost cutoff, pursuit *pu) {
    const moo_search *s = w->search;
    const int level = level_of(s, nd->depth);
    split *sp = &pu->split;
    while (sp->sum < cutoff && !stopped(w)) {
        int chosen = -1, open = 0;
        for (int i = 0; i < sp->count; i++) {
            if (sp->parts[i].known.exact) continue;
            open++;
            if (chosen < 0 || (!s->largest_first && pu->work[i] < pu->work[chosen])) chosen = i;
        }
        if (!open) break;
        part *p = &sp->parts[chosen];
        const bool stepwise = p->n >= s->steps_from && !s->largest_first && cutoff < MOO_INFINITE;
        moo_cost target = cutoff - (sp->sum - p->known.bound);
        if (stepwise && open > 1) target = smaller(target, p->known.bound + (moo_cost)pu->step[chosen]);
        const mark before = mark_of(&w->memory);
        node once, *c = pu->child[chosen];
        if (!c) {
            const bool again = stepwise && open > 1;
            c = again ? take(&w->memory, sizeof *c) : &once;
            if (stopped(w)) break;
            *c = child_of(w, nd, guess, p);
            c->again = again || (s->note_work && p->n >= s->listed_from);
            c->loose = cutoff >= MOO_INFINITE;
            if (again) pu->child[chosen] = c;
        }
        const uint64_t start = w->work;
        known k = solve(w, c, p->key, target);
        const double work = (double)(w->work - start);
        if (stepwise) pu->step[chosen] = next_step(pu->step[chosen], pu->work[chosen], pu->work[chosen] + work);
        pu->work[chosen] += work;
        ATOMIC_SET(c->step, (moo_cost)pu->step[chosen]);
        pu->all_work += work;
        if (c == &once) {
            close_node(w->search, c);
            release(&w->memory, before);
        }
        if (stopped(w)) break;
        improve(sp, p, k);
        if (level >= 0 && k.exact) w->search->levels[level].settled += p->n;
    }
    return sp->sum < cutoff;
}

/* Raise the bounds of a guess's parts without trying guesses of theirs, the cheap ones first, until the sum reaches the cutoff;
 * whether it does. */
static bool refuted(worker *w, const node *nd, moo_cost cutoff, split *sp) {
    const moo_search *s = w->search;
    const int depth = nd->depth + 1;
    uint64_t *ended = w->stats.tried[nd->band];
    if (sp->sum >= cutoff) {
        ended[MOO_BY_SIZE]++;
        return true;
    }
    for (int i = 0; i < sp->count; i++) {
        part *p = &sp->parts[i];
        known k;
        if (p->known.exact) continue;
        if (settled(s, depth, p->set, p->n, &k)) {
            improve(sp, p, k);
        } else if (p->n <= nd->caps[2]) { /* else there are more members than parts, and none splits all */
            if (p->places) {
                k = quick_places(nd, p->places, p->n);
                if (k.guess != NO_GUESS) k.guess = nd->set[k.guess];
            } else {
                k = quick(s->space, nd->c + 1, p->set, p->n);
            }
            improve(sp, p, k);
        }
        if (sp->sum >= cutoff) {
            ended[MOO_BY_QUICK]++;
            return true;
        }
    }
    for (int i = 0; i < sp->count; i++) {
        part *p = &sp->parts[i];
        known k;
        if (p->known.exact || !known_of_old(w, p, depth, &k)) continue;
        k.guess = NO_GUESS; /* an image */
        improve(sp, p, k);
        p->passed = true; /* whatever is remembered has been through the pass below */
        if (sp->sum >= cutoff) {
            ended[MOO_BY_QUICK]++;
            return true;
        }
    }
    for (int i = 0; i < sp->count; i++) {
        part *p = &sp->parts[i];
        if (p->known.exact || p->passed) continue;
        most m = most_parts(w, p->set, p->n, w->counts);
        improve(sp, p, parts_bound(s, depth, nd->caps, p->n, &m));
        remember(w, p->key, depth, p->set, p->n, p->known);
        if (sp->sum >= cutoff) {
            ended[MOO_BY_PASS]++;
            return true;
        }
    }
    const int level = level_of(s, nd->depth);
    for (int i = 0; level >= 0 && i < sp->count; i++)
        if (sp->parts[i].known.exact) w->search->levels[level].settled += sp->parts[i].n;
    return false;
}

/* What a guess costs, exact if below the cutoff, else a lower bound of it. */
static void evaluate(worker *w, const node *nd, uint32_t guess, moo_cost cutoff, pursuit *p) {
    if (refuted(w, nd, cutoff, &p->split)) return;
    begin_pursuit(w->search, nd, p);
    w->stats.tried[nd->band][deepen(w, nd, guess, cutoff, p) ? MOO_IMPROVED : MOO_BY_SEARCH]++;
    end_pursuit(w->search, p);
}

/* A lower bound of a guess from the sizes of its parts and the quick bound of the small ones. Most guesses tried are
 * refuted by this, so it does without keys, memo and order. */
static moo_cost glance(const moo_search *s, const node *nd, uint32_t guess, moo_cost cutoff) {
    const int win = s->space->responses - 1;
    const uint32_t n = nd->n, largest = nd->caps[2] < s->memo_from ? nd->caps[2] : s->memo_from - 1;
    uint8_t response[GLANCE_SIZE], size[MOO_MAX_RESPONSES], end[MOO_MAX_RESPONSES];
    uint8_t places[GLANCE_SIZE];
    memset(size, 0, (size_t)win + 1);
    for (uint32_t i = 0; i < n; i++) {
        response[i] = nd->rows[i][guess];
        size[response[i]]++;
    }
    moo_cost sum = size[win] ? nd->c[1] : 0;
    uint32_t at = 0;
    for (int r = 0; r < win; r++) {
        end[r] = (uint8_t)at;
        at += size[r];
        sum += nd->by_size[size[r]];
    }
    end[win] = (uint8_t)at;
    if (sum >= cutoff) return sum;
    for (uint32_t i = 0; i < n; i++) places[end[response[i]]++] = (uint8_t)i;
    for (int r = 0; r < win; r++) {
        if (size[r] < 3 || size[r] > largest) continue;
        sum += quick_places(nd, places + end[r] - size[r], size[r]).bound - nd->by_size[size[r]];
        if (sum >= cutoff) return sum;
    }
    return sum;
}

/* What the guess costs, exact if below the cutoff, else a lower bound of it. */
static moo_cost try_guess(worker *w, const node *nd, uint32_t guess, moo_cost cutoff) {
    w->work++;
    if (nd->glance) {
        moo_cost bound = glance(w->search, nd, guess, cutoff);
        if (bound >= cutoff) {
            w->stats.tried[nd->band][MOO_BY_QUICK]++;
            return at_most_infinite(bound);
        }
    }
    mark before = mark_of(&w->memory);
    pursuit p;
    p.split.sum = MOO_INFINITE;
    if (make_split(w, nd, guess, &p.split)) evaluate(w, nd, guess, cutoff, &p);
    release(&w->memory, before);
    return at_most_infinite(p.split.sum);
}

/* A pursuit that is left and gone on with, with memory of its own. */
typedef struct kept {
    pursuit pursuit;
    uint32_t guess;
    arena memory;
    struct kept *next;
} kept;

static kept *new_kept(worker *w, uint32_t guess) {
    kept *k = calloc(1, sizeof *k);
    chunk *first = w->spare ? w->spare : new_chunk(KEPT_BYTES);
    w->spare = NULL;
    if (!k || !first) {
        free(k);
        free(first);
        w->memory.failed = true;
        return NULL;
    }
    k->guess = guess;
    k->memory.top = first;
    return k;
}

static void free_kept(worker *w, kept *k) {
    if (!k) return;
    end_pursuit(w->search, &k->pursuit);
    chunk *first = k->memory.top;
    while (first->below) first = first->below;
    free_above(first);
    first->used = 0;
    if (w->spare) free(first);
    else w->spare = first;
    free(k);
}

/* As try_guess(), but once a guess's parts are to be solved, no further than to `aim`, if that is less: a cost below both
 * is exact. What may be gone on with is left in `at`, which has what was left there before, if anything. */
static moo_cost pursue(worker *w, const node *nd, uint32_t guess, moo_cost cutoff, moo_cost aim, kept **at) {
    kept *k = *at;
    uint64_t *ended = w->stats.tried[nd->band];
    w->work++;
    if (!k) {
        if (nd->glance) {
            moo_cost bound = glance(w->search, nd, guess, cutoff);
            if (bound >= cutoff) {
                ended[MOO_BY_QUICK]++;
                return at_most_infinite(bound);
            }
        }
        k = *at = new_kept(w, guess);
        if (!k) return MOO_INFINITE;
    }
    const arena own = w->memory;
    w->memory = k->memory;
    pursuit *p = &k->pursuit;
    bool open = p->split.count > 0, exact = false;
    if (!open && make_split(w, nd, guess, &p->split) && !refuted(w, nd, cutoff, &p->split)) {
        open = true;
        begin_pursuit(w->search, nd, p);
    }
    if (open) {
        exact = deepen(w, nd, guess, smaller(cutoff, aim), p);
        ended[exact ? MOO_IMPROVED : MOO_BY_SEARCH]++;
    }
    const moo_cost sum = at_most_infinite(p->split.sum);
    k->memory = w->memory;
    free_above(k->memory.top);
    w->memory = own;
    w->memory.failed |= k->memory.failed;
    if (!open || exact || p->all_work < w->search->kept_work) {
        free_kept(w, k);
        *at = NULL;
    }
    return sum;
}

/* ---- A set and all its guesses ----------------------------------------------------------------------- */

static inline bool before(const trial *x, const trial *y) {
    if (x->bound != y->bound) return x->bound < y->bound;
    if (x->squares != y->squares) return x->squares < y->squares;
    return x->guess < y->guess;
}

static void heap_push(agenda *a, trial t) {
    uint32_t i = a->size++;
    for (; i > 0 && before(&t, &a->heap[(i - 1) / 2]); i = (i - 1) / 2) a->heap[i] = a->heap[(i - 1) / 2];
    a->heap[i] = t;
}

static trial heap_pop(agenda *a) {
    trial top = a->heap[0], last = a->heap[--a->size];
    uint32_t i = 0;
    for (uint32_t k; (k = 2 * i + 1) < a->size; i = k) {
        if (k + 1 < a->size && before(&a->heap[k + 1], &a->heap[k])) k++;
        if (!before(&a->heap[k], &last)) break;
        a->heap[i] = a->heap[k];
    }
    a->heap[i] = last;
    return top;
}

/* Parts bound of a guess that makes k parts of the node's set. */
static moo_cost group_bound(const node *nd, uint32_t k, bool member) {
    if (k == 0) return INT64_MAX;
    moo_cost spent = member ? nd->c[1] + times(k - 1, nd->c[2]) : times(k, nd->c[2]);
    return fill(nd->c, nd->caps, nd->n, 2, k, spent);
}

/* What earlier trials of a guess have shown that it costs at least. */
static inline moo_cost known_of_guess(const node *nd, uint32_t guess) {
    if (!nd->raised || !nd->raised[guess]) return 0;
    return nd->raised[guess] == NOT_LEAST ? INT64_MAX : nd->bound + nd->raised[guess];
}

/* The list of nodes may be read meanwhile. */
static inline void set_raised(const node *nd, uint32_t guess, uint16_t raised) {
    if (nd->raised) __atomic_store_n(&nd->raised[guess], raised, __ATOMIC_RELAXED);
}

/* Count the part sizes of a guess of the open group, and push it unless the sizes alone refute it. */
static void consider(const moo_space *space, loop *l, uint32_t guess) {
    const node *nd = l->node;
    agenda *a = &l->agenda;
    const bool member = a->member;
    const moo_cost known = known_of_guess(nd, guess);
    trial t = {.guess = guess, .bound = member ? nd->c[1] : 0};
    if (known >= l->best) {
        if (known < INT64_MAX) l->low = smaller(l->low, known);
        return;
    }
    if (nd->excess) {
        /* by_size in sum over the parts, but for what its last price adds. */
        uint32_t more = nd->excess[guess];
        t.bound += times(a->parts - member, nd->c[2]) + times(nd->n - a->parts - more, nd->c[3]) + times(more, nd->c[4]);
        if (t.bound >= l->best) {
            l->low = smaller(l->low, at_most_infinite(t.bound));
            return;
        }
        t.bound = member ? nd->c[1] : 0;
    }
    if (nd->symmetric && !moo_group_is_least(&nd->group, space->digits + (size_t)guess * (size_t)space->positions)) {
        set_raised(nd, guess, NOT_LEAST);
        return;
    }
    uint32_t size[MOO_MAX_RESPONSES];
    memset(size, 0, (size_t)space->responses * sizeof *size);
    /* The table is symmetric. The members' rows were just read, and lie in a nearer cache than the guess's own. */
    for (uint32_t i = 0; i < nd->n; i++) size[nd->rows[i][guess]]++;
    for (int r = 0; r < space->responses - 1; r++) {
        t.squares += size[r] * size[r];
        t.bound += nd->by_size[size[r]];
    }
    /* A guess that an earlier cutoff refuted just so may be as good as it seemed then; one that turned out to cost much more
     * comes later. The order is by a bound all the same, since less than what is known is one as well. */
    if (known - a->slack > t.bound) t.bound = known - a->slack;
    t.bound = at_most_infinite(t.bound);
    if (t.bound < l->best) heap_push(a, t);
    else l->low = smaller(l->low, t.bound);
}

/* The next guess of the open group; false at its end. */
static bool next_in_group(const moo_space *space, const node *nd, agenda *a, uint32_t *guess) {
    if (a->member) {
        while (a->at < nd->n)
            if (nd->member_counts[a->at++] == a->parts) {
                *guess = nd->set[a->at - 1];
                return true;
            }
        return false;
    }
    while (!a->found) {
        if (a->at >= space->stride) return false;
        a->found = space->kernel->equal(nd->counts + a->at, (uint8_t)a->parts);
        a->at += MOO_LINE;
    }
    *guess = (uint32_t)a->at - MOO_LINE + (uint32_t)__builtin_ctzll(a->found);
    a->found &= a->found - 1;
    return true;
}

/* Open the group with the least bound. */
static void next_group(const node *nd, agenda *a) {
    a->member = group_bound(nd, a->next[1], true) <= group_bound(nd, a->next[0], false);
    a->parts = a->next[a->member]--;
    a->at = 0;
    a->found = 0;
    /* A code outside that makes one part learns nothing: as costs do not fall, it is never better than the guess
     * that follows it. */
    if (!a->member && a->parts == 1) a->at = (size_t)-1;
}

static moo_cost next_group_bound(const node *nd, const agenda *a) {
    return smaller(group_bound(nd, a->next[0], false), group_bound(nd, a->next[1], true));
}

/* The next guess to try; false if there is none below the best cost known. Under lock. */
static bool next_trial(worker *w, loop *l, trial *t) {
    const moo_space *space = w->search->space;
    const node *nd = l->node;
    agenda *a = &l->agenda;
    while (!l->done && !stopped(w)) {
        moo_cost front = a->size ? a->heap[0].bound : INT64_MAX, group = next_group_bound(nd, a);
        uint32_t guess;
        if (a->direct && a->bound < l->best && next_in_group(space, nd, a, &guess)) {
            if (nd->symmetric && !moo_group_is_least(&nd->group, space->digits + (size_t)guess * (size_t)space->positions))
                continue;
            *t = (trial){.bound = a->bound, .guess = guess};
            return true;
        }
        if (smaller(group, front) >= l->best) {
            if (l->busy) {
                ATOMIC_SET(l->dry, true);
                return false;
            }
            l->low = smaller(l->low, smaller(group, front));
            if (a->direct) l->low = smaller(l->low, a->bound); /* which is not below the best either */
            ATOMIC_SET(l->done, true);
        } else if (front < group) {
            *t = heap_pop(a);
            const moo_cost known = known_of_guess(nd, t->guess);
            if (known < l->best) return true;
            l->low = smaller(l->low, known);
        } else {
            next_group(nd, a);
            a->bound = group;
            if (!a->direct)
                while (next_in_group(space, nd, a, &guess)) consider(space, l, guess);
        }
    }
    return false;
}

/* How far a guess is followed: a little past the least bound of the others. Under lock. */
static moo_cost aim_of(const loop *l, const trial *t, double share) {
    const node *nd = l->node;
    const agenda *a = &l->agenda;
    const moo_cost other = smaller(a->size ? a->heap[0].bound : INT64_MAX, next_group_bound(nd, a));
    const moo_cost from = other < INT64_MAX && other > t->bound ? other : t->bound;
    return smaller(l->best, from + (moo_cost)first_step(nd, nd->n, share));
}

static kept *take_out(loop *l, kept **at) {
    kept *k = *at;
    *at = k->next;
    l->kept_count--;
    return k;
}

static kept *take_kept(loop *l, uint32_t guess) {
    for (kept **at = &l->kept; *at; at = &(*at)->next)
        if ((*at)->guess == guess) return take_out(l, at);
    return NULL;
}

/* Keep a pursuit for later; too many, and the one that is soonest done again is given back. */
static kept *keep(loop *l, kept *k) {
    k->next = l->kept;
    l->kept = k;
    if (++l->kept_count <= MOST_KEPT) return NULL;
    kept **least = &l->kept;
    for (kept **at = &l->kept; *at; at = &(*at)->next)
        if ((*at)->pursuit.all_work < (*least)->pursuit.all_work) least = at;
    return take_out(l, least);
}

/* Take in what a trial has shown: the guess costs `value`, or `aim` and more if that is not below it. Under lock. */
static void take_in(loop *l, trial t, moo_cost value, moo_cost aim) {
    const node *nd = l->node;
    set_raised(nd, t.guess, (uint16_t)smaller(value - nd->bound, NOT_LEAST - 1));
    if (value >= l->best) {
        l->low = smaller(l->low, value);
    } else if (value < aim) {
        __atomic_store_n(&l->guess, t.guess, __ATOMIC_RELAXED);
        l->best = value;
    } else {
        t.bound = value;
        heap_push(&l->agenda, t);
        ATOMIC_SET(l->dry, false);
    }
}

static void stop_here(moo_search *s);

/* Take guesses from a loop until it is done, or dry; at most `most_trials` of them. */
static void run_loop(worker *w, loop *l, uint32_t most_trials) {
    const bool shared = w->search->threads > 1;
    while (most_trials--) {
        trial t;
        kept *k = NULL;
        moo_cost aim, fine_aim;
        if (shared) lock(&l->lock);
        const bool more = next_trial(w, l, &t);
        aim = fine_aim = l->best;
        if (more && !l->first) l->first = t.bound;
        if (more && l->loose) {
            l->busy++;
            k = take_kept(l, t.guess);
            aim = aim_of(l, &t, COARSE);
            fine_aim = aim_of(l, &t, FINE);
        }
        if (shared) unlock(&l->lock);
        if (!more) return;
        if (w->search->stop_after && w->work >= w->search->stop_after) stop_here(w->search);
        const moo_cost value = l->loose ? pursue(w, l->node, t.guess, aim, fine_aim, &k)
                                        : try_guess(w, l->node, t.guess, aim);
        const bool stop = stopped(w);
        if (shared) lock(&l->lock);
        l->busy -= l->loose;
        if (!stop) take_in(l, t, value, smaller(aim, fine_aim));
        if (k && !stop && value < l->best) k = keep(l, k);
        if (shared) unlock(&l->lock);
        free_kept(w, k);
        if (stop) return;
        if (l->level >= 0) {
            moo_level *level = &w->search->levels[l->level];
            level->tried++;
            level->settled = 0;
            level->best = l->best;
        }
    }
}

static bool publish(moo_search *s, loop *l) {
    bool done = false;
    lock(&s->loops_lock);
    for (int i = 0; i < MAX_LOOPS && !done; i++) {
        if (s->loops[i]) continue;
        s->loops[i] = l;
        __atomic_fetch_add(&s->loops_open, 1, __ATOMIC_RELAXED);
        done = true;
    }
    unlock(&s->loops_lock);
    return done;
}

static void withdraw(moo_search *s, loop *l) {
    lock(&s->loops_lock);
    for (int i = 0; i < MAX_LOOPS; i++)
        if (s->loops[i] == l) {
            s->loops[i] = NULL;
            __atomic_fetch_sub(&s->loops_open, 1, __ATOMIC_RELAXED);
        }
    unlock(&s->loops_lock);
}

/* Join the open loop with most candidates for a few guesses; false if there is none. */
static bool help_once(worker *w, uint32_t most_trials) {
    moo_search *s = w->search;
    loop *chosen = NULL;
    if (__atomic_load_n(&s->loops_open, __ATOMIC_RELAXED) == 0) return false; /* without disturbing anybody */
    lock(&s->loops_lock);
    for (int i = 0; i < MAX_LOOPS; i++) {
        loop *l = s->loops[i];
        if (l && !ATOMIC_GET(l->done) && !ATOMIC_GET(l->dry) && (!chosen || l->node->n > chosen->node->n)) chosen = l;
    }
    if (chosen) __atomic_fetch_add(&chosen->helpers, 1, __ATOMIC_ACQ_REL);
    unlock(&s->loops_lock);
    if (!chosen) return false;
    run_loop(w, chosen, most_trials);
    __atomic_fetch_sub(&chosen->helpers, 1, __ATOMIC_ACQ_REL);
    return true;
}

/* ---- What outlives the search ------------------------------------------------------------------------- */

enum { HEAD_WORDS = 4 }; /* of a record, before the turns */

static bool make_room(record *r, size_t words) {
    if (r->used + words <= r->room) return true;
    const size_t room = 2 * r->room + words + 1024;
    uint32_t *grown = realloc(r->words, room * sizeof *grown);
    if (!grown) return false;
    r->words = grown;
    r->room = room;
    return true;
}

/* Put down a bound of a node, and a guess that attains it or NO_GUESS. False on lack of memory. */
static bool put_down(const moo_space *space, record *r, const node *nd, moo_cost bound, uint32_t guess) {
    if (!make_room(r, HEAD_WORDS + 2 * (size_t)nd->turns)) return false;
    uint32_t *out = r->words + r->used;
    *out++ = (uint32_t)nd->turns;
    *out++ = (uint32_t)((uint64_t)bound & 0xffffffffu);
    *out++ = (uint32_t)((uint64_t)bound >> 32);
    *out++ = guess != NO_GUESS ? guess : MOO_ONLY_BOUND;
    for (int t = 0; t < nd->turns; t++) {
        *out++ = (uint32_t)((size_t)(nd->history[t].guess - space->digits) / (size_t)space->positions);
        *out++ = (uint32_t)nd->history[t].response;
    }
    r->used = (size_t)(out - r->words);
    return true;
}

/* Most work goes into what is known of the guesses of large sets. So a search that takes up where another was interrupted needs
 * that, besides what was noted. For each set a record has what was put_down() of it, its bound by parts and the best guess so far,
 * and then the words of a state. How far each guess was raised, and what was proven of the set, are lower bounds that follow from the
 * set, its depth and the prices alone, so they hold for the same set at the same depth however it is reached, for every objective. That
 * a symmetry of the history spared a guess does not follow from the set, and is left out. All else is there so that the search goes on in
 * the order in which it would have gone on. */
enum {
    AT_PROVEN, AT_FIRST, AT_REACHED, /* how far above the bound by parts */
    AT_WORK, AT_STEP,
    AT_COUNT,                        /* of the guesses that were raised; then for each of them its number and how far */
    STATE_WORDS,
    MOST_TURNS = 64,                 /* that are taken over */
};

/* Append the record of a node. Under the list's lock; false on lack of memory. */
static bool put_down_state(const moo_space *space, record *r, const node *nd) {
    const uint32_t best = nd->loop ? __atomic_load_n(&nd->loop->guess, __ATOMIC_RELAXED) : NO_GUESS;
    if (!put_down(space, r, nd, nd->bound, best != NO_GUESS ? best : nd->hint) || !make_room(r, STATE_WORDS)) return false;
    const moo_cost numbers[] = {ATOMIC_GET(nd->proven) - nd->bound, ATOMIC_GET(nd->first) - nd->bound,
                                ATOMIC_GET(nd->reached) - nd->bound, (moo_cost)ATOMIC_GET(nd->work), ATOMIC_GET(nd->step)};
    const size_t state = r->used;
    for (int i = 0; i < AT_COUNT; i++) r->words[state + i] = numbers[i] < 0 ? 0 : (uint32_t)smaller(numbers[i], UINT32_MAX);
    r->words[state + AT_COUNT] = 0;
    r->used += STATE_WORDS;
    for (uint32_t g = 0; g < space->codes; g++) {
        const uint16_t raised = __atomic_load_n(&nd->raised[g], __ATOMIC_RELAXED);
        if (!raised || raised == NOT_LEAST) continue; /* which is of the history, not of the set */
        if (!make_room(r, 2)) return false;
        r->words[r->used++] = g;
        r->words[r->used++] = raised;
        r->words[state + AT_COUNT]++;
    }
    return true;
}

static moo_key key_of_itself(const moo_space *space, const uint32_t *set, uint32_t n) {
    moo_image image;
    moo_image_itself(&image, space->digits, space->positions, space->symbols, set, n);
    return image.key;
}

/* What an earlier search has left of a set, or NULL. */
static leaving *look_left(const moo_search *s, const uint32_t *set, uint32_t n, int depth) {
    const uint32_t size = n % LEFT_SIZES;
    if (!(s->left_sizes[size / 64] >> size % 64 & 1)) return NULL;
    for (size_t i = 0; i < s->left_count; i++) {
        leaving *l = &s->left[i];
        if (l->n != n || l->depth != depth) continue;
        const moo_key key = key_of_itself(s->space, set, n);
        if (l->key[0] == key[0] && l->key[1] == key[1]) return l;
    }
    return NULL;
}

static moo_cost bound_of_record(const uint32_t *words) {
    return (moo_cost)((uint64_t)words[1] | (uint64_t)words[2] << 32);
}

/* How far an earlier search got with a set. */
static bool find_left(moo_search *s, const uint32_t *set, uint32_t n, int depth, moo_cost *proven, double *work,
                      double *step) {
    const uint32_t size = n % LEFT_SIZES;
    if (!(s->left_sizes[size / 64] >> size % 64 & 1)) return false;
    lock(&s->list_lock);
    const leaving *l = look_left(s, set, n, depth);
    if (l) {
        *proven = bound_of_record(l->words) + l->state[AT_PROVEN];
        *work = l->state[AT_WORK];
        if (l->state[AT_STEP]) *step = l->state[AT_STEP];
    }
    unlock(&s->list_lock);
    return l != NULL;
}

/* Take a node into the list, and over what an earlier search has left of it. */
static void list_node(moo_search *s, node *nd) {
    lock(&s->list_lock);
    nd->listed = true;
    nd->hint = NO_GUESS;
    nd->older = s->newest;
    if (s->newest) s->newest->newer = nd;
    s->newest = nd;
    leaving *l = look_left(s, nd->set, nd->n, nd->depth);
    if (l) {
        const moo_cost bound = bound_of_record(l->words);
        if (l->words[3] != MOO_ONLY_BOUND) nd->hint = l->words[3];
        nd->proven = bound + l->state[AT_PROVEN];
        nd->first = bound + l->state[AT_FIRST];
        nd->reached = bound + l->state[AT_REACHED];
        nd->work = l->state[AT_WORK];
        nd->step = l->state[AT_STEP];
        const uint32_t *at = l->state + STATE_WORDS;
        for (uint32_t i = 0; i < l->state[AT_COUNT]; i++, at += 2) {
            const moo_cost raised = smaller(bound + at[1] - nd->bound, NOT_LEAST - 1);
            if (raised > 0) nd->raised[at[0]] = (uint16_t)raised;
        }
        free(l->words);
        *l = s->left[--s->left_count];
    }
    unlock(&s->list_lock);
}

/* To be called when a node is left for good. */
static void close_node(moo_search *s, node *nd) {
    moo_group_free(&nd->group);
    if (!nd->listed) return;
    lock(&s->list_lock);
    if (nd->newer) nd->newer->older = nd->older;
    else s->newest = nd->older;
    if (nd->older) nd->older->newer = nd->newer;
    unlock(&s->list_lock);
}

/* Lay out a node: capacities, bounds by size, rows. */
static bool make_node(worker *w, node *nd) {
    const moo_search *s = w->search;
    const most *m = &nd->most;
    /* A guess makes no more parts of a subset than it makes of the set. */
    uint32_t parts = m->member_parts > m->outside_parts ? m->member_parts : m->outside_parts;
    if (parts < nd->caps[2]) nd->caps[2] = parts;
    nd->band = 0;
    while (nd->band + 1 < MOO_BANDS && nd->n >= (uint64_t)6 << nd->band) nd->band++;
    nd->by_size = take(&w->memory, (nd->n + 1) * sizeof *nd->by_size);
    nd->rows = take(&w->memory, nd->n * sizeof *nd->rows);
    if (w->memory.failed) return false;
    for (uint32_t i = 0; i < nd->n; i++) nd->rows[i] = s->space->table + (size_t)nd->set[i] * s->space->stride;
    nd->pairs = NULL;
    nd->glance = nd->n < GLANCE_SIZE && nd->n <= GLANCE_PARTS * nd->caps[2];
    if (nd->n <= PAIRS_SIZE) {
        uint8_t *pairs = take(&w->memory, (size_t)nd->n * nd->n);
        if (w->memory.failed) return false;
        for (uint32_t i = 0; i < nd->n; i++)
            for (uint32_t j = 0; j < nd->n; j++) pairs[i * nd->n + j] = nd->rows[i][nd->set[j]];
        nd->pairs = pairs;
    }
    const moo_cost *c = nd->c + 1;
    moo_cost sum = 0;
    nd->by_size[0] = 0;
    int k = 1;
    for (uint32_t m = 1; m <= nd->n; m++) {
        while (k < CAPACITIES && m > (k == 1 ? 1 : nd->caps[k])) k++;
        sum = at_most_infinite(sum + c[k]);
        nd->by_size[m] = sum;
    }
    return true;
}

/* Lay out what the guesses of a node are tried by. Alters counts. False on lack of memory. */
static bool make_ready(worker *w, node *nd) {
    const moo_space *space = w->search->space;
    const uint32_t n = nd->n;
    if (!make_node(w, nd)) return false;
    nd->member_counts = take(&w->memory, n);
    if (w->memory.failed) return false;
    for (uint32_t i = 0; i < n; i++) {
        nd->member_counts[i] = nd->counts[nd->set[i]];
        nd->counts[nd->set[i]] = 0;
    }
    if (n >= EXCESS_SIZE && n <= 255 && space->kernel->excess) {
        uint8_t *excess = take(&w->memory, space->stride);
        if (w->memory.failed) return false;
        if (space->kernel->excess(space->table, space->stride, nd->set, n, space->responses, nd->caps[2], excess))
            nd->excess = excess;
    }
    if (nd->again) {
        nd->raised = take(&w->memory, space->codes * sizeof *nd->raised);
        if (w->memory.failed) return false;
        memset(nd->raised, 0, space->codes * sizeof *nd->raised);
        if (w->search->note_work && nd->described && n >= w->search->listed_from && nd->turns <= MOST_TURNS)
            list_node(w->search, nd);
    }
    if (nd->described && (n >= SYMMETRY_SIZE || space->positions < SYMMETRY_POSITIONS))
        nd->symmetric = moo_group_make(&nd->group, space->positions, space->symbols, space->leading_zero, nd->history,
                                       nd->turns) && !moo_group_trivial(&nd->group);
    w->stats.sets_solved++;
    return true;
}

/* Tell the list which loop a node is in; returns the guess to begin with, if there is one. */
static uint32_t enter_loop(moo_search *s, node *nd, const loop *l) {
    if (!nd->listed) return NO_GUESS;
    lock(&s->list_lock);
    const uint32_t hint = nd->hint;
    nd->loop = l;
    nd->hint = NO_GUESS;
    unlock(&s->list_lock);
    return hint;
}

/* Least cost of a node that is ready, trying every guess that may be below the cutoff. */
static known search_node(worker *w, node *nd, moo_cost cutoff) {
    moo_search *s = w->search;
    const uint32_t n = nd->n;
    loop l = {.node = nd, .best = cutoff, .low = MOO_INFINITE, .guess = NO_GUESS, .level = level_of(s, nd->depth),
              .loose = nd->loose && n >= s->loose_from && !s->largest_first};
    agenda *a = &l.agenda;
    mark before = mark_of(&w->memory);
    a->heap = take(&w->memory, (size_t)s->space->codes * sizeof *a->heap);
    if (stopped(w)) return (known){nd->bound, false, NO_GUESS};
    a->slack = nd->reached > nd->first ? nd->reached - nd->first : 0;
    a->direct = n <= DIRECT_SIZE;
    a->bound = nd->bound;
    a->at = (size_t)-1; /* no group is open yet */
    a->next[0] = nd->most.outside_parts;
    a->next[1] = nd->most.member_parts;
    if (l.level >= 0) s->levels[l.level] = (moo_level){n, 0, 0, cutoff, nd->bound};
    const trial hint = {.guess = enter_loop(s, nd, &l), .bound = nd->bound};
    if (hint.guess != NO_GUESS) { /* what its parts cost should be noted */
        const moo_cost value = try_guess(w, nd, hint.guess, cutoff);
        if (!stopped(w)) take_in(&l, hint, value, cutoff);
    }
    if (s->threads > 1 && n >= SHARE_SIZE) {
        /* The first guess alone: it is the best bet, and sets the cutoff for the others. */
        run_loop(w, &l, 1);
        bool open = publish(s, &l);
        run_loop(w, &l, UINT32_MAX);
        while (!ATOMIC_GET(l.done) && !stopped(w)) { /* dry */
            if (!help_once(w, 1)) sched_yield();
            run_loop(w, &l, UINT32_MAX);
        }
        if (open) withdraw(s, &l);
        while (ATOMIC_GET(l.helpers) > 0)
            if (!help_once(w, 1)) sched_yield();
    } else {
        run_loop(w, &l, UINT32_MAX);
    }
    enter_loop(s, nd, NULL);
    while (l.kept) free_kept(w, take_out(&l, &l.kept));
    release(&w->memory, before);
    if (!nd->first) ATOMIC_SET(nd->first, l.first);
    ATOMIC_SET(nd->reached, cutoff);
    if (l.best < cutoff) return (known){l.best, true, l.guess};
    return (known){l.low > cutoff ? l.low : cutoff, false, NO_GUESS};
}


/* Note a set that much work was done for; in long searches it must be more, so that there are at most NOTES notes each time that
 * the work has grown e-fold. */
static void note(worker *w, node *nd, known k) {
    const uint64_t least = w->work / NOTES;
    if (nd->unnoted < w->search->note_work || nd->unnoted < least) return;
    lock(&w->notes_lock);
    /* What does not fit is not noted: nothing depends on it. */
    if (put_down(w->search->space, &w->notes, nd, k.bound, k.exact ? k.guess : NO_GUESS)) nd->unnoted = 0;
    unlock(&w->notes_lock);
}

/* Least cost of a set of three and more, exact if below the cutoff. The node comes with its place: set, depth, history and the
 * capacities of a set that contains it; asked for again, with what is known of its guesses. Takes memory that the caller
 * releases; close_node() gives back the rest. */
static known solve(worker *w, node *nd, moo_key key, moo_cost cutoff) {
    moo_search *s = w->search;
    const moo_space *space = s->space;
    const uint64_t start = w->work;
    if (stopped(w)) return (known){cutoff, false, NO_GUESS};
    known k;
    if (!nd->counts) {
        nd->counts = take(&w->memory, space->stride);
        if (w->memory.failed) return (known){cutoff, false, NO_GUESS};
        nd->most = most_parts(w, nd->set, nd->n, nd->counts);
        k = parts_bound(s, nd->depth, nd->caps, nd->n, &nd->most);
        nd->bound = k.bound;
        if (k.exact && k.guess == NO_GUESS) {
            for (uint32_t i = 0; i < nd->n; i++) nd->counts[nd->set[i]] = 0;
            k.guess = (uint32_t)((uint8_t *)memchr(nd->counts, (int)nd->most.outside_parts, space->codes) - nd->counts);
        }
    } else {
        k = (known){nd->bound, false, NO_GUESS};
    }
    if (!k.exact && k.bound < cutoff && (nd->member_counts || make_ready(w, nd))) {
        k = search_node(w, nd, cutoff);
        if (s->trace && !stopped(w) && !put_down(space, &w->claims, nd, k.bound, NO_GUESS)) w->memory.failed = true;
    }
    ATOMIC_SET(nd->work, nd->work + (w->work - start));
    if (!stopped(w)) ATOMIC_SET(nd->proven, k.bound);
    nd->unnoted += w->work - start;
    if (s->note_work && nd->described && !stopped(w)) note(w, nd, k);
    remember(w, key, nd->depth, nd->set, nd->n, k);
    return k;
}

/* The node of a question from outside. */
static node top_node(const moo_search *s, const uint32_t *set, uint32_t n, const moo_turn *history, int turns,
                     bool described) {
    const moo_space *space = s->space;
    node nd = {.set = set, .n = n, .depth = turns, .c = s->cost + turns, .history = history, .turns = turns,
               .described = described, .caps = {0, 1, (uint32_t)space->responses, space->codes}};
    return nd;
}

/* Cost of a set of any size, the cheap methods first. */
static known solve_any(worker *w, node *nd, moo_cost cutoff) {
    const moo_search *s = w->search;
    known k;
    if (settled(s, nd->depth, nd->set, nd->n, &k)) return k;
    if (nd->n <= nd->caps[2]) {
        k = quick(s->space, nd->c, nd->set, nd->n);
        if (k.exact || k.bound >= cutoff) return k;
    }
    moo_image image = {.key = {0, 0}};
    if (nd->n >= s->memo_from) {
        image_of(w, nd->set, nd->n, &image);
        if (recall(w, image.key, nd->depth, nd->n, &k) && (k.exact ? k.guess != NO_GUESS : k.bound >= cutoff)) {
            if (k.guess != NO_GUESS) k.guess = guess_of_image(w, &image, k.guess);
            return k;
        }
    }
    nd->again = s->note_work != 0;
    if (nd->turns == 0) return solve(w, nd, image.key, cutoff);
    nd->loose = true;
    return solve(w, nd, image.key, cutoff);
}

static moo_result result_of(const worker *w, known k) {
    const moo_search *s = w->search;
    bool stop = ATOMIC_GET(s->stop) != 0;
    return (moo_result){k.bound, k.guess, stop, ATOMIC_GET(s->out_of_memory) != 0};
}

moo_result moo_search_solve(moo_search *s, const uint32_t *set, uint32_t n, const moo_turn *history, int turns,
                            bool described, moo_cost cutoff) {
    worker *w = &s->workers[0];
    mark before = mark_of(&w->memory);
    node nd = top_node(s, set, n, history, turns, described);
    s->base_depth = turns;
    known k = solve_any(w, &nd, cutoff);
    close_node(s, &nd);
    release(&w->memory, before);
    return result_of(w, k);
}

/* Lay out a node whose guesses are asked for one by one. */
static bool lay_out(worker *w, node *nd) {
    nd->most = most_parts(w, nd->set, nd->n, w->counts);
    return make_node(w, nd);
}

moo_result moo_search_guess(moo_search *s, const uint32_t *set, uint32_t n, const moo_turn *history, int turns,
                            bool described, uint32_t guess, moo_cost cutoff) {
    worker *w = &s->workers[0];
    mark before = mark_of(&w->memory);
    node nd = top_node(s, set, n, history, turns, described);
    s->base_depth = turns;
    pursuit p;
    p.split.sum = MOO_INFINITE;
    if (lay_out(w, &nd) && make_split(w, &nd, guess, &p.split)) evaluate(w, &nd, guess, cutoff, &p);
    release(&w->memory, before);
    return result_of(w, (known){at_most_infinite(p.split.sum), false, guess});
}

/* ---- The tree ---------------------------------------------------------------------------------------- */

bool moo_tree_add(moo_tree *tree, uint32_t guess, uint32_t parent, int response) {
    if (tree->nodes == tree->capacity) {
        size_t capacity = tree->capacity ? 2 * tree->capacity : 1024;
        uint32_t *guesses = realloc(tree->guess, capacity * sizeof *guesses);
        if (guesses) tree->guess = guesses;
        uint32_t *parents = realloc(tree->parent, capacity * sizeof *parents);
        if (parents) tree->parent = parents;
        uint8_t *responses = realloc(tree->response, capacity);
        if (responses) tree->response = responses;
        if (!guesses || !parents || !responses) return false;
        tree->capacity = capacity;
    }
    tree->guess[tree->nodes] = guess;
    tree->parent[tree->nodes] = parent;
    tree->response[tree->nodes++] = (uint8_t)response;
    return true;
}

/* Write the tree of a set whose exact value is known. The search is asked again for a guess that attains it; with what the
 * memo kept this takes little time. False on lack of memory or interruption. */
static bool grow_tree(worker *w, node *nd, moo_cost value, uint32_t parent, int response, moo_tree *tree) {
    mark before = mark_of(&w->memory);
    pursuit *p = take(&w->memory, sizeof *p);
    if (stopped(w)) return false;
    split *sp = &p->split;
    node asked = *nd; /* which leaves this one as it came */
    known k = solve_any(w, &asked, value + 1);
    close_node(w->search, &asked);
    bool fine = !stopped(w) && k.bound == value && k.guess != NO_GUESS && lay_out(w, nd) &&
                make_split(w, nd, k.guess, sp);
    if (fine) evaluate(w, nd, k.guess, value + 1, p);
    fine = fine && !stopped(w) && sp->sum == value && moo_tree_add(tree, k.guess, parent, response);
    uint32_t here = (uint32_t)tree->nodes - 1;
    for (int i = 0; fine && i < sp->count; i++) {
        part *q = &sp->parts[i];
        node child = child_of(w, nd, k.guess, q);
        fine = !stopped(w) && grow_tree(w, &child, q->known.bound, here, q->response, tree);
    }
    release(&w->memory, before);
    return fine;
}

moo_result moo_search_tree(moo_search *s, const uint32_t *set, uint32_t n, const moo_turn *history, int turns,
                           bool described, moo_cost value, moo_tree *tree) {
    worker *w = &s->workers[0];
    node nd = top_node(s, set, n, history, turns, described);
    s->base_depth = turns;
    memset(tree, 0, sizeof *tree);
    bool fine = grow_tree(w, &nd, value, 0, 0, tree);
    moo_result result = result_of(w, (known){value, fine, fine ? tree->guess[0] : NO_GUESS});
    if (!fine && !result.interrupted) result.out_of_memory = true;
    return result;
}

void moo_tree_free(moo_tree *tree) {
    free(tree->guess);
    free(tree->parent);
    free(tree->response);
    memset(tree, 0, sizeof *tree);
}

/* ---- Setting up, threads, statistics ----------------------------------------------------------------- */

static size_t stride_of(uint32_t codes) {
    size_t lines = ((size_t)codes + MOO_LINE - 1) / MOO_LINE;
    return (lines | 1) * MOO_LINE; /* odd, so that equal columns of many rows do not share a cache set */
}

size_t moo_space_bytes(uint32_t codes, int positions, int symbols, uint32_t most_rows) {
    if (most_rows >= codes) return (size_t)codes * stride_of(codes) + MOO_LINE;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE); /* rows begin and end within one */
    return (size_t)most_rows * (stride_of(codes) + page) + codes + moo_columns_bytes(codes, positions, symbols);
}

/* Passes go down a column of many rows, each in a page of its own; large pages spare most of the look-ups that this
 * costs. A system that has none ignores the advice. */
static uint8_t *allocate_table(size_t bytes) {
    const size_t large = (size_t)2 << 20;
    if (bytes < 2 * large) return aligned_alloc(MOO_LINE, bytes);
    uint8_t *table = aligned_alloc(large, (bytes + large - 1) / large * large);
#ifdef MADV_HUGEPAGE
    if (table) madvise(table, bytes, MADV_HUGEPAGE);
#endif
    return table;
}

/* Addresses for a table of which little will be used; in place of an older one if `flags` say so, whose memory is then free. */
static uint8_t *map_table(uint8_t *old, size_t bytes, int flags) {
    void *table = mmap(old, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    if (table == MAP_FAILED) return NULL;
#ifdef MADV_NOHUGEPAGE
    madvise(table, bytes, MADV_NOHUGEPAGE); /* each would be taken whole for a row that is a part of it */
#endif
    return table;
}

bool moo_space_init(moo_space *space, const uint8_t *digits, uint32_t codes, int positions, int symbols,
                    bool leading_zero, const moo_kernel *kernel, uint32_t most_rows) {
    *space = (moo_space){.codes = codes, .positions = positions, .symbols = symbols, .leading_zero = leading_zero,
                         .responses = moo_response_count(positions), .digits = digits,
                         .stride = stride_of(codes), .kernel = kernel,
                         .most_rows = most_rows < codes ? most_rows : codes};
    const size_t bytes = (size_t)codes * space->stride;
    if (most_rows >= codes) {
        space->table = allocate_table(bytes);
        return space->table != NULL;
    }
    uint8_t *columns = aligned_alloc(MOO_LINE, moo_columns_bytes(codes, positions, symbols));
    space->filled = calloc(codes, 1);
    if (columns) moo_columns_set(&space->columns, columns, digits, NULL, codes, positions, symbols);
    if (columns && space->filled) space->table = map_table(NULL, bytes, 0);
    if (space->table) return true;
    moo_space_free(space);
    return false;
}

void moo_space_fill(moo_space *space, uint32_t first, uint32_t last) {
    moo_fill_rows(space->digits, space->codes, space->positions, space->symbols,
                  space->table + (size_t)first * space->stride, space->stride, first, last);
}

static void respond_to_all(const moo_space *space, uint32_t code, uint8_t *row) {
    moo_columns_respond(&space->columns, space->digits + (size_t)code * (size_t)space->positions, 0,
                        space->columns.width, row);
}

uint32_t moo_space_need(moo_space *space, const uint32_t *set, uint32_t n, uint32_t most) {
    if (!space->filled) return 0;
    if (n > space->most_rows) return UINT32_MAX;
    uint32_t missing = 0;
    for (uint32_t i = 0; i < n; i++) missing += !space->filled[set[i]];
    if (missing > space->most_rows - space->rows) {
        if (!map_table(space->table, (size_t)space->codes * space->stride, MAP_FIXED)) return UINT32_MAX;
        memset(space->filled, 0, space->codes);
        space->rows = 0;
        missing = n;
    }
    for (uint32_t i = 0; i < n && missing && most; i++) {
        if (space->filled[set[i]]) continue;
        /* What lies past the last code is zero: the memory was, and columns give those places response 0. */
        respond_to_all(space, set[i], space->table + (size_t)set[i] * space->stride);
        space->filled[set[i]] = 1;
        space->rows++;
        missing--;
        most--;
    }
    return missing;
}

const uint8_t *moo_space_row(const moo_space *space, uint32_t code, uint8_t *out) {
    if (!space->filled || space->filled[code]) return space->table + (size_t)code * space->stride;
    respond_to_all(space, code, out);
    return out;
}

void moo_space_free(moo_space *space) {
    if (!space->filled) {
        free(space->table);
    } else if (space->table) {
        munmap(space->table, (size_t)space->codes * space->stride);
    }
    free(space->filled);
    free(space->columns.bytes);
    *space = (moo_space){0};
}

moo_search *moo_search_new(const moo_space *space, const moo_cost *cost, uint32_t guesses, bool limited,
                           size_t memo_bytes, int threads) {
    moo_search *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->space = space;
    s->guesses = guesses;
    s->limited = limited;
    s->threads = threads;
    s->cost = malloc((size_t)(guesses + 2 + CAPACITIES) * sizeof *s->cost);
    s->workers = aligned_alloc(128, (size_t)threads * sizeof *s->workers);
    if (s->workers) memset(s->workers, 0, (size_t)threads * sizeof *s->workers);
    bool fine = s->cost && s->workers && moo_memo_init(&s->memo, memo_bytes);
    for (int i = 0; fine && i < threads; i++) {
        worker *w = &s->workers[i];
        w->search = s;
        w->memory.top = new_chunk((size_t)1 << 20);
        w->counts = aligned_alloc(MOO_LINE, space->stride);
        fine = w->memory.top && w->counts;
    }
    if (!fine) {
        moo_search_free(s);
        return NULL;
    }
    s->cost[0] = 0;
    for (uint32_t k = 1; k < guesses + 2 + CAPACITIES; k++)
        s->cost[k] = k <= guesses ? cost[k - 1] : limited ? MOO_INFINITE : cost[guesses - 1];
    s->flat_from = UINT32_MAX;
    s->steps_from = STEPS_SIZE;
    s->loose_from = LOOSE_SIZE;
    s->listed_from = LISTED_SIZE;
    s->step = STEP;
    s->kept_work = KEPT_WORK;
    s->memo_from = space->positions <= SHORT_POSITIONS ? MEMO_SIZE_SHORT : MEMO_SIZE;
    s->shift = !limited;
    for (uint32_t k = 2; k < guesses && s->shift; k++)
        s->shift = s->cost[k + 1] - s->cost[k] == s->cost[2] - s->cost[1];
    if (!limited) {
        s->flat_from = guesses;
        while (s->flat_from > 1 && s->cost[s->flat_from - 1] == s->cost[guesses]) s->flat_from--;
    }
    /* Where the last rise outweighs all before it, or a limit is all that counts, what matters is which part cannot be
     * solved in time. This changes the time that a search takes and nothing else. */
    uint32_t end = limited ? guesses : s->flat_from;
    moo_cost first = s->cost[1], last = s->cost[end], before = end > 1 ? s->cost[end - 1] : first;
    s->largest_first = limited ? first == last || last - before > before - first
                               : end < guesses && last - before > before - first;
    return s;
}

void moo_search_free(moo_search *s) {
    if (!s) return;
    for (int i = 0; s->workers && i < s->threads; i++) {
        worker *w = &s->workers[i];
        chunk *first = w->memory.top;
        while (first && first->below) first = first->below;
        if (first) free_above(first);
        free(first);
        free(w->spare);
        free(w->counts);
        free(w->claims.words);
        free(w->notes.words);
    }
    for (size_t i = 0; i < s->left_count; i++) free(s->left[i].words);
    free(s->left);
    free(s->at_stop.words);
    free(s->workers);
    free(s->cost);
    moo_memo_free(&s->memo);
    free(s);
}

void moo_search_help(moo_search *s, int index) {
    worker *w = &s->workers[index];
    int idle = 0;
    /* After an interrupt the search may be resumed, so that it does not end this. */
    while (!ATOMIC_GET(s->dismissed)) {
        if (!stopped(w) && help_once(w, UINT32_MAX)) {
            idle = 0;
        } else if (++idle < 200) {
            sched_yield();
        } else {
            nanosleep(&(struct timespec){0, 50000}, NULL);
        }
    }
}

void moo_search_steps(moo_search *s, uint32_t least_size, double step) {
    s->steps_from = s->loose_from = s->listed_from = least_size;
    s->step = step;
    s->kept_work = 0;
}

void moo_search_trace(moo_search *s, bool on) { s->trace = on; }

const uint32_t *moo_search_claims(const moo_search *s, int thread, size_t *words) {
    *words = s->workers[thread].claims.used;
    return s->workers[thread].claims.words;
}

void moo_search_note(moo_search *s, uint64_t work) { s->note_work = work; }

uint32_t *moo_search_notes(moo_search *s, int thread, size_t *words) {
    worker *w = &s->workers[thread];
    lock(&w->notes_lock);
    record taken = w->notes;
    w->notes = (record){0};
    unlock(&w->notes_lock);
    *words = taken.used;
    return taken.words;
}

/* What would be lost; under the list's lock. */
static record left_now(const moo_search *s) {
    record r = {0};
    bool fine = true;
    for (const node *nd = s->newest; nd && fine; nd = nd->older)
        if (nd->loop || ATOMIC_GET(nd->work) >= s->note_work) fine = put_down_state(s->space, &r, nd);
    for (size_t i = 0; i < s->left_count && fine; i++) {
        fine = make_room(&r, s->left[i].count);
        if (!fine) break;
        memcpy(r.words + r.used, s->left[i].words, s->left[i].count * sizeof *r.words);
        r.used += s->left[i].count;
    }
    if (!fine) r.used = 0;
    return r;
}

uint32_t *moo_search_left(moo_search *s, size_t *words) {
    lock(&s->list_lock);
    const record r = s->at_stop.words ? s->at_stop : left_now(s);
    s->at_stop = (record){0};
    unlock(&s->list_lock);
    *words = r.used;
    return r.words;
}

void moo_search_stop_after(moo_search *s, uint64_t work) { s->stop_after = work; }

static void stop_here(moo_search *s) {
    lock(&s->list_lock);
    if (!ATOMIC_GET(s->stop)) s->at_stop = left_now(s);
    ATOMIC_SET(s->stop, 1);
    unlock(&s->list_lock);
}

/* The words of the first record of what was left; 0 if it is none. */
static size_t check_left(const moo_space *space, const uint32_t *words, size_t room) {
    if (room < HEAD_WORDS || words[0] > MOST_TURNS || (words[3] != MOO_ONLY_BOUND && words[3] >= space->codes)) return 0;
    const size_t head = HEAD_WORDS + 2 * (size_t)words[0];
    const moo_cost bound = bound_of_record(words);
    if (bound < 0 || bound > MOO_INFINITE || room < head + STATE_WORDS) return 0;
    for (size_t i = HEAD_WORDS; i < head; i += 2)
        if (words[i] >= space->codes || words[i + 1] >= (uint32_t)space->responses) return 0;
    const size_t count = words[head + AT_COUNT], end = head + STATE_WORDS + 2 * count;
    if (room < end) return 0;
    for (size_t i = head + STATE_WORDS; i < end; i += 2)
        if (words[i] >= space->codes || words[i + 1] >= NOT_LEAST) return 0;
    return end;
}

/* The candidates that the history of a record leaves, into `set`; `row` has room for a row. */
static uint32_t left_by(const moo_space *space, const uint32_t *words, uint32_t *set, uint8_t *row) {
    uint32_t n = 0;
    while (n < space->codes) set[n] = n, n++;
    for (uint32_t t = 0; t < words[0]; t++) {
        const uint32_t *turn = words + HEAD_WORDS + 2 * t, all = n;
        const uint8_t *responses = moo_space_row(space, turn[0], row);
        n = 0;
        for (uint32_t i = 0; i < all; i++)
            if (responses[set[i]] == turn[1]) set[n++] = set[i];
    }
    return n;
}

bool moo_search_leave(moo_search *s, const uint32_t *words, size_t count) {
    const moo_space *space = s->space;
    uint32_t *set = malloc(space->codes * sizeof *set);
    uint8_t *row = malloc(space->stride);
    bool fine = set && row;
    for (size_t length; fine && count; words += length, count -= length) {
        length = check_left(space, words, count);
        leaving l = {.words = malloc(length * sizeof *words + 1), .count = length, .depth = (int)words[0]};
        leaving *grown = realloc(s->left, (s->left_count + 1) * sizeof *grown);
        if (grown) s->left = grown;
        fine = length && l.words && grown;
        if (!fine) {
            free(l.words);
            break;
        }
        memcpy(l.words, words, length * sizeof *words);
        l.state = l.words + HEAD_WORDS + 2 * words[0];
        l.n = left_by(space, words, set, row);
        l.key = key_of_itself(space, set, l.n);
        s->left_sizes[l.n % LEFT_SIZES / 64] |= (uint64_t)1 << l.n % 64;
        s->left[s->left_count++] = l;
    }
    free(set);
    free(row);
    return fine;
}

void moo_search_leave_nothing(moo_search *s) {
    lock(&s->list_lock);
    while (s->left_count) free(s->left[--s->left_count].words);
    unlock(&s->list_lock);
}

void moo_search_tell(moo_search *s, const uint32_t *set, uint32_t n, int depth, moo_cost bound, uint32_t guess) {
    worker *w = &s->workers[0];
    if (n < s->memo_from) return;
    moo_image image;
    image_of(w, set, n, &image);
    const bool exact = guess != MOO_ONLY_BOUND;
    remember(w, image.key, depth, set, n, (known){bound, exact, exact ? guess : NO_GUESS});
}

void moo_search_enlist(moo_search *s) { ATOMIC_SET(s->dismissed, 0); }

void moo_search_dismiss(moo_search *s) { ATOMIC_SET(s->dismissed, 1); }

void moo_search_interrupt(moo_search *s) { ATOMIC_SET(s->stop, 1); }

void moo_search_resume(moo_search *s) { ATOMIC_SET(s->stop, 0); }

bool moo_search_interrupted(const moo_search *s) { return ATOMIC_GET(s->stop) != 0; }

void moo_search_stats(const moo_search *s, moo_stats *stats) {
    memset(stats, 0, sizeof *stats);
    uint64_t *sum = (uint64_t *)stats;
    for (int i = 0; i < s->threads; i++) {
        const uint64_t *one = (const uint64_t *)&s->workers[i].stats;
        for (size_t k = 0; k < sizeof *stats / sizeof *sum; k++) sum[k] += one[k];
    }
}

void moo_search_levels(const moo_search *s, moo_level levels[MOO_MAX_LEVELS]) {
    memcpy(levels, s->levels, sizeof s->levels);
}

/* A node takes rows of counts, of excesses and of what is known of its guesses, and a heap; some 250 are open at a time, most of
 * them parts of guesses that were left. Measured on games of 840 to 30240 codes. */
size_t moo_search_bytes_needed(uint32_t codes, int threads) {
    return sizeof(moo_search) + (size_t)threads * (((size_t)4 << 20) + (size_t)codes * 1200);
}
