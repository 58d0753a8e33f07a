/* The portable kernel and the choice among all kernels. */
#include "kernels.h"

#include <string.h>

void moo_parts_portable(const uint8_t *table, size_t stride, const uint32_t *set, uint32_t n,
                        int responses, uint8_t *parts) {
    /* One bit per response, in two words for the widest games; a block of columns at a time so that
     * the words stay in the first-level cache. */
    enum { BLOCK = 512 };
    uint64_t low[BLOCK];
    uint8_t high[BLOCK]; /* responses 64 and 65 of ten positions */

    for (size_t start = 0; start < stride; start += BLOCK) {
        size_t width = stride - start < BLOCK ? stride - start : BLOCK;
        memset(low, 0, sizeof low);
        memset(high, 0, sizeof high);
        for (uint32_t i = 0; i < n; i++) {
            const uint8_t *row = table + (size_t)set[i] * stride + start;
            if (responses <= 64) {
                for (size_t j = 0; j < width; j++) low[j] |= (uint64_t)1 << row[j];
            } else {
                for (size_t j = 0; j < width; j++) {
                    if (row[j] < 64) low[j] |= (uint64_t)1 << row[j];
                    else high[j] |= (uint8_t)(1 << (row[j] - 64));
                }
            }
        }
        for (size_t j = 0; j < width; j++)
            parts[start + j] = (uint8_t)(__builtin_popcountll(low[j]) + __builtin_popcount(high[j]));
    }
}

static uint64_t equal_portable(const uint8_t *bytes, uint8_t value) {
    uint64_t found = 0;
    for (int i = 0; i < MOO_LINE; i++) found |= (uint64_t)(bytes[i] == value) << i;
    return found;
}

static const moo_kernel portable = {"portable", moo_parts_portable, NULL, equal_portable};

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
