/* streams: outputs so large that they are written past the caches, at every alignment of data and strides. A kernel
 * that needs more alignment than there is would fault. */
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

enum { LEAST = 16 << 20, SLACK = 128, TABLE = 500 };

struct work {
    int64_t row, padding, rows; /* bytes; bytes; how many are gathered */
    char *table, *out;
    int32_t *index;
};

static void fill(struct work *work) {
    uint32_t state = 12345;
    for (int64_t i = 0; i < TABLE * work->row; i++) {
        state = state * 1664525u + 1013904223u;
        work->table[i] = (char)(state >> 24);
    }
    for (int64_t i = 0; i < work->rows; i++) {
        state = state * 1664525u + 1013904223u;
        work->index[i] = (int32_t)(state >> 8) % TABLE;
    }
}

static int is_right(const struct work *work, const char *out) {
    for (int64_t i = 0; i < work->rows; i++) {
        const char *at = out + i * (work->row + work->padding);
        if (memcmp(at, work->table + work->index[i] * work->row, (size_t)work->row) != 0) return 0;
        for (int64_t k = 0; k < work->padding && i + 1 < work->rows; k++)
            if (at[work->row + k] != 0) return 0;
    }
    return 1;
}

static void run_shifts(gasket_context *context, const char *where, struct work *work) {
    int64_t from[] = {TABLE, work->row}, tuples[] = {work->rows}, to[] = {work->rows, work->row};
    int64_t strides[] = {work->row + work->padding, 1};
    DLTensor params = {NULL, {kDLCPU, 0}, 2, {kDLUInt, 8, 1}, from, NULL, 0};
    DLTensor indices = {NULL, {kDLCPU, 0}, 1, {kDLInt, 32, 1}, tuples, NULL, 0};
    DLTensor out = {NULL, {kDLCPU, 0}, 2, {kDLUInt, 8, 1}, to, strides, 0};
    gasket_plan *plan = NULL;
    enum gasket_status status = PLAN(context, "gather", &plan, gasket_tensor("params", &params),
                                     gasket_tensor("indices", &indices), gasket_tensor("out", &out));
    check(status == GASKET_OK, "plan (%s): %s", where, gasket_message(context));
    static const int64_t shifts[] = {0, 1, 4, 8, 32};
    for (size_t s = 0; plan && s < sizeof shifts / sizeof *shifts; s++) {
        char *at = work->out + shifts[s];
        memset(work->out, 0, (size_t)(work->rows * (work->row + work->padding) + SLACK));
        void *data[] = {work->table, work->index, at};
        status = gasket_plan_run(plan, data, 3);
        check(status == GASKET_OK && is_right(work, at), "rows of %d and %d between, shifted by %d (%s): %s",
              (int)work->row, (int)work->padding, (int)shifts[s], where, gasket_status_name(status));
    }
    gasket_plan_destroy(plan);
}

static void run_rows(gasket_context *context, const char *where, int64_t row, int64_t padding) {
    struct work work = {row, padding, LEAST / row + 7, NULL, NULL, NULL};
    size_t bytes = (size_t)(work.rows * (row + padding) + SLACK);
    work.table = malloc((size_t)(TABLE * row));
    work.index = malloc((size_t)work.rows * sizeof *work.index);
    work.out = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!work.table || !work.index || !work.out) give_up("no memory");
    fill(&work);
    run_shifts(context, where, &work);
    free(work.table);
    free(work.index);
    free(work.out);
}

int main(void) {
    static const struct {
        int64_t row, padding;
    } layouts[] = {{4, 0}, {8, 0}, {16, 0}, {64, 0}, {64, 8}, {64, 64}, {256, 0}, {256, 4}, {320, 0}, {320, 32}};
    static const char *const isas[] = {"base", "avx2", "avx512", "neon"};
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        struct gasket_options options = {.size = sizeof options, .threads = 1, .isa = isas[i]};
        gasket_context *context;
        if (!gasket_isa_usable(isas[i], NULL)) continue;
        if (gasket_context_create(&options, &context)) give_up("no context");
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++)
            run_rows(context, isas[i], layouts[l].row, layouts[l].padding);
        gasket_context_destroy(context);
    }
    return finish();
}
