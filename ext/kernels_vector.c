/* Vector kernels: AVX-512 and AVX2 on x86-64, NEON on 64-bit Arm, from one template. */
#include "kernels.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))

#include <immintrin.h>

#define TARGET_512 __attribute__((target("avx512f,avx512bw,avx512vl,popcnt")))
#define TARGET_256 __attribute__((target("avx2,popcnt")))

TARGET_512 static inline __m512i count512(__m512i v) {
    const __m512i nibble = _mm512_set1_epi8(15);
    const __m512i ones = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    return _mm512_add_epi8(_mm512_shuffle_epi8(ones, _mm512_and_si512(v, nibble)),
                           _mm512_shuffle_epi8(ones, _mm512_and_si512(_mm512_srli_epi16(v, 4), nibble)));
}

TARGET_256 static inline __m256i count256(__m256i v) {
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i ones = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    return _mm256_add_epi8(_mm256_shuffle_epi8(ones, _mm256_and_si256(v, nibble)),
                           _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble)));
}

/* The shuffles yield 0 where bit 7 of the index is set: adding 0x70 sets it for 16 and above,
 * subtracting 16 for 15 and below. */
#define KERNEL(name) name##_avx512
#define TARGET TARGET_512
#define VEC __m512i
#define WIDTH 64
#define LOAD(p) _mm512_loadu_si512((const void *)(p))
#define STORE(p, v) _mm512_storeu_si512((void *)(p), v)
#define OR(a, b) _mm512_or_si512(a, b)
#define XOR(a, b) _mm512_xor_si512(a, b)
#define ANDNOT(a, b) _mm512_andnot_si512(a, b)
#define OR3(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0xfe)
#define XOR3(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0x96)
#define MAJORITY(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0xe8)
#define AND(a, b) _mm512_and_si512(a, b)
#define ADD(a, b) _mm512_add_epi8(a, b)
#define SET1(x) _mm512_set1_epi8(x)
#define ZERO _mm512_setzero_si512()
#define TABLE16(p) _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(p)))
#define LOOKUP(t, i) _mm512_shuffle_epi8(t, i)
#define LOW(i) ADD(i, SET1(0x70))
#define HIGH(i) ADD(i, SET1(-16))
#define COUNT(v) count512(v)
#include "kernel_template.h"

#define KERNEL(name) name##_avx2
#define TARGET TARGET_256
#define VEC __m256i
#define WIDTH 32
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define OR(a, b) _mm256_or_si256(a, b)
#define XOR(a, b) _mm256_xor_si256(a, b)
#define ANDNOT(a, b) _mm256_andnot_si256(a, b)
#define OR3(a, b, c) OR(OR(a, b), c)
#define XOR3(a, b, c) XOR(XOR(a, b), c)
#define MAJORITY(a, b, c) OR(AND(a, b), AND(XOR(a, b), c))
#define AND(a, b) _mm256_and_si256(a, b)
#define ADD(a, b) _mm256_add_epi8(a, b)
#define SET1(x) _mm256_set1_epi8(x)
#define ZERO _mm256_setzero_si256()
#define TABLE16(p) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(p)))
#define LOOKUP(t, i) _mm256_shuffle_epi8(t, i)
#define LOW(i) ADD(i, SET1(0x70))
#define HIGH(i) ADD(i, SET1(-16))
#define COUNT(v) count256(v)
#include "kernel_template.h"

TARGET_512 static uint64_t equal_avx512(const uint8_t *bytes, uint8_t value) {
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512((const void *)bytes), _mm512_set1_epi8((char)value));
}

TARGET_256 static uint64_t equal_avx2(const uint8_t *bytes, uint8_t value) {
    const __m256i *half = (const __m256i *)bytes, v = _mm256_set1_epi8((char)value);
    uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_loadu_si256(half), v));
    uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_loadu_si256(half + 1), v));
    return (uint64_t)high << 32 | low;
}

/* One pass over the bytes for each response but the last, which is what remains. */
#define COUNTS(name, target)                                                                             \
    target static void counts_##name(const uint8_t *bytes, size_t length, int responses, uint32_t *counts) { \
        if (responses > 32) {                                                                            \
            moo_counts_portable(bytes, length, responses, counts);                                       \
            return;                                                                                      \
        }                                                                                                \
        uint32_t left = (uint32_t)length;                                                                \
        for (int r = 0; r < responses - 1; r++) {                                                        \
            uint32_t count = 0;                                                                          \
            for (size_t i = 0; i < length; i += MOO_LINE)                                                \
                count += (uint32_t)__builtin_popcountll(equal_##name(bytes + i, (uint8_t)r));            \
            counts[r] = count;                                                                           \
            left -= count;                                                                               \
        }                                                                                                \
        counts[responses - 1] = left;                                                                    \
    }
COUNTS(avx512, TARGET_512)
COUNTS(avx2, TARGET_256)
#undef COUNTS

static const moo_kernel avx512 = {"avx512", parts_avx512, excess_avx512, equal_avx512, counts_avx512};
static const moo_kernel avx2 = {"avx2", parts_avx2, excess_avx2, equal_avx2, counts_avx2};

const moo_kernel *moo_kernel_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("popcnt")
               ? &avx512
               : NULL;
}

const moo_kernel *moo_kernel_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") ? &avx2 : NULL;
}

#else

const moo_kernel *moo_kernel_avx512(void) { return NULL; }
const moo_kernel *moo_kernel_avx2(void) { return NULL; }

#endif

#if defined(__aarch64__)

#include <arm_neon.h>

#define KERNEL(name) name##_neon
#define TARGET
#define VEC uint8x16_t
#define WIDTH 16
#define LOAD(p) vld1q_u8(p)
#define STORE(p, v) vst1q_u8(p, v)
#define OR(a, b) vorrq_u8(a, b)
#define XOR(a, b) veorq_u8(a, b)
#define ANDNOT(a, b) vbicq_u8(b, a)
#define OR3(a, b, c) OR(OR(a, b), c)
#define XOR3(a, b, c) XOR(XOR(a, b), c)
#define MAJORITY(a, b, c) vbslq_u8(XOR(a, b), c, a)
#define AND(a, b) vandq_u8(a, b)
#define ADD(a, b) vaddq_u8(a, b)
#define SET1(x) vdupq_n_u8(x)
#define ZERO vdupq_n_u8(0)
#define TABLE16(p) vld1q_u8(p)
/* This look-up yields 0 for every index past 15. */
#define LOOKUP(t, i) vqtbl1q_u8(t, i)
#define LOW(i) (i)
#define HIGH(i) vsubq_u8(i, SET1(16))
#define COUNT(v) vcntq_u8(v)
#include "kernel_template.h"

static uint64_t equal_neon(const uint8_t *bytes, uint8_t value) {
    const uint8_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t found = 0;
    for (int i = 0; i < MOO_LINE / 16; i++) {
        uint8x16_t match = vandq_u8(vceqq_u8(vld1q_u8(bytes + 16 * i), vdupq_n_u8(value)), vld1q_u8(bit));
        uint64_t half = (uint64_t)vaddv_u8(vget_low_u8(match)) | (uint64_t)vaddv_u8(vget_high_u8(match)) << 8;
        found |= half << (16 * i);
    }
    return found;
}

/* A match is -1, so that subtracting matches counts them; a byte holds 255 before it is summed. */
static void counts_neon(const uint8_t *bytes, size_t length, int responses, uint32_t *counts) {
    if (responses > 32) {
        moo_counts_portable(bytes, length, responses, counts);
        return;
    }
    for (int r = 0; r < responses; r++) {
        const uint8x16_t value = vdupq_n_u8((uint8_t)r);
        uint32_t count = 0;
        for (size_t start = 0; start < length; start += 240 * 16) {
            size_t end = length - start < 240 * 16 ? length : start + 240 * 16;
            uint8x16_t sum = vdupq_n_u8(0);
            for (size_t i = start; i < end; i += 16) sum = vsubq_u8(sum, vceqq_u8(vld1q_u8(bytes + i), value));
            count += vaddlvq_u8(sum);
        }
        counts[r] = count;
    }
}

static const moo_kernel neon = {"neon", parts_neon, excess_neon, equal_neon, counts_neon};

const moo_kernel *moo_kernel_neon(void) { return &neon; }

#else

const moo_kernel *moo_kernel_neon(void) { return NULL; }

#endif
