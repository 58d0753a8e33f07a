/* A name for a set of codes that is the same for most sets which the game's symmetries turn into it.
 *
 * A permutation of the positions together with one of the symbols turns the game into itself, so two sets that it
 * exchanges cost the same. The memo therefore keeps a set under the key of an image: positions and
 * symbols are put in an order that depends on nothing but how often the set has each symbol at each position, and are
 * renamed by their place in it. Where that leaves ties, the order given decides, and the images of two equivalent sets may
 * differ. Then a set is solved twice; but equal images always mean equivalent sets, so nothing wrong
 * is ever found. (Finer invariants break few more ties: with one or two rounds of refinement the search of 4 x 10 tries 1 % fewer
 * guesses.)
 */
#ifndef MOO_CANONICAL_H
#define MOO_CANONICAL_H

#include <stdbool.h>
#include <stdint.h>

#include "memo.h"
#include "responses.h"

typedef struct moo_image {
    moo_key key;
    uint8_t position[MOO_MAX_POSITIONS]; /* position p of a code becomes position[p] */
    uint8_t symbol[MOO_MAX_SYMBOLS];     /* and symbol s becomes symbol[s] */
} moo_image;

/* The image of the n codes set[0], set[1], ... of `digits`, `positions` bytes each; unless `leading_zero`, the first
 * position and the first symbol keep their places. */
void moo_image_make(moo_image *image, const uint8_t *digits, int positions, int symbols, bool leading_zero,
                    const uint32_t *set, uint32_t n);

/* The same for the symmetry that changes nothing. */
void moo_image_itself(moo_image *image, const uint8_t *digits, int positions, int symbols, const uint32_t *set,
                      uint32_t n);

/* The digits of a code's image, and those of the code that has an image. */
void moo_image_of(const moo_image *image, const uint8_t *code, int positions, uint8_t *out);
void moo_image_origin(const moo_image *image, const uint8_t *code, int positions, int symbols, uint8_t *out);

#endif
