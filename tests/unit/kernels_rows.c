/* Every kernel of the generated table that moves or stores rows, against a loop of bytes. */
#include <criterion/criterion.h>

#include "kernels.h"

enum { MAX_OFFSETS = 600, TABLE = 40000, MAX_BOX = 4 };
static uint64_t state = 2;

/* One call: what the kernel gets, and a copy of the memory that is written. */
struct call {
    struct gasket_rows rows;
    int64_t offsets[MAX_OFFSETS], count;
    int32_t picked[MAX_OFFSETS];
    int64_t extents[MAX_BOX], indexed_strides[MAX_BOX], plain_strides[MAX_BOX];
    struct memory indexed, plain, wanted;
};

static void naive_element(const struct call *call, char *indexed, char *plain, int64_t bytes, int gathers) {
    char *table = (char *)call->indexed.data, *rows = (char *)call->plain.data;
    char *copy = (char *)call->wanted.data;
    if (gathers) {
        memcpy(copy + (plain - rows), indexed, (size_t)bytes);
    } else {
        memcpy(copy + (indexed - table), plain, (size_t)bytes);
    }
}

/* The box of one row, element by element. */
static void naive_box(const struct call *call, char *indexed, char *plain, int64_t dimension, int gathers) {
    if (dimension == call->rows.inner_rank || dimension == MAX_BOX) {
        naive_element(call, indexed, plain, call->rows.element, gathers);
        return;
    }
    for (int64_t k = 0; k < call->extents[dimension]; k++) {
        naive_box(call, indexed + k * call->indexed_strides[dimension], plain + k * call->plain_strides[dimension],
                  dimension + 1, gathers);
    }
}

static void naive(const struct call *call, int gathers) {
    const struct gasket_rows *rows = &call->rows;
    for (int64_t o = 0; o < rows->outer; o++) {
        for (int64_t i = 0; i < call->count; i++) {
            char *indexed = rows->indexed + o * rows->outer_indexed_stride + call->offsets[i];
            char *plain = rows->plain + o * rows->outer_plain_stride;
            plain += (rows->picked ? rows->picked[i] : i) * rows->plain_stride;
            if (rows->inner_rank > 0) {
                naive_box(call, indexed, plain, 0, gathers);
            } else {
                naive_element(call, indexed, plain, rows->row, gathers);
            }
        }
    }
}

static void run(const struct gasket_kernel *kernel, struct call *call) {
    int gathers = kernel->kind == GASKET_MOVE;
    struct memory *written = gathers ? &call->plain : &call->indexed;
    call->wanted = memory_copy(written);
    naive(call, gathers);
    cr_assert(kernel->run.rows(&call->rows, call->offsets, call->count) == 0);
    cr_assert(memory_equal(written, &call->wanted), "%s: row %lld, count %lld, outer %lld, stride %lld, prefetch %lld",
              kernel->name, (long long)call->rows.row, (long long)call->count, (long long)call->rows.outer,
              (long long)call->rows.plain_stride, (long long)call->rows.prefetch);
    memory_free(&call->wanted);
    memory_free(&call->indexed);
    memory_free(&call->plain);
}

/* Drawn offsets into a table of rows of `reach` bytes, with repetitions. */
static void draw_offsets(struct call *call, int64_t reach) {
    for (int64_t i = 0; i < call->count; i++) {
        int64_t again = i > 0 && draw_below(&state, 4) == 0;
        call->offsets[i] = again ? call->offsets[draw_below(&state, i)] : draw_below(&state, TABLE - reach + 1);
    }
}

static void try_rows(const struct gasket_kernel *kernel, int64_t row, int64_t count, int64_t outer) {
    struct call call;
    memset(&call, 0, sizeof call);
    int64_t alignment = kernel->rule.alignment, pick = draw_below(&state, 3);
    int64_t gap = kernel->rule.packed_rows ? 0 : pick * alignment;
    int64_t shift = alignment > 1 ? pick * alignment : draw_below(&state, 70), stride = row + gap;
    int64_t whole = ((count + 1) * stride + alignment + 63) / alignment * alignment;
    call.count = count;
    draw_offsets(&call, row);
    call.plain = memory_make((size_t)(whole * outer), (size_t)shift, &state);
    call.indexed = memory_make((size_t)(TABLE + (outer - 1) * 1000), (size_t)draw_below(&state, 70), &state);
    int64_t turned = gap > 0 && pick == 2 && count > 0;
    call.rows = (struct gasket_rows){
        .indexed = (char *)call.indexed.data,
        .plain = (char *)call.plain.data + (turned ? (count - 1) * stride : 0),
        .plain_stride = turned ? -stride : stride,
        .row = row,
        .outer = outer,
        .outer_indexed_stride = 1000,
        .outer_plain_stride = whole,
        .prefetch = (int64_t[]){0, 1, 5, 32}[draw_below(&state, 4)],
        .element = 1,
    };
    for (int64_t i = 0; i < count; i++) {
        call.picked[i] = (int32_t)draw_below(&state, count);
    }
    if (kernel->kind == GASKET_PLACE && draw_below(&state, 2) == 0) {
        call.rows.picked = call.picked;
    }
    run(kernel, &call);
}

static void draw_box(struct call *call, int64_t element) {
    int64_t rank = 1 + draw_below(&state, MAX_BOX), indexed = element, plain = element;
    for (int64_t k = rank - 1; k >= 0; k--) {
        call->extents[k] = draw_below(&state, 30) == 0 ? 0 : 1 + draw_below(&state, 5);
        call->indexed_strides[k] = indexed + draw_below(&state, 3);
        call->plain_strides[k] = plain + draw_below(&state, 3);
        indexed = call->indexed_strides[k] * (call->extents[k] + 1);
        plain = call->plain_strides[k] * (call->extents[k] + 1);
    }
    call->rows.inner_rank = rank;
    call->rows.inner_extents = call->extents;
    call->rows.inner_indexed_strides = call->indexed_strides;
    call->rows.inner_plain_strides = call->plain_strides;
    call->rows.plain_stride = plain;
    call->rows.outer_indexed_stride = indexed;
}

static void try_boxes(const struct gasket_kernel *kernel, int64_t element, int64_t count, int64_t outer) {
    struct call call;
    memset(&call, 0, sizeof call);
    call.count = count;
    draw_box(&call, element);
    call.rows.outer_plain_stride = call.rows.plain_stride * count;
    draw_offsets(&call, 0);
    call.indexed = memory_make((size_t)(TABLE + (outer + 1) * call.rows.outer_indexed_stride),
                               (size_t)draw_below(&state, 9), &state);
    call.plain = memory_make((size_t)(call.rows.outer_plain_stride * outer), (size_t)draw_below(&state, 9), &state);
    call.rows.indexed = (char *)call.indexed.data;
    call.rows.plain = (char *)call.plain.data;
    call.rows.outer = outer;
    call.rows.row = call.rows.element = element;
    run(kernel, &call);
}

static void try_kernel(const struct gasket_kernel *kernel) {
    static const int64_t lengths[] = {1,   2,   3,   4,   5,   6,   7,   8,   9,   12,   15,   16,   17,  20,  24,
                                      31,  32,  33,  40,  48,  63,  64,  65,  80,  96,   127,  128,  130, 160, 192,
                                      193, 255, 256, 257, 300, 384, 448, 512, 640, 1000, 1024, 4096, 5000};
    static const int64_t counts[] = {0, 1, 2, 3, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127, 129, 512, 600};
    int tried = 0;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        int64_t row = lengths[l];
        if (row < kernel->rule.row_min || row > kernel->rule.row_max || row % kernel->rule.row_multiple != 0) {
            continue;
        }
        tried++;
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            int64_t count = row > 300 && counts[c] > 129 ? 129 : counts[c];
            for (int64_t outer = 0; outer <= 3; outer++) {
                (kernel->rule.strided ? try_boxes : try_rows)(kernel, row, count, outer);
            }
        }
    }
    cr_assert(tried > 0, "%s: no row length fits", kernel->name);
}

Test(kernels_rows, moves, .timeout = 100) {
    cr_assert(each_kernel(GASKET_MOVE, try_kernel) > 0);
}

Test(kernels_rows, places, .timeout = 100) {
    cr_assert(each_kernel(GASKET_PLACE, try_kernel) > 0);
}

/* The next outer row is fetched while this one is read: rows that are short beside the number of elements. */
Test(kernels_rows, sweeps) {
    for (size_t i = 0; i < gasket_kernel_set.n_kernels; i++) {
        const struct gasket_kernel *kernel = &gasket_kernel_set.kernels[i];
        if (kernel->kind != GASKET_MOVE || !kernel->rule.packed_rows || !kernel_runs_here(kernel)) {
            continue;
        }
        for (int64_t count = 0; count < 200; count += 7) {
            try_rows(kernel, kernel->rule.row_min, count, 5);
        }
    }
}
