/* Kernels: passes over the response table that touch every guess at once.
 *
 * A kernel is chosen when an engine is made, from what the processor offers at run time, so one
 * build runs everywhere. All kernels compute the same numbers; tests compare them.
 */
#ifndef MOO_KERNELS_H
#define MOO_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows are padded to whole lines of this many bytes; the padding holds response 0. */
#define MOO_LINE 64

typedef struct moo_kernel {
    const char *name;
    /* parts[g] = number of different responses that guess g gets from the n secrets of `set`
     * (n >= 1), for g in 0 .. stride-1. `table` has one row of `stride` bytes per secret,
     * table[secret * stride + g]; responses are below `responses` <= 66. */
    void (*parts)(const uint8_t *table, size_t stride, const uint32_t *set, uint32_t n,
                  int responses, uint8_t *parts);
    /* excess[g] = sum over g's parts of max(0, size - cap), for n <= 255 and g as above. NULL where counting guess by
     * guess is as good; false where the game has too many responses. */
    bool (*excess)(const uint8_t *table, size_t stride, const uint32_t *set, uint32_t n, int responses,
                   uint32_t cap, uint8_t *excess);
    /* Bit i tells whether bytes[i] == value, for the MOO_LINE bytes of a line. */
    uint64_t (*equal)(const uint8_t *bytes, uint8_t value);
    /* counts[r] = how many of the bytes are r, for r below `responses`; whole lines, every byte below `responses`. */
    void (*counts)(const uint8_t *bytes, size_t length, int responses, uint32_t *counts);
} moo_kernel;

/* The kernel of that name, or the best one for "auto"; NULL if there is none on this processor. */
const moo_kernel *moo_kernel_find(const char *name);

/* Name of the i-th kernel this processor can run, best first; NULL past the last. */
const char *moo_kernel_name(int i);

/* For the dispatcher only: each returns NULL where the kernel cannot run. */
const moo_kernel *moo_kernel_avx512(void);
const moo_kernel *moo_kernel_avx2(void);
const moo_kernel *moo_kernel_neon(void);

/* The portable parts pass, which the vector kernels fall back on for games of more than 32 responses. */
void moo_parts_portable(const uint8_t *table, size_t stride, const uint32_t *set, uint32_t n,
                        int responses, uint8_t *parts);

/* The portable counts, which no vector beats where there are many responses. */
void moo_counts_portable(const uint8_t *bytes, size_t length, int responses, uint32_t *counts);

#endif
