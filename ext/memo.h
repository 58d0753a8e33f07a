/* Memo: proven bounds of sets of candidates, in a table of fixed size.
 *
 * A set's key is the sum of two random 64-bit words per member of its image (canonical.h), so it does not depend on
 * the order in which the set was reached. The first word finds the bucket, the whole second word and the upper half of the
 * first are compared: two different sets are taken for one with odds of about 2^-96 a pair.
 * An entry is three words stored without a lock; the first is xor-ed with the other two, so an entry torn
 * between two threads does not match any key (the method is R. Hyatt's, from computer chess).
 */
#ifndef MOO_MEMO_H
#define MOO_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t moo_key __attribute__((vector_size(16)));

typedef struct moo_memo_word3 {
    uint64_t check, value, rest;
} moo_memo_entry;

enum { MOO_MEMO_WAYS = 4 };

typedef struct moo_memo {
    moo_memo_entry *entries; /* buckets of MOO_MEMO_WAYS */
    size_t buckets;          /* a power of two */
} moo_memo;

typedef struct moo_memo_hit {
    int64_t bound;  /* the value, or a lower bound of it */
    bool exact;
    uint32_t guess; /* a best guess if exact, else meaningless */
} moo_memo_hit;

/* A table of at most `bytes` (at least one bucket); false when memory runs out. */
bool moo_memo_init(moo_memo *memo, size_t bytes);
void moo_memo_free(moo_memo *memo);
void moo_memo_clear(moo_memo *memo);

/* Guesses are below 2^24 and sizes are capped at 2^6 classes, see memo.c. */
bool moo_memo_find(const moo_memo *memo, moo_key key, moo_memo_hit *hit);
void moo_memo_store(moo_memo *memo, moo_key key, uint32_t size, int64_t bound, bool exact, uint32_t guess);

static inline void moo_memo_prefetch(const moo_memo *memo, moo_key key) {
    __builtin_prefetch(&memo->entries[(key[0] & (memo->buckets - 1)) * MOO_MEMO_WAYS]);
}

#endif
