/* edge: see edge.h. */
#include "edge.h"

#include <string.h>

enum { SMALL_PLACE = 64 << 10 };

static struct {
    struct fuzz_place offsets, picked, extents, strides;
    struct gasket_kernel wrapped[4];                            /* what the plan sees */
    const struct gasket_kernel *resolve, *rows, *fused, *check; /* what they call */
    gasket_nest_fn *run;                                        /* of a call-time kernel */
    const char *changing;
    /* The change of an index. */
    int is_awaited, has_changed;
    int64_t unchecked; /* tuples that the checking pass has still to see */
    const struct fuzz_place *index;
    int64_t bad;
    size_t bytes;
} edge;

void fuzz_edge_open(void) {
    fuzz_place_make(&edge.offsets, FUZZ_PLACE_BYTES);
    fuzz_place_make(&edge.picked, FUZZ_PLACE_BYTES);
    fuzz_place_make(&edge.extents, SMALL_PLACE);
    fuzz_place_make(&edge.strides, SMALL_PLACE);
}

void fuzz_edge_close(void) {
    fuzz_place_free(&edge.offsets);
    fuzz_place_free(&edge.picked);
    fuzz_place_free(&edge.extents);
    fuzz_place_free(&edge.strides);
}

/* A copy that ends where the place does. */
static void *at_end(const struct fuzz_place *place, const void *from, size_t bytes) {
    char *to = place->written + fuzz_place_at(place, bytes, 0, 0);
    if (from) memcpy(to, from, bytes);
    return to;
}

static void change_index(const void *indices, int64_t count) {
    if (!edge.is_awaited) return;
    if (edge.unchecked <= 0 && count > 0) {
        memcpy(edge.index->written + ((const char *)indices - edge.index->seen), &edge.bad, edge.bytes);
        edge.has_changed = 1;
        edge.is_awaited = 0;
    }
    edge.unchecked -= count;
}

static struct gasket_lookup at_edge(const struct gasket_lookup *lookup) {
    struct gasket_lookup moved = *lookup;
    moved.extents = at_end(&edge.extents, lookup->extents, (size_t)lookup->depth * sizeof *lookup->extents);
    moved.strides = at_end(&edge.strides, lookup->strides, (size_t)lookup->depth * sizeof *lookup->strides);
    return moved;
}

static int64_t resolve(const struct gasket_lookup *lookup, const void *indices, int64_t count, int64_t *offsets) {
    size_t bytes = (size_t)count * sizeof *offsets;
    int64_t *at = at_end(&edge.offsets, NULL, bytes);
    struct gasket_lookup moved = at_edge(lookup);
    change_index(indices, count);
    int64_t bad = edge.resolve->run.resolve(&moved, indices, count, at);
    memcpy(offsets, at, bytes);
    return bad;
}

static int move(const struct gasket_rows *rows, const int64_t *offsets, int64_t count) {
    struct gasket_rows moved = *rows;
    if (rows->picked) moved.picked = at_end(&edge.picked, rows->picked, (size_t)count * sizeof *rows->picked);
    return edge.rows->run.rows(&moved, at_end(&edge.offsets, offsets, (size_t)count * sizeof *offsets), count);
}

static int64_t fuse(const struct gasket_lookup *lookup, const struct gasket_rows *rows, const void *indices,
                    int64_t count) {
    struct gasket_lookup moved = at_edge(lookup);
    change_index(indices, count);
    return edge.fused->run.fused(&moved, rows, indices, count);
}

static int64_t check(const struct gasket_lookup *lookup, const void *indices, int64_t count) {
    struct gasket_lookup moved = at_edge(lookup);
    change_index(indices, count);
    return edge.check->run.check(&moved, indices, count);
}

void fuzz_edge_wrap(struct gasket_plan *plan) {
    struct gk_choice *choice = &plan->choice;
    edge.resolve = choice->resolve;
    edge.rows = choice->rows;
    edge.wrapped[0] = *choice->resolve;
    edge.wrapped[0].run.resolve = resolve;
    edge.wrapped[1] = *choice->rows;
    edge.wrapped[1].run.rows = move;
    choice->resolve = &edge.wrapped[0];
    choice->rows = choice->unaligned = choice->piece = &edge.wrapped[1];
    if (choice->check) {
        edge.check = choice->check;
        edge.wrapped[3] = *choice->check;
        edge.wrapped[3].run.check = check;
        choice->check = &edge.wrapped[3];
    }
    if (!choice->fused) return;
    edge.fused = choice->fused;
    edge.wrapped[2] = *choice->fused;
    edge.wrapped[2].run.fused = fuse;
    choice->fused = &edge.wrapped[2];
}

static int64_t greatest(enum gasket_dtype type) {
    int bits = gk_dtype(type)->bits - (gk_dtype(type)->name[0] == 'i');
    return bits < 63 ? ((int64_t)1 << bits) - 1 : INT64_MAX;
}

/* The extent itself where the type can say it and that is asked for; else the least value of a signed type, or the
 * greatest of an unsigned one, if that is nowhere inside. */
static int find_bad(enum gasket_dtype type, int64_t extent, int wraps, int just_outside) {
    int is_signed = gk_dtype(type)->name[0] == 'i';
    edge.bytes = (size_t)gk_dtype(type)->bits / 8;
    edge.bad = extent;
    if (just_outside && extent <= greatest(type)) return 1;
    edge.bad = is_signed ? -greatest(type) - 1 : -1;
    if (is_signed) return !wraps || edge.bad + extent < 0;
    return type == GASKET_U64 || greatest(type) >= extent;
}

int fuzz_edge_change(const struct gasket_plan *plan, const struct fuzz_place *index, int just_outside) {
    const struct gk_form *form = &plan->form;
    int wraps = plan->problem.bounds == GASKET_BOUNDS_FROM_END;
    if (form->lookups.depth == 0 || !plan->checks_first || gk_form_bytes(form) == 0) return -1;
    if (!find_bad(form->combination.index, form->extents[0], wraps, just_outside)) return -1;
    edge.index = index;
    edge.unchecked = gk_form_tuples(form);
    edge.has_changed = 0;
    edge.is_awaited = 1;
    return 0;
}

static int64_t run_changed(const struct gasket_nest_call *call, int64_t begin, int64_t end) {
    if (edge.is_awaited) {
        memcpy(edge.index->written + (edge.changing - edge.index->seen), &edge.bad, edge.bytes);
        edge.has_changed = 1;
        edge.is_awaited = 0;
    }
    return edge.run(call, begin, end);
}

int fuzz_edge_change_nest(struct gk_kernel *kernel, const struct fuzz_change *change) {
    if (!find_bad(change->type, change->extent, change->wraps, change->just_outside)) return -1;
    edge.run = kernel->run;
    kernel->run = run_changed;
    edge.changing = change->index;
    edge.index = change->place;
    edge.has_changed = 0;
    edge.is_awaited = 1;
    return 0;
}

int fuzz_edge_changed(void) {
    int has_changed = edge.has_changed;
    edge.is_awaited = edge.has_changed = 0;
    return has_changed;
}
