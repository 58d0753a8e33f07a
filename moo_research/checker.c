/* A checker of certificates in C, which trusts nothing but itself.

       cc -O3 -std=c11 -pthread -o checker checker.c -lpthread
       ./checker FILE [THREADS]

   FILE is a certificate as docs/certificate.md specifies it, plain or compressed with gzip; "-" is
   standard input. Exit status 0: accepted; 1: rejected, with the place and the reason; 2: it could
   not be checked (no such file, not enough memory).

   It does what checker.py does, which is the one to read first: the same grammar, the same
   mathematics, the same verdict in the same words, but faster and for larger certificates. It shares
   no code with the search, nor with checker.py, and needs nothing but the C library. To trust it,
   one has to trust this file, a compiler, and the hash explained below.

   What is shown. Let c[1] <= c[2] <= ... be the cost of a secret solved at guess 1, 2, ..., and
   V(S, d) the least cost of solving all secrets of a set S when d guesses have been made. A guess g
   parts S by the responses, and with the winning part left out

       V(S, d) = min over g of  [g in S] c[d+1] + sum over the parts P of V(P, d+1).

   The certificate holds a strategy that costs the optimum (read_tree replays it on every secret),
   and claims "V(S, d) >= B, where S is what a history of d guesses leaves", one of them about all
   codes and the optimum. A claim is accepted if every guess costs at least B when for each
   V(P, d+1) a lower bound is put: the best of the claims about P and of the following lemma. As P
   is smaller than S, all claims together follow by induction on the size of the set.

   Lemma (parts). If no member of P makes more than k parts of P, and no other code more than j, then

       V(P, d) >= min(c[d+1] + (k-1) c[d+2] + (n-k) c[d+3],  j c[d+2] + (n-j) c[d+3]),   n = |P|.

   For a guess that is a member solves one secret at once, another code none; and of each other part
   at most one secret is solved by the next guess. As costs do not fall, more parts are no dearer, so
   that k and j may be overestimated. A guess makes no more parts of a subset than of the set.

   Guesses that need no look: a code outside S that makes one part (it learns nothing, and without it
   every secret is solved sooner); and a guess that a symmetry of the history maps to a smaller code
   (see "Symmetry" below).

   The names of sets. checker.py looks a set up by the list of its members. Here a set is named by
   128 bits: every code has a random number of 128 bits, every depth another, and the name is the
   exclusive or of those of the members and of the depth. All these numbers are drawn from
   /dev/urandom when the program starts, after the certificate was written. Two different sets get
   the same name if and only if the exclusive or of the numbers in which they differ is nought, and
   at least one number does differ: for any two given sets the odds are exactly 1 in 2^128, whatever
   they are, so that a forger can prepare nothing. Nothing that depends on the numbers is told before
   the end. A false proof needs two sets of one name among those that are compared: with 2^26 claims
   and 2^50 parts looked up, the odds of even one are below 2^76 / 2^128 = 1 in 2^52. Parts whose k
   and j are kept are named in the same way, and add less.

   Limits. LARGEST_NUMBER, MOST_TURNS, MOST_NODES, LONGEST_LINE and MOST_CODES are those of
   checker.py. MOST_CLAIMS is larger, 2^26 instead of 2^22, and members of all sets together are not
   limited, as they are not kept. A claim takes some 60 bytes. */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Limits on what is read; past them a file is rejected. */
#define LONGEST_LINE 8192
#define LARGEST_NUMBER ((int64_t)1 << 50)
#define MOST_TURNS 200
#define MOST_NODES ((int64_t)1 << 21)
#define MOST_CLAIMS ((int64_t)1 << 26)
#define MOST_CODES 32768 /* a table of responses of one gigabyte */

#define MOST_POSITIONS 10
#define MOST_SYMBOLS 36
#define MOST_RESPONSES 64 /* 10 positions have 65, but then there are too many codes */

/* Which bounds and symmetries are looked for: as in checker.py, so that both accept the same. */
#define PAIRS_UP_TO 160
#define SYMMETRY_FROM 20
#define FEW_POSITIONS 2
#define MOST_SWAPPED 12
#define MOST_STEPS 200000

/* Speed and memory; nothing here decides what is accepted. */
#define SHARED_CLAIMS 256 /* that a thread takes at a time */
#define BLOCK ((size_t)1 << 20)
#define LANES 16       /* guesses whose parts are counted at a time */
#define CHUNK 128      /* columns of the table put side by side at a time */
#define MOST_CHUNKS 64
#ifndef MOST_WORDS
#define MOST_WORDS ((size_t)1 << 30) /* bytes of the table of bits, if it fits */
#endif
#ifndef LEAST_WIDTH
#define LEAST_WIDTH 16 /* bits of a word in it: 16, 32 or 64 */
#endif
#ifndef CACHED_SETS
#define CACHED_SETS ((size_t)1 << 19) /* whose k and j a thread remembers, 24 bytes each; 2^n */
#endif
#ifndef DENSE
#define DENSE 4 /* of how many guesses one needs a look, to look at all */
#endif
#ifndef COLUMNS_FROM
#define COLUMNS_FROM 8 /* parts of a set whose j is asked for, to put columns side by side */
#endif
#ifndef MATRIX_UP_TO
#define MATRIX_UP_TO 640 /* members of a set for which there is room for that, PAIRS_UP_TO or more */
#endif

#define INFINITE ((int64_t)1 << 55) /* 66 parts of three such terms each still fit 64 bits */

static const char *file_name = "";

/* ---- How it ends ----------------------------------------------------------------------------- */

/* The program itself cannot go on: one line, exit status 2. */
static _Noreturn void give_up(const char *reason)
{
    fprintf(stderr, "%s: %s\n", file_name, reason);
    _exit(2);
}

static _Noreturn void finish(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        give_up("the verdict could not be written");
    exit(status);
}

/* ``place``: such as "line 7". */
static _Noreturn void reject(const char *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("rejected: %s: ", place);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    finish(1);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = size && count > SIZE_MAX / size ? NULL : calloc(count ? count : 1, size);
    if (memory == NULL)
        give_up("there is not enough memory");
    return memory;
}

/* Make room for one entry more in an array of ``*room`` entries. */
static void *grown(void *array, size_t used, size_t *room, size_t size)
{
    if (used < *room)
        return array;
    size_t more = *room ? *room + *room / 2 : 1024;
    void *larger = more > SIZE_MAX / size ? NULL : realloc(array, more * size);
    if (larger == NULL)
        give_up("there is not enough memory");
    *room = more;
    return larger;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A line of progress on standard error, if that is a terminal. */
static void report(const char *what, size_t done, size_t of)
{
    static double last, began;
    static int terminal = -1;
    if (terminal < 0)
        terminal = isatty(STDERR_FILENO);
    if (!terminal)
        return;
    double now = seconds_now();
    if (done == 0)
        began = now;
    if (now - last < 0.2 && done < of)
        return;
    last = now;
    if (done == of)
        fprintf(stderr, "\r\033[K");
    else if (done == 0)
        fprintf(stderr, "\r\033[K%s: 0 of %zu", what, of);
    else
        fprintf(stderr, "\r\033[K%s: %zu of %zu, about %.0f s left", what, done, of,
                (now - began) * (double)(of - done) / (double)done);
}

/* ---- SHA-256 (FIPS 180-4) -------------------------------------------------------------------- */

typedef struct {
    uint32_t state[8];
    uint64_t length;
    unsigned char block[64];
} Sha;

static const uint32_t SHA_CONSTANTS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void sha_start(Sha *sha)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sha->state, start, sizeof start);
    sha->length = 0;
}

static uint32_t turned(uint32_t word, int by)
{
    return word >> by | word << (32 - by);
}

static void sha_block(Sha *sha, const unsigned char *data)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)data[4 * i] << 24 | (uint32_t)data[4 * i + 1] << 16 |
               (uint32_t)data[4 * i + 2] << 8 | data[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[i - 7] +
               (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    memcpy(s, sha->state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t one = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + SHA_CONSTANTS[i] + w[i];
        uint32_t two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                       ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        sha->state[i] += s[i];
}

static void sha_add(Sha *sha, const unsigned char *data, size_t n)
{
    while (n) {
        size_t at = sha->length % 64, some = 64 - at < n ? 64 - at : n;
        memcpy(sha->block + at, data, some);
        sha->length += some;
        data += some;
        n -= some;
        if (sha->length % 64 == 0)
            sha_block(sha, sha->block);
    }
}

/* Write the digest in hexadecimal digits. */
static void sha_end(Sha *sha, char text[65])
{
    static const unsigned char padding[64] = {0x80};
    uint64_t bits = sha->length * 8;
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    sha_add(sha, padding, 1 + (119 - sha->length % 64) % 64);
    sha_add(sha, length, 8);
    for (int i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08x", (unsigned)sha->state[i]);
}

/* ---- The file -------------------------------------------------------------------------------- */

/* Lines of a certificate, plain or compressed, read one at a time and strictly.

   ``buffer`` holds what has been read (and decompressed) and where the next line starts; of a
   compressed file also the last WINDOW bytes, to which its matches refer. */
#define WINDOW 32768
#define LONGEST_MATCH 258

typedef struct {
    int file;
    unsigned char raw[1 << 16]; /* as it stands in the file */
    size_t raw_at, raw_end;
    unsigned char *buffer;
    size_t at, end;
    uint64_t number; /* of the line read last, from 1 on */
    char place[64];
    Sha sha;

    bool packed;
    /* Decompression: bits not yet used, and where it stands. */
    uint64_t bits;
    int bit_count;
    enum { BETWEEN, STORED, CODED, ENDED } state;
    bool last_block;
    unsigned stored;       /* bytes left of a stored block */
    uint64_t unpacked;     /* bytes in all */
    uint32_t crc, *crc_of; /* of all bytes; of a byte */
    uint16_t *literals, *distances; /* 4 bits of length under the symbol, for each 15 bits ahead */
} Lines;

static Lines lines;

static _Noreturn void reject_after(const char *reason)
{
    char place[64];
    snprintf(place, sizeof place, "after line %llu", (unsigned long long)lines.number);
    reject(place, "%s", reason);
}

/* Read some more of the file; return whether there was any. */
static bool read_raw(void)
{
    ssize_t n;
    do
        n = read(lines.file, lines.raw, sizeof lines.raw);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        give_up(strerror(errno));
    lines.raw_at = 0;
    lines.raw_end = (size_t)n;
    return n > 0;
}

static unsigned raw_byte(void)
{
    if (lines.raw_at == lines.raw_end && !read_raw())
        reject_after("the compressed file is cut short");
    return lines.raw[lines.raw_at++];
}

/* Decompression (RFC 1951 and 1952). Nothing of what is proven depends on it: the lines that come
   out are what is checked. It accepts what zlib accepts, but only one member. */

static _Noreturn void damaged(const char *what)
{
    char reason[80];
    snprintf(reason, sizeof reason, "the compression is damaged (%s)", what);
    reject_after(reason);
}

static void need_bits(int count)
{
    while (lines.bit_count < count) {
        lines.bits |= (uint64_t)raw_byte() << lines.bit_count;
        lines.bit_count += 8;
    }
}

static unsigned take_bits(int count)
{
    need_bits(count);
    unsigned value = (unsigned)(lines.bits & (((uint64_t)1 << count) - 1));
    lines.bits >>= count;
    lines.bit_count -= count;
    return value;
}

/* The next symbol. Looking 15 bits ahead reads no further than the file: 64 bits follow the last
   symbol of all. */
static unsigned take_symbol(const uint16_t *table)
{
    need_bits(15);
    unsigned entry = table[lines.bits & 0x7fff];
    if (entry == 0)
        damaged("an unknown symbol");
    take_bits((int)(entry & 15));
    return entry >> 4;
}

/* From the lengths of the code words fill the table of symbols. An incomplete code is allowed only
   if it has at most one word, of one bit. */
static void fill_symbols(const unsigned char *length, int n, uint16_t *table, bool of_lengths)
{
    int count[16] = {0}, first[16] = {0}, left = 1, longest = 0;
    for (int i = 0; i < n; i++)
        count[length[i]]++;
    for (int l = 1; l < 16; l++) {
        left = 2 * left - count[l];
        if (left < 0)
            damaged("too many words in a code");
        if (count[l])
            longest = l;
        if (l < 15)
            first[l + 1] = (first[l] + count[l]) << 1;
    }
    if (left > 0 && (of_lengths || longest > 1))
        damaged("too few words in a code");
    memset(table, 0, sizeof *table << 15);
    for (int i = 0; i < n; i++) {
        int l = length[i];
        if (l == 0)
            continue;
        unsigned word = (unsigned)first[l]++, reversed = 0;
        for (int b = 0; b < l; b++)
            reversed |= (word >> b & 1) << (l - 1 - b);
        for (unsigned at = reversed; at < 1u << 15; at += 1u << l)
            table[at] = (uint16_t)(i << 4 | l);
    }
}

static void start_block(void)
{
    static const unsigned char order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                            11, 4,  12, 3, 13, 2, 14, 1, 15};
    unsigned char length[320] = {0};
    lines.last_block = take_bits(1);
    switch (take_bits(2)) {
    case 0:
        take_bits(lines.bit_count % 8);
        lines.stored = take_bits(16);
        if (take_bits(16) != (lines.stored ^ 0xffff))
            damaged("the length of a block");
        lines.state = STORED;
        return;
    case 1:
        for (int i = 0; i < 288; i++)
            length[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
        fill_symbols(length, 288, lines.literals, false);
        memset(length, 5, 32);
        fill_symbols(length, 32, lines.distances, false);
        break;
    case 2: {
        int literals = (int)take_bits(5) + 257, distances = (int)take_bits(5) + 1;
        int lengths = (int)take_bits(4) + 4;
        if (literals > 286 || distances > 30)
            damaged("too many symbols");
        for (int i = 0; i < lengths; i++)
            length[order[i]] = (unsigned char)take_bits(3);
        fill_symbols(length, 19, lines.literals, true);
        memset(length, 0, sizeof length);
        for (int i = 0; i < literals + distances;) {
            unsigned symbol = take_symbol(lines.literals), repeated = 0;
            int times = 1;
            if (symbol < 16)
                repeated = symbol;
            else if (symbol == 16) {
                if (i == 0)
                    damaged("nothing to repeat");
                repeated = length[i - 1];
                times = 3 + (int)take_bits(2);
            } else
                times = symbol == 17 ? 3 + (int)take_bits(3) : 11 + (int)take_bits(7);
            if (i + times > literals + distances)
                damaged("too many lengths");
            while (times--)
                length[i++] = (unsigned char)repeated;
        }
        if (length[256] == 0)
            damaged("a block without an end");
        fill_symbols(length, literals, lines.literals, false);
        fill_symbols(length + literals, distances, lines.distances, false);
        break;
    }
    default:
        damaged("an unknown kind of block");
    }
    lines.state = CODED;
}

/* Decompress to the end of the buffer, until ``limit`` is reached or a little more. */
static void unpack_block(size_t limit)
{
    static const unsigned short base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,
                                            15, 17, 19, 23, 27, 31, 35, 43, 51,  59,
                                            67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const unsigned short far[30] = {1,   2,   3,   4,   5,   7,    9,    13,   17,   25,
                                           33,  49,  65,  97,  129, 193,  257,  385,  513,  769,
                                           1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385,
                                           24577};
    while (lines.end < limit) {
        unsigned symbol = take_symbol(lines.literals);
        if (symbol < 256) {
            lines.buffer[lines.end++] = (unsigned char)symbol;
            continue;
        }
        if (symbol == 256) {
            lines.state = BETWEEN;
            return;
        }
        symbol -= 257;
        if (symbol > 28)
            damaged("an unknown length");
        int more = symbol < 8 || symbol == 28 ? 0 : (int)symbol / 4 - 1;
        unsigned length = base[symbol] + take_bits(more);
        unsigned distance = take_symbol(lines.distances);
        if (distance > 29)
            damaged("an unknown distance");
        distance = far[distance] + take_bits(distance < 4 ? 0 : (int)distance / 2 - 1);
        if (distance > lines.end)
            damaged("a distance past the beginning");
        while (length--) {
            lines.buffer[lines.end] = lines.buffer[lines.end - distance];
            lines.end++;
        }
    }
}

/* A byte of the header, which may have a check sum of its own. */
static unsigned header_byte(uint32_t *crc)
{
    unsigned byte = raw_byte();
    *crc = lines.crc_of[(*crc ^ byte) & 255] ^ *crc >> 8;
    return byte;
}

static void unpack_header(void)
{
    lines.literals = allocate(1 << 15, sizeof *lines.literals);
    lines.distances = allocate(1 << 15, sizeof *lines.distances);
    lines.crc_of = allocate(256, sizeof *lines.crc_of);
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        lines.crc_of[i] = crc;
    }
    lines.crc = 0xffffffff;
    uint32_t crc = 0xffffffff;
    header_byte(&crc);
    header_byte(&crc);
    if (header_byte(&crc) != 8)
        damaged("an unknown method");
    unsigned flags = header_byte(&crc);
    if (flags & 0xe0)
        damaged("unknown flags");
    for (int i = 0; i < 6; i++)
        header_byte(&crc);
    if (flags & 4) {
        unsigned extra = header_byte(&crc);
        extra |= header_byte(&crc) << 8;
        while (extra--)
            header_byte(&crc);
    }
    for (unsigned text = 8; text <= 16; text *= 2) /* a name, a comment */
        if (flags & text)
            while (header_byte(&crc))
                ;
    if (flags & 2) {
        unsigned sum = raw_byte();
        sum |= raw_byte() << 8;
        if (sum != ((crc ^ 0xffffffff) & 0xffff))
            damaged("the check sum of the header");
    }
    lines.state = BETWEEN;
}

static void unpack(void)
{
    size_t start = lines.end, limit = lines.end + BLOCK;
    while (lines.end < limit && lines.state != ENDED) {
        if (lines.state == CODED)
            unpack_block(limit);
        else if (lines.state == STORED) {
            if (lines.stored == 0)
                lines.state = BETWEEN;
            else {
                lines.buffer[lines.end++] = (unsigned char)take_bits(8);
                lines.stored--;
            }
        } else if (!lines.last_block)
            start_block();
        else
            lines.state = ENDED;
    }
    for (size_t i = start; i < lines.end; i++)
        lines.crc = lines.crc_of[(lines.crc ^ lines.buffer[i]) & 255] ^ lines.crc >> 8;
    lines.unpacked += lines.end - start;
    if (lines.state == ENDED) {
        take_bits(lines.bit_count % 8);
        uint32_t crc = take_bits(16);
        crc |= (uint32_t)take_bits(16) << 16;
        uint32_t length = take_bits(16);
        length |= (uint32_t)take_bits(16) << 16;
        if (crc != (lines.crc ^ 0xffffffff))
            damaged("the check sum");
        if (length != (uint32_t)lines.unpacked)
            damaged("the length");
        if (lines.bit_count || lines.raw_at < lines.raw_end || read_raw())
            reject("end of file", "something follows the compressed certificate");
    }
}

/* Add to the buffer; return whether there was any more. What a compressed file may refer to stays. */
static bool more_lines(void)
{
    size_t kept = lines.packed ? WINDOW : 0;
    size_t from = lines.end > kept ? lines.end - kept : 0;
    if (lines.at < from)
        from = lines.at;
    memmove(lines.buffer, lines.buffer + from, lines.end - from);
    lines.at -= from;
    lines.end -= from;
    size_t before = lines.end;
    if (lines.packed) {
        if (lines.state != ENDED)
            unpack();
    } else if (lines.raw_at < lines.raw_end || read_raw()) {
        memcpy(lines.buffer + lines.end, lines.raw + lines.raw_at, lines.raw_end - lines.raw_at);
        lines.end += lines.raw_end - lines.raw_at;
        lines.raw_at = lines.raw_end;
    }
    return lines.end > before;
}

static void open_lines(const char *path)
{
    lines.file = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY);
    if (lines.file < 0)
        give_up(strerror(errno));
    /* The rest of a line, the window, a block, and what the last match adds to it. */
    lines.buffer = allocate(LONGEST_LINE + WINDOW + BLOCK + sizeof lines.raw + LONGEST_MATCH, 1);
    sha_start(&lines.sha);
    /* The first two bytes tell whether it is compressed; a pipe may give them one at a time. */
    size_t have = 0;
    while (have < 2) {
        ssize_t n = read(lines.file, lines.raw + have, sizeof lines.raw - have);
        if (n == 0)
            break;
        if (n > 0)
            have += (size_t)n;
        else if (errno != EINTR)
            give_up(strerror(errno));
    }
    lines.raw_end = have;
    lines.packed = have >= 2 && lines.raw[0] == 0x1f && lines.raw[1] == 0x8b;
    if (lines.packed)
        unpack_header();
}

typedef struct {
    const char *text;
    size_t length;
} Word;

/* The next line, which should be ``what``, without its end. It stays until the next is read. */
static Word next_line(const char *what, bool hashed)
{
    const unsigned char *end = NULL;
    size_t looked = 0;
    for (;;) {
        end = memchr(lines.buffer + lines.at + looked, '\n', lines.end - lines.at - looked);
        size_t length = end ? (size_t)(end - (lines.buffer + lines.at)) : lines.end - lines.at;
        if (length > LONGEST_LINE) {
            snprintf(lines.place, sizeof lines.place, "line %llu",
                     (unsigned long long)lines.number + 1);
            reject(lines.place, "longer than %d characters", LONGEST_LINE);
        }
        if (end)
            break;
        looked = length;
        if (!more_lines()) {
            char reason[80];
            snprintf(reason, sizeof reason, "the file is cut short: no %s", what);
            reject_after(reason);
        }
    }
    lines.number++;
    snprintf(lines.place, sizeof lines.place, "line %llu", (unsigned long long)lines.number);
    Word line = {(const char *)lines.buffer + lines.at,
                 (size_t)(end - (lines.buffer + lines.at))};
    if (hashed)
        sha_add(&lines.sha, lines.buffer + lines.at, line.length + 1);
    lines.at += line.length + 1;
    for (size_t i = 0; i < line.length; i++)
        if ((unsigned char)line.text[i] > 127)
            reject(lines.place, "a character that is not ASCII");
    return line;
}

static bool is(Word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static bool starts_with(Word word, const char *text)
{
    return word.length >= strlen(text) && memcmp(word.text, text, strlen(text)) == 0;
}

static Word without(Word word, size_t first)
{
    return (Word){word.text + first, word.length - first};
}

/* A text in quotation marks as Python writes it, shortened. Only the last such text is kept. */
static const char *shown(Word word)
{
    static char text[200];
    size_t length = word.length > 40 ? 40 : word.length, at = 0;
    bool single = memchr(word.text, '\'', length), twofold = memchr(word.text, '"', length);
    char quote = single && !twofold ? '"' : '\'';
    text[at++] = quote;
    for (size_t i = 0; i < length; i++) {
        char c = word.text[i];
        const char *plain = "\t\n\r", *escaped = "tnr", *found = c ? strchr(plain, c) : NULL;
        if (c == quote || c == '\\')
            at += (size_t)snprintf(text + at, 3, "\\%c", c);
        else if (found)
            at += (size_t)snprintf(text + at, 3, "\\%c", escaped[found - plain]);
        else if (c < 32 || c == 127)
            at += (size_t)snprintf(text + at, 5, "\\x%02x", (unsigned)c);
        else
            text[at++] = c;
    }
    snprintf(text + at, sizeof text - at, "%s%c", word.length > 40 ? "..." : "", quote);
    return text;
}

/* A number written without sign, leading zeros or spaces. */
static int64_t number_in(Word word)
{
    int64_t value = 0;
    bool wrong = word.length == 0 || word.length > 16 || (word.length > 1 && word.text[0] == '0');
    for (size_t i = 0; i < word.length && !wrong; i++) {
        wrong = word.text[i] < '0' || word.text[i] > '9';
        value = 10 * value + (word.text[i] - '0');
    }
    if (wrong)
        reject(lines.place, "%s is not a number that is allowed here", shown(word));
    if (value > LARGEST_NUMBER)
        reject(lines.place, "the number %lld is larger than 2^50", (long long)value);
    return value;
}

static Word field(const char *name)
{
    char what[32];
    snprintf(what, sizeof what, "line '%s'", name);
    Word line = next_line(what, true);
    size_t length = strlen(name);
    if (!starts_with(line, name) || line.length == length || line.text[length] != ' ')
        reject(lines.place, "here should be '%s ...', not %s", name, shown(line));
    return without(line, length + 1);
}

static int64_t count_in(const char *name, int64_t most)
{
    int64_t count = number_in(field(name));
    if (count > most)
        reject(lines.place, "more than %lld lines", (long long)most);
    return count;
}

static Word words[LONGEST_LINE + 1];

/* Take a line apart at its spaces; return the number of words, at least one. */
static size_t split(Word line)
{
    size_t count = 0, from = 0;
    for (size_t i = 0; i <= line.length; i++)
        if (i == line.length || line.text[i] == ' ') {
            words[count++] = (Word){line.text + from, i - from};
            from = i + 1;
        }
    return count;
}

/* The line "end", and that nothing follows it. */
static void read_end(void)
{
    char digest[65];
    sha_end(&lines.sha, digest);
    Word line = next_line("line 'end'", false);
    bool right = line.length == 68 && starts_with(line, "end ");
    for (size_t i = 4; i < 68 && right; i++)
        right = (line.text[i] >= '0' && line.text[i] <= '9') ||
                (line.text[i] >= 'a' && line.text[i] <= 'f');
    if (!right)
        reject(lines.place, "here should be 'end' and a SHA-256 digest, not %s", shown(line));
    if (memcmp(line.text + 4, digest, 64) != 0)
        reject(lines.place, "the digest is not that of the lines before");
    if (lines.at < lines.end || more_lines())
        reject_after("something follows the line 'end'");
}

/* ---- The game -------------------------------------------------------------------------------- */

/* All codes in lexicographic order, and the response of each to each. */
static struct {
    char text[8];
    int positions, symbols;
    bool repeats, leading_zero;
    int size;
    unsigned char *codes;   /* of each code the symbols, ``positions`` bytes */
    uint32_t *order;        /* of each code a number; they are in the same order as the codes */
    int32_t *index;         /* of each such number the code, or -1 */
    uint32_t weights[MOST_POSITIONS];
    unsigned char *table;   /* responses by number; the last is the win */
    int responses, win;
    char names[MOST_RESPONSES][8];
    signed char response_of[11][11]; /* of bulls and cows, or -1 */
    /* For each pair of codes a word of bits with that of the response set, if there is room. */
    int width; /* of a word, in bits; with 16 the win, if it is response 16, has no bit */
    void *bits;
} game;

static char symbol_name(int symbol)
{
    return "0123456789abcdefghijklmnopqrstuvwxyz"[symbol];
}

/* Write the name of a code. */
static const char *code_name(int code, char name[MOST_POSITIONS + 1])
{
    for (int i = 0; i < game.positions; i++)
        name[i] = symbol_name(game.codes[code * game.positions + i]);
    name[game.positions] = 0;
    return name;
}

/* One or two digits, no leading zero, from ``*at`` on; 0 if there are none. */
static int small_number(Word text, size_t *at)
{
    int value = 0;
    for (size_t i = 0; i < 2 && *at < text.length; i++, ++*at) {
        char c = text.text[*at];
        if (c < '0' || c > '9' || (i == 0 && c == '0'))
            break;
        value = 10 * value + (c - '0');
    }
    return value;
}

static void fill_codes(void)
{
    int p = game.positions;
    uint32_t numbers = 1;
    for (int i = p - 1; i >= 0; i--) {
        game.weights[i] = numbers;
        numbers *= (uint32_t)game.symbols; /* at most 7^7 of 5040 codes, or 2^16 of 32768 */
    }
    game.codes = allocate((size_t)game.size * (size_t)p, 1);
    game.order = allocate((size_t)game.size, sizeof *game.order);
    game.index = allocate(numbers, sizeof *game.index);
    int code = 0;
    for (uint32_t number = 0; number < numbers; number++) {
        unsigned char symbols[MOST_POSITIONS];
        uint64_t seen = 0;
        bool twice = false;
        for (int i = 0; i < p; i++) {
            symbols[i] = (unsigned char)(number / game.weights[i] % (uint32_t)game.symbols);
            twice |= seen >> symbols[i] & 1;
            seen |= (uint64_t)1 << symbols[i];
        }
        game.index[number] = -1;
        if ((twice && !game.repeats) || (symbols[0] == 0 && !game.leading_zero))
            continue;
        memcpy(game.codes + code * p, symbols, (size_t)p);
        game.order[code] = number;
        game.index[number] = code++;
    }
    if (code != game.size)
        give_up("the codes were not counted right");
}

/* The responses of all pairs. Bulls are the positions where two codes agree. Bulls and cows together
   are, symbol by symbol, the smaller of the numbers of times that the two have it. A response is
   first 11 times bulls and cows, plus bulls; then those that occur are numbered in this order. */
static void fill_table(void)
{
    size_t n = (size_t)game.size;
    int p = game.positions;
    unsigned char *counts = allocate((size_t)game.symbols * n, 1);
    unsigned char *columns = allocate((size_t)p * n, 1);
    for (size_t a = 0; a < n; a++)
        for (int i = 0; i < p; i++) {
            unsigned char symbol = game.codes[a * (size_t)p + (size_t)i];
            counts[symbol * n + a]++;
            columns[(size_t)i * n + a] = symbol;
        }
    game.table = allocate(n * n + LANES, 1);
    bool occurs[256] = {false};
    for (size_t a = 0; a < n; a++) {
        unsigned char *row = game.table + a * n;
        for (int s = 0; s < game.symbols; s++) {
            unsigned char times = counts[(size_t)s * n + a];
            const unsigned char *other = counts + (size_t)s * n;
            if (times)
                for (size_t b = 0; b < n; b++)
                    row[b] = (unsigned char)(row[b] + (other[b] < times ? other[b] : times) * 11);
        }
        for (int i = 0; i < p; i++) {
            unsigned char symbol = columns[(size_t)i * n + a];
            const unsigned char *other = columns + (size_t)i * n;
            for (size_t b = 0; b < n; b++)
                row[b] = (unsigned char)(row[b] + (other[b] == symbol));
        }
        for (size_t b = 0; b < n; b++)
            occurs[row[b]] = true;
    }
    free(counts);
    free(columns);
    unsigned char number[256] = {0};
    memset(game.response_of, -1, sizeof game.response_of);
    for (int id = 0; id < 256; id++)
        if (occurs[id]) {
            int bulls = id % 11, cows = id / 11 - bulls, r = game.responses++;
            if (game.responses > MOST_RESPONSES)
                give_up("more responses than can be");
            number[id] = (unsigned char)r;
            game.response_of[bulls][cows] = (signed char)r;
            snprintf(game.names[r], sizeof game.names[r], "%dB%dC", bulls, cows);
        }
    game.win = game.responses - 1; /* most bulls and cows, and most bulls among these */
    for (size_t i = 0; i < n * n; i++)
        game.table[i] = number[game.table[i]];

    game.width = game.win <= 16 ? 16 : game.win <= 30 ? 32 : 64;
    game.width = game.width < LEAST_WIDTH ? LEAST_WIDTH : game.width;
    size_t bytes = n * n * (size_t)game.width / 8;
    if (bytes > MOST_WORDS)
        return;
    game.bits = malloc(bytes); /* does without, if there is none */
    if (game.bits == NULL)
        return;
    for (size_t i = 0; i < n * n; i++) {
        uint64_t bit = (uint64_t)1 << game.table[i];
        if (game.width == 16)
            ((uint16_t *)game.bits)[i] = (uint16_t)bit;
        else if (game.width == 32)
            ((uint32_t *)game.bits)[i] = (uint32_t)bit;
        else
            ((uint64_t *)game.bits)[i] = bit;
    }
}

/* The rules are PxS: P positions, S symbols, written 0-9a-z; ``r``: a symbol may occur more than
   once; ``z``: a code may not start with 0. */
static void read_rules(void)
{
    Word text = field("rules");
    size_t at = 0;
    int p = small_number(text, &at), s = 0;
    bool right = p > 0 && at < text.length && text.text[at++] == 'x';
    s = right ? small_number(text, &at) : 0;
    game.repeats = right && at < text.length && text.text[at] == 'r';
    at += game.repeats;
    game.leading_zero = !(right && at < text.length && text.text[at] == 'z');
    at += !game.leading_zero;
    if (!right || s == 0 || at != text.length)
        reject(lines.place, "%s are no rules", shown(text));
    memcpy(game.text, text.text, text.length);
    game.text[text.length] = 0;
    if (p > MOST_POSITIONS || s > MOST_SYMBOLS)
        reject(lines.place, "rules %s: at most 10 positions and 36 symbols are known", game.text);
    uint64_t size = (uint64_t)(game.leading_zero ? s : s - 1);
    for (int i = 1; i < p; i++) /* at most 36^10 < 2^52 */
        size *= (uint64_t)(game.repeats ? s : s > i ? s - i : 0);
    if (size == 0)
        reject(lines.place, "rules %s have no code", game.text);
    if (size > MOST_CODES)
        reject(lines.place, "rules %s have %llu codes, too many for this checker", game.text,
               (unsigned long long)size);
    game.positions = p;
    game.symbols = s;
    game.size = (int)size;
    fill_codes();
    fill_table();
}

static int code_in(Word word)
{
    uint32_t number = 0;
    bool right = word.length == (size_t)game.positions;
    for (size_t i = 0; i < word.length && right; i++) {
        char c = word.text[i];
        int symbol = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
        right = symbol < game.symbols;
        number = number * (uint32_t)game.symbols + (uint32_t)symbol;
    }
    int code = right ? game.index[number] : -1;
    if (code < 0)
        reject(lines.place, "%s is no code of %s", shown(word), game.text);
    return code;
}

static int response_in(Word word)
{
    if (word.length == 4 && word.text[1] == 'B' && word.text[3] == 'C') {
        unsigned bulls = (unsigned)word.text[0] - '0', cows = (unsigned)word.text[2] - '0';
        if (bulls <= 9 && cows <= 9 && game.response_of[bulls][cows] >= 0)
            return game.response_of[bulls][cows];
    }
    for (int r = 0; r < game.responses; r++)
        if (is(word, game.names[r]))
            return r;
    reject(lines.place, "%s is no response of %s", shown(word), game.text);
}

/* Vectors are an extension of the language that GCC and Clang have for any processor. */
typedef unsigned char Bytes __attribute__((vector_size(LANES)));

/* How many parts codes make of a set: the bits of the responses to all members are put together in a
   word for each code, and counted. That is done for a stretch of codes at a time, so that the words
   stay in the nearest cache.

   NAME_or: put together rows of words; ``rows`` are their numbers, ``stride`` words from one to the
   next. NAME_ones: count the bits. NAME: the parts that each code makes of a set. */
#define STRETCH 2048

#define DEFINE_PARTS(NAME, WORD, COUNT_ONES)                                                       \
    static void NAME##_or(const WORD *bits, size_t stride, const uint16_t *rows, int n,            \
                          size_t some, WORD *restrict seen)                                        \
    {                                                                                              \
        memset(seen, 0, some * sizeof *seen);                                                      \
        int m = 0;                                                                                 \
        for (; m + 4 <= n; m += 4) {                                                               \
            const WORD *a = bits + rows[m] * stride, *b = bits + rows[m + 1] * stride;             \
            const WORD *c = bits + rows[m + 2] * stride, *d = bits + rows[m + 3] * stride;         \
            for (size_t g = 0; g < some; g++)                                                      \
                seen[g] = (WORD)(seen[g] | a[g] | b[g] | c[g] | d[g]);                             \
        }                                                                                          \
        for (; m < n; m++) {                                                                       \
            const WORD *a = bits + rows[m] * stride;                                               \
            for (size_t g = 0; g < some; g++)                                                      \
                seen[g] = (WORD)(seen[g] | a[g]);                                                  \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void NAME##_ones(const WORD *seen, size_t some, unsigned char *restrict counts)         \
    {                                                                                              \
        for (size_t g = 0; g < some; g++) {                                                        \
            WORD x = seen[g];                                                                      \
            COUNT_ONES                                                                             \
            counts[g] = (unsigned char)x;                                                          \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void NAME(const uint16_t *members, int n, unsigned char *restrict counts)               \
    {                                                                                              \
        WORD seen[STRETCH];                                                                        \
        size_t size = (size_t)game.size;                                                           \
        for (size_t from = 0; from < size; from += STRETCH) {                                      \
            size_t some = size - from < STRETCH ? size - from : STRETCH;                           \
            if (game.bits)                                                                         \
                NAME##_or((const WORD *)game.bits + from, size, members, n, some, seen);           \
            else {                                                                                 \
                memset(seen, 0, some * sizeof *seen);                                              \
                for (int m = 0; m < n; m++)                                                        \
                    NAME##_add(game.table + members[m] * size + from, some, seen);                 \
            }                                                                                      \
            NAME##_ones(seen, some, counts + from);                                                \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    /* Of some columns of the table the bits, and of some others the parts that each makes. */     \
    static void NAME##_column(const unsigned char *row, const uint16_t *codes, size_t some,        \
                              void *bits)                                                          \
    {                                                                                              \
        WORD *word = bits;                                                                         \
        for (size_t i = 0; i < some; i++)                                                          \
            word[i] = (WORD)((uint64_t)1 << row[codes[i]]);                                        \
    }                                                                                              \

static void parts_16_add(const unsigned char *row, size_t some, uint16_t *restrict seen)
{
    for (size_t g = 0; g < some; g++)
        seen[g] = (uint16_t)(seen[g] | (uint16_t)(1u << row[g]));
}

/* 2^r as a number with a floating point has r + 127 in bits 23 and up; made an integer it is the bit.
   Any processor does that for several at a time, which not all do for shifts by different counts. */
static void parts_32_add(const unsigned char *row, size_t some, uint32_t *restrict seen)
{
    for (size_t g = 0; g < some; g++) {
        uint32_t pattern = ((uint32_t)row[g] + 127) << 23;
        float power;
        memcpy(&power, &pattern, sizeof power);
        seen[g] |= (uint32_t)(int32_t)power;
    }
}

static void parts_64_add(const unsigned char *row, size_t some, uint64_t *restrict seen)
{
    for (size_t g = 0; g < some; g++)
        seen[g] |= (uint64_t)1 << row[g];
}

DEFINE_PARTS(parts_16, uint16_t,
             x = (uint16_t)(x - ((x >> 1) & 0x5555));
             x = (uint16_t)((x & 0x3333) + ((x >> 2) & 0x3333));
             x = (uint16_t)((x + (x >> 4)) & 0x0f0f);
             x = (uint16_t)((x + (x >> 8)) & 0x1f);)

DEFINE_PARTS(parts_32, uint32_t,
             x = x - ((x >> 1) & 0x55555555);
             x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
             x = (x + (x >> 4)) & 0x0f0f0f0f;
             x = x + (x >> 8);
             x = (x + (x >> 16)) & 0x3f;)

static int ones_in(uint64_t x)
{
    x = x - ((x >> 1) & 0x5555555555555555);
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (int)(x * 0x0101010101010101 >> 56);
}

DEFINE_PARTS(parts_64, uint64_t, x = (uint64_t)ones_in(x);)

/* How many parts the codes of a chunk make of a set: the same with the columns side by side. */
static void count_parts_of_chunk(const unsigned char *bits, const uint16_t *rows, int n,
                                 unsigned char *counts)
{
    enum { EIGHT = 8 * LANES };
    size_t bytes = (size_t)CHUNK * (size_t)game.width / 8; /* a multiple of EIGHT */
    union {
        uint16_t words_16[CHUNK];
        uint32_t words_32[CHUNK];
        uint64_t words_64[CHUNK];
        unsigned char bytes[8 * CHUNK];
    } seen;
    for (size_t at = 0; at < bytes; at += EIGHT) {
        Bytes some[8] = {{0}}, row[8];
        for (int m = 0; m < n; m++) {
            memcpy(row, bits + rows[m] * bytes + at, EIGHT);
            some[0] |= row[0];
            some[1] |= row[1];
            some[2] |= row[2];
            some[3] |= row[3];
            some[4] |= row[4];
            some[5] |= row[5];
            some[6] |= row[6];
            some[7] |= row[7];
        }
        memcpy(seen.bytes + at, some, EIGHT);
    }
    if (game.width == 16)
        parts_16_ones(seen.words_16, CHUNK, counts);
    else if (game.width == 32)
        parts_32_ones(seen.words_32, CHUNK, counts);
    else
        parts_64_ones(seen.words_64, CHUNK, counts);
}

/* How many parts each code makes of a set, the winning one included. */
static void count_parts(const uint16_t *members, int n, unsigned char *counts)
{
    if (game.width == 16)
        parts_16(members, n, counts);
    else if (game.width == 32)
        parts_32(members, n, counts);
    else
        parts_64(members, n, counts);
    if (game.width == 16 && game.win == 16)
        for (int m = 0; m < n; m++)
            counts[members[m]]++;
}

/* ---- Costs ----------------------------------------------------------------------------------- */

/* c[1], c[2], ...: what a secret costs that is solved at guess 1, 2, ...

   ``uniform``: all steps are equal and there is no limit, so that V(S, d) = V(S, 0) + |S| (c[d+1] -
   c[1]), and claims about the same set at different depths can be compared. */
static struct {
    int64_t *start; /* as the file lists them */
    size_t listed;
    int64_t step; /* -1: no guess past them is allowed */
    int64_t c[MOST_TURNS + 9];
    bool uniform;
    char place[64];
} prices;

/* Read "1 2 4 step 3" or "0 0 1 limit". */
static void read_cost(void)
{
    size_t count = split(field("cost"));
    memcpy(prices.place, lines.place, sizeof prices.place);
    prices.step = -1;
    if (is(words[count - 1], "limit"))
        count--;
    else if (count > 1 && is(words[count - 2], "step")) {
        prices.step = number_in(words[count - 1]);
        count -= 2;
    } else
        reject(lines.place, "the costs must end in 'limit' or in 'step' and a number");
    if (count == 0)
        reject(lines.place, "there must be the cost of at least one guess");
    prices.start = allocate(count, sizeof *prices.start);
    prices.listed = count;
    for (size_t i = 0; i < count; i++)
        prices.start[i] = number_in(words[i]);
    for (size_t i = 1; i < count; i++)
        if (prices.start[i] < prices.start[i - 1])
            reject(lines.place, "the costs fall from %lld to %lld", (long long)prices.start[i - 1],
                   (long long)prices.start[i]);
    /* A guess that does not learn nothing leaves smaller parts, so a strategy without useless
       guesses solves each of n secrets by guess n. What a later guess would cost, or whether there
       is one, makes no difference. */
    int64_t step = prices.step;
    size_t codes = (size_t)game.size;
    if (step < 0 && count > codes)
        step = 0;
    if (step >= 0 && count > codes) {
        count = codes + 1;
        step = prices.start[count - 1] - prices.start[count - 2];
    }
    prices.uniform = step >= 0;
    for (size_t i = 1; i < count; i++)
        prices.uniform &= prices.start[i] - prices.start[i - 1] == step;
    for (size_t i = 1; i < sizeof prices.c / sizeof *prices.c; i++)
        if (i <= count)
            prices.c[i] = prices.start[i - 1];
        else if (step < 0)
            prices.c[i] = INFINITE;
        else {
            int64_t price = prices.start[count - 1] + step * (int64_t)(i - count);
            prices.c[i] = price < INFINITE ? price : INFINITE - 1;
        }
}

/* What the next guesses cost after ``depth`` guesses; those that are looked at must be small. */
static const int64_t *prices_at(int depth)
{
    const int64_t *c = prices.c + depth + 1;
    for (int i = 0; i < 5; i++)
        if (c[i] != INFINITE && c[i] > LARGEST_NUMBER / game.size)
            reject(prices.place, "%d codes at %lld each cost more than 2^50", game.size,
                   (long long)c[i]);
    return c;
}

/* What a secret costs more after ``depth`` guesses than at first. */
static int64_t shift_of(int depth)
{
    return prices.uniform ? prices.c[depth + 1] - prices.c[1] : 0;
}

/* ``count`` secrets at a price; none of them cost nothing, ever. */
static int64_t times(int64_t count, int64_t price)
{
    if (price < INFINITE)
        return count * price;
    return count > 0 ? INFINITE : 0;
}

static int64_t by_member(int64_t n, int64_t k, const int64_t *c)
{
    return c[0] + times(k - 1, c[1]) + times(n - k, c[2]);
}

/* The lemma: n secrets, at most k parts by a member and j by others; c: the next prices. */
static int64_t by_parts(int64_t n, int64_t k, int64_t j, const int64_t *c)
{
    int64_t member = by_member(n, k, c), other = times(j, c[1]) + times(n - j, c[2]);
    return member < other ? member : other;
}

static const char *cost_text(int64_t cost, char text[64])
{
    if (cost >= INFINITE)
        snprintf(text, 64, "more than any strategy within the limit");
    else
        snprintf(text, 64, "%lld", (long long)cost);
    return text;
}

/* ---- Sets ------------------------------------------------------------------------------------ */

/* The name of a set, and of a set at a depth: see the top of this file. */
typedef struct {
    uint64_t a, b;
} Name;

static Name *name_of_code, *name_of_depth;

static void draw_names(void)
{
    size_t count = (size_t)game.size + MOST_TURNS + 2, bytes = count * sizeof(Name), have = 0;
    name_of_code = allocate(count, sizeof(Name));
    name_of_depth = name_of_code + game.size;
    int file = open("/dev/urandom", O_RDONLY);
    while (file >= 0 && have < bytes) {
        ssize_t n = read(file, (unsigned char *)name_of_code + have, bytes - have);
        if (n > 0)
            have += (size_t)n;
        else if (n == 0 || errno != EINTR)
            break;
    }
    if (file >= 0)
        close(file);
    if (have < bytes)
        give_up("/dev/urandom gives no random numbers");
}

static Name both(Name x, Name y)
{
    return (Name){x.a ^ y.a, x.b ^ y.b};
}

static Name name_of(const uint16_t *members, int n)
{
    Name name = {0, 0};
    for (int m = 0; m < n; m++)
        name = both(name, name_of_code[members[m]]);
    return name;
}

/* What a history leaves, and what each shorter one does: much of a history is often that of the one
   before. A turn is a guess and its response, in one number. */
#define TURN(guess, response) ((uint32_t)(guess) << 6 | (uint32_t)(response))

typedef struct {
    int depth;
    uint32_t turns[MOST_TURNS];
    uint16_t *left[MOST_TURNS + 1]; /* each follows the one before in one array */
    int count[MOST_TURNS + 1];
} Path;

static void start_path(Path *path)
{
    path->depth = 0;
    path->left[0] = allocate((size_t)game.size * (MOST_TURNS + 1), sizeof(uint16_t));
    path->count[0] = game.size;
    for (int code = 0; code < game.size; code++)
        path->left[0][code] = (uint16_t)code;
}

static void add_turn(Path *path, uint32_t turn)
{
    int d = path->depth, n = path->count[d], k = 0;
    const uint16_t *members = path->left[d];
    uint16_t *left = path->left[d + 1] = path->left[d] + n;
    const unsigned char *row = game.table + (size_t)(turn >> 6) * (size_t)game.size;
    unsigned char response = turn & 63;
    for (int m = 0; m < n; m++) {
        left[k] = members[m];
        k += row[members[m]] == response;
    }
    path->turns[d] = turn;
    path->count[d + 1] = k;
    path->depth = d + 1;
}

/* ---- What is claimed ------------------------------------------------------------------------- */

static int64_t optimum; /* INFINITE: no strategy keeps the limit */

/* The claims in the order of the file. Of its history each keeps only the turns in which it differs
   from the claim before it; the first that a thread takes at a time keeps all. */
static struct {
    size_t count, room, turn_count, turn_room, start_count, start_room;
    int64_t *bound;
    unsigned char *shared, *depth;
    uint32_t *turns;
    size_t *starts; /* of each SHARED_CLAIMS claims the first turn */
    uint64_t first_line;
} claims;

/* What V was claimed to be at least, less what the depth adds where that is known, for each set (and
   depth, if it makes a difference): places by the name, one after the other until one is free. */
typedef struct {
    Name name;
    int64_t value; /* and one more: 0 is a free place */
} Known;

static Known *known;
static size_t known_room, known_count;

static Known *known_place(Known *table, size_t room, Name name)
{
    size_t at = (size_t)name.a & (room - 1);
    while (table[at].value && (table[at].name.a != name.a || table[at].name.b != name.b))
        at = (at + 1) & (room - 1);
    return table + at;
}

/* One set can come from several histories; the best of its bounds counts. */
static void learn(Name name, int64_t value)
{
    if (known_count + known_count / 3 >= known_room) {
        size_t room = known_room ? 2 * known_room : 1024;
        Known *larger = allocate(room, sizeof *larger);
        for (size_t i = 0; i < known_room; i++)
            if (known[i].value)
                *known_place(larger, room, known[i].name) = known[i];
        free(known);
        known = larger;
        known_room = room;
    }
    Known *place = known_place(known, known_room, name);
    known_count += place->value == 0;
    if (value + 1 > place->value)
        *place = (Known){name, value + 1};
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* A guess on the path of the tree: the codes that were left, sorted by their responses to it, and
   which parts have not yet been gone on with. */
typedef struct {
    int guess;
    uint16_t *sorted;
    int start[MOST_RESPONSES + 1];
    uint64_t open;
} Step;

/* Leave all guesses of the path from this level on; they must have no open part. */
static void close_steps(Step *steps, int *depth, int level)
{
    while (*depth > level) {
        const Step *step = &steps[--*depth];
        for (int r = 0; r < game.responses; r++)
            if (step->open >> r & 1) {
                char guess[MOST_POSITIONS + 1], code[MOST_POSITIONS + 1];
                reject(lines.place,
                       "the tree does not go on where %s is answered %s by %d codes such as %s",
                       code_name(step->guess, guess), game.names[r],
                       step->start[r + 1] - step->start[r],
                       code_name(step->sorted[step->start[r]], code));
            }
    }
}

/* Replay the strategy on all secrets while it is read; its cost must be the optimum. A node is a
   line: the number of guesses before it, the response to the last of them, and its guess. */
static void read_tree(void)
{
    int64_t nodes = count_in("tree", MOST_NODES), total = 0;
    if (optimum == INFINITE) {
        if (nodes)
            reject(lines.place, "there is a tree where no strategy is claimed to exist");
        return;
    }
    Step *steps = allocate(MOST_TURNS, sizeof *steps);
    uint16_t *sorted = allocate((size_t)game.size * MOST_TURNS, sizeof *sorted);
    uint16_t *all = allocate((size_t)game.size, sizeof *all);
    for (int code = 0; code < game.size; code++)
        all[code] = (uint16_t)code;
    int depth = 0;
    for (int64_t node = 0; node < nodes; node++) {
        if (node % 4096 == 0)
            report("tree", (size_t)node, (size_t)nodes);
        if (split(next_line("line of the tree", true)) != (node ? 3 : 2))
            reject(lines.place, "here should be a node: level, response and guess");
        int64_t number = number_in(words[0]);
        if (number > depth || (number == 0) != (node == 0))
            reject(lines.place, "level %lld is not possible here", (long long)number);
        if (number >= MOST_TURNS)
            reject(lines.place, "a path of more than %d guesses", MOST_TURNS);
        int level = (int)number;
        close_steps(steps, &depth, level);
        Step *step = &steps[level];
        step->guess = code_in(words[node ? 2 : 1]);
        const uint16_t *members = all;
        int n = game.size;
        step->sorted = sorted;
        if (level) {
            Step *before = &steps[level - 1];
            int r = response_in(words[1]);
            if (!(before->open >> r & 1)) {
                char guess[MOST_POSITIONS + 1];
                reject(lines.place, "%s after %s is not possible here, or came before",
                       game.names[r], code_name(before->guess, guess));
            }
            before->open &= ~((uint64_t)1 << r);
            members = before->sorted + before->start[r];
            n = before->start[r + 1] - before->start[r];
            step->sorted = before->sorted + before->start[game.responses];
        }
        const unsigned char *row = game.table + (size_t)step->guess * (size_t)game.size;
        int at[MOST_RESPONSES + 1] = {0};
        for (int m = 0; m < n; m++)
            at[row[members[m]] + 1]++;
        step->open = 0;
        for (int r = 0; r < game.responses; r++) {
            step->open |= (uint64_t)(at[r + 1] > 0) << r;
            at[r + 1] += at[r];
        }
        memcpy(step->start, at, sizeof at);
        for (int m = 0; m < n; m++)
            step->sorted[at[row[members[m]]]++] = members[m];
        if (step->open >> game.win & 1) {
            step->open &= ~((uint64_t)1 << game.win);
            int64_t price = prices_at(level)[0];
            if (price == INFINITE)
                reject(lines.place, "guess %d is past the limit", level + 1);
            total += price;
        }
        depth = level + 1;
    }
    close_steps(steps, &depth, 0);
    if (nodes == 0)
        reject(lines.place, "there is no tree");
    if (total != optimum)
        reject("tree", "it costs %lld, and the optimum is claimed to be %lld", (long long)total,
               (long long)optimum);
    free(steps);
    free(sorted);
    free(all);
}

/* Keep a claim whose history is that of the path. */
static void keep_claim(const Path *path, int shared, int64_t bound)
{
    if (claims.count % SHARED_CLAIMS == 0) {
        shared = 0;
        claims.starts =
            grown(claims.starts, claims.start_count, &claims.start_room, sizeof *claims.starts);
        claims.starts[claims.start_count++] = claims.turn_count;
    }
    size_t room = claims.room;
    claims.bound = grown(claims.bound, claims.count, &claims.room, sizeof *claims.bound);
    for (int i = 0; i < 2; i++) {
        unsigned char **array = i ? &claims.depth : &claims.shared;
        size_t same = room;
        *array = grown(*array, claims.count, &same, 1);
    }
    claims.bound[claims.count] = bound;
    claims.shared[claims.count] = (unsigned char)shared;
    claims.depth[claims.count] = (unsigned char)path->depth;
    claims.count++;
    for (int t = shared; t < path->depth; t++) {
        claims.turns =
            grown(claims.turns, claims.turn_count, &claims.turn_room, sizeof *claims.turns);
        claims.turns[claims.turn_count++] = path->turns[t];
    }
}

static void read_claims(void)
{
    int64_t count = count_in("claims", MOST_CLAIMS), proven = -1;
    claims.first_line = lines.number + 1;
    static char before[LONGEST_LINE];
    size_t before_length = 0;
    Path path;
    start_path(&path);
    for (int64_t claim = 0; claim < count; claim++) {
        if (claim % 4096 == 0)
            report("reading", (size_t)claim, (size_t)count);
        Word line = next_line("claim", true);
        size_t word_count = split(line);
        if (word_count % 2 == 0)
            reject(lines.place, "here should be a bound and then pairs of guess and response");
        if (word_count / 2 > MOST_TURNS)
            reject(lines.place, "a history of more than %d guesses", MOST_TURNS);
        int depth = (int)(word_count / 2), shared = 0;
        int64_t bound = is(words[0], "inf") ? INFINITE : number_in(words[0]);
        uint32_t turns[MOST_TURNS];
        for (int t = 0; t < depth; t++) {
            int guess = code_in(words[2 * t + 1]), response = response_in(words[2 * t + 2]);
            if (response == game.win)
                reject(lines.place, "a history that goes on after the win");
            turns[t] = TURN(guess, response);
        }
        Word history = without(line, words[0].length);
        size_t common = history.length < before_length ? history.length : before_length;
        int order = memcmp(history.text, before, common);
        if (claim && (order < 0 || (order == 0 && history.length <= before_length)))
            reject(lines.place, "histories must be in ascending order, and none may come twice");
        memcpy(before, history.text, history.length);
        before_length = history.length;
        while (shared < depth && shared < path.depth && path.turns[shared] == turns[shared])
            shared++;
        path.depth = shared;
        for (int t = shared; t < depth; t++)
            add_turn(&path, turns[t]);
        int n = path.count[depth];
        if (n == 0)
            reject(lines.place, "no code agrees with this history");
        prices_at(depth);
        keep_claim(&path, shared, bound);
        if (depth == 0)
            proven = bound;
        int64_t value = bound - shift_of(depth) * n;
        if (value >= 0) {
            Name name = name_of(path.left[depth], n);
            learn(prices.uniform ? name : both(name, name_of_depth[depth]), value);
        }
    }
    free(path.left[0]);
    if (proven != optimum) {
        char said[64], goal[64], place[64];
        snprintf(place, sizeof place, "after line %llu", (unsigned long long)lines.number);
        reject(place, "%s is claimed about all codes, where the optimum needs %s",
               proven < 0 ? "nothing" : cost_text(proven, said), cost_text(optimum, goal));
    }
}

static void read_certificate(void)
{
    Word head = next_line("first line", true);
    if (!starts_with(head, "moo-certificate "))
        reject(lines.place, "this is no certificate: it does not start with 'moo-certificate'");
    if (!is(head, "moo-certificate 1"))
        reject(lines.place, "version %s is not known, only 1", shown(without(head, 16)));
    read_rules();
    draw_names();
    read_cost();
    Word text = field("optimum");
    optimum = is(text, "none") ? INFINITE : number_in(text);
    if (optimum == INFINITE && prices.step >= 0)
        reject(lines.place, "without a limit on guesses there is always a strategy");
    read_tree();
    read_claims();
    read_end();
}

/* ---- Symmetry -------------------------------------------------------------------------------- */

/* A permutation of positions with one of symbols that maps the set of (guess, response) pairs of a
   history to itself maps S to itself, and guesses to guesses that cost the same. Hence a guess needs
   no look if such a symmetry maps it to a smaller code: the smallest of its orbit always gets one. */

typedef struct {
    unsigned char source[MOST_POSITIONS]; /* the position that comes to each position */
    unsigned char image[MOST_SYMBOLS];    /* what becomes of each symbol that a turn has used */
} Element;

typedef struct {
    Element *elements;
    size_t count, room;
    int unused_count;
    unsigned char unused[MOST_SYMBOLS];
    bool is_unused[MOST_SYMBOLS]; /* these may be renamed among themselves besides */
    /* While they are looked for: */
    int depth, steps;
    const uint32_t *turns;
    unsigned char target[MOST_TURNS]; /* for each turn the one that it is mapped to */
} Group;

static const unsigned char *guess_of(uint32_t turn)
{
    return game.codes + (turn >> 6) * (uint32_t)game.positions;
}

/* Choose where position i goes, and those after it. Each symbol there must go to the one that the
   target of the turn has in the new place, and no two symbols to the same. Without a leading zero
   the first position and 0 stay. ``image``: of each symbol, 255 if not yet known. */
static void place_position(Group *group, int i, unsigned char *to, const unsigned char *image)
{
    int p = game.positions;
    if (i == p) {
        group->elements = grown(group->elements, group->count, &group->room, sizeof(Element));
        Element *element = &group->elements[group->count++];
        for (int j = 0; j < p; j++)
            element->source[to[j]] = (unsigned char)j;
        memcpy(element->image, image, MOST_SYMBOLS);
        return;
    }
    for (int j = 0; j < p; j++) {
        if (memchr(to, j, (size_t)i) || (!game.leading_zero && (i == 0) != (j == 0)))
            continue;
        if (++group->steps > MOST_STEPS) /* a part of the symmetries is as sound as all */
            return;
        unsigned char longer[MOST_SYMBOLS];
        memcpy(longer, image, sizeof longer);
        bool right = true;
        for (int t = 0; t < group->depth && right; t++) {
            unsigned char symbol = guess_of(group->turns[t])[i];
            unsigned char goal = guess_of(group->turns[group->target[t]])[j];
            if (longer[symbol] == 255)
                longer[symbol] = goal;
            right = longer[symbol] == goal;
        }
        uint64_t taken = 0;
        for (int s = 0; s < game.symbols && right; s++)
            if (longer[s] != 255) {
                right = !(taken >> longer[s] & 1);
                taken |= (uint64_t)1 << longer[s];
            }
        if (right) {
            to[i] = (unsigned char)j;
            place_position(group, i + 1, to, longer);
        }
    }
}

static void place_all(Group *group)
{
    unsigned char to[MOST_POSITIONS], image[MOST_SYMBOLS];
    memset(image, 255, sizeof image);
    if (!game.leading_zero)
        image[0] = 0;
    place_position(group, 0, to, image);
}

/* Choose for turn t, and those after it, one with the same response. */
static void choose_targets(Group *group, int t)
{
    if (t == group->depth) {
        place_all(group);
        return;
    }
    for (int k = 0; k < group->depth; k++)
        if ((group->turns[k] & 63) == (group->turns[t] & 63) &&
            !memchr(group->target, k, (size_t)t) && group->steps <= MOST_STEPS) {
            group->target[t] = (unsigned char)k;
            choose_targets(group, t + 1);
        }
}

static void find_symmetries(Group *group, const uint32_t *turns, int depth)
{
    group->count = 0;
    group->steps = 0;
    group->turns = turns;
    group->depth = depth;
    bool distinct = true;
    for (int t = 0; t < depth && depth <= MOST_SWAPPED; t++)
        for (int u = 0; u < t; u++)
            distinct &= turns[t] != turns[u];
    if (distinct && depth <= MOST_SWAPPED)
        choose_targets(group, 0);
    else { /* every turn keeps its place, which is as sound as all symmetries */
        for (int t = 0; t < depth; t++)
            group->target[t] = (unsigned char)t;
        place_all(group);
    }
    memset(group->is_unused, 1, sizeof group->is_unused);
    if (!game.leading_zero)
        group->is_unused[0] = false;
    for (int t = 0; t < depth; t++)
        for (int i = 0; i < game.positions; i++)
            group->is_unused[guess_of(turns[t])[i]] = false;
    group->unused_count = 0;
    for (int s = 0; s < game.symbols; s++)
        if (group->is_unused[s])
            group->unused[group->unused_count++] = (unsigned char)s;
}

/* Whether a symmetry maps a guess to a smaller code. */
static bool maps_to_smaller(const Group *group, int guess)
{
    const unsigned char *code = game.codes + guess * game.positions;
    if (group->count == 1 && group->unused_count < 2)
        return false; /* nothing but the identity */
    for (size_t e = 0; e < group->count; e++) {
        const Element *element = &group->elements[e];
        /* Unused symbols get the smallest of their names, in the order in which they turn up. */
        unsigned char image[MOST_SYMBOLS];
        memcpy(image, element->image, sizeof image);
        uint32_t number = 0;
        uint64_t met = 0;
        int names = 0;
        for (int j = 0; j < game.positions; j++) {
            unsigned char symbol = code[element->source[j]];
            if (group->is_unused[symbol] && !(met >> symbol & 1)) {
                met |= (uint64_t)1 << symbol;
                image[symbol] = group->unused[names++];
            }
            number += image[symbol] * game.weights[j];
        }
        if (number < game.order[guess])
            return true;
    }
    return false;
}

/* ---- Checking the claims --------------------------------------------------------------------- */

/* The k and j of a set; j may be smaller if it is ``floor``. */
typedef struct {
    Name name;
    unsigned char k, j, floor; /* k = 0: a free place */
} Best;

/* What a thread works with. */
typedef struct {
    Path path;
    Group group;
    Best *cache;
    unsigned char *counts;    /* of each code the parts that it makes of the set */
    unsigned char *other_counts; /* of a part of it */
    uint16_t *by_count;       /* all codes, those that make most parts of the set first */
    uint16_t *place;          /* of each code its place in by_count */
    unsigned char *chunks;    /* their bits, CHUNK of them for each member side by side */
    unsigned char *is_member; /* of each code */
    uint16_t *guesses;        /* that need a look */
    unsigned char *columns;   /* of each member the responses to some of them */
    const unsigned char **rows; /* of each member where these start */
    uint64_t *pairs;          /* of each two members the bit of the response */
    int64_t *by_size;         /* of each size of a part the cheapest bound */
    uint16_t *locals;         /* members by their place in the set, sorted by the response */
    uint16_t *sorted;         /* the same as codes */
} Worker;

static void start_worker(Worker *worker)
{
    size_t n = (size_t)game.size;
    memset(worker, 0, sizeof *worker);
    start_path(&worker->path);
    worker->cache = allocate(CACHED_SETS, sizeof(Best));
    worker->counts = allocate(n, 1);
    worker->other_counts = allocate(n + CHUNK, 1);
    worker->by_count = allocate(n, sizeof(uint16_t));
    worker->place = allocate(n, sizeof(uint16_t));
    worker->chunks = allocate((size_t)MOST_CHUNKS * CHUNK * MATRIX_UP_TO, (size_t)game.width / 8);
    worker->is_member = allocate(n, 1);
    worker->guesses = allocate(n, sizeof(uint16_t));
    worker->columns = allocate(BLOCK + n * LANES, 1);
    worker->rows = allocate(n, sizeof *worker->rows);
    worker->pairs = allocate(MATRIX_UP_TO * MATRIX_UP_TO, sizeof(uint64_t));
    worker->by_size = allocate(n + 1, sizeof(int64_t));
    worker->locals = allocate(n, sizeof(uint16_t));
    worker->sorted = allocate(n, sizeof(uint16_t));
}

/* A claim, and what is found about it. */
typedef struct {
    const uint16_t *members;
    int n, depth;
    int64_t bound;
    const int64_t *c;
    int most; /* parts that any guess makes of the set */
    bool paired, grouped; /* whether the pairs and the symmetries are known */
    int asked;            /* for the j of a part */
    int chunks;           /* of columns that are there */
} Claim;

/* Sort all codes by the number of parts that they make of the set. */
static void sort_by_count(Worker *worker)
{
    int at[MOST_RESPONSES + 2] = {0};
    for (int g = 0; g < game.size; g++)
        at[worker->counts[g]]++;
    for (int k = game.responses, before = 0; k >= 0; k--) {
        int count = at[k];
        at[k] = before;
        before += count;
    }
    for (int g = 0; g < game.size; g++) {
        int place = at[worker->counts[g]]++;
        worker->by_count[place] = (uint16_t)g;
        worker->place[g] = (uint16_t)place;
    }
}

/* The most parts of a part that any code outside it makes, or ``floor`` if that is more; -1 if it was
   not found. ``locals``: the members of the part by their place in the set.

   A code makes no more parts of the part than of the set. So codes are looked at in the descending
   order of what they make of the set, until none that is left can make more than was found. For a
   set of many parts, columns of the table are put side by side in this order, when they are needed
   first. */
static int most_outside(Worker *worker, Claim *claim, const uint16_t *locals, int size, int floor)
{
    size_t bytes = (size_t)game.width / 8 * CHUNK * (size_t)claim->n; /* of a chunk */
    if (claim->chunks == 0)
        sort_by_count(worker);
    int j = floor;
    for (int chunk = 0, first = 0; first < game.size; chunk++, first += CHUNK) {
        if (worker->counts[worker->by_count[first]] <= j)
            break;
        if (chunk == MOST_CHUNKS)
            return -1;
        unsigned char *bits = worker->chunks + (size_t)chunk * bytes;
        int some = game.size - first < CHUNK ? game.size - first : CHUNK;
        if (chunk == claim->chunks) {
            for (int m = 0; m < claim->n; m++) {
                const unsigned char *row =
                    game.table + (size_t)claim->members[m] * (size_t)game.size;
                const uint16_t *codes = worker->by_count + first;
                unsigned char *side = bits + bytes / (size_t)claim->n * (size_t)m;
                if (game.width == 16)
                    parts_16_column(row, codes, (size_t)some, side);
                else if (game.width == 32)
                    parts_32_column(row, codes, (size_t)some, side);
                else
                    parts_64_column(row, codes, (size_t)some, side);
            }
            claim->chunks++;
        }
        unsigned char *counts = worker->other_counts;
        count_parts_of_chunk(bits, locals, size, counts);
        for (int i = 0; i < size; i++) {
            int place = worker->place[claim->members[locals[i]]] - first;
            if (place >= 0 && place < CHUNK)
                counts[place] = 0;
        }
        for (int i = 0; i < some; i++)
            j = counts[i] > j ? counts[i] : j;
    }
    return j;
}

/* The lemma with the true k and j of a part. ``k``: if it is known, or 0. ``floor``: a j that is good
   enough; it may be put for a smaller one. */
static int64_t by_best_parts(Worker *worker, Claim *claim, Name name, const uint16_t *members,
                             const uint16_t *locals, int n, int k, int floor, const int64_t *c)
{
    Best *best = &worker->cache[name.b & (CACHED_SETS - 1)];
    if (best->k == 0 || best->name.a != name.a || best->name.b != name.b ||
        (best->j == best->floor && best->floor > floor)) {
        int j = -1;
        if (k && claim->asked++ >= COLUMNS_FROM)
            j = most_outside(worker, claim, locals, n, floor);
        if (j < 0) {
            unsigned char *counts = worker->other_counts, most = 0;
            count_parts(members, n, counts);
            k = 0;
            for (int m = 0; m < n; m++) {
                k = counts[members[m]] > k ? counts[members[m]] : k;
                counts[members[m]] = 0;
            }
            for (int g = 0; g < game.size; g++)
                most = counts[g] > most ? counts[g] : most;
            j = most;
            floor = 0;
        }
        *best = (Best){name, (unsigned char)k, (unsigned char)j, (unsigned char)floor};
    }
    int64_t bound = by_parts(n, best->k, best->j, c);
    return bound < INFINITE ? bound : INFINITE;
}

static void fill_pairs(Worker *worker, Claim *claim)
{
    int n = claim->n;
    if (claim->paired)
        return;
    claim->paired = true;
    for (int a = 0; a < n; a++) {
        const unsigned char *row = game.table + (size_t)claim->members[a] * (size_t)game.size;
        for (int b = 0; b < n; b++)
            worker->pairs[a * n + b] = (uint64_t)1 << row[claim->members[b]];
    }
}

/* The most parts that a member makes of a part, but no more than ``enough``. */
static int parts_by_member(const Worker *worker, int n, const uint16_t *locals, int size, int enough)
{
    int most = 0;
    for (int a = 0; a < size && most < enough; a++) {
        const uint64_t *row = worker->pairs + locals[a] * n;
        uint64_t seen = 0;
        for (int b = 0; b < size; b++)
            seen |= row[locals[b]];
        int parts = ones_in(seen);
        most = parts > most ? parts : most;
    }
    return most < enough ? most : enough;
}

/* The sizes of the parts that LANES guesses make: ``sizes[r][i]`` of response r to guess i. The
   responses to member m stand in ``rows[m] + from``. Four responses are counted at a time, up to 255
   members as bytes. Where a comparison of vectors holds all bits are set, which is -1. */
static void count_sizes(const unsigned char *const *rows, size_t from, int n,
                        uint16_t sizes[][LANES])
{
    for (int r = 0; r < game.win; r += 4) {
        memset(sizes[r], 0, 4 * sizeof sizes[r]);
        Bytes response[4];
        for (int k = 0; k < 4; k++)
            memset(&response[k], r + k, LANES);
        for (int first = 0; first < n; first += 255) {
            int end = n - first < 255 ? n : first + 255;
            Bytes count[4] = {{0}};
            for (int m = first; m < end; m++) {
                Bytes row;
                memcpy(&row, rows[m] + from, LANES);
                count[0] -= (Bytes)(row == response[0]);
                count[1] -= (Bytes)(row == response[1]);
                count[2] -= (Bytes)(row == response[2]);
                count[3] -= (Bytes)(row == response[3]);
            }
            for (int k = 0; k < 4; k++)
                for (int i = 0; i < LANES; i++)
                    sizes[r + k][i] = (uint16_t)(sizes[r + k][i] + count[k][i]);
        }
    }
}

/* What a guess is shown to cost at least; no more is looked at once that is the bound. ``sizes``: of
   its parts; ``place``: of its responses in the rows; ``total``: what it is shown to cost by the
   sizes alone. */
static int64_t cost_of(Worker *worker, Claim *claim, int guess, const uint16_t *sizes,
                       size_t place, int64_t total)
{
    int n = claim->n, win = game.win;
    int64_t bound = claim->bound;
    const int64_t *c = claim->c + 1;
    /* A guess that a symmetry maps to a smaller one is done with. */
    if (n >= SYMMETRY_FROM || game.positions <= FEW_POSITIONS) {
        if (!claim->grouped)
            find_symmetries(&worker->group, worker->path.turns, claim->depth);
        claim->grouped = true;
        if (maps_to_smaller(&worker->group, guess))
            return bound;
    }
    uint16_t start[MOST_RESPONSES + 1], at[MOST_RESPONSES + 1];
    start[0] = 0;
    for (int r = 0; r <= win; r++)
        start[r + 1] = (uint16_t)(start[r] + sizes[r]);
    memcpy(at, start, sizeof at);
    for (int m = 0; m < n; m++)
        worker->locals[at[worker->rows[m][place]]++] = (uint16_t)m;
    /* Better: k as it is, by looking at all pairs of members. Of up to two secrets the bound that is
       there is what they cost. */
    int64_t old[MOST_RESPONSES];
    int k_of[MOST_RESPONSES];
    bool pairs = n <= PAIRS_UP_TO;
    for (int r = 0; r < win; r++) {
        int size = sizes[r], enough = size < claim->most ? size : claim->most;
        old[r] = worker->by_size[size];
        k_of[r] = enough;
        if (!pairs || size <= 2)
            continue;
        fill_pairs(worker, claim);
        k_of[r] = parts_by_member(worker, n, worker->locals + start[r], size, enough);
        int64_t better = by_parts(size, k_of[r], enough, c);
        total += better - old[r];
        old[r] = better;
        if (total >= bound)
            return total;
    }
    /* Best: the claims, and k and j as they are. A part is smaller than the set: if the guess is a
       member, it is not in the part, and another that makes but one part is not looked at. */
    int64_t step = shift_of(claim->depth + 1);
    Name name[MOST_RESPONSES];
    int64_t gain[MOST_RESPONSES];
    int todo[MOST_RESPONSES], todo_count = 0;
    for (int r = 0; r < win; r++) {
        int size = sizes[r];
        if (size <= 2)
            continue;
        uint16_t *part = worker->sorted + start[r];
        for (int i = 0; i < size; i++)
            part[i] = claim->members[worker->locals[start[r] + i]];
        name[r] = name_of(part, size);
        const Known *claimed = known_place(
            known, known_room,
            prices.uniform ? name[r] : both(name[r], name_of_depth[claim->depth + 1]));
        if (claimed->value) {
            int64_t better = claimed->value - 1 + step * size;
            better = better < INFINITE ? better : INFINITE;
            if (better > old[r]) {
                total += better - old[r];
                if (total >= bound)
                    return total;
            }
            continue;
        }
        /* If k is exact and the first half of the minimum is the smaller one, the true j, which
           makes the other half no smaller, changes nothing. */
        gain[r] = by_member(size, pairs ? k_of[r] : 1, c) - old[r];
        if (!pairs || (k_of[r] < size && gain[r] > 0))
            todo[todo_count++] = r;
    }
    while (todo_count && total < bound) {
        /* The part first of which most may be gained; in any order it is the same in the end. */
        int chosen = 0;
        for (int i = 1; i < todo_count; i++)
            if (gain[todo[i]] > gain[todo[chosen]])
                chosen = i;
        int r = todo[chosen];
        todo[chosen] = todo[--todo_count];
        int size = sizes[r], k = pairs ? k_of[r] : 0;
        const uint16_t *locals = worker->locals + start[r];
        if (!pairs && n <= MATRIX_UP_TO) {
            fill_pairs(worker, claim);
            k = parts_by_member(worker, n, locals, size, k_of[r]);
            int64_t better = by_parts(size, k, k_of[r], c);
            total += better - old[r];
            old[r] = better;
            if (total >= bound || by_member(size, k, c) <= better)
                continue;
        }
        /* As much j as does: either the sum reaches the bound, or the first half of the minimum is
           the smaller one. */
        int floor = 0;
        if (k) {
            int64_t enough = by_member(size, k, c);
            if (enough - old[r] > bound - total)
                enough = old[r] + bound - total;
            while (floor < size && by_parts(size, k, floor + 1, c) >= enough)
                floor++;
        }
        int64_t best = by_best_parts(worker, claim, name[r], worker->sorted + start[r], locals, size,
                                     k, floor, c);
        if (best > old[r])
            total += best - old[r];
    }
    return total;
}

/* The same for some guesses among LANES neighbours, whose responses to member m stand in ``rows[m] +
   from``; guess i is the one in place ``lane[i]`` of them. Return -1, or the first that is not shown
   to cost the bound. */
static int try_guesses(Worker *worker, Claim *claim, const uint16_t *guesses,
                       const unsigned char *lane, int count, size_t from, int64_t *cost)
{
    uint16_t sizes[MOST_RESPONSES + 3][LANES];
    int n = claim->n;
    count_sizes(worker->rows, from, n, sizes);
    for (int i = 0; i < count; i++) {
        /* Cheapest: the lemma for a part of s secrets with k = j = min(s, most). */
        int64_t total = worker->is_member[guesses[i]] ? claim->c[0] : 0;
        for (int r = 0; r < game.win; r++)
            total += worker->by_size[sizes[r][lane[i]]];
        if (total >= claim->bound)
            continue;
        uint16_t mine[MOST_RESPONSES];
        for (int r = 0; r < game.win; r++)
            mine[r] = sizes[r][lane[i]];
        mine[game.win] = worker->is_member[guesses[i]];
        *cost = cost_of(worker, claim, guesses[i], mine, from + lane[i], total);
        if (*cost < claim->bound)
            return guesses[i];
    }
    return -1;
}

/* The same for all guesses that need a look. */
static int try_all(Worker *worker, Claim *claim, int count, int64_t *cost)
{
    size_t n = (size_t)claim->n, size = (size_t)game.size;
    const uint16_t *guesses = worker->guesses;
    unsigned char lane[LANES];
    int failed = -1;
    if ((size_t)count > size / DENSE) { /* the table as it stands */
        for (size_t m = 0; m < n; m++)
            worker->rows[m] = game.table + claim->members[m] * size;
        for (int i = 0, end = 0; i < count && failed < 0; i = end) {
            size_t from = guesses[i] / LANES * LANES;
            for (; end < count && guesses[end] < from + LANES; end++)
                lane[end - i] = (unsigned char)(guesses[end] - from);
            failed = try_guesses(worker, claim, guesses + i, lane, end - i, from, cost);
        }
        return failed;
    }
    for (int i = 0; i < LANES; i++)
        lane[i] = (unsigned char)i;
    int some = (int)(BLOCK / n) / LANES * LANES;
    some = some > LANES ? some : LANES;
    for (int first = 0; first < count && failed < 0; first += some) {
        /* Their columns of the table, side by side. */
        int end = first + some < count ? first + some : count;
        size_t width = (size_t)(end - first + LANES - 1) / LANES * LANES;
        for (size_t m = 0; m < n; m++) {
            const unsigned char *row = game.table + claim->members[m] * size;
            unsigned char *column = worker->columns + m * width;
            worker->rows[m] = column;
            for (int i = first; i < end; i++)
                column[i - first] = row[guesses[i]];
        }
        for (int i = first; i < end && failed < 0; i += LANES)
            failed = try_guesses(worker, claim, guesses + i, lane, end - i < LANES ? end - i : LANES,
                                 (size_t)(i - first), cost);
    }
    return failed;
}

/* Check a claim about what the path leaves: return -1, or the first guess that is not shown to cost
   the bound, and in ``*cost`` what it is shown to cost at least. */
static int refuted(Worker *worker, int64_t bound, int64_t *cost)
{
    int depth = worker->path.depth;
    Claim claim = {worker->path.left[depth], worker->path.count[depth], depth, bound,
                   prices_at(depth), 0, false, false, 0, 0};
    const int64_t *c = claim.c;
    int n = claim.n;
    unsigned char *counts = worker->counts;
    count_parts(claim.members, n, counts);
    for (int g = 0; g < game.size; g++)
        claim.most = counts[g] > claim.most ? counts[g] : claim.most;
    /* What the numbers of parts alone say, by a member and by another. One part by no member: a
       useless guess. */
    bool look[2][MOST_RESPONSES + 1] = {{false}};
    int least = 255;
    for (int k = 1; k <= game.responses && k <= n; k++) {
        look[1][k] = by_member(n, k, c) < bound;
        look[0][k] = k > 1 && times(k, c[1]) + times(n - k, c[2]) < bound;
        if ((look[0][k] || look[1][k]) && least == 255)
            least = k;
    }
    if (claim.most < least)
        return -1;
    for (int m = 0; m < n; m++)
        worker->is_member[claim.members[m]] = 1;
    int count = 0;
    for (int g = 0; g < game.size; g++)
        if (counts[g] >= least && look[worker->is_member[g]][counts[g]])
            worker->guesses[count++] = (uint16_t)g;
    worker->by_size[0] = 0;
    for (int s = 1; count && s <= n; s++) {
        int k = s < claim.most ? s : claim.most;
        worker->by_size[s] = by_parts(s, k, k, c + 1);
    }
    int failed = count ? try_all(worker, &claim, count, cost) : -1;
    for (int m = 0; m < n; m++)
        worker->is_member[claim.members[m]] = 0;
    return failed;
}

/* What the threads share. */
static struct {
    pthread_mutex_t lock;
    size_t next, checked; /* claims handed out, and done with */
    size_t failed;        /* the first claim that is known to fail, or their number */
    int guess, members;
    int64_t cost;
} work = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Check claims until none is left before one that fails. */
static void *check_claims(void *argument)
{
    Worker *worker = argument;
    for (;;) {
        pthread_mutex_lock(&work.lock);
        size_t first = work.next, end = first + SHARED_CLAIMS, checked = work.checked;
        end = end < claims.count ? end : claims.count;
        bool over = first >= work.failed;
        work.next = over ? first : end;
        if (!over)
            report("claims", checked, claims.count);
        pthread_mutex_unlock(&work.lock);
        if (over)
            return NULL;
        size_t turn = claims.starts[first / SHARED_CLAIMS];
        int failed = -1;
        int64_t cost = 0;
        size_t claim = first;
        for (; claim < end; claim++) {
            worker->path.depth = claims.shared[claim];
            while (worker->path.depth < claims.depth[claim])
                add_turn(&worker->path, claims.turns[turn++]);
            failed = refuted(worker, claims.bound[claim], &cost);
            if (failed >= 0)
                break;
        }
        pthread_mutex_lock(&work.lock);
        work.checked += end - first;
        if (failed >= 0 && claim < work.failed) {
            work.failed = claim;
            work.guess = failed;
            work.cost = cost;
            work.members = worker->path.count[worker->path.depth];
        }
        pthread_mutex_unlock(&work.lock);
    }
}

static void prove(int thread_count)
{
    work.failed = claims.count;
    size_t blocks = (claims.count + SHARED_CLAIMS - 1) / SHARED_CLAIMS;
    if ((size_t)thread_count > blocks)
        thread_count = blocks ? (int)blocks : 1;
    Worker *workers = allocate((size_t)thread_count, sizeof *workers);
    pthread_t *threads = allocate((size_t)thread_count, sizeof *threads);
    for (int i = 0; i < thread_count; i++)
        start_worker(&workers[i]);
    for (int i = 1; i < thread_count; i++)
        if (pthread_create(&threads[i], NULL, check_claims, &workers[i]) != 0)
            give_up("no more threads can be started");
    check_claims(&workers[0]);
    for (int i = 1; i < thread_count; i++)
        pthread_join(threads[i], NULL);
    report("claims", claims.count, claims.count);
    if (work.failed < claims.count) {
        char place[64], goal[64], cost[64], guess[MOST_POSITIONS + 1];
        snprintf(place, sizeof place, "line %llu",
                 (unsigned long long)(claims.first_line + work.failed));
        reject(place,
               "it is claimed that %d codes cost at least %s, but of guess %s it is only shown"
               " that it costs at least %s",
               work.members, cost_text(claims.bound[work.failed], goal),
               code_name(work.guess, guess), cost_text(work.cost, cost));
    }
}

/* Say in two lines what an accepted certificate proves. */
static void describe(double seconds)
{
    printf("accepted: %s, costs", game.text);
    for (size_t i = 0; i < prices.listed; i++)
        printf(" %lld", (long long)prices.start[i]);
    if (prices.step < 0)
        printf(" limit: ");
    else
        printf(" step %lld: ", (long long)prices.step);
    if (optimum == INFINITE)
        printf("no strategy keeps the limit\n");
    else
        printf("the least cost of a strategy is %lld\n", (long long)optimum);
    printf("%zu claims checked in %.1f s\n", claims.count, seconds);
}

int main(int count, char **arguments)
{
    double began = seconds_now();
    int threads = 1;
    bool right = count == 2 || count == 3;
    if (count == 3) {
        const char *text = arguments[2];
        size_t length = strlen(text);
        right = length >= 1 && length <= 3 && text[0] != '0' &&
                strspn(text, "0123456789") == length;
        threads = right ? atoi(text) : 1;
    }
    if (!right) {
        fprintf(stderr, "usage: checker FILE [THREADS]\n");
        return 2;
    }
    file_name = arguments[1];
    open_lines(arguments[1]);
    read_certificate();
    prove(threads);
    describe(seconds_now() - began);
    finish(0);
}
