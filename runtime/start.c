/* start: see start.h. Both tensors are walked together as rows of bytes, in the order of the output's strides. */
#include "start.h"

#include <string.h>

#include "axes.h"

enum { PIECE = 1 << 18 }; /* bytes of a contiguous row that one step takes */

struct start {
    struct gk_axis axes[GASKET_MAX_RANK];
    int n;
    int64_t row, steps;
    char *out;
    const char *from;
};

static void insert(struct start *start, struct gk_axis axis) {
    int at = start->n++;
    while (at > 0 && gk_magnitude(start->axes[at - 1].plain_stride) < gk_magnitude(axis.plain_stride)) {
        start->axes[at] = start->axes[at - 1];
        at--;
    }
    start->axes[at] = axis;
}

/* A contiguous innermost axis becomes the row; a long row is cut into pieces, so that threads can share it. -1 where a
 * row or a stride is not a whole number of bytes. */
static int take_row(struct start *start, int64_t bits, int copies) {
    int64_t elements = 1, odd = 0;
    const struct gk_axis *last = &start->axes[start->n > 0 ? start->n - 1 : 0];
    if (start->n > 0 && last->plain_stride == 1 && (!copies || last->indexed_stride == 1)) {
        elements = last->extent;
        start->n--;
    }
    for (int i = 0; i < start->n; i++) {
        odd |= start->axes[i].plain_stride * bits % 8 | start->axes[i].indexed_stride * bits % 8;
        start->axes[i].plain_stride = start->axes[i].plain_stride * bits / 8;
        start->axes[i].indexed_stride = start->axes[i].indexed_stride * bits / 8;
    }
    odd |= elements * bits % 8;
    start->row = (elements * bits + 7) / 8;
    return odd ? -1 : 0;
}

/* 0 where there is nothing to do, -1 where it can not be done in bytes. */
static int prepare(struct start *start, const struct gk_tensor *out, const struct gk_tensor *from) {
    start->n = 0;
    for (int d = 0; d < out->ndim; d++) {
        struct gk_axis axis = {out->shape[d], from ? from->stride[d] : 0, out->stride[d], 0};
        if (axis.extent == 0) return 0;
        insert(start, axis);
    }
    start->n = gk_axes_squeeze(start->axes, start->n);
    return take_row(start, gk_dtype(out->dtype)->bits, from != NULL) == 0 ? 1 : -1;
}

int gk_start_is_whole(const struct gk_tensor *out, const struct gk_tensor *from) {
    struct start start;
    return prepare(&start, out, from) >= 0;
}

static void run_steps(void *state, int64_t begin, int64_t end) {
    const struct start *start = state;
    int64_t pieces = (start->row + PIECE - 1) / PIECE;
    struct gk_place walk;
    gk_place_set(&walk, start->axes, start->n, begin / pieces);
    for (int64_t step = begin; step < end; step++) {
        int64_t at = step % pieces * PIECE, bytes = start->row - at < PIECE ? start->row - at : PIECE;
        if (start->from)
            memcpy(start->out + walk.plain + at, start->from + walk.indexed + at, (size_t)bytes);
        else
            memset(start->out + walk.plain + at, 0, (size_t)bytes);
        if ((step + 1) % pieces == 0) gk_place_next(&walk);
    }
}

void gk_start_output(const struct gk_tensor *out, char *out_data, const struct gk_tensor *from, const char *from_data,
                     const struct gk_parallel *parallel) {
    struct start start = {.out = out_data, .from = from ? from_data : NULL};
    if (prepare(&start, out, from) <= 0) return;
    start.steps = gk_axes_product(start.axes, start.n) * ((start.row + PIECE - 1) / PIECE);
    int64_t grain = start.row >= PIECE ? 1 : PIECE / start.row + 1;
    gk_parallel_run(parallel, start.steps, grain, run_steps, &start);
}
