/* The portable kernel and the choice among all kernels. */
#include "kernels.h"

#include <string.h>

/* A block of columns at a time, so that their bits stay in the first-level cache. */
enum { BLOCK = 1024 };

/* Up to 16 responses: a bit each, four members at a time. */
static void parts_narrow(const uint8_t *table, size_t stride, const uint32_t *set, uint32_t n, size_t start,
                         size_t width, uint8_t *parts) {
    static const uint16_t bit[16] = {1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7,
                                     1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    uint16_t bits[BLOCK];
    memset(bits, 0, sizeof bits);
    for (uint32_t i = 0; i < n; i += 4) {
        /* A member that is taken twice changes nothing. */
        const uint8_t *a = table + (size_t)set[i] * stride + start;
        const uint8_t *b = table + (size_t)set[i + 1 < n ? i + 1 : i] * stride + start;
        const uint8_t *c = table + (size_t)set[i + 2 < n ? i + 2 : i] * stride + start;
        const uint8_t *d = table + (size_t)set[i + 3 < n ? i + 3 : i] * stride + start;
        for (size_t j = 0; j < width; j++) bits[j] |= bit[a[j]] | bit[b[j]] | bit[c[j]] | bit[d[j]];
    }
    for (size_t j = 0; j < width; j++) parts[j] = (uint8_t)__builtin_popcount(bits[j]);
}

/* Any number of responses: 64 bits, and a byte for the last two of ten positions. */
static void parts_wide(const uint8_t *table, size_t stride, const uint32_t *set, uint32_t n, size_t start,
                       size_t width, uint8_t *parts) {
    uint64_t low[BLOCK];
    uint8_t high[BLOCK];
    memset(low, 0, sizeof low);
    memset(high, 0, sizeof high);
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *row = table + (size_t)set[i] * stride + start;
        for (size_t j = 0; j < width; j++) {
            if (row[j] < 64) low[j] |= (uint64_t)1 << row[j];
            else high[j] |= (uint8_t)(1 << (row[j] - 64));
        }
    }
    for (size_t j = 0; j < width; j++)
        parts[j] = (uint8_t)(__builtin_popcountll(low[j]) + __builtin_popcount(high[j]));
}

void moo_parts_portable(const uint8_t *table, size_t stride, const uint32_t *set, uint32_t n,
                        int responses, uint8_t *parts) {
    for (size_t start = 0; start < stride; start += BLOCK) {
        size_t width = stride - start < BLOCK ? stride - start : BLOCK;
        (responses <= 16 ? parts_narrow : parts_wide)(table, stride, set, n, start, width, parts + start);
    }
}

static uint64_t equal_portable(const uint8_t *bytes, uint8_t value) {
    uint64_t found = 0;
    for (int i = 0; i < MOO_LINE; i++) found |= (uint64_t)(bytes[i] == value) << i;
    return found;
}

/* Four tables, so that equal bytes in a row do not wait for each other. */
void moo_counts_portable(const uint8_t *bytes, size_t length, int responses, uint32_t *counts) {
    uint32_t more[3][256];
    memset(counts, 0, (size_t)responses * sizeof *counts);
    for (int k = 0; k < 3; k++) memset(more[k], 0, (size_t)responses * sizeof *counts);
    for (size_t i = 0; i < length; i += 4) {
        counts[bytes[i]]++;
        more[0][bytes[i + 1]]++;
        more[1][bytes[i + 2]]++;
        more[2][bytes[i + 3]]++;
    }
    for (int r = 0; r < responses; r++) counts[r] += more[0][r] + more[1][r] + more[2][r];
}

static const moo_kernel portable = {"portable", moo_parts_portable, NULL, equal_portable, moo_counts_portable};

static const moo_kernel *kernel_at(int i) {
    const moo_kernel *all[] = {moo_kernel_avx512(), moo_kernel_avx2(), moo_kernel_neon(), &portable};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k] && i-- == 0) return all[k];
    return NULL;
}

const char *moo_kernel_name(int i) {
    const moo_kernel *kernel = kernel_at(i);
    return kernel ? kernel->name : NULL;
}

const moo_kernel *moo_kernel_find(const char *name) {
    if (strcmp(name, "auto") == 0) return kernel_at(0);
    const moo_kernel *kernel;
    for (int i = 0; (kernel = kernel_at(i)) != NULL; i++)
        if (strcmp(name, kernel->name) == 0) return kernel;
    return NULL;
}
