/* The parts pass with byte shuffles, written once for every vector width.
 *
 * The file is included after these macros are set:
 *   KERNEL(name)     a name of its own for each function
 *   TARGET           the attribute that lets the compiler use the instructions
 *   VEC, WIDTH       the vector type and its bytes
 *   LOAD STORE OR ADD SET1 ZERO
 *   TABLE16(p)       16 bytes at p, in every 128-bit lane
 *   LOOKUP(t, i)     byte shuffle
 *   LOW(i), HIGH(i)  index vectors that find responses 0..15, or 16..31, and yield 0 for the others
 *   COUNT(v)         population count of each byte
 *
 * Each response is turned into one bit by a look-up of 16 bytes; the bits of all members are OR-ed and
 * counted. Up to 16 responses two bytes of bits are enough (P <= 4), up to 32 four (P <= 6).
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
        for (uint32_t i = 0; i < n; i++) {
            const uint8_t *row = table + (size_t)set[i] * stride + column;
            VEC a = LOAD(row), b = LOAD(row + WIDTH), c = LOAD(row + 2 * WIDTH), d = LOAD(row + 3 * WIDTH);
            a0 = OR(a0, KERNEL(bits)(a, 0));
            a1 = OR(a1, KERNEL(bits)(a, 1));
            b0 = OR(b0, KERNEL(bits)(b, 0));
            b1 = OR(b1, KERNEL(bits)(b, 1));
            c0 = OR(c0, KERNEL(bits)(c, 0));
            c1 = OR(c1, KERNEL(bits)(c, 1));
            d0 = OR(d0, KERNEL(bits)(d, 0));
            d1 = OR(d1, KERNEL(bits)(d, 1));
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

TARGET static void KERNEL(parts32)(const uint8_t *table, size_t stride, const uint32_t *set,
                                   uint32_t n, uint8_t *parts) {
    for (size_t column = 0; column < stride; column += WIDTH) {
        VEC a = ZERO, b = ZERO, c = ZERO, d = ZERO;
        for (uint32_t i = 0; i < n; i++) {
            VEC index = LOAD(table + (size_t)set[i] * stride + column);
            VEC low = LOW(index), high = HIGH(index);
            a = OR(a, KERNEL(bits)(low, 0));
            b = OR(b, KERNEL(bits)(low, 1));
            c = OR(c, KERNEL(bits)(high, 0));
            d = OR(d, KERNEL(bits)(high, 1));
        }
        STORE(parts + column, ADD(ADD(COUNT(a), COUNT(b)), ADD(COUNT(c), COUNT(d))));
    }
}

static void KERNEL(parts)(const uint8_t *table, size_t stride, const uint32_t *set, uint32_t n,
                          int responses, uint8_t *parts) {
    if (responses <= 16) KERNEL(parts16)(table, stride, set, n, parts);
    else if (responses <= 32) KERNEL(parts32)(table, stride, set, n, parts);
    else moo_parts_portable(table, stride, set, n, responses, parts);
}

#undef KERNEL
#undef TARGET
#undef VEC
#undef WIDTH
#undef LOAD
#undef STORE
#undef OR
#undef ADD
#undef SET1
#undef ZERO
#undef TABLE16
#undef LOOKUP
#undef LOW
#undef HIGH
#undef COUNT
