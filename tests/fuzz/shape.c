/* shape: ranks and extents. What the goal asks of the form comes first, the rest is drawn with a bias to what breaks
 * kernels: 0, 1, 2, primes, and vector widths and blocks give or take one. */
#include <string.h>

#include "draw.h"
#include "formula/formula.h"

enum { BATCH = GK_ROLE_BATCH, OUTER = GK_ROLE_OUTER, INDEX = GK_ROLE_INDEX, SLICE = GK_ROLE_SLICE, FREE };
enum { SMALL = 800, MIDDLE = 6000, LARGE = 40000 }; /* points of all loops */

struct shaper {
    struct fuzz_case *c;
    const struct fuzz_goal *goal;
    struct fuzz_random *random;
    const struct gasket_formula *formula;
    int64_t budget;
};

static int role_of(const struct shaper *s, int group) {
    return s->goal->has_form ? (int)s->goal->entry->structure.roles[group] : FREE;
}

/* ---- Ranks ---- */

/* Whether the product of a role's extents has to differ from 1 (1), be 1 (0), or is free (-1). */
static int wanted(const struct shaper *s, int role) {
    const struct gk_combination *c = &s->goal->combination;
    if (role == BATCH) return c->batch;
    if (role == OUTER && c->axis >= 0) return c->axis != 0;
    if (role == SLICE && c->axis == 2) return 0;
    if (role == SLICE && c->axis == 1) return 1;
    return -1;
}

static int stands_in_sum(const struct gasket_formula *formula, int group) {
    for (int i = 0; i < formula->n_subscripts; i++) {
        const struct gasket_subscript *subscript = &formula->subscripts[i];
        for (int t = 0; subscript->n_terms > 1 && t < subscript->n_terms; t++) {
            const struct gasket_term *term = &formula->terms[subscript->first_term + t];
            if (term->kind == GASKET_TERM_GROUP && term->id == group) return 1;
        }
    }
    return 0;
}

static int draw_rank(struct shaper *s, int group) {
    static const uint8_t weights[] = {20, 50, 22, 8};
    const struct gasket_operation *operation = s->c->operation;
    int rank = fuzz_weighted(s->random, weights, 4), want = wanted(s, role_of(s, group));
    if (stands_in_sum(s->formula, group)) return 1;
    if (operation->has_rank[group] && operation->ranks[group].n == 0) return (int)operation->ranks[group].constant;
    if (want == 0) return fuzz_chance(s->random, 150) ? rank : 0;
    int needs_row = want == 1 || (gk_dtype(s->c->value)->bits < 8 && role_of(s, group) == SLICE);
    return needs_row && rank == 0 ? 1 : rank;
}

/* ---- Extents ---- */

static int64_t any_extent(struct fuzz_random *random) {
    static const uint8_t extents[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 15, 16, 17, 31, 33, 64, 65};
    static const uint8_t weights[] = {2, 22, 26, 24, 12, 12, 8, 6, 4, 3, 2, 3, 3, 1, 1, 1, 1};
    return extents[fuzz_weighted(random, weights, sizeof weights)];
}

/* Elements of a row. */
static int64_t row_extent(struct fuzz_random *random) {
    static const int16_t around[] = {2, 4, 8, 16, 32, 64, 128, 256};
    static const uint8_t weights[] = {10, 12, 14, 16, 12, 8, 3, 1};
    if (fuzz_chance(random, 300)) return fuzz_between(random, 1, 70);
    return around[fuzz_weighted(random, weights, sizeof weights)] + fuzz_between(random, -1, 1);
}

/* Tuples in a run: now and then about the size of a block, narrow or wide. */
static int64_t run_extent(struct shaper *s) {
    static const int16_t blocks[] = {511, 512, 513, 1023, 1024, 1025, 1537};
    /* Few fused kernels can be chosen, for long runs of these types; filling is what they can not do. */
    int is_fusable = s->c->index == GASKET_I32 || s->c->index == GASKET_I64;
    if (fuzz_chance(s->random, is_fusable && s->c->bounds == GASKET_BOUNDS_FILL ? 120 : 12)) {
        s->budget = MIDDLE;
        return blocks[fuzz_below(s->random, 7)];
    }
    if (fuzz_chance(s->random, 1)) {
        s->budget = LARGE;
        return (fuzz_chance(s->random, 300) ? 16384 : 8192) + fuzz_between(s->random, -1, 600);
    }
    return fuzz_chance(s->random, 250) ? fuzz_between(s->random, 1, 70) : any_extent(s->random);
}

static void draw_extents(struct shaper *s, int group) {
    struct fuzz_case *c = s->c;
    int role = role_of(s, group), want = wanted(s, role), rank = c->group_rank[group];
    int64_t product = 1;
    for (int i = 0; i < rank; i++) {
        int64_t extent = i < rank - 1    ? any_extent(s->random)
                         : role == SLICE ? row_extent(s->random)
                         : role == INDEX ? run_extent(s)
                                         : any_extent(s->random);
        c->group_extent[group][i] = want == 0 ? 1 : extent;
        product *= c->group_extent[group][i];
    }
    if (want == 1 && product == 1 && rank > 0)
        c->group_extent[group][fuzz_below(s->random, rank)] = fuzz_between(s->random, 2, 5);
}

/* Loops without points are for turns of kernels, which there are more of than needed. */
static void avoid_nothing(struct shaper *s) {
    int is_kept = s->goal->kernel || !s->goal->has_form || fuzz_chance(s->random, 10);
    for (int g = 0; !is_kept && g < s->formula->n_groups; g++)
        for (int i = 0; i < s->c->group_rank[g]; i++)
            if (s->c->group_extent[g][i] == 0) s->c->group_extent[g][i] = 2;
}

/* Types of less than a byte come in rows of whole bytes. */
static void make_even(struct shaper *s) {
    for (int g = 0; gk_dtype(s->c->value)->bits < 8 && g < s->formula->n_groups; g++) {
        int rank = s->c->group_rank[g];
        if (rank == 0 || role_of(s, g) != SLICE) continue;
        int64_t *last = &s->c->group_extent[g][rank - 1];
        *last = (*last + 1) / 2 * 2;
    }
}

/* The row that the goal's kernel takes, as the last extent of the last slice group. */
static void set_row(struct shaper *s) {
    const struct gasket_rule *rule = s->goal->kernel ? &s->goal->kernel->rule : NULL;
    int64_t bits = gk_dtype(s->c->value)->bits;
    if (!rule || rule->strided || (rule->row_min <= 1 && rule->row_multiple <= 1)) return;
    int64_t most = rule->row_max < 2048 ? rule->row_max : 2048, multiple = rule->row_multiple;
    int64_t low = (rule->row_min + multiple - 1) / multiple, high = most / multiple;
    int64_t row = multiple * fuzz_between(s->random, low, high < low + 8 ? high : low + 8);
    for (int g = s->formula->n_groups - 1; g >= 0; g--) {
        int rank = s->c->group_rank[g];
        if (role_of(s, g) != SLICE || row * 8 % bits != 0 || row * 8 == bits) continue;
        if (rank == 0) s->c->group_rank[g] = rank = 1;
        for (int i = 0; i < rank; i++)
            s->c->group_extent[g][i] = 1;
        s->c->group_extent[g][rank - 1] = row * 8 / bits;
        return;
    }
}

static int64_t points(const struct fuzz_case *c) {
    int64_t n = 1;
    for (int g = 0; g < c->operation->formula.n_groups; g++)
        n *= fuzz_product(c->group_extent[g], c->group_rank[g]);
    return n;
}

/* Makes the largest extent smaller until the loops have no more points than the budget; rows last. */
static void keep_budget(struct shaper *s) {
    struct fuzz_case *c = s->c;
    while (points(c) > s->budget) {
        int64_t *largest = NULL;
        for (int g = 0; g < s->formula->n_groups; g++)
            for (int i = 0; i < c->group_rank[g]; i++) {
                int64_t *extent = &c->group_extent[g][i];
                int is_kept = role_of(s, g) == (s->budget == SMALL ? SLICE : INDEX) && i == c->group_rank[g] - 1;
                if (*extent > 2 && !is_kept && (!largest || *extent > *largest)) largest = extent;
            }
        if (!largest) s->budget = LARGE;
        if (!largest && points(c) <= LARGE) return;
        if (!largest) break;
        *largest = *largest > 8 ? *largest / 2 : *largest - 1;
    }
}

/* Dimensions of extent 1 anywhere, up to the greatest rank. */
static void add_ones(struct shaper *s) {
    struct fuzz_case *c = s->c;
    int more = (int)fuzz_between(s->random, 1, fuzz_chance(s->random, 200) ? 60 : 4);
    for (int i = 0; i < more; i++) {
        int g = (int)fuzz_below(s->random, s->formula->n_groups), rank = c->group_rank[g];
        if (stands_in_sum(s->formula, g)) continue;
        if (c->operation->has_rank[g] && c->operation->ranks[g].n == 0) continue;
        int at = (int)fuzz_between(s->random, 0, rank);
        if (rank == GASKET_MAX_RANK) continue;
        memmove(&c->group_extent[g][at + 1], &c->group_extent[g][at],
                sizeof c->group_extent[g][0] * (size_t)(rank - at));
        c->group_extent[g][at] = 1;
        c->group_rank[g]++;
        if (fuzz_set_shapes(c) == 0) continue;
        memmove(&c->group_extent[g][at], &c->group_extent[g][at + 1],
                sizeof c->group_extent[g][0] * (size_t)(rank - at));
        c->group_rank[g]--;
    }
}

/* ---- Lookups ---- */

static void draw_depths(struct shaper *s) {
    int depth = s->goal->combination.depth;
    for (int a = 0; a < s->formula->n_accesses; a++) {
        int64_t drawn = depth >= 0 && depth < 5 ? depth
                        : depth == 5            ? fuzz_between(s->random, 5, 8)
                                                : fuzz_between(s->random, 0, 3);
        if (depth == 5 && fuzz_chance(s->random, 60)) drawn = fuzz_between(s->random, 9, 24);
        s->c->depth[a] = s->formula->accesses[a].is_tuple ? drawn : 1;
        for (int same = 0; same < a; same++)
            if (s->formula->accesses[same].tensor == s->formula->accesses[a].tensor) s->c->depth[a] = s->c->depth[same];
    }
}

static int64_t addressed_extent(struct shaper *s, int64_t depth) {
    static const uint8_t around[] = {4, 8, 16, 32, 64, 128};
    int small = depth > 2 || fuzz_chance(s->random, 500);
    int64_t extent = small ? any_extent(s->random) : around[fuzz_below(s->random, 6)] + fuzz_between(s->random, -1, 1);
    if (depth > 4) extent = extent > 3 ? 1 + extent % 3 : extent;
    if (depth < 2 && fuzz_chance(s->random, 30)) extent = fuzz_between(s->random, 120, 300);
    return extent == 0 && s->c->bounds == GASKET_BOUNDS_UNCHECKED ? 1 : extent;
}

static void draw_addressed(struct shaper *s, uint8_t i) {
    struct fuzz_case *c = s->c;
    const struct gasket_subscript *subscript = &s->formula->subscripts[i];
    const struct gasket_term *first = &s->formula->terms[subscript->first_term];
    int64_t reach = fuzz_sum_reach(c, subscript) + 1;
    if (subscript->n_terms > 1)
        c->addressed[i][0] = (reach > 0 ? reach : 0) + fuzz_below(s->random, 6);
    else if (first->kind == GASKET_TERM_LOOKUP)
        for (int64_t part = 0; part < c->depth[first->id]; part++)
            c->addressed[i][part] = addressed_extent(s, c->depth[first->id]);
}

/* Makes addressed extents smaller until every tensor has few enough elements. */
static int fit_tensors(struct shaper *s) {
    struct fuzz_case *c = s->c;
    int64_t limit = s->budget == SMALL ? 8 * SMALL : FUZZ_ELEMENTS;
    for (uint8_t t = 0; t < s->formula->n_tensors; t++) {
        while (fuzz_elements(&c->tensors[t]) > limit) {
            struct fuzz_dimension dimensions[GASKET_MAX_RANK];
            int64_t *largest = NULL;
            int n = fuzz_dimensions(c, t, dimensions);
            for (int d = 0; d < n; d++) {
                int64_t *extent = fuzz_extent(c, dimensions[d]);
                const int is_open = dimensions[d].owner == FUZZ_OWNED_BY_SUBSCRIPT &&
                                    s->formula->subscripts[dimensions[d].id].n_terms == 1; /* sums need theirs */
                if (is_open && *extent > 1 && (!largest || *extent > *largest)) largest = extent;
            }
            if (!largest) return -1;
            *largest = *largest / 2;
            if (fuzz_set_shapes(c) != 0) return -1;
        }
    }
    return 0;
}

int fuzz_draw_shapes(struct fuzz_case *c, const struct fuzz_goal *goal, struct fuzz_random *random) {
    struct shaper s = {c, goal, random, &c->operation->formula, SMALL};
    draw_depths(&s);
    for (int g = 0; g < s.formula->n_groups; g++) {
        c->group_rank[g] = draw_rank(&s, g);
        draw_extents(&s, g);
    }
    set_row(&s);
    avoid_nothing(&s);
    keep_budget(&s);
    make_even(&s);
    for (uint8_t i = 0; i < s.formula->n_subscripts; i++)
        draw_addressed(&s, i);
    if (fuzz_set_shapes(c) != 0) return -1;
    if (fuzz_chance(random, 30)) add_ones(&s);
    return fuzz_set_shapes(c) != 0 ? -1 : fit_tensors(&s);
}
