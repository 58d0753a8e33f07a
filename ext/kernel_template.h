/* The parts pass with byte shuffles, written once for every vector width.
 *
 * The file is included after these macros are set:
 *   KERNEL(name)     a name of its own for each function
 *   TARGET           the attribute that lets the compiler use the instructions
 *   VEC, WIDTH       the vector type and its bytes
 *   LOAD STORE OR XOR AND ADD SET1 ZERO; ANDNOT(a, b) is ~a & b
 *   OR3              three at once
 *   XOR3, MAJORITY   sum and carry of three bits
 *   TABLE16(p)       16 bytes at p, in every 128-bit lane
 *   LOOKUP(t, i)     byte shuffle
 *   LOW(i), HIGH(i)  index vectors that find responses 0..15, or 16..31, and yield 0 for the others
 *   COUNT(v)         population count of each byte
 *
 * Each response is turned into one bit by a look-up of 16 bytes; the bits of all members are OR-ed and
 * counted. Up to 16 responses two bytes of bits are enough (P <= 4), up to 24 three (P <= 5), up to 32 four (P <= 6).
 */

TARGET static inline VEC KERNEL(bits)(VEC index, int byte) {
    static const uint8_t one_bit[2][16] = {
        {1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128}};
    return LOOKUP(TABLE16(one_bit[byte]), index);
}

/* Two vectors of columns at a time where they are there, so that the row's pointer is found once. */
TARGET static void KERNEL(parts16)(const uint8_t *table, size_t stride, const uint32_t *set,
                                   uint32_t n, uint8_t *parts) {
    size_t column = 0;
    for (; column + 4 * WIDTH <= stride; column += 4 * WIDTH) {
        VEC a0 = ZERO, a1 = ZERO, b0 = ZERO, b1 = ZERO, c0 = ZERO, c1 = ZERO, d0 = ZERO, d1 = ZERO;
        for (uint32_t i = 0; i < n; i += 2) {
            /* A member that is taken twice changes nothing. */
            const uint8_t *row = table + (size_t)set[i] * stride + column;
            const uint8_t *next = table + (size_t)set[i + 1 < n ? i + 1 : i] * stride + column;
            VEC a = LOAD(row), b = LOAD(row + WIDTH), c = LOAD(row + 2 * WIDTH), d = LOAD(row + 3 * WIDTH);
            VEC e = LOAD(next), f = LOAD(next + WIDTH), g = LOAD(next + 2 * WIDTH), h = LOAD(next + 3 * WIDTH);
            a0 = OR3(a0, KERNEL(bits)(a, 0), KERNEL(bits)(e, 0));
            a1 = OR3(a1, KERNEL(bits)(a, 1), KERNEL(bits)(e, 1));
            b0 = OR3(b0, KERNEL(bits)(b, 0), KERNEL(bits)(f, 0));
            b1 = OR3(b1, KERNEL(bits)(b, 1), KERNEL(bits)(f, 1));
            c0 = OR3(c0, KERNEL(bits)(c, 0), KERNEL(bits)(g, 0));
            c1 = OR3(c1, KERNEL(bits)(c, 1), KERNEL(bits)(g, 1));
            d0 = OR3(d0, KERNEL(bits)(d, 0), KERNEL(bits)(h, 0));
            d1 = OR3(d1, KERNEL(bits)(d, 1), KERNEL(bits)(h, 1));
        }
        STORE(parts + column, ADD(COUNT(a0), COUNT(a1)));
        STORE(parts + column + WIDTH, ADD(COUNT(b0), COUNT(b1)));
        STORE(parts + column + 2 * WIDTH, ADD(COUNT(c0), COUNT(c1)));
        STORE(parts + column + 3 * WIDTH, ADD(COUNT(d0), COUNT(d1)));
    }
    for (; column < stride; column += WIDTH) {
        VEC a0 = ZERO, a1 = ZERO;
        for (uint32_t i = 0; i < n; i++) {
            VEC a = LOAD(table + (size_t)set[i] * stride + column);
            a0 = OR(a0, KERNEL(bits)(a, 0));
            a1 = OR(a1, KERNEL(bits)(a, 1));
        }
        STORE(parts + column, ADD(COUNT(a0), COUNT(a1)));
    }
}

/* A constant number of bytes of bits, so that three, enough for five positions, cost no more than three. */
TARGET static inline __attribute__((always_inline)) void KERNEL(parts_of_bytes)(
    const uint8_t *table, size_t stride, const uint32_t *set, uint32_t n, int bytes, uint8_t *parts) {
    for (size_t column = 0; column < stride; column += WIDTH) {
        VEC a = ZERO, b = ZERO, c = ZERO, d = ZERO;
        for (uint32_t i = 0; i < n; i += 2) {
            VEC x = LOAD(table + (size_t)set[i] * stride + column);
            VEC y = LOAD(table + (size_t)set[i + 1 < n ? i + 1 : i] * stride + column);
            a = OR3(a, KERNEL(bits)(LOW(x), 0), KERNEL(bits)(LOW(y), 0));
            b = OR3(b, KERNEL(bits)(LOW(x), 1), KERNEL(bits)(LOW(y), 1));
            c = OR3(c, KERNEL(bits)(HIGH(x), 0), KERNEL(bits)(HIGH(y), 0));
            if (bytes > 3) d = OR3(d, KERNEL(bits)(HIGH(x), 1), KERNEL(bits)(HIGH(y), 1));
        }
        VEC count = ADD(ADD(COUNT(a), COUNT(b)), COUNT(c));
        if (bytes > 3) count = ADD(count, COUNT(d));
        STORE(parts + column, count);
    }
}

TARGET static void KERNEL(parts24)(const uint8_t *table, size_t stride, const uint32_t *set,
                                   uint32_t n, uint8_t *parts) {
    KERNEL(parts_of_bytes)(table, stride, set, n, 3, parts);
}

TARGET static void KERNEL(parts32)(const uint8_t *table, size_t stride, const uint32_t *set,
                                   uint32_t n, uint8_t *parts) {
    KERNEL(parts_of_bytes)(table, stride, set, n, 4, parts);
}

static void KERNEL(parts)(const uint8_t *table, size_t stride, const uint32_t *set, uint32_t n,
                          int responses, uint8_t *parts) {
    if (responses <= 16) KERNEL(parts16)(table, stride, set, n, parts);
    else if (responses <= 24) KERNEL(parts24)(table, stride, set, n, parts);
    else if (responses <= 32) KERNEL(parts32)(table, stride, set, n, parts);
    else moo_parts_portable(table, stride, set, n, responses, parts);
}

/* Part sizes of all guesses, as bits: plane b of a response's bit holds bit b of the size of that part, so eight or sixteen
 * sizes are counted by one instruction. Members go through a tree of carry-save adders, eight at a time (the
 * Harley-Seal scheme for population counts, here with a member's one-hot response as the word to be added).
 */
TARGET static inline __attribute__((always_inline)) void KERNEL(add_members)(
    VEC (*plane)[8], const uint8_t *table, size_t stride, const uint32_t *set, uint32_t n, int half, int planes) {
    const VEC zero = ZERO;
    VEC x[2][8];
    for (uint32_t i = 0; i < 8; i++) {
        if (i < n) {
            VEC index = LOAD(table + (size_t)set[i] * stride);
            if (half == 0) index = LOW(index);
            if (half == 1) index = HIGH(index);
            x[0][i] = KERNEL(bits)(index, 0);
            x[1][i] = KERNEL(bits)(index, 1);
        } else {
            x[0][i] = x[1][i] = zero;
        }
    }
    for (int byte = 0; byte < 2; byte++) {
        VEC *p = plane[byte], *y = x[byte];
        VEC ones = p[0], twos = p[1], fours = p[2], two_a, two_b, four_a, four_b, carry;
#define ADD3(high, low, a, b) (high = MAJORITY(low, a, b), low = XOR3(low, a, b))
        ADD3(two_a, ones, y[0], y[1]);
        ADD3(two_b, ones, y[2], y[3]);
        ADD3(four_a, twos, two_a, two_b);
        ADD3(two_a, ones, y[4], y[5]);
        ADD3(two_b, ones, y[6], y[7]);
        ADD3(four_b, twos, two_a, two_b);
        ADD3(carry, fours, four_a, four_b);
#undef ADD3
        p[0] = ones;
        p[1] = twos;
        p[2] = fours;
        for (int b = 3; b < planes; b++) {
            VEC next = AND(p[b], carry);
            p[b] = XOR(p[b], carry);
            carry = next;
        }
    }
}

/* Size minus cap, bit by bit with a borrow; where the borrow is left over the size was below. */
TARGET static inline __attribute__((always_inline)) VEC KERNEL(excess_of)(VEC (*plane)[8], int planes, uint32_t cap) {
    VEC sum = ZERO;
    for (int byte = 0; byte < 2; byte++) {
        VEC difference[8], borrow = ZERO, total = ZERO;
        const VEC ones = SET1(-1);
        for (int b = 0; b < planes; b++) {
            VEC p = plane[byte][b];
            if (cap >> b & 1) {
                difference[b] = XOR3(p, borrow, ones);
                borrow = OR(XOR(p, ones), borrow);
            } else {
                difference[b] = XOR(p, borrow);
                borrow = ANDNOT(p, borrow);
            }
        }
        for (int b = planes - 1; b >= 0; b--) total = ADD(ADD(total, total), COUNT(ANDNOT(borrow, difference[b])));
        sum = ADD(sum, total);
    }
    return sum;
}

TARGET static inline __attribute__((always_inline)) void KERNEL(excess_half)(
    const uint8_t *table, size_t stride, const uint32_t *set, uint32_t n, int half, int planes, uint32_t cap,
    uint8_t *excess) {
    for (size_t column = 0; column < stride; column += WIDTH) {
        VEC plane[2][8];
        for (int b = 0; b < 8; b++) plane[0][b] = plane[1][b] = ZERO;
        uint32_t i = 0;
        for (; i + 8 <= n; i += 8) KERNEL(add_members)(plane, table + column, stride, set + i, 8, half, planes);
        if (i < n) KERNEL(add_members)(plane, table + column, stride, set + i, n - i, half, planes);
        VEC sum = KERNEL(excess_of)(plane, planes, cap);
        if (half == 1) sum = ADD(sum, LOAD(excess + column));
        STORE(excess + column, sum);
    }
}

TARGET static bool KERNEL(excess)(const uint8_t *table, size_t stride, const uint32_t *set, uint32_t n,
                                  int responses, uint32_t cap, uint8_t *excess) {
    if (responses > 32) return false;
    /* A constant number of planes keeps them in registers. */
    if (responses <= 16) {
        if (n < 64) KERNEL(excess_half)(table, stride, set, n, -1, 6, cap, excess);
        else if (n < 128) KERNEL(excess_half)(table, stride, set, n, -1, 7, cap, excess);
        else KERNEL(excess_half)(table, stride, set, n, -1, 8, cap, excess);
    } else {
        for (int half = 0; half < 2; half++) {
            if (n < 64) KERNEL(excess_half)(table, stride, set, n, half, 6, cap, excess);
            else KERNEL(excess_half)(table, stride, set, n, half, 8, cap, excess);
        }
    }
    return true;
}

#undef KERNEL
#undef TARGET
#undef VEC
#undef WIDTH
#undef LOAD
#undef STORE
#undef OR
#undef XOR
#undef AND
#undef ANDNOT
#undef OR3
#undef XOR3
#undef MAJORITY
#undef ADD
#undef SET1
#undef ZERO
#undef TABLE16
#undef LOOKUP
#undef LOW
#undef HIGH
#undef COUNT
