/* Symmetry under the history.
 *
 * A permutation of the positions together with a permutation of the symbols turns a game into itself. One
 * that also maps the set of (guess, response) pairs of a history to itself maps the candidates left by the history to
 * themselves, so two guesses that it exchanges are worth the same: of each orbit only one need be tried. Published
 * solvers keep each guess where it is; here guesses with equal responses may also change places.
 *
 * An element is found by choosing which turn goes to which (equal responses only), then where each
 * position goes, while the map of the symbols that this forces stays one to one. Symbols that no guess has
 * used may be renamed freely and are not listed.
 */
#include "symmetry.h"

#include <stdlib.h>
#include <string.h>

void moo_group_init(moo_group *group) { memset(group, 0, sizeof *group); }

void moo_group_free(moo_group *group) {
    free(group->elements);
    moo_group_init(group);
}

typedef struct finder {
    moo_group *group;
    const moo_turn *history;
    int turns;
    bool leading_zero;
    bool out_of_memory;
    int to_turn[MOO_MAX_HISTORY];
    uint8_t to[MOO_MAX_POSITIONS];
    uint8_t map[MOO_MAX_SYMBOLS];
    uint64_t mapped, taken;   /* symbols with an image, symbols that are one */
    unsigned positions_taken;
    int steps;                /* positions tried so far, against MAX_STEPS */
} finder;

/* With ten positions a search for elements that are not there could take millions of steps; a list
 * that was cut short is still sound. */
enum { MAX_STEPS = 20000 };

static bool add_element(finder *f) {
    moo_group *group = f->group;
    if (group->count == MOO_MAX_ELEMENTS) {
        group->complete = false;
        return false;
    }
    if (group->count == group->capacity) {
        int capacity = group->capacity ? 4 * group->capacity : 24;
        moo_element *grown = realloc(group->elements, (size_t)capacity * sizeof *grown);
        if (!grown) {
            f->out_of_memory = true;
            return false;
        }
        group->elements = grown;
        group->capacity = capacity;
    }
    moo_element *element = &group->elements[group->count++];
    for (int i = 0; i < group->positions; i++) element->from[f->to[i]] = (uint8_t)i;
    memcpy(element->map, f->map, (size_t)group->symbols);
    return true;
}

/* Choose where position i goes; false ends the whole enumeration. */
static bool choose_position(finder *f, int i) {
    int positions = f->group->positions;
    if (i == positions) return add_element(f);
    if (++f->steps > MAX_STEPS) {
        f->group->complete = false;
        return false;
    }
    for (int j = 0; j < positions; j++) {
        if (f->positions_taken >> j & 1) continue;
        if (!f->leading_zero && (i == 0) != (j == 0)) continue;
        uint64_t mapped = f->mapped, taken = f->taken;
        bool fits = true;
        for (int t = 0; t < f->turns && fits; t++) {
            int symbol = f->history[t].guess[i];
            int image = f->history[f->to_turn[t]].guess[j];
            if (f->mapped >> symbol & 1) {
                fits = f->map[symbol] == image;
            } else if (f->taken >> image & 1) {
                fits = false;
            } else {
                f->map[symbol] = (uint8_t)image;
                f->mapped |= (uint64_t)1 << symbol;
                f->taken |= (uint64_t)1 << image;
            }
        }
        if (fits) {
            f->to[i] = (uint8_t)j;
            f->positions_taken |= 1u << j;
            bool more = choose_position(f, i + 1);
            f->positions_taken &= ~(1u << j);
            if (!more) return false;
        }
        f->mapped = mapped;
        f->taken = taken;
    }
    return true;
}

static bool choose_turn(finder *f, int t, unsigned turns_taken) {
    if (t == f->turns) return choose_position(f, 0);
    for (int k = 0; k < f->turns; k++) {
        if (turns_taken >> k & 1 || f->history[t].response != f->history[k].response) continue;
        f->to_turn[t] = k;
        if (!choose_turn(f, t + 1, turns_taken | 1u << k)) return false;
    }
    return true;
}

bool moo_group_make(moo_group *group, int positions, int symbols, bool leading_zero,
                    const moo_turn *history, int turns) {
    group->positions = positions;
    group->symbols = symbols;
    group->count = 0;
    group->complete = true;
    group->used = leading_zero ? 0 : 1;
    finder f = {.group = group, .history = history, .turns = turns, .leading_zero = leading_zero};
    if (turns > MOO_MAX_HISTORY) {
        /* Every symbol counts as used, so nothing but the identity is left. */
        group->used = ~(uint64_t)0;
        group->complete = false;
        for (int s = 0; s < symbols; s++) f.map[s] = (uint8_t)s;
        for (int i = 0; i < positions; i++) f.to[i] = (uint8_t)i;
        add_element(&f);
    } else {
        for (int t = 0; t < turns; t++)
            for (int i = 0; i < positions; i++) group->used |= (uint64_t)1 << history[t].guess[i];
        if (!leading_zero) f.mapped = f.taken = 1; /* symbol 0 stays */
        if (turns <= MOO_MAX_SWAPS) {
            choose_turn(&f, 0, 0);
        } else {
            for (int t = 0; t < turns; t++) f.to_turn[t] = t;
            choose_position(&f, 0);
        }
    }
    group->free_count = 0;
    for (int s = 0; s < symbols; s++)
        if (!(group->used >> s & 1)) group->free[group->free_count++] = (uint8_t)s;
    return !f.out_of_memory;
}

/* Symbol at position j of the least image of `code` under an element: unused symbols are named in the
 * order in which they turn up, the smallest name first, which is the least renaming. */
typedef struct renaming {
    uint8_t name[MOO_MAX_SYMBOLS];
    uint64_t named;
    int next;
} renaming;

static inline int image_at(const moo_group *group, const moo_element *element, const uint8_t *code,
                           int j, renaming *r) {
    int symbol = code[element->from[j]];
    if (group->used >> symbol & 1) return element->map[symbol];
    if (!(r->named >> symbol & 1)) {
        r->named |= (uint64_t)1 << symbol;
        r->name[symbol] = group->free[r->next++];
    }
    return r->name[symbol];
}

bool moo_group_is_least(const moo_group *group, const uint8_t *code) {
    for (int e = 0; e < group->count; e++) {
        renaming r;
        r.named = 0;
        r.next = 0;
        for (int j = 0; j < group->positions; j++) {
            int image = image_at(group, &group->elements[e], code, j, &r);
            if (image < code[j]) return false;
            if (image > code[j]) break;
        }
    }
    return true;
}

void moo_group_least(const moo_group *group, const uint8_t *code, uint8_t *least) {
    memcpy(least, code, (size_t)group->positions);
    for (int e = 0; e < group->count; e++) {
        renaming r;
        r.named = 0;
        r.next = 0;
        uint8_t image[MOO_MAX_POSITIONS];
        for (int j = 0; j < group->positions; j++)
            image[j] = (uint8_t)image_at(group, &group->elements[e], code, j, &r);
        if (memcmp(image, least, (size_t)group->positions) < 0)
            memcpy(least, image, (size_t)group->positions);
    }
}
