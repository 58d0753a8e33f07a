"""A program in one file of C99 that plays the tree; docs/formats.md tells more about it."""

from moo_research.formats import Written, program
from moo_research.rules import response_count
from moo_research.tree import DecisionTree

__all__ = ["write"]

_HEAD = """\
/*
@HEAD@

    char next[MOO_POSITIONS + 1];
    const char *guesses[] = {@GUESSES@};
    int bulls[] = {@BULLS@}, cows[] = {@COWS@};
    if (moo_next_guess(@TURNS@, guesses, bulls, cows, next) == MOO_OK) puts(next);

Begin with no turns. After guesses that are not its own it goes on with a code that may be the
secret. MOO_UNKNOWN: a guess or a response is none; MOO_INCONSISTENT: no code fits the history. Not
for several threads at a time. Run as a program (compile with -DMOO_NO_MAIN to leave it out), it
prints its guesses and reads the responses, one a line, such as 1B2C. Written by moo export.
*/

"""

_CODE = r"""
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOO_OK, MOO_UNKNOWN, MOO_INCONSISTENT };
enum { MOO_POSITIONS = @P@, SYMBOL_COUNT = @S@, CODE_COUNT = @N@, RESPONSES = @RESPONSES@ };
enum { REPEATS = @REPEATS@, LEADING_ZERO = @ZERO@, EFFORT = @EFFORT@ };
enum { BASE = @BASE@, PLACES = @PLACES@, LINE = @LINE@, LENGTH = @LENGTH@ };

static const char SYMBOLS[] = "@SYMBOLS@";
static const char *const TREE[] = {
@LINES@
};

struct history { int turns; const char *const *guesses; const int *bulls, *cows; };

static unsigned char codes[CODE_COUNT][MOO_POSITIONS];
static int code_count;
// Candidates: those of a part lie side by side, in ascending order.
static int candidates[CODE_COUNT], sorted[CODE_COUNT];
static struct { int first, end, turn; } stack[CODE_COUNT + 1];
static uint64_t width, value;
static long counts[32][3], digit;

static int is_code(const unsigned char *code, int length)
{
    for (int i = 0; i < length; i++)
        if (!REPEATS && memchr(code + i + 1, code[i], (size_t)(length - i - 1))) return 0;
    return LEADING_ZERO || code[0] != 0;
}

static void list_codes(unsigned char *code, int place)
{
    if (place == MOO_POSITIONS) {
        memcpy(codes[code_count++], code, MOO_POSITIONS);
        return;
    }
    for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++) {
        code[place] = (unsigned char)symbol;
        if (is_code(code, place + 1)) list_codes(code, place + 1);
    }
}

static int response_id(int bulls, int common)
{
    return common * (common + 1) / 2 + bulls;
}

static int respond(const unsigned char *guess, const unsigned char *secret)
{
    int surplus[SYMBOL_COUNT] = {0}, bulls = 0, common = 0;
    for (int i = 0; i < MOO_POSITIONS; i++) {
        bulls += guess[i] == secret[i];
        common += surplus[guess[i]]++ < 0;
        common += surplus[secret[i]]-- > 0;
    }
    return response_id(bulls, common);
}

// The least average number of codes left, times their number: every k-th of the candidates is
// tried as a guess, then every k-th of all codes or, if the guess must be consistent, none.
static int own_guess(int first, int end, int consistent)
{
    int size = end - first, best = candidates[first];
    int64_t least = INT64_MAX;
    for (int all = 0; all <= !consistent; all++) {
        int pool = all ? CODE_COUNT : size;
        int64_t step = 1 + (int64_t)size * pool / EFFORT;
        for (int64_t i = 0; i < pool && least > size; i += step) {
            int guess = all ? (int)i : candidates[first + i];
            int64_t squares = 0, sizes[RESPONSES] = {0};
            for (int j = first; j < end; j++) sizes[respond(codes[guess], codes[candidates[j]])]++;
            for (int r = 0; r < RESPONSES; r++) squares += sizes[r] * sizes[r];
            if (squares < least) {
                least = squares;
                best = guess;
            }
        }
    }
    return best;
}

// Sorts candidates by their response; those of response r end up from starts[r] to starts[r + 1].
static void split(int guess, int first, int end, int starts[RESPONSES + 1])
{
    int next[RESPONSES] = {0};
    for (int i = first; i < end; i++) next[respond(codes[guess], codes[candidates[i]])]++;
    starts[0] = first;
    for (int r = 0; r < RESPONSES; r++) {
        starts[r + 1] = starts[r] + next[r];
        next[r] = starts[r];
    }
    for (int i = first; i < end; i++)
        sorted[next[respond(codes[guess], codes[candidates[i]])]++] = candidates[i];
    memcpy(candidates + first, sorted + first, (size_t)(end - first) * sizeof *candidates);
}

static int next_digit(void)
{
    if (digit >= LENGTH) return 0;
    int c = TREE[digit / LINE][digit % LINE];
    digit++;
    return c - 35 - (c > 60) - (c > 63) - (c > 92);
}

static void take(uint64_t start, uint64_t size)
{
    value -= start;
    width = size;
    while (width < UINT64_C(@NARROWEST@)) {
        width *= BASE;
        value = value * BASE + (uint64_t)next_digit();
    }
}

static int read_mark(int size)
{
    int bits = 0, kind = 0;
    while (size >> bits) bits++;
    long *ours = counts[bits];
    uint64_t unit = width / (uint64_t)(ours[0] + ours[1] + ours[2]), start = 0;
    while (value >= start + (uint64_t)ours[kind] * unit) start += (uint64_t)ours[kind++] * unit;
    take(start, (uint64_t)ours[kind]++ * unit);
    return kind;
}

static int read_number(int limit)
{
    uint64_t unit = width / (uint64_t)limit, number = value / unit;
    take(number * unit, unit);
    return (int)number;
}

// Returns the number of a code, or -1.
static int read_code(const char *text)
{
    unsigned char code[MOO_POSITIONS];
    if (strlen(text) != MOO_POSITIONS) return -1;
    for (int i = 0; i < MOO_POSITIONS; i++) {
        const char *symbol = strchr(SYMBOLS, text[i]);
        if (!symbol) return -1;
        code[i] = (unsigned char)(symbol - SYMBOLS);
    }
    for (int i = 0; i < CODE_COUNT; i++)
        if (!memcmp(codes[i], code, MOO_POSITIONS)) return i;
    return -1;
}

static int response_of(const struct history *history, int turn)
{
    return response_id(history->bulls[turn], history->bulls[turn] + history->cows[turn]);
}

// Lists the codes that fit the history; returns how many there are.
static int list_candidates(const struct history *history)
{
    int left = CODE_COUNT;
    for (int i = 0; i < CODE_COUNT; i++) candidates[i] = i;
    for (int t = 0; t < history->turns; t++) {
        const unsigned char *guess = codes[read_code(history->guesses[t])];
        int fitting = 0;
        for (int i = 0; i < left; i++)
            if (respond(guess, codes[candidates[i]]) == response_of(history, t))
                candidates[fitting++] = candidates[i];
        left = fitting;
    }
    return left;
}

// Reads the tree as far as the turns lead; -1 if they leave it. It is its guesses, parents first,
// in arithmetic code: a mark (own player, candidate, any code), then a number.
static int tree_guess(const struct history *history)
{
    int depth = 1, starts[RESPONSES + 1];
    for (int i = 0; i < CODE_COUNT; i++) candidates[i] = i;
    for (int i = 0; i < 32; i++) counts[i][0] = counts[i][1] = counts[i][2] = 1;
    digit = 0;
    width = UINT64_C(@NARROWEST@) * BASE;
    value = 0;
    for (int i = 0; i < PLACES; i++) value = value * BASE + (uint64_t)next_digit();
    // How many turns led to a part; -1 off the way.
    stack[0].first = stack[0].turn = 0;
    stack[0].end = CODE_COUNT;
    while (depth > 0) {
        int first = stack[--depth].first, end = stack[depth].end, turn = stack[depth].turn;
        int kind = read_mark(end - first);
        if (kind == 0) {
            while (turn >= 0) {
                int guess = own_guess(first, end, 0);
                if (turn == history->turns) return guess;
                if (guess != read_code(history->guesses[turn])) return -1;
                split(guess, first, end, starts);
                int got = response_of(history, turn++);
                first = starts[got];
                end = starts[got + 1];
            }
            continue;
        }
        int guess = read_number(kind == 1 ? end - first : CODE_COUNT);
        if (kind == 1) guess = candidates[first + guess];
        int last = RESPONSES - 2;
        if (turn >= 0) {
            if (turn == history->turns) return guess;
            if (guess != read_code(history->guesses[turn])) return -1;
            last = response_of(history, turn);
        }
        split(guess, first, end, starts);
        // The winning response, the last one, leaves nothing to guess.
        for (int r = last < RESPONSES - 1 ? last : RESPONSES - 2; r >= 0; r--) {
            if (starts[r] == starts[r + 1]) continue;
            stack[depth].first = starts[r];
            stack[depth].end = starts[r + 1];
            stack[depth++].turn = turn >= 0 && r == last ? turn + 1 : -1;
        }
    }
    return -1;
}

int moo_next_guess(int turns, const char *const guesses[], const int bulls[], const int cows[],
                   char next[MOO_POSITIONS + 1]);

int moo_next_guess(int turns, const char *const guesses[], const int bulls[], const int cows[],
                   char next[MOO_POSITIONS + 1])
{
    struct history history = {turns, guesses, bulls, cows};
    if (code_count == 0) {
        unsigned char code[MOO_POSITIONS];
        list_codes(code, 0);
    }
    for (int t = 0; t < turns; t++) {
        if (read_code(guesses[t]) < 0 || bulls[t] < 0 || cows[t] < 0) return MOO_UNKNOWN;
        if (bulls[t] > MOO_POSITIONS || cows[t] > MOO_POSITIONS - bulls[t]) return MOO_UNKNOWN;
    }
    if (!list_candidates(&history)) return MOO_INCONSISTENT;
    int guess = tree_guess(&history);
    if (guess < 0) guess = own_guess(0, list_candidates(&history), 1);
    for (int i = 0; i < MOO_POSITIONS; i++) next[i] = SYMBOLS[codes[guess][i]];
    next[MOO_POSITIONS] = 0;
    return MOO_OK;
}

#ifndef MOO_NO_MAIN
int main(void)
{
    enum { MOST = @MOST@ };
    char texts[MOST][MOO_POSITIONS + 1], line[100];
    const char *guesses[MOST];
    int bulls[MOST], cows[MOST];
    for (int turns = 0; turns < MOST; turns++) {
        if (moo_next_guess(turns, guesses, bulls, cows, texts[turns]) != MOO_OK) break;
        puts(texts[turns]);
        fflush(stdout);
        guesses[turns] = texts[turns];
        if (!fgets(line, sizeof line, stdin)) return 0;
        char b, c;
        if (sscanf(line, "%2d%c%2d%c", &bulls[turns], &b, &cows[turns], &c) != 4) break;
        if ((b != 'B' && b != 'b') || (c != 'C' && c != 'c')) break;
        if (bulls[turns] == MOO_POSITIONS) return 0;
    }
    fputs("no code fits this response, or it is not written like 1B2C\n", stderr);
    return 1;
}
#endif
"""


def write(tree: DecisionTree, *, max_bytes: int | None = None) -> Written:
    """Return a program in C; see :func:`moo_research.formats.program.fit` for errors."""
    return program.write(tree, "C", _render, max_bytes)


def _render(made: program.Program, terse: bool) -> str:
    rules = made.rules
    return made.source(
        _HEAD,
        program.shortened(_CODE, "//", "") if terse else _CODE.lstrip("\n"),
        HEAD="\n".join(made.head()),
        TURNS=len(made.example),
        GUESSES=", ".join(f'"{guess}"' for guess, _ in made.example),
        BULLS=", ".join(str(got.bulls) for _, got in made.example),
        COWS=", ".join(str(got.cows) for _, got in made.example),
        N=rules.size,
        RESPONSES=response_count(rules.positions),
        REPEATS=int(rules.repeats),
        ZERO=int(rules.leading_zero),
        MOST=made.played.max_guesses,
        LINES=",\n".join(f'    "{line}"' for line in made.lines),
        LENGTH=len(made.text),
    )
