/* Responses of a guess to a secret: three ways to compute the same number (see responses.h).
 *
 * One pair, any rules. Count the symbols of one code, then let the other code use them up.
 *
 * One pair, packed. T. Tanaka, "An optimal MOO strategy" (1996): a position takes four bits, so the
 * exclusive or of two codes has a zero digit for every bull, and a set of ten bits tells the digits
 * used, so the intersection of two sets has a bit for every common digit. Tanaka looks both up in
 * tables of 64 K and 1 K entries. Here the big table counts the digits that differ, so that unused
 * positions need no care, and a code of more than four positions is looked up four at a time.
 *
 * Whole rows. The codes are turned into columns, one row of bytes per position (the symbol there)
 * and one per symbol (how often a code has it). A row of the table is then a handful
 * of byte-wise comparisons and additions without branch or look-up, which the compiler turns into
 * vector instructions of whatever width the machine has.
 */
#include "responses.h"

#include <stdbool.h>
#include <string.h>

/* ---- one pair, any rules ---- */

int moo_respond(const uint8_t *a, const uint8_t *b, int P) {
    uint8_t left[MOO_MAX_SYMBOLS] = {0};
    int bulls = 0, common = 0;
    for (int p = 0; p < P; p++) {
        bulls += a[p] == b[p];
        left[a[p]]++;
    }
    for (int p = 0; p < P; p++) {
        if (left[b[p]]) {
            left[b[p]]--;
            common++;
        }
    }
    return moo_response_id(bulls, common);
}

/* ---- one pair, packed ---- */

/* The number of non-zero digits in 16 bits, four bits a digit: of the sixteen values of a digit, one
 * is zero and three times five are not. */
#define FIVE1(k) k, k, k, k, k
#define DIGITS1(k) k, FIVE1(k + 1), FIVE1(k + 1), FIVE1(k + 1)
#define FIVE2(k) DIGITS1(k), DIGITS1(k), DIGITS1(k), DIGITS1(k), DIGITS1(k)
#define DIGITS2(k) DIGITS1(k), FIVE2(k + 1), FIVE2(k + 1), FIVE2(k + 1)
#define FIVE3(k) DIGITS2(k), DIGITS2(k), DIGITS2(k), DIGITS2(k), DIGITS2(k)
#define DIGITS3(k) DIGITS2(k), FIVE3(k + 1), FIVE3(k + 1), FIVE3(k + 1)
#define FIVE4(k) DIGITS3(k), DIGITS3(k), DIGITS3(k), DIGITS3(k), DIGITS3(k)
#define DIGITS4(k) DIGITS3(k), FIVE4(k + 1), FIVE4(k + 1), FIVE4(k + 1)

static const uint8_t digits_set[1 << 16] = {DIGITS4(0)};

/* The number of bits set in ten bits. */
#define BITS1(k) k, k + 1
#define BITS2(k) BITS1(k), BITS1(k + 1)
#define BITS3(k) BITS2(k), BITS2(k + 1)
#define BITS4(k) BITS3(k), BITS3(k + 1)
#define BITS5(k) BITS4(k), BITS4(k + 1)
#define BITS6(k) BITS5(k), BITS5(k + 1)
#define BITS7(k) BITS6(k), BITS6(k + 1)
#define BITS8(k) BITS7(k), BITS7(k + 1)
#define BITS9(k) BITS8(k), BITS8(k + 1)
#define BITS10(k) BITS9(k), BITS9(k + 1)

static const uint8_t bits_set[1 << MOO_MAX_PACKED_SYMBOLS] = {BITS10(0)};

enum { SET_SHIFT = 48 }; /* ten positions of four bits end at bit 40; the set starts a new word */

moo_packed moo_pack(const uint8_t *code, int P) {
    moo_packed packed = 0;
    for (int p = 0; p < P; p++) {
        packed |= (moo_packed)code[p] << (4 * p);
        packed |= (moo_packed)1 << (SET_SHIFT + code[p]);
    }
    return packed;
}

int moo_respond_packed(moo_packed a, moo_packed b, int P) {
    moo_packed differ = a ^ b;
    int bulls = P - digits_set[differ & 0xffff];
    if (P > 4) {
        bulls -= digits_set[differ >> 16 & 0xffff];
        if (P > 8) bulls -= digits_set[differ >> 32 & 0xffff];
    }
    return moo_response_id(bulls, bits_set[(a & b) >> SET_SHIFT]);
}

/* ---- whole rows ---- */

size_t moo_columns_bytes(uint32_t n, int P, int S) {
    size_t width = ((size_t)n + MOO_COLUMN_LINE - 1) / MOO_COLUMN_LINE * MOO_COLUMN_LINE;
    return width * (size_t)(P + S);
}

void moo_columns_set(moo_columns *columns, uint8_t *bytes, const uint8_t *digits,
                     const uint32_t *which, uint32_t n, int P, int S) {
    size_t length = (size_t)P, total = moo_columns_bytes(n, P, S), width = total / (size_t)(P + S);
    columns->positions = P;
    columns->symbols = S;
    columns->codes = n;
    columns->width = width;
    columns->bytes = bytes;
    uint8_t *count = bytes + length * width;
    memset(count, 0, total - length * width);
    for (size_t p = 0; p < length; p++) memset(bytes + p * width + n, 0xff, width - n);
    for (uint32_t j = 0; j < n; j++) {
        const uint8_t *code = digits + (which ? which[j] : j) * length;
        for (size_t p = 0; p < length; p++) {
            bytes[p * width + j] = code[p];
            count[code[p] * width + j]++;
        }
    }
}

#if defined(__GNUC__) || defined(__clang__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

/* Where the C library can choose a function when it is loaded, compile one for 32-byte vectors too. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define WIDER_IF_POSSIBLE __attribute__((target_clones("avx2", "default")))
#else
#define WIDER_IF_POSSIBLE
#endif

/* The k-th occurrence of a symbol in the code finds a partner in code j if j has the symbol at least k
 * times. Each partner found makes `common` one larger, which adds the new value of `common` to the id,
 * for 1 + 2 + ... + c = c (c + 1) / 2. */
static ALWAYS_INLINE void respond_line(const uint8_t *code, const moo_columns *columns, const int P,
                                       size_t first, size_t last, uint8_t *restrict ids) {
    const uint8_t *symbol[MOO_MAX_POSITIONS], *count[MOO_MAX_POSITIONS];
    int8_t earlier[MOO_MAX_POSITIONS]; /* signed, as the comparisons that SSE2 has */
    for (int p = 0; p < P; p++) {
        int same = 0;
        for (int q = 0; q < p; q++) same += code[q] == code[p];
        earlier[p] = (int8_t)same;
        symbol[p] = columns->bytes + (size_t)p * columns->width + first;
        count[p] = columns->bytes + (size_t)(P + code[p]) * columns->width + first;
    }
    for (size_t start = 0; start < last - first; start += MOO_COLUMN_LINE) {
        for (size_t j = start; j < start + MOO_COLUMN_LINE; j++) {
            uint8_t id = 0, common = 0;
            for (int p = 0; p < P; p++) {
                uint8_t partner = (int8_t)count[p][j] > earlier[p] ? 0xff : 0;
                uint8_t bull = symbol[p][j] == code[p];
                common = (uint8_t)(common - partner);
                id = (uint8_t)(id + (common & partner) + bull);
            }
            ids[j] = id;
        }
    }
}

/* One loop per number of positions, so that the compiler can unroll the loop over them. */
WIDER_IF_POSSIBLE
void moo_columns_respond(const moo_columns *columns, const uint8_t *code, size_t first, size_t last,
                         uint8_t *out) {
    switch (columns->positions) {
    case 1: respond_line(code, columns, 1, first, last, out); break;
    case 2: respond_line(code, columns, 2, first, last, out); break;
    case 3: respond_line(code, columns, 3, first, last, out); break;
    case 4: respond_line(code, columns, 4, first, last, out); break;
    case 5: respond_line(code, columns, 5, first, last, out); break;
    case 6: respond_line(code, columns, 6, first, last, out); break;
    case 7: respond_line(code, columns, 7, first, last, out); break;
    case 8: respond_line(code, columns, 8, first, last, out); break;
    case 9: respond_line(code, columns, 9, first, last, out); break;
    case 10: respond_line(code, columns, 10, first, last, out); break;
    }
}

/* ---- filtering ---- */

/* Up to eight symbols in a word, the rest 0; past the last code but one, no byte is read that is not there. */
static inline uint64_t symbols_at(const uint8_t *code, size_t count, bool whole) {
    uint64_t word = 0;
    if (whole) {
        memcpy(&word, code, 8);
        if (count < 8) word &= ((uint64_t)1 << (8 * count)) - 1;
    } else {
        memcpy(&word, code, count);
    }
    return word;
}

/* Bytes are in the order of little-endian machines, which are all that this runs on. Symbols are below 128, so adding 127 to a byte sets its top bit unless it is 0. */
static inline int bytes_set(uint64_t word) {
    return (int)(((word + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u) * 0x0101010101010101u >> 56);
}

static ALWAYS_INLINE size_t keep(const uint8_t *guess, const uint8_t *digits, size_t codes, const size_t length,
                                 const bool distinct, const bool all_symbols, const int64_t *numbers, size_t n, int id,
                                 int64_t *out) {
    const size_t low = length < 8 ? length : 8, high = length - low;
    const uint64_t guess_low = symbols_at(guess, low, false), guess_high = symbols_at(guess + low, high, false);
    int common = 0;
    while (moo_response_id(0, common + 1) <= id) common++;
    const int different = (int)length - (id - moo_response_id(0, common));
    uint8_t has[256] = {0};
    for (size_t p = 0; p < length; p++) has[guess[p]] = 1;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t number = numbers ? (size_t)numbers[i] : i;
        const uint8_t *code = digits + number * length;
        const bool whole = (codes - number) * length >= 16;
        int differ = bytes_set(symbols_at(code, low, whole) ^ guess_low);
        if (high) differ += bytes_set(symbols_at(code + low, high, whole) ^ guess_high);
        out[kept] = (int64_t)number;
        if (all_symbols) { /* then the bulls tell all */
            kept += differ == different;
        } else if (distinct) {
            int partners = 0;
            for (size_t p = 0; p < length; p++) partners += has[code[p]];
            kept += (differ == different) & (partners == common);
        } else {
            kept += differ == different && moo_respond(guess, code, (int)length) == id;
        }
    }
    return kept;
}

size_t moo_keep(const uint8_t *guess, const uint8_t *digits, size_t codes, int P, int S, bool distinct,
                const int64_t *numbers, size_t n, int id, int64_t *out) {
    const bool all = distinct && P == S;
    switch (P) {
#define KEEP(p)                                                                                      \
    case p:                                                                                          \
        if (all) return keep(guess, digits, codes, p, true, true, numbers, n, id, out);              \
        if (distinct) return keep(guess, digits, codes, p, true, false, numbers, n, id, out);        \
        return keep(guess, digits, codes, p, false, false, numbers, n, id, out);
        KEEP(1) KEEP(2) KEEP(3) KEEP(4) KEEP(5) KEEP(6) KEEP(7) KEEP(8) KEEP(9) KEEP(10)
#undef KEEP
    }
    return 0;
}

enum { BLOCK = 512 }; /* codes turned into columns at a time: at most 46 rows, within any L1 cache */

void moo_fill_table(const uint8_t *guesses, uint32_t rows, const uint8_t *codes, uint32_t n, int P,
                    int S, uint8_t *out, size_t stride) {
    uint8_t bytes[(MOO_MAX_POSITIONS + MOO_MAX_SYMBOLS) * BLOCK], ids[BLOCK];
    moo_columns columns;
    size_t length = (size_t)P;
    for (uint32_t start = 0, width; start < n; start += width) {
        width = n - start < BLOCK ? n - start : BLOCK;
        moo_columns_set(&columns, bytes, codes + start * length, NULL, width, P, S);
        for (uint32_t i = 0; i < rows; i++) {
            moo_columns_respond(&columns, guesses + i * length, 0, columns.width, ids);
            memcpy(out + i * stride + start, ids, width);
        }
    }
    for (uint32_t i = 0; i < rows; i++) memset(out + i * stride + n, 0, stride - n);
}

void moo_fill_rows(const uint8_t *codes, uint32_t n, int P, int S, uint8_t *out, size_t stride,
                   uint32_t first, uint32_t last) {
    moo_fill_table(codes + first * (size_t)P, last - first, codes, n, P, S, out, stride);
}
