/* Responses of a guess to a secret: bulls, cows, and the number that stands for both.
 *
 * A code is an array of P symbols, one byte each, with values 0 .. S-1. Of two codes,
 *
 *     bulls   is the number of positions that hold the same symbol in both,
 *     common  is the number of symbols they share, repeats counted (bulls + cows),
 *
 * and a response is written as one small number, its id:
 *
 *     id = common * (common + 1) / 2 + bulls.
 *
 * Ids run from 0 to moo_response_count(P) - 1, and the largest is the win. (The id of P-1 bulls and
 * one cow is the only one that never occurs.) A response is symmetric: guess and secret may be
 * exchanged.
 *
 * Three methods give the same ids: moo_respond for one pair under any rules, moo_respond_packed for
 * one pair of distinct symbols, columns (and moo_fill_table on top of them) for many codes. None of them checks its arguments,
 * allocates, or keeps state; all may be called from several threads and without the interpreter.
 */
#ifndef MOO_RESPONSES_H
#define MOO_RESPONSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MOO_MAX_POSITIONS = 10,
    MOO_MAX_SYMBOLS = 36,
    MOO_MAX_PACKED_SYMBOLS = 10 /* moo_pack keeps the symbols used in a set of ten bits */
};

static inline int moo_response_id(int bulls, int common) {
    return common * (common + 1) / 2 + bulls;
}

static inline int moo_response_count(int positions) {
    return (positions + 1) * (positions + 2) / 2;
}

static inline int moo_winning_id(int positions) {
    return moo_response_count(positions) - 1;
}

/* The response id of two codes of P symbols, 1 <= P <= 10, whatever the rules. */
int moo_respond(const uint8_t *a, const uint8_t *b, int P);

/* Tanaka's packed decimals: four bits for each position (position 0 lowest), and from bit 48 on the
 * set of the symbols used. Only for codes of P <= 10 distinct symbols below 10. */
typedef uint64_t moo_packed;

moo_packed moo_pack(const uint8_t *code, int P);
int moo_respond_packed(moo_packed a, moo_packed b, int P);

/* Codes turned into columns: a row of bytes for each position (the symbol there), then one for each
 * symbol (how often a code has it). A row is `width` bytes long, the codes rounded up to whole lines;
 * what is past them gets response 0 to every guess. */
enum { MOO_COLUMN_LINE = 64 };

typedef struct moo_columns {
    int positions, symbols;
    uint32_t codes;
    size_t width;
    uint8_t *bytes;
} moo_columns;

/* Bytes that n codes take as columns; 1 <= P <= 10, S <= 36. */
size_t moo_columns_bytes(uint32_t n, int P, int S);

/* Lays out n codes in `bytes`: codes which[0], which[1], ... of `digits` (P bytes each), or, with
 * `which` NULL, the first n. Every symbol is below S. */
void moo_columns_set(moo_columns *columns, uint8_t *bytes, const uint8_t *digits,
                     const uint32_t *which, uint32_t n, int P, int S);

/* out[j - first] = id of `code` and code j, for first <= j < last; both are multiples of
 * MOO_COLUMN_LINE, and last <= width. */
void moo_columns_respond(const moo_columns *columns, const uint8_t *code, size_t first, size_t last,
                         uint8_t *out);

/* Which codes give a guess this response: of numbers[0 .. n-1], or, with `numbers` NULL, of 0 .. n-1, those whose
 * response is `id`, in their order, into out; returns how many. There are `codes` codes of P bytes, symbols below S;
 * `distinct` says that no code, the guess included, has a symbol twice. `out` has room for n and may be `numbers`. */
size_t moo_keep(const uint8_t *guess, const uint8_t *digits, size_t codes, int P, int S, bool distinct,
                const int64_t *numbers, size_t n, int id, int64_t *out);

/* The table of responses of `rows` guesses to n codes, both given one after another, P bytes each:
 *
 *     out[i * stride + j] = id of guess i and code j,    0 <= i < rows,  0 <= j < n.
 *
 * Needs 1 <= P <= 10, every symbol below S <= 36, stride >= n, and `out` to hold rows * stride
 * bytes, of which bytes n .. stride-1 of each row are set to 0. A call transposes all the codes
 * first, so it is best asked for many rows at a time. */
void moo_fill_table(const uint8_t *guesses, uint32_t rows, const uint8_t *codes, uint32_t n, int P,
                    int S, uint8_t *out, size_t stride);

/* Rows first .. last-1 of the table of all codes against themselves, into out[0], out[stride], ...
 * Several threads may share the rows out among them. */
void moo_fill_rows(const uint8_t *codes, uint32_t n, int P, int S, uint8_t *out, size_t stride,
                   uint32_t first, uint32_t last);

#ifdef __cplusplus
}
#endif

#endif
