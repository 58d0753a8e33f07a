/* Greedy players: guesses weighed by the sizes of the parts that they make of the candidates.
 *
 * The idea is Knuth's (1977, the smallest largest part), and all later measures differ in the
 * weights alone. What this version adds is speed, from four sources. No choice is changed by them.
 *
 * 1. Responses are computed afresh, by vectors, which is as fast as reading them from a table and needs no memory
 *    that grows with the square of the codes.
 * 2. Few candidates: one pass over all codes tells how many parts each guess makes of them. The least that p parts
 *    of n candidates can measure is known (see `floors`), so most guesses are never weighed.
 * 3. Many candidates, which a short history leaves: one guess per orbit of its symmetries is weighed. In lexicographic order
 *    the earliest of the best guesses is the least of its orbit, and an orbit consists of candidates or has none.
 * 4. A candidate that splits all the others cannot be beaten where candidates come first.
 */
#include "greedy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_RESPONSES = (MOO_MAX_POSITIONS + 1) * (MOO_MAX_POSITIONS + 2) / 2,
    TILE = 1024,        /* codes whose responses are computed together in the pass over all codes */
    FEW = 96            /* candidates for which that pass pays; a tile of them fits the second-level cache */
};

struct moo_greedy {
    moo_player player;
    int responses;
    moo_columns all;     /* every code; bytes NULL where only candidates are considered */
    moo_columns set;     /* the candidates at hand */
    uint8_t *set_bytes;
    uint8_t *ids;        /* responses of one guess to the candidates */
    uint8_t *tile;       /* FEW rows of TILE responses */
    uint8_t *parts;      /* of each code */
    uint8_t *member;     /* whether a code is a candidate */
    uint32_t identity[FEW];
};

typedef struct choice {
    uint32_t guess;
    double value;
    bool member;
} choice;

moo_greedy *moo_greedy_new(const moo_player *player) {
    moo_greedy *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->player = *player;
    g->responses = moo_response_count(player->positions);
    const uint32_t codes = player->codes;
    const size_t bytes = moo_columns_bytes(codes, player->positions, player->symbols);
    const size_t width = bytes / (size_t)(player->positions + player->symbols);
    for (uint32_t i = 0; i < FEW; i++) g->identity[i] = i;
    g->set_bytes = malloc(bytes);
    g->ids = malloc(width);
    g->member = calloc(codes, 1);
    bool made = g->set_bytes && g->ids && g->member;
    if (made && !player->candidates_only) {
        uint8_t *all = malloc(bytes);
        g->tile = malloc((size_t)FEW * TILE);
        g->parts = malloc(width);
        made = all && g->tile && g->parts;
        if (all) moo_columns_set(&g->all, all, player->digits, NULL, codes, player->positions, player->symbols);
    }
    if (!made) {
        moo_greedy_free(g);
        return NULL;
    }
    return g;
}

void moo_greedy_free(moo_greedy *g) {
    if (!g) return;
    free(g->all.bytes);
    free(g->set_bytes);
    free(g->ids);
    free(g->tile);
    free(g->parts);
    free(g->member);
    free(g);
}

static const uint8_t *digits_of(const moo_greedy *g, uint32_t code) {
    return g->player.digits + (size_t)code * (size_t)g->player.positions;
}

/* The measure of some part sizes, the bonus left out. */
static double weigh(const moo_measure *measure, const uint32_t *counts, int responses) {
    double value = 0;
    if (measure->largest) {
        value = -INFINITY;
        for (int r = 0; r < responses; r++)
            if (counts[r] && measure->weight[counts[r]] > value) value = measure->weight[counts[r]];
        return value;
    }
    for (int r = 0; r < responses; r++) value += measure->weight[counts[r]];
    return value;
}

static void count_parts(const moo_kernel *kernel, const moo_columns *set, const uint8_t *guess, int responses,
                        uint8_t *ids, uint32_t *counts) {
    moo_columns_respond(set, guess, 0, set->width, ids);
    kernel->counts(ids, set->width, responses, counts);
    counts[0] -= (uint32_t)(set->width - set->codes); /* what fills the last line up */
}

static uint32_t rank_of(const moo_greedy *g, uint32_t code) { return g->player.rank ? g->player.rank[code] : code; }

/* Takes the guess if it measures less than the best, or as much and comes before it. */
static void consider(const moo_greedy *g, choice *best, uint32_t guess, double value) {
    const bool member = g->member[guess];
    if (member) value -= g->player.measure.bonus;
    /* The first guess comes without a best, whose value is infinite. */
    const double slack = MOO_EQUAL + MOO_EQUAL_SHARE * fabs(value);
    if (value > best->value + slack) return;
    if (value >= best->value - slack) {
        if (g->player.candidates_first && member != best->member) {
            if (!member) return;
        } else if (rank_of(g, guess) >= rank_of(g, best->guess)) {
            return;
        }
    }
    *best = (choice){guess, value, member};
}

static void weigh_guess(const moo_greedy *g, choice *best, uint32_t guess) {
    uint32_t counts[MAX_RESPONSES];
    count_parts(g->player.kernel, &g->set, digits_of(g, guess), g->responses, g->ids, counts);
    consider(g, best, guess, weigh(&g->player.measure, counts, g->responses));
}

/* The earliest candidate that has another response to each of them; UINT32_MAX if there is none. */
static uint32_t splits_all(const moo_greedy *g, const uint32_t *set, uint32_t n) {
    uint32_t best = UINT32_MAX;
    if (n > (uint32_t)g->responses) return best;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t counts[MAX_RESPONSES];
        if (best != UINT32_MAX && rank_of(g, set[i]) > rank_of(g, best)) continue;
        count_parts(g->player.kernel, &g->set, digits_of(g, set[i]), g->responses, g->ids, counts);
        bool single = true;
        for (int r = 0; r < g->responses; r++) single &= counts[r] <= 1;
        if (single) best = set[i];
    }
    return best;
}

/* floors[p]: the least that p parts of n candidates can measure, for p up to the responses. With weights that are
 * convex the sum is least when the sizes differ by one at most: a candidate moved from a part of a to a part of
 * b <= a - 2 changes the sum by (w(b+1) - w(b)) - (w(a) - w(a-1)) <= 0. The largest part has at least n / p
 * candidates, and convex or not, weights of a largest part are required to grow (see the binding). */
static void floors(const moo_measure *measure, uint32_t n, int responses, double *least) {
    for (uint32_t p = 1; p <= (uint32_t)responses; p++) {
        const uint32_t size = n / p, larger = n % p;
        if (p > n) least[p] = INFINITY;
        else if (measure->largest) least[p] = measure->weight[size + (larger > 0)];
        else if (p == n) least[p] = p * measure->weight[1]; /* exact, whatever the weights */
        else if (measure->convex) least[p] = larger * measure->weight[size + 1] + (p - larger) * measure->weight[size];
        else least[p] = -INFINITY;
    }
}

/* Weighs every code, those that make most parts first, as long as their number of parts leaves hope. */
static void weigh_by_parts(moo_greedy *g, choice *best, const uint32_t *set, uint32_t n) {
    const moo_player *player = &g->player;
    double least[MAX_RESPONSES + 1];
    uint32_t of_parts[256] = {0};
    floors(&player->measure, n, g->responses, least);
    for (size_t first = 0; first < g->all.width; first += TILE) {
        const size_t last = first + TILE < g->all.width ? first + TILE : g->all.width;
        for (uint32_t i = 0; i < n; i++)
            moo_columns_respond(&g->all, digits_of(g, set[i]), first, last, g->tile + i * (last - first));
        player->kernel->parts(g->tile, last - first, g->identity, n, g->responses, g->parts + first);
    }
    for (uint32_t i = 0; i < player->codes; i++) of_parts[g->parts[i]]++;
    for (int p = g->responses; p > 0; p--) {
        const double slack = MOO_EQUAL + MOO_EQUAL_SHARE * fabs(least[p]);
        if (!of_parts[p] || least[p] - player->measure.bonus > best->value + slack) continue;
        for (size_t start = 0; start < g->all.width; start += MOO_LINE) {
            uint64_t found = player->kernel->equal(g->parts + start, (uint8_t)p);
            for (; found; found &= found - 1) {
                const uint32_t guess = (uint32_t)start + (uint32_t)__builtin_ctzll(found);
                if (guess >= player->codes) break;
                if (p == (int)n) consider(g, best, guess, least[p]); /* all parts are single candidates */
                else weigh_guess(g, best, guess);
            }
        }
    }
}

uint32_t moo_greedy_choose(moo_greedy *g, const uint32_t *set, uint32_t n, const moo_turn *history, int turns,
                           bool symmetric) {
    const moo_player *player = &g->player;
    if (n == 1) return set[0];
    moo_columns_set(&g->set, g->set_bytes, player->digits, set, n, player->positions, player->symbols);
    if (player->candidates_only || player->candidates_first) {
        const uint32_t perfect = splits_all(g, set, n);
        if (perfect != UINT32_MAX) return perfect;
    }
    choice best = {UINT32_MAX, INFINITY, false};
    for (uint32_t i = 0; i < n; i++) g->member[set[i]] = 1;
    if (player->candidates_only) {
        for (uint32_t i = 0; i < n; i++) weigh_guess(g, &best, set[i]);
    } else if (n <= FEW) {
        weigh_by_parts(g, &best, set, n);
    } else {
        moo_group group;
        moo_group_init(&group);
        bool reduced = symmetric && !player->rank;
        if (reduced && !moo_group_make(&group, player->positions, player->symbols, player->leading_zero, history, turns))
            reduced = false;
        reduced = reduced && !moo_group_trivial(&group);
        for (uint32_t guess = 0; guess < player->codes; guess++)
            if (!reduced || moo_group_is_least(&group, digits_of(g, guess))) weigh_guess(g, &best, guess);
        moo_group_free(&group);
    }
    for (uint32_t i = 0; i < n; i++) g->member[set[i]] = 0;
    return best.guess;
}

/* ---- everything a player does ---- */

typedef struct growth {
    moo_greedy *greedy;
    uint32_t *half[2]; /* the candidates; a level reads them in one and leaves its parts, sorted, in the other */
    moo_turn turns[MOO_MAX_HISTORY];
    moo_tree *tree;
    uint8_t *lengths;
    uint32_t failed;
} growth;

static enum moo_growth grow(growth *all, size_t first, uint32_t n, int turns, uint32_t parent, int response) {
    moo_greedy *g = all->greedy;
    uint32_t *set = all->half[turns & 1] + first, *sorted = all->half[~turns & 1] + first;
    const uint32_t guess = moo_greedy_choose(g, set, n, all->turns, turns, true);
    const uint32_t node = (uint32_t)all->tree->nodes;
    const int win = g->responses - 1;
    uint32_t counts[MAX_RESPONSES] = {0}, at[MAX_RESPONSES];
    if (!moo_tree_add(all->tree, guess, parent, response)) return MOO_NO_MEMORY;
    if (n == 1 && guess == set[0]) {
        all->lengths[guess] = (uint8_t)(turns + 1);
        return MOO_GROWN;
    }
    all->failed = guess;
    /* The columns are still those of the set. */
    moo_columns_respond(&g->set, digits_of(g, guess), 0, g->set.width, g->ids);
    for (uint32_t i = 0; i < n; i++) counts[g->ids[i]]++;
    for (int r = 0, sum = 0; r < g->responses; r++) at[r] = (uint32_t)sum, sum += (int)counts[r];
    for (uint32_t i = 0; i < n; i++) sorted[at[g->ids[i]]++] = set[i];
    if (turns + 1 >= MOO_MAX_HISTORY) return MOO_TOO_DEEP;
    all->turns[turns].guess = digits_of(g, guess);
    uint32_t done = 0;
    for (int r = 0; r < g->responses; r++) {
        if (!counts[r]) continue;
        if (r == win) {
            all->lengths[guess] = (uint8_t)(turns + 1);
        } else {
            if (counts[r] == n) return MOO_USELESS_GUESS;
            all->turns[turns].response = r;
            enum moo_growth result = grow(all, first + done, counts[r], turns + 1, node, r);
            if (result != MOO_GROWN) return result;
        }
        done += counts[r];
    }
    return MOO_GROWN;
}

enum moo_growth moo_greedy_grow(moo_greedy *greedy, const uint32_t *set, uint32_t n, const moo_turn *history,
                                int turns, moo_tree *tree, uint8_t *lengths, uint32_t *guess) {
    growth all = {.greedy = greedy, .tree = tree, .lengths = lengths, .failed = UINT32_MAX};
    memset(tree, 0, sizeof *tree);
    if (turns >= MOO_MAX_HISTORY) return MOO_TOO_DEEP;
    if (turns) memcpy(all.turns, history, (size_t)turns * sizeof *history);
    uint32_t *both = malloc(2 * (size_t)n * sizeof *both);
    if (!both) return MOO_NO_MEMORY;
    all.half[0] = both;
    all.half[1] = both + n;
    memcpy(all.half[turns & 1], set, (size_t)n * sizeof *set);
    enum moo_growth result = grow(&all, 0, n, turns, UINT32_MAX, 0);
    *guess = all.failed;
    free(both);
    return result;
}

bool moo_measure_all(const moo_measure *measure, const moo_kernel *kernel, const uint8_t *guesses, uint32_t count,
                     const uint8_t *candidates, uint32_t n, int positions, int symbols, double *values) {
    const size_t bytes = moo_columns_bytes(n, positions, symbols);
    uint8_t *room = malloc(bytes), *ids = malloc(bytes / (size_t)(positions + symbols));
    const int responses = moo_response_count(positions);
    uint32_t counts[MAX_RESPONSES];
    moo_columns set;
    if (room && ids) {
        moo_columns_set(&set, room, candidates, NULL, n, positions, symbols);
        for (uint32_t i = 0; i < count; i++) {
            count_parts(kernel, &set, guesses + (size_t)i * (size_t)positions, responses, ids, counts);
            values[i] = weigh(measure, counts, responses);
        }
    }
    const bool made = room && ids;
    free(room);
    free(ids);
    return made;
}
