/* The exact search. See search.c for the method. */
#ifndef MOO_SEARCH_H
#define MOO_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"
#include "memo.h"
#include "responses.h"
#include "symmetry.h"

typedef int64_t moo_cost;

/* Not to be had: past the last guess allowed. Sums of a part each stay far below the limit of 64 bits. */
#define MOO_INFINITE ((moo_cost)1 << 52)

enum { MOO_MAX_RESPONSES = 66, MOO_MAX_LEVELS = 2, MOO_MAX_THREADS = 256 };

/* A game laid out for the search: its codes, the response table and what is derived from them. The search reads no rows of the
 * table but those of the candidates that it is asked about. So a table that does not fit is only reserved: its rows are filled
 * when they are needed, and what is never touched takes no memory. */
typedef struct moo_space {
    uint32_t codes;
    int positions, symbols;
    bool leading_zero;
    int responses;          /* ids are below this; the winning one is the last */
    const uint8_t *digits;  /* codes x positions, owned by the caller */
    uint8_t *table;         /* codes x stride */
    size_t stride;
    const moo_kernel *kernel;
    uint32_t most_rows;     /* rows that there may be at a time; all codes: the table is whole */
    uint32_t rows;          /* how many there are, */
    uint8_t *filled;        /* and which; NULL for a whole table, like the rest */
    moo_columns columns;
} moo_space;

/* Bytes that a space takes whose table has so many rows. */
size_t moo_space_bytes(uint32_t codes, int positions, int symbols, uint32_t most_rows);
/* Lay out a game but for the rows of its table, of which there will be at most `most_rows`; false when memory runs out. */
bool moo_space_init(moo_space *space, const uint8_t *digits, uint32_t codes, int positions, int symbols,
                    bool leading_zero, const moo_kernel *kernel, uint32_t most_rows);
/* Fill the rows first .. last-1 of a whole table. */
void moo_space_fill(moo_space *space, uint32_t first, uint32_t last);
/* Fill the rows of n codes where that is still to be done, `most` of them in one call, and return how many are left; other rows
 * may be given up for them. UINT32_MAX if there may not be so many. Not while a search is under way. */
uint32_t moo_space_need(moo_space *space, const uint32_t *set, uint32_t n, uint32_t most);
/* The responses of a code to all, in the table or in `out`, which has room for a row. */
const uint8_t *moo_space_row(const moo_space *space, uint32_t code, uint8_t *out);
void moo_space_free(moo_space *space);

/* How a trial of a guess ended: refuted by the sizes of its parts, by the quick bound or what the memo has, by a pass over
 * all guesses for a part, by solving parts; or none of these, and it became the best. */
enum { MOO_BY_SIZE, MOO_BY_QUICK, MOO_BY_PASS, MOO_BY_SEARCH, MOO_IMPROVED, MOO_ENDINGS };

enum { MOO_BANDS = 24 }; /* sets of 3 * 2^b to 3 * 2^(b+1) - 1 candidates are counted together */

typedef struct moo_stats { /* counts only: they are added up as an array of uint64_t */
    uint64_t sets_bounded;   /* sets bounded by a pass over all guesses */
    uint64_t sets_solved;    /* sets whose guesses were tried one by one */
    uint64_t memo_hits, memo_misses;
    uint64_t tried[MOO_BANDS][MOO_ENDINGS]; /* guesses whose parts were looked at */
} moo_stats;

/* What one level of the search (0: the whole set, 1: its parts) is at; for display only. */
typedef struct moo_level {
    uint32_t size, tried, settled; /* candidates, guesses tried, candidates in parts that the current guess has settled */
    moo_cost best, bound;
} moo_level;

typedef struct moo_search moo_search;

/* cost[k], k = 1 .. guesses, is what it costs to solve a secret at guess k, non-decreasing; no guess past `guesses` is
 * allowed if `limited`, else the last value is never reached (guesses must exceed the deepest tree) . NULL
 * when memory runs out. `threads` is the number of threads that will call in. */
moo_search *moo_search_new(const moo_space *space, const moo_cost *cost, uint32_t guesses, bool limited,
                           size_t memo_bytes, int threads);
void moo_search_free(moo_search *search);

typedef struct moo_result {
    moo_cost value;   /* least cost, exact if below the cutoff; else a proven lower bound of it */
    uint32_t guess;   /* a guess that attains it, if below the cutoff */
    bool interrupted; /* nothing is known */
    bool out_of_memory;
} moo_result;

/* Least cost of the candidates `set` after `turns` guesses; `described` says that the set is all of the
 * candidates that the history leaves, so that the history's symmetries may be used. Only guesses of cost below `cutoff`
 * are looked for. */
moo_result moo_search_solve(moo_search *search, const uint32_t *set, uint32_t n, const moo_turn *history,
                            int turns, bool described, moo_cost cutoff);

/* The same for one given guess. */
moo_result moo_search_guess(moo_search *search, const uint32_t *set, uint32_t n, const moo_turn *history,
                            int turns, bool described, uint32_t guess, moo_cost cutoff);

/* A tree in preorder: node i is guess[i], reached from node parent[i] by response[i]. */
typedef struct moo_tree {
    uint32_t *guess, *parent;
    uint8_t *response;
    size_t nodes, capacity;
} moo_tree;

/* A tree that attains `value`, which must be the set's exact least cost. */
moo_result moo_search_tree(moo_search *search, const uint32_t *set, uint32_t n, const moo_turn *history,
                           int turns, bool described, moo_cost value, moo_tree *tree);
/* Adds a node; returns false when memory runs out. */
bool moo_tree_add(moo_tree *tree, uint32_t guess, uint32_t parent, int response);
void moo_tree_free(moo_tree *tree);

/* Lend a further thread (index 1 ..) to the search until moo_search_dismiss; returns then. Before a later question
 * moo_search_enlist lets threads come again. */
void moo_search_enlist(moo_search *search);
void moo_search_help(moo_search *search, int index);
void moo_search_dismiss(moo_search *search);

/* Solve sets of this size and more in steps, and leave guesses of theirs to go on with them later; a part is raised by `step` for
 * each candidate at first. For tests on small games: results do not depend on it. */
void moo_search_steps(moo_search *search, uint32_t least_size, double step);

/* Keep, from now on, what is proven of every set by trying its guesses: the claims of a certificate. All other bounds follow from
 * the set alone. */
void moo_search_trace(moo_search *search, bool on);

/* The claims of one thread, one after the other, in 32-bit words: number of turns, bound (low word, high word), a best guess or
 * MOO_ONLY_BOUND, then for each turn the number of the guess and the response. */
const uint32_t *moo_search_claims(const moo_search *search, int thread, size_t *words);
#define MOO_ONLY_BOUND UINT32_MAX

/* Note, from now on, what is proven of sets for which so much work was done, a guess tried being 1 and a pass over all guesses 4;
 * 0: note nothing. */
void moo_search_note(moo_search *search, uint64_t work);
/* The notes of one thread since this was last asked, in the form of claims; from any thread, at any time. The caller frees them. */
uint32_t *moo_search_notes(moo_search *search, int thread, size_t *words);
/* What would be lost besides the notes if the search were interrupted now; from any thread, at any time. The caller frees it. */
uint32_t *moo_search_left(moo_search *search, size_t *words);
/* Take over what an earlier search for the same costs has left, before the search begins; false if it is damaged or memory runs out.
 * What was taken over and is not needed is left in turn. */
bool moo_search_leave(moo_search *search, const uint32_t *words, size_t count);
/* Interrupt the search after so much work; then moo_search_left() tells, once, what was left at that moment. For tests. */
void moo_search_stop_after(moo_search *search, uint64_t work);
/* Forget what was taken over. */
void moo_search_leave_nothing(moo_search *search);
/* Remember of a set what was proven elsewhere: a lower bound after `depth` guesses, or the cost and a best guess. */
void moo_search_tell(moo_search *search, const uint32_t *set, uint32_t n, int depth, moo_cost bound, uint32_t guess);

/* From any thread: end what is running as soon as may be. */
void moo_search_interrupt(moo_search *search);
/* Let an interrupted search answer further questions, once all its threads have returned: what it remembers holds. */
void moo_search_resume(moo_search *search);
bool moo_search_interrupted(const moo_search *search);

void moo_search_stats(const moo_search *search, moo_stats *stats);
void moo_search_levels(const moo_search *search, moo_level levels[MOO_MAX_LEVELS]);

/* Bytes that a search for so many threads takes as a rule, its memo not included. */
size_t moo_search_bytes_needed(uint32_t codes, int threads);

#endif
