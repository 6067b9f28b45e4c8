/* untouched: with several bad indices the message names the first in row-major order, its tuple and the shape, and
 * nothing has been written; for every depth, number of tuples, index type and layout of the indices, with and without
 * batch_dims, on every setting. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/support.h"

enum { EXTENT = 3, MAX_DEPTH = 5, BAD = 3 };

static uint64_t state = 88172645463325252u;

static int64_t below(int64_t limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state % (uint64_t)limit);
}

struct shape {
    const char *index;
    int depth;             /* 0: gather with batch_dims = 1 */
    int64_t rows, columns; /* of the indices */
    int turned;            /* their layout in memory is the other way round */
    int64_t width;         /* elements in a row of values */
};

struct problem {
    const struct shape *shape;
    struct tensor indices, values, target; /* values: params or updates */
    char message[256];
};

static int64_t tuples_of(const struct shape *shape) {
    return shape->rows * shape->columns;
}
static int64_t depth_of(const struct shape *shape) {
    return shape->depth ? shape->depth : 1;
}

/* Value `component` of tuple `at`. */
static char *index_at(const struct problem *problem, int64_t at, int64_t component) {
    const struct shape *shape = problem->shape;
    int64_t place =
        shape->turned ? component * tuples_of(shape) + tuples_of(shape) - 1 - at : at * depth_of(shape) + component;
    return problem->indices.data + (size_t)place * dtype_bytes(problem->indices.view.dtype);
}

/* Little endian: the low bytes are the narrow value. */
static void put_index(const struct problem *problem, int64_t at, int64_t component, int64_t value) {
    memcpy(index_at(problem, at, component), &value, dtype_bytes(problem->indices.view.dtype));
}

static void make_indices(struct problem *problem) {
    const struct shape *shape = problem->shape;
    const int64_t extents[] = {shape->rows, shape->columns, depth_of(shape)};
    tensor_make(&problem->indices, dtype_named(shape->index), shape->depth ? 3 : 2, extents, AT_END);
    int64_t last = tuples_of(shape) - 1;
    if (shape->turned) {
        problem->indices.strides[0] = -shape->columns;
        problem->indices.strides[1] = -1;
        problem->indices.strides[2] = last + 1;
        problem->indices.view.strides = problem->indices.strides;
        problem->indices.view.byte_offset = (uint64_t)last * dtype_bytes(problem->indices.view.dtype);
    }
    for (int64_t i = 0; i <= last; i++)
        for (int64_t c = 0; c < depth_of(shape); c++)
            put_index(problem, i, c, below(EXTENT));
}

/* What the message must hold about tuple `at`. */
static void word_message(struct problem *problem, int64_t at, const int64_t *tuple) {
    const struct shape *shape = problem->shape;
    char *end = problem->message;
    end += sprintf(end, "indices[%" PRId64 ",%" PRId64 "]=", at / shape->columns, at % shape->columns);
    if (shape->depth == 0) {
        sprintf(end, "%" PRId64 "isnotin[0,%d)", tuple[0], EXTENT);
        return;
    }
    for (int c = 0; c < shape->depth; c++)
        end += sprintf(end, "%c%" PRId64, c ? ',' : '[', tuple[c]);
    strcpy(end, "]doesnotindexinto");
}

/* Puts bad values into a few tuples and words the message of the first. */
static void spoil(struct problem *problem) {
    int64_t first = INT64_MAX, tuple[MAX_DEPTH] = {0};
    int is_signed = problem->indices.view.dtype.code == kDLInt;
    for (int b = 0; b < BAD; b++) {
        int64_t at = below(tuples_of(problem->shape));
        put_index(problem, at, below(depth_of(problem->shape)),
                  is_signed && b % 2 ? -1 - below(100) : EXTENT + below(9));
        if (at < first) first = at;
    }
    for (int64_t c = 0; c < depth_of(problem->shape); c++) {
        size_t size = dtype_bytes(problem->indices.view.dtype);
        memcpy(&tuple[c], index_at(problem, first, c), size);
        int64_t sign = size < 8 ? INT64_C(1) << (8 * size - 1) : 0;
        if (is_signed) tuple[c] = (tuple[c] ^ sign) - sign;
    }
    word_message(problem, first, tuple);
}

static void make_problem(struct problem *problem, const struct shape *shape, int scatters) {
    int64_t table[MAX_DEPTH + 2], rows[] = {shape->rows, shape->columns, shape->width};
    int rank = 0;
    problem->shape = shape;
    if (shape->depth == 0) table[rank++] = shape->rows;
    for (int64_t c = 0; c < depth_of(shape); c++)
        table[rank++] = EXTENT;
    table[rank++] = shape->width;
    DLDataType f32 = {kDLFloat, 32, 1};
    tensor_make(scatters ? &problem->target : &problem->values, f32, rank, table, AT_END);
    tensor_make(scatters ? &problem->values : &problem->target, f32, 3, rows, AT_END);
    memset(problem->values.data, 0, problem->values.bytes);
    make_indices(problem);
    spoil(problem);
}

static void free_problem(struct problem *problem) {
    tensor_free(&problem->indices);
    tensor_free(&problem->values);
    tensor_free(&problem->target);
}

static void judge(const struct problem *problem, const struct setting *setting, enum gasket_status status,
                  const char *operation) {
    const struct shape *shape = problem->shape;
    const char *message = gasket_message(setting->context);
    int named = message_holds(message, problem->message);
    check(status == GASKET_OUT_OF_BOUNDS && named && tensor_is_poisoned(&problem->target),
          "%s, depth %d, %" PRId64 "x%" PRId64 " %s%s, width %" PRId64 " (%s): %s: %s; expected %s%s", operation,
          shape->depth, shape->rows, shape->columns, shape->index, shape->turned ? " turned" : "", shape->width,
          setting->name, gasket_status_name(status), message, problem->message,
          tensor_is_poisoned(&problem->target) ? "" : "; something was written");
}

static void check_gather(const struct shape *shape, const struct setting *settings, size_t n) {
    struct problem problem;
    make_problem(&problem, shape, 0);
    const struct gasket_argument arguments[] = {
        gasket_tensor("params", &problem.values.view), gasket_tensor("indices", &problem.indices.view),
        gasket_tensor("out", &problem.target.view), gasket_integer("batch_dims", shape->depth == 0)};
    const char *operation = shape->depth ? "gather_nd" : "gather";
    for (size_t i = 0; i < n; i++)
        judge(&problem, &settings[i], gasket_call(settings[i].context, operation, arguments, 4), operation);
    free_problem(&problem);
}

/* In place: what was there must still be there. */
static void check_scatter(const struct shape *shape, const struct setting *settings, size_t n) {
    static const char *const combines[] = {"store", "add", "max"};
    struct problem problem;
    make_problem(&problem, shape, 1);
    for (size_t i = 0; i < 3 * n; i++) {
        const struct setting *setting = &settings[i / 3];
        judge(&problem, setting,
              CALL(setting->context, "tensor_scatter", gasket_tensor("tensor", &problem.target.view),
                   gasket_tensor("indices", &problem.indices.view), gasket_tensor("updates", &problem.values.view),
                   gasket_tensor("out", &problem.target.view), gasket_text("combine", combines[i % 3])),
              combines[i % 3]);
    }
    free_problem(&problem);
}

/* A new output of scatter_nd is not even zeroed. */
static void check_scatter_nd(const struct shape *shape, const struct setting *settings, size_t n) {
    struct problem problem;
    make_problem(&problem, shape, 1);
    for (size_t i = 0; i < n; i++)
        judge(&problem, &settings[i],
              CALL(settings[i].context, "scatter_nd", gasket_tensor("indices", &problem.indices.view),
                   gasket_tensor("updates", &problem.values.view),
                   gasket_integers("shape", problem.target.shape, (size_t)problem.target.view.ndim),
                   gasket_tensor("out", &problem.target.view)),
              "scatter_nd");
    free_problem(&problem);
}

static void check_shape(const struct shape *shape, const struct setting *settings, size_t n) {
    check_gather(shape, settings, n);
    if (shape->depth == 0) return;
    check_scatter(shape, settings, n);
    check_scatter_nd(shape, settings, n);
}

int main(void) {
    static const char *const types[] = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"};
    static const int64_t sizes[][2] = {{1, 1}, {7, 1}, {1, 511}, {27, 19}, {3, 700}};
    static const int64_t widths[] = {1, 2, 16, 33};
    static struct setting settings[MAX_SETTINGS];
    size_t n = settings_open(settings);
    int turn = 0;
    for (int depth = 0; depth <= MAX_DEPTH; depth++)
        for (size_t t = 0; t < 8; t++)
            for (size_t s = 0; s < 5; s++, turn++) {
                struct shape shape = {types[t], depth, sizes[s][0], sizes[s][1], turn & 1, widths[(turn >> 1) & 3]};
                check_shape(&shape, settings, n);
            }
    for (int depth = 0; depth <= 2; depth++)
        for (int turned = 0; turned < 2; turned++) { /* enough for several threads */
            struct shape shape = {depth == 1 ? "i64" : "i32", depth, 100, 700, turned, depth == 2 ? 2 : 1};
            check_shape(&shape, settings, n);
        }
    settings_close(settings, n);
    return finish();
}
