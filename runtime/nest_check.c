/* nest_check: see nest_check.h. */
#include "nest_check.h"

#include <stdatomic.h>

#include "schedule.h"

/* ---- Making it ---- */

/* One value of an index tensor that lies where it lies. */
static int is_plain(const struct gk_nest *nest, const struct gasket_nest_coordinate *coordinate) {
    if (coordinate->is_sum) return 0;
    for (int c = 0; c < nest->n_coordinates; c++)
        if (nest->knobs.coordinates[c].access == coordinate->values[0].access) return 0;
    return 1;
}

/* Whether coordinate c goes on with the tuple, a value further on. */
static int continues(const struct gk_nest *nest, const struct gk_tuple_check *item, int c) {
    const struct gasket_nest_value *value = &nest->knobs.coordinates[c].values[0];
    if (nest->knobs.coordinates[c].is_sum || value->access != item->access) return 0;
    return item->depth == 1 || value->offset == item->start + item->depth * item->component_stride;
}

static int take_tuple(struct gk_tuple_check *item, const struct gk_nest *nest, int first) {
    const struct gasket_nest_value *value = &nest->knobs.coordinates[first].values[0];
    *item = (struct gk_tuple_check){.access = (int)value->access, .first = first, .depth = 1, .start = value->offset};
    for (int c = first + 1; c < nest->n_coordinates && continues(nest, item, c); c++, item->depth++)
        if (item->depth == 1) item->component_stride = nest->knobs.coordinates[c].values[0].offset - item->start;
    return first + item->depth;
}

/* The loops that lead to other tuples, merged where they can be. */
static void take_loops(struct gk_tuple_check *item, const struct gk_nest *nest) {
    const int64_t *strides = nest->knobs.accesses[item->access].strides;
    int n = 0;
    for (int k = 0; k < GASKET_NEST_LOOPS; k++) {
        const int64_t extent = k ? nest->knobs.extents[k] : nest->count;
        if (!strides[k]) continue;
        const int merges = n > 0 && item->strides[n - 1] == strides[k] * extent;
        n -= merges;
        item->extents[n] = merges ? item->extents[n] * extent : extent;
        item->strides[n++] = strides[k];
    }
    if (n == 0) item->extents[n++] = 1;
    item->n_loops = n;
}

static const struct gasket_kernel *find_checker(const struct gk_tuple_check *item, const struct gk_nest *nest,
                                                const struct gk_catalog *catalog, enum gasket_isa level) {
    const enum gasket_dtype dtype = (enum gasket_dtype)nest->knobs.accesses[item->access].index_dtype;
    const int64_t size = gk_dtype_bytes(dtype), stride = item->strides[item->n_loops - 1];
    const struct gk_need need = {
        .what = {.kind = GASKET_CHECK, .index_dtype = (uint8_t)dtype, .form = (uint8_t)nest->knobs.form},
        .level = level,
        .tier = GK_TIER_ANY,
        .depth = (uint8_t)item->depth,
        .count = item->extents[item->n_loops - 1],
        .packed_tuples = stride == item->depth * size && (item->depth == 1 || item->component_stride == size),
    };
    return gk_cheapest(catalog, &need);
}

void gk_nest_check_make(struct gk_nest_check *check, struct gk_nest *nest, const struct gk_catalog *catalog,
                        enum gasket_isa level) {
    check->n = 0;
    if (!nest->knobs.checks) return;
    int n = 0;
    for (int c = 0; c < nest->n_coordinates; n++) {
        struct gk_tuple_check *item = &check->items[n];
        if (!is_plain(nest, &nest->knobs.coordinates[c])) return;
        c = take_tuple(item, nest, c);
        take_loops(item, nest);
        item->check = find_checker(item, nest, catalog, level);
        if (!item->check) return;
    }
    check->n = n;
    nest->knobs.checks = 0;
}

/* ---- Running it ---- */

struct pass {
    const struct gk_tuple_check *item;
    struct gasket_lookup lookup;
    const char *indices;
    _Atomic int bad;
};

/* Where run number `number` of tuples begins. */
static int64_t run_offset(const struct gk_tuple_check *item, int64_t number) {
    int64_t offset = 0;
    for (int k = item->n_loops - 2; k >= 0; k--) {
        offset += number % item->extents[k] * item->strides[k];
        number /= item->extents[k];
    }
    return offset;
}

static void check_tuples(void *state, int64_t begin, int64_t end) {
    struct pass *pass = state;
    const struct gk_tuple_check *item = pass->item;
    const int64_t run = item->extents[item->n_loops - 1];
    int64_t bad = 0;
    while (begin < end && !bad) {
        const int64_t at = begin % run, count = run - at < end - begin ? run - at : end - begin;
        const char *tuples = pass->indices + run_offset(item, begin / run) + at * pass->lookup.tuple_stride;
        bad = item->check->run.check(&pass->lookup, tuples, count);
        begin += count;
    }
    if (bad) atomic_store_explicit(&pass->bad, 1, memory_order_relaxed);
}

static int is_bad(const struct gk_tuple_check *item, const struct gk_nest *nest, const struct gasket_nest_call *call,
                  const struct gk_parallel *parallel) {
    struct pass pass = {
        .item = item,
        .lookup = {.tuple_stride = item->strides[item->n_loops - 1],
                   .component_stride = item->component_stride,
                   .depth = item->depth,
                   .extents = call->extents + item->first},
        .indices = call->bases[item->access] + item->start,
    };
    int64_t total = 1;
    for (int k = 0; k < item->n_loops; k++)
        total *= item->extents[k];
    if (gk_threads_pay(parallel, nest->bytes))
        gk_parallel_run(parallel, total, GK_CHECK_GRAIN, check_tuples, &pass);
    else
        check_tuples(&pass, 0, total);
    return atomic_load_explicit(&pass.bad, memory_order_relaxed);
}

int gk_nest_check_run(const struct gk_nest_check *check, const struct gk_nest *nest,
                      const struct gasket_nest_call *call, const struct gk_parallel *parallel) {
    for (int i = 0; i < check->n; i++)
        if (is_bad(&check->items[i], nest, call, parallel)) return 1;
    return 0;
}
