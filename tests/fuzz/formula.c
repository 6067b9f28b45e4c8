/* formula: see formula.h. The right side is drawn first; the left gets groups that stand there, since nothing else
 * would give them a size. */
#include "formula/formula.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formula.h"

enum { MOST_GROUPS = 5, MOST_INDICES = 3, ACCESS_TEXT = 160 };

struct drawer {
    struct fuzz_random *random;
    int n_groups, n_indices, n_values, most_indices; /* a formula has six tensors at most */
    char lookups[MOST_INDICES][ACCESS_TEXT];         /* texts of lookups that may stand again; "" for others */
};

static void append(char *text, const char *format, ...) {
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, ACCESS_TEXT - used, format, arguments);
    va_end(arguments);
}

/* A group that the access has not, as a bit; 0 when there is none. */
static unsigned new_group(const struct drawer *d, unsigned used) {
    for (int i = 0; i < 2 * MOST_GROUPS; i++) {
        const unsigned bit = 1u << fuzz_below(d->random, d->n_groups);
        if (!(used & bit)) return bit;
    }
    return 0;
}

static char letter(unsigned bit) {
    return (char)('A' + __builtin_ctz(bit));
}

/* ---- Lookups ---- */

static void add_subscript(char *access, const char *subscript) {
    if (*subscript) append(access, "%s%s", access[strlen(access) - 1] == '[' ? "" : ",", subscript);
}

enum shape { ALONE, IN_SUM };

/* A tensor of indices and its subscripts; a tuple only where it stands alone. Groups are small in number, since all of
 * them are dimensions. */
static void draw_lookup(struct drawer *d, char *text, enum shape shape, int depth) {
    const int slot = d->n_indices;
    if (depth == 0 && slot > 0 && (slot == d->most_indices || fuzz_chance(d->random, 200))) {
        append(text, "%s", d->lookups[fuzz_below(d->random, slot)]);
        return;
    }
    char *own = d->lookups[d->n_indices++];
    unsigned used = 0;
    snprintf(own, ACCESS_TEXT, "i%d[", slot);
    for (int64_t n = fuzz_between(d->random, 0, 2); n > 0; n--) {
        const unsigned bit = new_group(d, used);
        char subscript[ACCESS_TEXT] = "";
        if (depth < 2 && fuzz_chance(d->random, 250) && d->n_indices < d->most_indices)
            draw_lookup(d, subscript, ALONE, depth + 1);
        else if (bit)
            append(subscript, "%c", letter(bit));
        if (subscript[1] == 0) used |= bit;
        add_subscript(own, subscript);
    }
    if (shape == ALONE && fuzz_chance(d->random, 350)) add_subscript(own, "*");
    append(own, "]");
    append(text, "%s", own);
}

/* ---- Subscripts ---- */

enum subscript { GROUP, LOOKUP, GROUPS, GROUP_AND_LOOKUP, LOOKUPS, SUBSCRIPTS };

static int has_tuple(const char *text) {
    return strchr(text, '*') != NULL;
}

/* A lookup that is no tuple, for a sum; or none. */
static void add_to_sum(struct drawer *d, char *text) {
    char lookup[ACCESS_TEXT] = "";
    draw_lookup(d, lookup, IN_SUM, 0);
    if (!has_tuple(lookup)) append(text, "%s%s", *text ? "+" : "", lookup);
}

static void draw_subscript(struct drawer *d, char *text, enum subscript kind, unsigned *used) {
    const int with_group = kind == LOOKUPS && fuzz_chance(d->random, 400);
    const int groups = kind == GROUPS ? 2 : kind == GROUP || kind == GROUP_AND_LOOKUP || with_group;
    if (kind == LOOKUP) draw_lookup(d, text, ALONE, 0);
    for (int i = 0; i < groups; i++) {
        const unsigned bit = new_group(d, *used);
        if (!bit) continue;
        *used |= bit;
        append(text, "%s%c", *text ? "+" : "", letter(bit));
    }
    for (int i = 0; i < (kind == LOOKUPS ? 2 : kind == GROUP_AND_LOOKUP); i++)
        add_to_sum(d, text);
}

static void draw_factor(struct drawer *d, char *text) {
    static const uint8_t kinds[SUBSCRIPTS] = {40, 34, 6, 10, 10};
    unsigned used = 0;
    append(text, "v%d[", d->n_values++);
    for (int64_t n = fuzz_between(d->random, 0, 3); n > 0; n--) {
        char subscript[ACCESS_TEXT] = "";
        draw_subscript(d, subscript, (enum subscript)fuzz_weighted(d->random, kinds, SUBSCRIPTS), &used);
        add_subscript(text, subscript);
    }
    append(text, "]");
}

/* ---- The left side ---- */

static unsigned groups_in(const char *text) {
    unsigned groups = 0;
    for (; *text; text++)
        if (*text >= 'A' && *text <= 'Z') groups |= 1u << (*text - 'A');
    return groups;
}

enum { PIECES = MOST_GROUPS + 2 };

/* Up to two subscripts that are looked up or sums. Returns the groups in the sums. */
static unsigned draw_places(struct drawer *d, char pieces[PIECES][ACCESS_TEXT], unsigned there) {
    static const uint8_t kinds[2][SUBSCRIPTS] = {{0, 50, 20, 20, 10}, {0, 20, 60, 10, 10}};
    unsigned used = ~there;
    const int n = fuzz_chance(d->random, 550) ? 1 + fuzz_chance(d->random, 700) : 0;
    for (int i = 0; i < n; i++)
        draw_subscript(d, pieces[i], (enum subscript)fuzz_weighted(d->random, kinds[i], SUBSCRIPTS), &used);
    return used & there;
}

/* Groups of the right side alone are subscripts too: with = all that stand nowhere in the places. */
static void draw_left(struct drawer *d, char *text, unsigned there, int stores) {
    char pieces[PIECES][ACCESS_TEXT] = {""};
    const unsigned summed = draw_places(d, pieces, there);
    const unsigned placed = groups_in(pieces[0]) | groups_in(pieces[1]);
    for (int g = 0; g < d->n_groups; g++) {
        const unsigned bit = 1u << g;
        if (!(there & bit) || (summed & bit)) continue;
        if (fuzz_chance(d->random, placed & bit ? 300 : stores ? 1000 : 650)) append(pieces[2 + g], "%c", letter(bit));
    }
    append(text, "out[");
    for (int left = PIECES; left > 0; left--) { /* in any order */
        const int64_t i = fuzz_below(d->random, left);
        add_subscript(text, pieces[i]);
        memmove(pieces[i], pieces[left - 1], ACCESS_TEXT);
    }
    append(text, "]");
}

static const char *draw_sign(struct fuzz_random *random) {
    static const char *const signs[] = {"=", "+=", "-=", "*=", "min=", "max=", "?="};
    static const uint8_t weights[] = {40, 25, 7, 7, 7, 7, 7};
    return signs[fuzz_weighted(random, weights, 7)];
}

static void draw_formula(struct drawer *d, char *text, size_t size) {
    const char *sign = draw_sign(d->random);
    char right[3][ACCESS_TEXT] = {"", "", ""}, left[ACCESS_TEXT] = "";
    const int factors = fuzz_chance(d->random, 500) ? 1 : (int)fuzz_between(d->random, 2, 3);
    unsigned there = 0;
    d->most_indices = factors < 3 ? MOST_INDICES : MOST_INDICES - 1;
    for (int f = 0; f < factors; f++) {
        draw_factor(d, right[f]);
        there |= groups_in(right[f]);
    }
    draw_left(d, left, there, *sign == '=');
    const int is_whole = *sign == '=' && !strchr(left, '+') && !strchr(strchr(left, '[') + 1, '[');
    const char *from = is_whole && fuzz_chance(d->random, 750)                     ? ""
                       : fuzz_chance(d->random, 500) && d->n_indices + factors < 5 ? "~from~base"
                                                                                   : "~from~zeros";
    snprintf(text, size, "%s%s%s%s%s%s%s%s", left, sign, right[0], factors > 1 ? "*" : "", right[1],
             factors > 2 ? "*" : "", right[2], from);
}

/* ---- What has to be given ---- */

struct given {
    const struct gasket_formula *formula;
    uint8_t ranks[GASKET_MAX_GROUPS], known[GASKET_MAX_GROUPS]; /* GASKET_NONE: not given */
    int gives_output;
};

static int is_lone(const struct gasket_formula *formula, int subscript) {
    const struct gasket_subscript *s = &formula->subscripts[subscript];
    return s->n_terms == 1 && formula->terms[s->first_term].kind == GASKET_TERM_GROUP;
}

static int has_known_rank(const struct given *given, int access) {
    return access != given->formula->left || given->gives_output || given->formula->origin == GASKET_FROM_TENSOR;
}

/* Groups in sums have rank 1; an access of known rank with one open group says its rank. */
static void solve(struct given *given) {
    const struct gasket_formula *formula = given->formula;
    for (int round = 0; round < GASKET_MAX_GROUPS; round++)
        for (int a = 0; a < formula->n_accesses; a++) {
            const struct gasket_access *access = &formula->accesses[a];
            int open = 0, last = 0;
            for (int s = access->first_subscript; s < access->first_subscript + access->n_subscripts; s++) {
                const struct gasket_subscript *subscript = &formula->subscripts[s];
                for (int t = 0; t < subscript->n_terms; t++) {
                    const struct gasket_term *term = &formula->terms[subscript->first_term + t];
                    if (term->kind != GASKET_TERM_GROUP || given->known[term->id]) continue;
                    if (subscript->n_terms > 1) given->known[term->id] = 1;
                    open += subscript->n_terms == 1;
                    last = term->id;
                }
            }
            if (open == 1 && has_known_rank(given, a)) given->known[last] = 1;
        }
}

static void give_ranks(struct given *given, struct fuzz_random *random) {
    static const uint8_t weights[] = {10, 60, 25, 5};
    solve(given);
    for (int g = 0; g < given->formula->n_groups; g++) {
        if (given->known[g] && !fuzz_chance(random, 100)) continue;
        given->ranks[g] = (uint8_t)fuzz_weighted(random, weights, 4);
        given->known[g] = 1;
        solve(given);
    }
}

static int stands_in_sum(const struct gasket_formula *formula, int group) {
    for (int s = 0; s < formula->n_subscripts; s++)
        for (int t = 0; formula->subscripts[s].n_terms > 1 && t < formula->subscripts[s].n_terms; t++) {
            const struct gasket_term *term = &formula->terms[formula->subscripts[s].first_term + t];
            if (term->kind == GASKET_TERM_GROUP && term->id == group) return 1;
        }
    return 0;
}

/* Whether some tensor of known rank has the group as a subscript of its own, so that it says the extents. */
static int has_extents(const struct given *given, int group) {
    const struct gasket_formula *formula = given->formula;
    for (int a = 0; a < formula->n_accesses; a++)
        for (int i = 0; has_known_rank(given, a) && i < formula->accesses[a].n_subscripts; i++) {
            const int s = formula->accesses[a].first_subscript + i;
            if (is_lone(formula, s) && formula->terms[formula->subscripts[s].first_term].id == group) return 1;
        }
    return 0;
}

static void write_given(const struct given *given, char *definition) {
    const struct gasket_formula *formula = given->formula;
    char ranks[128] = "", extents[128] = "";
    for (int g = 0; g < formula->n_groups; g++) {
        const char name = formula->groups[g];
        if (given->ranks[g] != GASKET_NONE && !stands_in_sum(formula, g) && has_extents(given, g))
            snprintf(ranks + strlen(ranks), sizeof ranks - strlen(ranks), "%s%c=%d", *ranks ? "," : "", name,
                     given->ranks[g]);
        if (!has_extents(given, g))
            snprintf(extents + strlen(extents), sizeof extents - strlen(extents), "%s%c=extent_%c", *extents ? "," : "",
                     name, name + 'a' - 'A');
    }
    const size_t used = strlen(definition);
    snprintf(definition + used, FUZZ_DEFINITION - used, "%s%s%s%s%s%s%s", *ranks ? ";ranks=" : "", ranks,
             *extents ? ";extents=" : "", extents, given->gives_output ? ";output=shape" : "",
             formula->n_factors > 1 ? ";values=logical,integer,float,complex" : "",
             formula->combine == GASKET_CHOSEN ? ";combine=store,add,sub,mul,min,max" : "");
}

void fuzz_draw_definition(struct fuzz_random *random, char definition[FUZZ_DEFINITION]) {
    struct drawer d = {.random = random, .n_groups = (int)fuzz_between(random, 1, MOST_GROUPS)};
    struct gasket_formula formula;
    struct gk_formula_error error;
    char text[FUZZ_DEFINITION];
    draw_formula(&d, definition, FUZZ_DEFINITION);
    snprintf(text, sizeof text, "%s", definition);
    for (char *at = text; *at; at++)
        if (*at == '~') *at = ' ';
    if (gk_formula_parse(text, &formula, &error)) return; /* what is wrong will be said when it is defined */
    struct given given = {.formula = &formula};
    memset(given.ranks, GASKET_NONE, sizeof given.ranks);
    for (int s = 0; s < formula.accesses[formula.left].n_subscripts; s++)
        given.gives_output |= !is_lone(&formula, formula.accesses[formula.left].first_subscript + s);
    given.gives_output &= formula.origin != GASKET_FROM_TENSOR;
    give_ranks(&given, random);
    write_given(&given, definition);
}
