/* Images of sets of codes under the game's symmetries; see canonical.h. */
#include "canonical.h"

#include <string.h>

static inline uint64_t scatter(uint64_t x) {
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 32;
}

/* A random word pair for the digits of an image, read as one number (below 36^10). */
static inline moo_key word(uint64_t number) {
    uint64_t a = (number + 1) * 0x9e3779b97f4a7c15u, b;
    a = (a ^ a >> 29) * 0xbf58476d1ce4e5b9u;
    b = (a ^ a >> 32) * 0x94d049bb133111ebu;
    a = (b ^ b >> 31) * 0xd6e8feb86659fd93u;
    return (moo_key){b ^ b >> 30, a ^ a >> 32};
}

/* One after another in ascending order of their colours; of equal colours the earlier first. */
static inline void rank(const uint64_t *colour, int count, uint8_t *place) {
    uint8_t order[MOO_MAX_SYMBOLS];
    for (int i = 0; i < count; i++) {
        int j = i;
        for (; j > 0 && colour[order[j - 1]] > colour[i]; j--) order[j] = order[j - 1];
        order[j] = (uint8_t)i;
    }
    for (int j = 0; j < count; j++) place[order[j]] = (uint8_t)j;
}

/* The key: a sum over the members, so that their order does not matter. */
static inline __attribute__((always_inline)) void add_up(moo_image *image, const uint8_t *digits, const int positions,
                                                         int symbols, const uint32_t *set, uint32_t n) {
    uint64_t power = 1, weight[MOO_MAX_POSITIONS];
    uint8_t origin[MOO_MAX_POSITIONS];
    for (int p = 0; p < positions; p++) origin[image->position[p]] = (uint8_t)p;
    for (int p = 0; p < positions; p++, power *= (uint64_t)symbols) weight[origin[p]] = power;
    image->key = (moo_key){0, 0};
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *code = digits + (size_t)set[i] * (size_t)positions;
        uint64_t number = 0;
        for (int p = 0; p < positions; p++) number += image->symbol[code[p]] * weight[p];
        image->key += word(number);
    }
}

static inline __attribute__((always_inline)) void make(moo_image *image, const uint8_t *digits, const int positions,
                                                       int symbols, bool leading_zero, const uint32_t *set, uint32_t n) {
    uint32_t often[MOO_MAX_SYMBOLS][MOO_MAX_POSITIONS];
    uint64_t colour[MOO_MAX_SYMBOLS], of_position[MOO_MAX_POSITIONS];
    memset(often, 0, sizeof *often * (size_t)symbols);
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *code = digits + (size_t)set[i] * (size_t)positions;
        for (int p = 0; p < positions; p++) often[code[p]][p]++;
    }
    /* Sums, so that neither the order of the symbols nor that of the positions matters. */
    for (int p = 0; p < positions; p++) of_position[p] = 0;
    for (int s = 0; s < symbols; s++)
        for (int p = 0; p < positions; p++) {
            const uint64_t x = often[s][p];
            of_position[p] += x * x * (x + 0x1d8af066u); /* squares and cubes; the sums are all n */
        }
    for (int p = 0; p < positions; p++) of_position[p] = scatter(of_position[p]);
    for (int s = 0; s < symbols; s++) {
        uint64_t sum = 0, all = 0;
        for (int p = 0; p < positions; p++) {
            all += often[s][p];
            sum += scatter(often[s][p] + of_position[p]);
        }
        /* Symbols that the set does not have come last, in the order given. */
        colour[s] = all ? sum >> 1 : UINT64_MAX;
    }
    if (!leading_zero) of_position[0] = colour[0] = 0;
    rank(of_position, positions, image->position);
    rank(colour, symbols, image->symbol);

    add_up(image, digits, positions, symbols, set, n);
}

void moo_image_make(moo_image *image, const uint8_t *digits, int positions, int symbols, bool leading_zero,
                    const uint32_t *set, uint32_t n) {
    /* A constant number of positions unrolls the loops over them. */
    if (positions == 4) make(image, digits, 4, symbols, leading_zero, set, n);
    else if (positions == 5) make(image, digits, 5, symbols, leading_zero, set, n);
    else make(image, digits, positions, symbols, leading_zero, set, n);
}

void moo_image_itself(moo_image *image, const uint8_t *digits, int positions, int symbols, const uint32_t *set,
                      uint32_t n) {
    for (int p = 0; p < positions; p++) image->position[p] = (uint8_t)p;
    for (int s = 0; s < symbols; s++) image->symbol[s] = (uint8_t)s;
    add_up(image, digits, positions, symbols, set, n);
}

void moo_image_of(const moo_image *image, const uint8_t *code, int positions, uint8_t *out) {
    for (int p = 0; p < positions; p++) out[image->position[p]] = image->symbol[code[p]];
}

void moo_image_origin(const moo_image *image, const uint8_t *code, int positions, int symbols, uint8_t *out) {
    uint8_t symbol[MOO_MAX_SYMBOLS];
    for (int s = 0; s < symbols; s++) symbol[image->symbol[s]] = (uint8_t)s;
    for (int p = 0; p < positions; p++) out[p] = symbol[code[image->position[p]]];
}
