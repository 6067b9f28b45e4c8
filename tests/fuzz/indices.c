/* indices: how index values are spread, and the bad ones among them. */
#include <string.h>

#include "draw.h"
#include "formula/formula.h"

enum spread { UNIFORM, SORTED, BACKWARDS, PERMUTATION, EQUAL, HOT, RUNS, SPREADS };

/* One lookup: tuples of `depth` values, each below its own extent. */
struct lookup {
    const struct fuzz_case *c;
    struct fuzz_random *random;
    struct fuzz_tensor *index;
    int64_t tuples, depth;
    const int64_t *extents;
    int64_t sum_reach; /* what is added to a value before it addresses */
    int64_t values;    /* that are looked up for one subscript */
};

static int64_t limit_of(const struct lookup *l, int64_t component) {
    int64_t reach = l->sum_reach > 0 ? l->sum_reach : 0, limit = l->extents[component] - reach, most = INT64_MAX;
    int bits = gk_dtype(l->index->dtype)->bits - (gk_dtype(l->index->dtype)->name[0] == 'i');
    if (bits < 63) most = (int64_t)1 << bits;
    limit = (limit + l->values - 1) / l->values;
    return limit < 1 ? 1 : limit < most ? limit : most;
}

static void put(const struct lookup *l, int64_t tuple, int64_t component, uint64_t value) {
    size_t bytes = fuzz_element_bytes(l->index->dtype);
    memcpy(l->index->elements + (size_t)(tuple * l->depth + component) * bytes, &value, bytes); /* little endian */
}

/* The value of a tuple, seen as one number below the product of the extents. */
static uint64_t spread_value(const struct lookup *l, enum spread spread, int64_t tuple, uint64_t hot) {
    uint64_t at = (uint64_t)tuple, n = (uint64_t)l->tuples;
    switch (spread) {
        case SORTED:
            return at * 1000003 / n; /* scaled below by the extents */
        case BACKWARDS:
            return (n - 1 - at) * 1000003 / n;
        case PERMUTATION:
            return at * 7919 % (n | 1);
        case EQUAL:
            return hot;
        case HOT:
            return fuzz_chance(l->random, 900) ? hot : fuzz_bits(l->random) >> 1;
        case RUNS:
            return (hot + at) % 64 < 48 ? hot + at : fuzz_bits(l->random) >> 1;
        default:
            return fuzz_bits(l->random) >> 1;
    }
}

static void put_tuple(const struct lookup *l, enum spread spread, int64_t tuple, uint64_t hot) {
    uint64_t number = spread_value(l, spread, tuple, hot), all = 1;
    for (int64_t i = 0; i < l->depth; i++)
        all *= (uint64_t)limit_of(l, i);
    if (spread == SORTED || spread == BACKWARDS) number = (uint64_t)((unsigned __int128)number * all / 1000003);
    for (int64_t i = l->depth - 1; i >= 0; i--) {
        uint64_t limit = (uint64_t)limit_of(l, i);
        put(l, tuple, i, number % limit);
        number /= limit;
        if (number == 0 && spread == UNIFORM) number = fuzz_bits(l->random) >> 1;
    }
}

/* ---- Values out of bounds ---- */

static uint64_t bad_value(const struct lookup *l, int64_t component) {
    int64_t extent = l->extents[component], good = fuzz_below(l->random, limit_of(l, component));
    const int64_t values[] = {
        -1,
        extent,
        extent + 1,
        -extent,
        -extent - 1,
        INT64_MIN,
        INT64_MAX,
        INT32_MIN,
        INT32_MAX,
        127,
        -128,
        255,
        65535,
        good + ((int64_t)1 << 32), /* good where the upper half is lost */
        good + ((int64_t)1 << 31),
        good + (1 << 16),
        good + (1 << 8),
        good + INT64_MIN,
        -good - 1,
    };
    return (uint64_t)values[fuzz_below(l->random, sizeof values / sizeof *values)];
}

static void put_bad(const struct lookup *l) {
    if (l->tuples == 0 || l->depth == 0) return;
    int64_t last = l->tuples - 1;
    const int64_t places[] = {0, last, last / 2, fuzz_below(l->random, l->tuples)};
    int many = fuzz_chance(l->random, 250);
    for (int64_t i = many ? fuzz_between(l->random, 1, l->tuples) : 1; i > 0; i--) {
        int64_t tuple = many ? fuzz_below(l->random, l->tuples) : places[fuzz_below(l->random, 4)];
        int64_t component = fuzz_below(l->random, l->depth);
        put(l, tuple, component, bad_value(l, component));
    }
}

/* from_end: some count backwards from the end. */
static void put_negative(const struct lookup *l) {
    for (int64_t i = 0; i < l->tuples * l->depth; i++)
        if (fuzz_chance(l->random, 300) && l->extents[i % l->depth] > 0)
            put(l, i / l->depth, i % l->depth, (uint64_t)-fuzz_between(l->random, 1, limit_of(l, i % l->depth)));
}

/* ---- The lookups of a formula ---- */

static int64_t count_lookups(const struct gasket_formula *formula, const struct gasket_subscript *subscript) {
    int64_t n = 0;
    for (int t = 0; t < subscript->n_terms; t++)
        n += formula->terms[subscript->first_term + t].kind == GASKET_TERM_LOOKUP;
    return n;
}

/* What a value has to keep to: where a tensor is looked up more than once, all of it. */
static void narrow(struct lookup *l, int64_t extents[GASKET_MAX_RANK], uint8_t tensor) {
    const struct fuzz_case *c = l->c;
    const struct gasket_formula *formula = &c->operation->formula;
    for (int i = 0; i < formula->n_subscripts; i++) {
        const struct gasket_subscript *subscript = &formula->subscripts[i];
        for (int t = 0; t < subscript->n_terms; t++) {
            const struct gasket_term *term = &formula->terms[subscript->first_term + t];
            if (term->kind != GASKET_TERM_LOOKUP || formula->accesses[term->id].tensor != tensor) continue;
            const int64_t reach = fuzz_sum_reach(c, subscript), values = count_lookups(formula, subscript);
            if (reach > l->sum_reach) l->sum_reach = reach;
            if (values > l->values) l->values = values;
            for (int64_t part = 0; part < l->depth; part++)
                if (c->addressed[i][part] < extents[part]) extents[part] = c->addressed[i][part];
        }
    }
}

static void draw_lookup(struct fuzz_case *c, const struct gasket_subscript *subscript, uint8_t access,
                        struct fuzz_random *random) {
    const struct gasket_formula *formula = &c->operation->formula;
    struct fuzz_tensor *index = &c->tensors[formula->accesses[access].tensor];
    int64_t extents[GASKET_MAX_RANK];
    memcpy(extents, c->addressed[subscript - formula->subscripts], sizeof extents);
    struct lookup l = {c, random, index, 0, c->depth[access], extents, 0, 1};
    int64_t n = fuzz_elements(index);
    if (index->elements) return; /* a tensor that is looked up twice */
    l.tuples = l.depth > 0 ? n / l.depth : 0;
    narrow(&l, extents, formula->accesses[access].tensor);
    index->elements = fuzz_pool_room(&c->pool, (size_t)n * fuzz_element_bytes(index->dtype) + 16);
    enum spread spread = (enum spread)fuzz_below(random, SPREADS);
    uint64_t hot = fuzz_bits(random) >> 1;
    for (int64_t tuple = 0; tuple < l.tuples; tuple++)
        put_tuple(&l, spread, tuple, hot);
    if (c->bounds == GASKET_BOUNDS_FROM_END && fuzz_chance(random, 700)) put_negative(&l);
    int reports = c->bounds == GASKET_BOUNDS_ERROR || c->bounds == GASKET_BOUNDS_FROM_END;
    if (c->bounds != GASKET_BOUNDS_UNCHECKED && fuzz_chance(random, reports ? 220 : 600)) put_bad(&l);
}

void fuzz_draw_indices(struct fuzz_case *c, struct fuzz_random *random) {
    const struct gasket_formula *formula = &c->operation->formula;
    for (int i = 0; i < formula->n_subscripts; i++) {
        const struct gasket_subscript *subscript = &formula->subscripts[i];
        for (int t = 0; t < subscript->n_terms; t++) {
            const struct gasket_term *term = &formula->terms[subscript->first_term + t];
            if (term->kind == GASKET_TERM_LOOKUP) draw_lookup(c, subscript, term->id, random);
        }
    }
}
