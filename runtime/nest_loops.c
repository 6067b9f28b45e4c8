/* nest_loops: see nest_loops.h. */
#include "nest_loops.h"

#include "axes.h"

int gk_loop_locates(const struct gk_loop *loop, const struct gk_nest *nest) {
    int64_t moves = 0;
    for (int a = (int)nest->knobs.n_factors + 1; a < nest->n_accesses; a++)
        moves |= loop->strides[a];
    for (int c = 0; c < nest->n_coordinates; c++)
        moves |= loop->steps[c];
    return moves != 0;
}

static int64_t output_stride(const struct gk_loop *loop) {
    return gk_magnitude(loop->strides[0]);
}

static void drop_single(struct gk_loops *loops) {
    int kept = 0;
    for (int i = 0; i < loops->n; i++)
        if (loops->items[i].extent != 1) loops->items[kept++] = loops->items[i];
    loops->n = kept;
}

static int has_steps(const struct gk_loop *loop, const struct gk_nest *nest) {
    for (int c = 0; c < nest->n_coordinates; c++)
        if (loop->steps[c]) return 1;
    return 0;
}

/* A loop that writes backwards is taken from its other end, where its order does not matter. */
static void turn_forward(struct gk_loop *loop, struct gk_nest *nest) {
    if (!loop->is_free || loop->strides[0] >= 0 || has_steps(loop, nest)) return;
    for (int a = 0; a < nest->n_accesses; a++) {
        nest->starts[a] += (loop->extent - 1) * loop->strides[a];
        loop->strides[a] = -loop->strides[a];
    }
}

/* Stable, largest output stride first. */
static void sort_by_output(struct gk_loop *loops, int n) {
    for (int i = 1; i < n; i++) {
        struct gk_loop loop = loops[i];
        int at = i;
        for (; at > 0 && output_stride(&loops[at - 1]) < output_stride(&loop); at--)
            loops[at] = loops[at - 1];
        loops[at] = loop;
    }
}

static int merges(const struct gk_loop *outer, const struct gk_loop *inner, const struct gk_nest *nest) {
    if (outer->is_free != inner->is_free) return 0;
    for (int a = 0; a < nest->n_accesses; a++)
        if (outer->strides[a] != inner->strides[a] * inner->extent) return 0;
    for (int c = 0; c < nest->n_coordinates; c++)
        if (outer->steps[c] != inner->steps[c] * inner->extent) return 0;
    return 1;
}

static int merge_neighbours(struct gk_loop *loops, int n, const struct gk_nest *nest) {
    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (kept > 0 && merges(&loops[kept - 1], &loops[i], nest)) {
            const int64_t extent = loops[kept - 1].extent * loops[i].extent;
            loops[kept - 1] = loops[i];
            loops[kept - 1].extent = extent;
        } else {
            loops[kept++] = loops[i];
        }
    }
    return kept;
}

/* The smallest step of a looked-up place in the output, or 0 when there is none. */
static int64_t output_step(const struct gk_nest *nest) {
    int64_t least = 0;
    for (int c = 0; c < nest->n_coordinates; c++) {
        const struct gasket_nest_coordinate *coordinate = &nest->knobs.coordinates[c];
        const int64_t step = gk_magnitude(coordinate->stride);
        if (coordinate->access == 0 && (least == 0 || step < least)) least = step;
    }
    return least;
}

/* How many of the last free loops stand inside the ordered ones: those within a looked-up row of the output; without
 * such rows the last one alone. */
static int inner_loops(const struct gk_loop *frees, int n, const struct gk_nest *nest) {
    const int64_t row = output_step(nest);
    int inner = 0;
    while (inner < n && !gk_loop_locates(&frees[n - 1 - inner], nest) &&
           (row ? output_stride(&frees[n - 1 - inner]) < row : inner < 1))
        inner++;
    return inner;
}

void gk_loops_arrange(struct gk_loops *loops, struct gk_nest *nest) {
    struct gk_loop frees[GASKET_MAX_RANK], ordered[GASKET_MAX_RANK];
    int n_free = 0, n_ordered = 0;
    drop_single(loops);
    for (int i = 0; i < loops->n; i++) {
        turn_forward(&loops->items[i], nest);
        *(loops->items[i].is_free ? &frees[n_free++] : &ordered[n_ordered++]) = loops->items[i];
    }
    sort_by_output(frees, n_free);
    n_free = merge_neighbours(frees, n_free, nest);
    n_ordered = merge_neighbours(ordered, n_ordered, nest);
    const int outer = n_free - inner_loops(frees, n_free, nest);
    loops->n = 0;
    for (int i = 0; i < outer; i++)
        loops->items[loops->n++] = frees[i];
    for (int i = 0; i < n_ordered; i++)
        loops->items[loops->n++] = ordered[i];
    for (int i = outer; i < n_free; i++)
        loops->items[loops->n++] = frees[i];
}
