/* cases_large: public bug reports on sizes past 2^31 and 2^32 (tests/cases.md, section D). Memory is sparse: untouched
 * pages of a reserved mapping, or one window of memory that is mapped again and again, so that little of it is real. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/sanitizers.h"
#include "support/support.h"

static const int64_t GUARD = 1 << 16; /* bytes on each side that may not be touched */

/* Zeros; only pages that are written become real. */
static char *reserve(int64_t bytes) {
    char *map = mmap(NULL, (size_t)(bytes + 2 * GUARD), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED || mprotect(map + GUARD, (size_t)bytes, PROT_READ | PROT_WRITE) != 0) give_up("mmap");
    return map + GUARD;
}

/* The same `window` bytes of memory again and again. */
static char *repeat(int64_t bytes, int64_t window) {
    char *map =
        mmap(NULL, (size_t)(bytes + window + 2 * GUARD), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int file = memfd_create("window", 0);
    if (map == MAP_FAILED || file < 0 || ftruncate(file, window) != 0) give_up("memfd");
    for (int64_t at = 0; at < bytes; at += window)
        if (mmap(map + GUARD + at, (size_t)window, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
            MAP_FAILED)
            give_up("mmap");
    close(file);
    return map + GUARD;
}

static void release(char *data, int64_t bytes) {
    munmap(data - GUARD, (size_t)(bytes + 2 * GUARD));
}

static DLTensor view(const char *dtype, void *data, int ndim, const int64_t *shape, const int64_t *strides) {
    return (DLTensor){.data = data,
                      .device = {kDLCPU, 0},
                      .ndim = ndim,
                      .dtype = dtype_named(dtype),
                      .shape = (int64_t *)(uintptr_t)shape,
                      .strides = (int64_t *)(uintptr_t)strides};
}

static void expect(enum gasket_status status, gasket_context *context, int right, const char *name, const char *where) {
    check(status == GASKET_OK && right, "%s (%s): %s %s", name, where, gasket_status_name(status),
          status ? gasket_message(context) : "wrong result");
}

/* B50: 46341 * 46341 passes INT32_MAX. */
static void large_scatter_nd(gasket_context *context, const char *where) {
    const int64_t shape[] = {1, 46342, 46341}, tuples[] = {1, 3}, window = 1 << 21;
    int64_t bytes = product(shape, 3), at = INT64_C(46341) * 46341;
    int32_t index[] = {0, 46341, 0};
    int8_t update = 42;
    char *data = repeat(bytes, window);
    memset(data, POISON, (size_t)window);
    DLTensor out = view("i8", data, 3, shape, NULL), indices = view("i32", index, 2, tuples, NULL),
             updates = view("i8", &update, 1, tuples, NULL);
    enum gasket_status status =
        CALL(context, "scatter_nd", gasket_tensor("indices", &indices), gasket_tensor("updates", &updates),
             gasket_integers("shape", shape, 3), gasket_tensor("out", &out));
    int64_t others = 0;
    for (int64_t i = 0; i < window; i++)
        others += data[i] != 0;
    expect(status, context, data[at] == 42 && others == 1, "B50", where);
    release(data, bytes + window);
}

/* B52: the offset of the element passes 2^32, in place; B59: so does a row's, and an element past 2^31 is read back. */
static void large_in_place(gasket_context *context, const char *where) {
    const int64_t shape[] = {2, 65536, 65535}, tuples[] = {2, 3};
    int64_t bytes = product(shape, 3), at = INT64_C(65536) * 65535 + 61440, middle = INT64_C(32769) * 65535 + 7;
    int32_t index[] = {1, 0, 61440, 0, 32769, 7};
    uint8_t update[] = {165, 99}, back[2] = {0, 0};
    char *data = reserve(bytes);
    DLTensor out = view("u8", data, 3, shape, NULL), indices = view("i32", index, 2, tuples, NULL),
             updates = view("u8", update, 1, tuples, NULL), gathered = view("u8", back, 1, tuples, NULL);
    enum gasket_status status =
        CALL(context, "tensor_scatter", gasket_tensor("tensor", &out), gasket_tensor("indices", &indices),
             gasket_tensor("updates", &updates), gasket_tensor("out", &out));
    expect(status, context, (uint8_t)data[at] == 165 && (uint8_t)data[middle] == 99, "B52", where);
    status = CALL(context, "gather_nd", gasket_tensor("params", &out), gasket_tensor("indices", &indices),
                  gasket_tensor("out", &gathered));
    expect(status, context, back[0] == 165 && back[1] == 99, "B52 read back", where);
    release(data, bytes);
}

/* B53: 6635520000 elements: counted right, without running it. */
static void large_count(gasket_context *context, const char *where) {
    const int64_t shape[] = {1, 16, 6, 15, 16, 16}, tuples[] = {15, 5, 16, 15, 1, 1};
    const int64_t expected[] = {15, 5, 16, 15, 1, 16, 6, 15, 16, 16};
    DLTensor params = view("f16", NULL, 6, shape, NULL), indices = view("i64", NULL, 6, tuples, NULL),
             out = view("f16", NULL, 10, expected, NULL);
    gasket_plan *plan = NULL;
    struct gasket_report report = {.output_bytes = 0};
    enum gasket_status status = PLAN(context, "gather_nd", &plan, gasket_tensor("params", &params),
                                     gasket_tensor("indices", &indices), gasket_tensor("out", &out));
    if (status == GASKET_OK) gasket_plan_report(plan, &report);
    expect(status, context, report.output_bytes == INT64_C(6635520000) * 2, "B53", where);
    gasket_plan_destroy(plan);
}

/* B55: more than 2^32 bytes of output; the last rows are looked at. The window is no divisor of 2^32, and one thread
 * writes it in order, so that rows of another place would be seen. */
static void large_gather(gasket_context *context, const char *where) {
    enum { WIDTH = 65536, ROWS = 65538, TABLE = 3, SEEN = 33, WINDOW = SEEN * WIDTH };
    static char table[TABLE][WIDTH];
    static uint8_t index[ROWS];
    const int64_t params_shape[] = {TABLE, WIDTH}, rows[] = {ROWS}, shape[] = {ROWS, WIDTH};
    for (int i = 0; i < TABLE; i++)
        for (int j = 0; j < WIDTH; j++)
            table[i][j] = (char)((i * 31 + j * 7) % 127);
    for (int i = 0; i < ROWS; i++)
        index[i] = (uint8_t)(i * 5 % TABLE);
    int64_t bytes = product(shape, 2), wrong = 0;
    char *data = repeat(bytes, WINDOW);
    DLTensor params = view("i8", table, 2, params_shape, NULL), indices = view("u8", index, 1, rows, NULL),
             out = view("i8", data, 2, shape, NULL);
    enum gasket_status status = CALL(context, "gather", gasket_tensor("params", &params),
                                     gasket_tensor("indices", &indices), gasket_tensor("out", &out));
    for (int64_t i = ROWS - SEEN; i < ROWS; i++)
        wrong += memcmp(data + i * WIDTH, table[index[i]], WIDTH) != 0;
    expect(status, context, wrong == 0, "B55", where);
    release(data, bytes + WINDOW);
}

/* B55, B59: few elements, but strides that carry the last row past 2^31 and 2^32, on either side. */
static void large_strides(gasket_context *context, const char *where) {
    enum { ROWS = 3, WIDTH = 100 };
    const int64_t far = (INT64_C(1) << 31) + 4096, strides[] = {far, 1}, shape[] = {ROWS, WIDTH}, picked[] = {2};
    const int64_t small[] = {2, WIDTH};
    int32_t index[] = {2, 1};
    char *data = reserve(ROWS * far), near[2][WIDTH];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < WIDTH; j++)
            data[i * far + j] = (char)((i * 31 + j * 7) % 127);
    DLTensor params = view("i8", data, 2, shape, strides), indices = view("i32", index, 1, picked, NULL),
             out = view("i8", near, 2, small, NULL);
    enum gasket_status status = CALL(context, "gather", gasket_tensor("params", &params),
                                     gasket_tensor("indices", &indices), gasket_tensor("out", &out));
    expect(status, context, !memcmp(near[0], data + 2 * far, WIDTH) && !memcmp(near[1], data + far, WIDTH),
           "B59 from far rows", where);
    const int64_t column[] = {1, far}, across[] = {WIDTH, ROWS}, two_columns[] = {WIDTH, 2};
    DLTensor turned = view("i8", data, 2, across, column);
    out = view("i8", near, 2, two_columns, NULL);
    status = CALL(context, "gather", gasket_tensor("params", &turned), gasket_tensor("indices", &indices),
                  gasket_integer("axis", 1), gasket_tensor("out", &out));
    int wrong = 0;
    const char *pairs = (const char *)near;
    for (int j = 0; j < WIDTH; j++)
        wrong += pairs[2 * j] != data[2 * far + j] || pairs[2 * j + 1] != data[far + j];
    expect(status, context, wrong == 0, "B59 along a far axis", where);
    release(data, ROWS * far);
}

/* B58: more tuples than 16 bits count, with single elements. */
static void many_tuples(gasket_context *context, const char *where) {
    const int64_t counts[] = {82944, 3000000}, table = 65537;
    char *data = reserve(table), *out_data = reserve(counts[1]);
    int32_t *index = (int32_t *)(void *)reserve(counts[1] * 4);
    for (int64_t i = 0; i < table; i++)
        data[i] = (char)(i % 127);
    for (int64_t i = 0; i < counts[1]; i++)
        index[i] = (int32_t)(i * 7919 % table);
    for (int c = 0; c < 2; c++) {
        const int64_t tuples[] = {counts[c], 1};
        DLTensor params = view("i8", data, 1, &table, NULL), indices = view("i32", index, 2, tuples, NULL),
                 out = view("i8", out_data, 1, tuples, NULL);
        enum gasket_status status = CALL(context, "gather_nd", gasket_tensor("params", &params),
                                         gasket_tensor("indices", &indices), gasket_tensor("out", &out));
        int64_t wrong = 0;
        for (int64_t i = 0; i < counts[c]; i++)
            wrong += out_data[i] != index[i] % 127;
        expect(status, context, wrong == 0, "B58", where);
    }
    release(data, table);
    release(out_data, counts[1]);
    release((char *)index, counts[1] * 4);
}

/* ---- B56: work whose total passes 2^32, of which only both ends are run ---- */

struct ends {
    int64_t total;
};

static void run_ends(void *user, int64_t total, int64_t grain, void (*body)(void *, int64_t, int64_t), void *state) {
    struct ends *ends = user;
    ends->total = total > ends->total ? total : ends->total;
    int64_t first = grain < total ? grain : total, last = total - total % grain;
    last = last == total ? total - grain : last;
    body(state, 0, first);
    if (last >= first) body(state, last, total);
}

static void large_total(void) {
    const int64_t n = (INT64_C(1) << 32) + 5, zero = 0, one = 1, bytes = 2 * n;
    struct ends ends = {0};
    struct gasket_options options = {
        .size = sizeof options, .threads = 2, .parallel_for = run_ends, .parallel_user = &ends};
    gasket_context *context;
    if (gasket_context_create(&options, &context) != GASKET_OK) give_up("no context");
    char *data = reserve(bytes);
    int16_t value = 77;
    uint8_t index = 0;
    DLTensor params = view("i16", &value, 1, &one, NULL), indices = view("u8", &index, 1, &n, &zero),
             out = view("i16", data, 1, &n, NULL);
    enum gasket_status status = CALL(context, "gather", gasket_tensor("params", &params),
                                     gasket_tensor("indices", &indices), gasket_tensor("out", &out));
    const int16_t *results = (const void *)data;
    expect(status, context, results[0] == 77 && results[n - 1] == 77 && results[n / 2] == 0, "B56", "two ends only");
    check(ends.total > 1, "B56: the work was not split");
    release(data, bytes);
    gasket_context_destroy(context);
}

static void run_with(const struct gasket_options *options, const char *where, int in_windows) {
    gasket_context *context;
    if (gasket_context_create(options, &context) != GASKET_OK) give_up("no context");
    if (in_windows) {
        large_scatter_nd(context, where);
        large_gather(context, where);
    }
    large_in_place(context, where);
    large_count(context, where);
    large_strides(context, where);
    many_tuples(context, where);
    gasket_context_destroy(context);
}

int main(void) {
#ifdef HAS_SHADOW_OF_THREADS
    puts("skipped: too large for ThreadSanitizer");
    return 77;
#endif
    enum { SIZE = sizeof(struct gasket_options) };
    run_with(&(struct gasket_options){.size = SIZE, .threads = 2, .isa = "base"}, "base, 2 threads", 0);
    run_with(&(struct gasket_options){.size = SIZE, .threads = 2}, "best isa, 2 threads", 0);
    run_with(&(struct gasket_options){.size = SIZE, .threads = 1}, "best isa, 1 thread", 1);
    run_with(&(struct gasket_options){.size = SIZE, .tier = "interpreter"}, "interpreter", 0);
    large_total();
    return finish();
}
