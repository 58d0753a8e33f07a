/* The memo: find and store. See memo.h for the layout and why a hit can be trusted. */
#include "memo.h"

#include <stdlib.h>
#include <string.h>

/* rest = upper half of the key's first word | exact (1 bit) | size class (7 bits) | guess (24 bits) */
#define REST(key, exact, class, guess) \
    (((key)[0] & 0xffffffff00000000u) | (uint64_t)(exact) << 31 | (uint64_t)(class) << 24 | (guess))
#define REST_EXACT(rest) ((rest) >> 31 & 1)
#define REST_CLASS(rest) ((rest) >> 24 & 127)
#define REST_GUESS(rest) ((uint32_t)((rest) & 0xffffff))

#define LOAD(word) __atomic_load_n(&(word), __ATOMIC_RELAXED)
#define STORE(word, x) __atomic_store_n(&(word), x, __ATOMIC_RELAXED)

bool moo_memo_init(moo_memo *memo, size_t bytes) {
    size_t bucket = MOO_MEMO_WAYS * sizeof(moo_memo_entry);
    memo->buckets = 1;
    while (memo->buckets * 2 * bucket <= bytes) memo->buckets *= 2;
    memo->entries = calloc(memo->buckets * MOO_MEMO_WAYS, sizeof(moo_memo_entry));
    return memo->entries != NULL;
}

void moo_memo_free(moo_memo *memo) {
    free(memo->entries);
    memo->entries = NULL;
}

void moo_memo_clear(moo_memo *memo) {
    memset(memo->entries, 0, memo->buckets * MOO_MEMO_WAYS * sizeof(moo_memo_entry));
}

static inline moo_memo_entry *bucket_of(const moo_memo *memo, moo_key key) {
    return &memo->entries[(key[0] & (memo->buckets - 1)) * MOO_MEMO_WAYS];
}

static inline bool matches(moo_key key, uint64_t check, uint64_t value, uint64_t rest) {
    return (check ^ value ^ rest) == key[1] && (rest ^ key[0]) >> 32 == 0;
}

bool moo_memo_find(const moo_memo *memo, moo_key key, moo_memo_hit *hit) {
    moo_memo_entry *bucket = bucket_of(memo, key);
    for (int i = 0; i < MOO_MEMO_WAYS; i++) {
        uint64_t check = LOAD(bucket[i].check), value = LOAD(bucket[i].value), rest = LOAD(bucket[i].rest);
        if (!matches(key, check, value, rest)) continue;
        hit->bound = (int64_t)value;
        hit->exact = REST_EXACT(rest);
        hit->guess = REST_GUESS(rest);
        return true;
    }
    return false;
}

/* Logarithmic size classes: larger sets cost more to solve afresh. */
static inline unsigned size_class(uint32_t size) {
    unsigned log = 31u - (unsigned)__builtin_clz(size | 1);
    return log < 2 ? log : 4 * log + (size >> (log - 2) & 3);
}

/* The same key overwrites itself; otherwise all but the last way keep the larger sets, and the last takes
 * whatever comes. */
void moo_memo_store(moo_memo *memo, moo_key key, uint32_t size, int64_t bound, bool exact, uint32_t guess) {
    moo_memo_entry *bucket = bucket_of(memo, key), *victim = &bucket[MOO_MEMO_WAYS - 1];
    unsigned class = size_class(size), least = class;
    for (int i = 0; i < MOO_MEMO_WAYS; i++) {
        uint64_t check = LOAD(bucket[i].check), value = LOAD(bucket[i].value), rest = LOAD(bucket[i].rest);
        if (matches(key, check, value, rest)) {
            /* Another thread may know more already. */
            if (REST_EXACT(rest) || (!exact && (int64_t)value >= bound)) return;
            victim = &bucket[i];
            break;
        }
        if (i < MOO_MEMO_WAYS - 1 && (rest ? REST_CLASS(rest) : 0) < least) {
            least = rest ? REST_CLASS(rest) : 0;
            victim = &bucket[i];
        }
    }
    uint64_t value = (uint64_t)bound, rest = REST(key, exact, class, guess);
    STORE(victim->check, key[1] ^ value ^ rest);
    STORE(victim->value, value);
    STORE(victim->rest, rest);
}
