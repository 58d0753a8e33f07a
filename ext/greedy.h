/* Greedy players: guesses weighed by the sizes of the parts that they make of the candidates. */
#ifndef MOO_GREEDY_H
#define MOO_GREEDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"
#include "responses.h"
#include "search.h"
#include "symmetry.h"

/* What a guess measures, the less the better. */
typedef struct moo_measure {
    const double *weight; /* weight[t]: what a part of t candidates counts; weight[0] is 0 */
    bool largest;         /* the part that counts most is the measure, else the sum over the parts */
    bool convex;          /* weight[t + 1] - weight[t] does not fall, from t = 1 on */
    double bonus;         /* taken off for a guess that is a candidate; at least 0 */
} moo_measure;

/* Values that differ by less, absolutely and as a share of the value, are equal on paper; rounding makes sums of
 * logarithms differ by less, and the others differ by more. */
#define MOO_EQUAL 1e-9
#define MOO_EQUAL_SHARE 1e-13

typedef struct moo_player {
    const uint8_t *digits; /* the codes in lexicographic order, `positions` bytes each */
    uint32_t codes;
    int positions, symbols;
    bool leading_zero;
    const uint32_t *rank;  /* a smaller rank is earlier in the order; NULL for lexicographic */
    moo_measure measure;
    bool candidates_only;  /* only candidates are considered as guesses */
    bool candidates_first; /* of equal guesses a candidate, and of those the earliest; else the earliest */
    const moo_kernel *kernel;
} moo_player;

/* One player at work, for one thread. */
typedef struct moo_greedy moo_greedy;

moo_greedy *moo_greedy_new(const moo_player *player); /* NULL when memory runs out */
void moo_greedy_free(moo_greedy *greedy);

/* The guess among n >= 1 candidates, in ascending order, that the history leaves; of a single
 * candidate, itself. `symmetric` says that they are all the codes it leaves, so that its symmetries are theirs.
 * UINT32_MAX when memory runs out. */
uint32_t moo_greedy_choose(moo_greedy *greedy, const uint32_t *set, uint32_t n, const moo_turn *history,
                           int turns, bool symmetric);

enum moo_growth { MOO_GROWN, MOO_USELESS_GUESS, MOO_TOO_DEEP, MOO_NO_MEMORY };

/* Everything the player does from there on, as a tree in preorder; lengths[code] becomes the number of
 * guesses, those of the history included, that each of the candidates takes. Unless MOO_GROWN is returned, *guess is the
 * guess it failed at. Freed by moo_tree_free in any case. */
enum moo_growth moo_greedy_grow(moo_greedy *greedy, const uint32_t *set, uint32_t n, const moo_turn *history,
                                int turns, moo_tree *tree, uint8_t *lengths, uint32_t *guess);

/* values[i] = measure of guess i among n candidates, all given by their digits; the bonus is left out.
 * Returns false when memory runs out. */
bool moo_measure_all(const moo_measure *measure, const moo_kernel *kernel, const uint8_t *guesses, uint32_t count,
                     const uint8_t *candidates, uint32_t n, int positions, int symbols, double *values);

#endif
