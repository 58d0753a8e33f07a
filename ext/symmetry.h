/* Symmetries of the game that keep a history of guesses and responses. */
#ifndef MOO_SYMMETRY_H
#define MOO_SYMMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "responses.h"

#define MOO_MAX_HISTORY 64
#define MOO_MAX_SWAPS 6          /* in a longer history every turn keeps its place */
#define MOO_MAX_ELEMENTS 5040 /* 7!; past it the list is cut, which costs time, not correctness */

/* Position i of a code moves to position to[i] = j, so from[j] = i; a used symbol s becomes map[s]. */
typedef struct moo_element {
    uint8_t from[MOO_MAX_POSITIONS];
    uint8_t map[MOO_MAX_SYMBOLS];
} moo_element;

typedef struct moo_group {
    int positions, symbols;
    uint64_t used;                    /* symbols that map[] tells of; the others are interchangeable */
    uint8_t free[MOO_MAX_SYMBOLS];    /* the unused symbols, ascending */
    int free_count;
    bool complete;                    /* every element is listed */
    int count, capacity;
    moo_element *elements;            /* the identity first */
} moo_group;

typedef struct moo_turn {
    const uint8_t *guess;
    int response;
} moo_turn;

void moo_group_init(moo_group *group);
void moo_group_free(moo_group *group);

/* All symmetries of the rules that map the set of (guess, response) pairs to itself; with
 * `leading_zero` false, those that keep the first position and symbol 0. Two turns may change places
 * when their responses are equal and the history is no longer than MOO_MAX_SWAPS. A history longer than
 * MOO_MAX_HISTORY gives the identity alone.
 * Returns false when memory runs out. */
bool moo_group_make(moo_group *group, int positions, int symbols, bool leading_zero,
                    const moo_turn *history, int turns);

/* Whether the group has anything but the identity. */
static inline bool moo_group_trivial(const moo_group *group) {
    return group->count <= 1 && group->free_count <= 1;
}

/* Whether no listed element (with any renaming of unused symbols) maps `code` to a code that comes
 * earlier in lexicographic order. True for exactly one code per orbit if the list is complete, and for at
 * least one otherwise. */
bool moo_group_is_least(const moo_group *group, const uint8_t *code);

/* The least code of the orbit of `code`, as far as the listed elements reach. */
void moo_group_least(const moo_group *group, const uint8_t *code, uint8_t *least);

#endif
