/* Shapes: what an operation gives for which arguments, and how it says why not. */
#include "problem.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "formula/formula.h"
#include "support/operations.h"

#define SHAPE(expected, operation, ...)                                                       \
    do {                                                                                      \
        const struct bound *b = bound(operation_known(operation), 1, ARGUMENTS(__VA_ARGS__)); \
        cr_expect_str_eq(b->shape, expected, "%s: %s%s", operation, b->error.text, b->shape); \
    } while (0)

#define REFUSED(expected, message, operation, ...)                                            \
    do {                                                                                      \
        const struct bound *b = bound(operation_known(operation), 1, ARGUMENTS(__VA_ARGS__)); \
        cr_expect_eq(b->status, expected, "%s: %s%s", operation, b->error.text, b->shape);    \
        cr_expect_str_eq(b->error.text, message);                                             \
        cr_expect_eq(b->error.status, b->status);                                             \
    } while (0)
#define INVALID(message, operation, ...) REFUSED(GASKET_INVALID_ARGUMENT, message, operation, __VA_ARGS__)

/* ---- gather ---- */

Test(problem, gather_shapes) {
    SHAPE("f32[2,4]", "gather", GIVE("params", "f32", 3, 4), GIVE("indices", "i32", 2));
    SHAPE("f32[3,2]", "gather", GIVE("params", "f32", 3, 4), GIVE("indices", "i32", 2), gasket_integer("axis", 1));
    SHAPE("f32[3,2]", "gather", GIVE("params", "f32", 3, 4), GIVE("indices", "i32", 2), gasket_integer("axis", -1));
    SHAPE("i8[2,5,6,4]", "gather", GIVE("params", "i8", 2, 3, 4), GIVE("indices", "u8", 5, 6),
          gasket_integer("axis", 1));
    SHAPE("string[4]", "gather", GIVE("params", "string", 3, 4), GIVE_SCALAR("indices", "u64"));
    SHAPE("f64[]", "gather", GIVE("params", "f64", 3), GIVE_SCALAR("indices", "i64"));
    SHAPE("f32[2,5,6]", "gather", GIVE("params", "f32", 2, 9, 6), GIVE("indices", "i32", 2, 5),
          gasket_integer("batch_dims", 1));
    SHAPE("f32[2,7,5]", "gather", GIVE("params", "f32", 2, 7, 6), GIVE("indices", "i32", 2, 5),
          gasket_integer("batch_dims", -1), gasket_integer("axis", -1));
}

/* B20, B34, B38 and the shape of B19. */
Test(problem, gather_cases) {
    SHAPE("f32[2]", "gather", GIVE("params", "f32", 2, 3), GIVE("indices", "i32", 2), gasket_integer("axis", 1),
          gasket_integer("batch_dims", 1));
    SHAPE("f32[2,1]", "gather", GIVE("params", "f32", 2, 2), GIVE("indices", "i32", 1), gasket_integer("axis", 1));
    SHAPE("f32[2,2,6]", "gather", GIVE("params", "f32", 2, 4, 6), GIVE("indices", "i32", 2), gasket_integer("axis", 1));
    SHAPE("f32[1,1,2]", "gather", GIVE("params", "f32", 1, 512, 2), GIVE("indices", "i64", 1, 1),
          gasket_integer("batch_dims", 1));
    SHAPE("f32[4,20]", "gather", GIVE("params", "f32", 4, 20, 3), GIVE("indices", "i32", 4), gasket_integer("axis", 2),
          gasket_integer("batch_dims", 1));
}

/* B22, B23. */
Test(problem, batch_dims_out_of_range) {
    INVALID("batch_dims = 10 is not in [-1, 1] (rank(indices) = 1)", "gather", GIVE("params", "u32", 3, 2),
            GIVE("indices", "i32", 1), gasket_integer("batch_dims", 10));
    INVALID("batch_dims = 1 is greater than axis = 0", "gather", GIVE("params", "f32", 5), GIVE("indices", "i32", 3),
            gasket_integer("batch_dims", 1), gasket_integer("axis", 0));
    INVALID("axis = 1, its default, is not in [-1, 0] (rank(params) = 1)", "gather", GIVE("params", "f32", 5),
            GIVE("indices", "i32", 3), gasket_integer("batch_dims", 1));
    INVALID("indices.shape[0] = 3 but params.shape[0] = 5; group B must have the same extents everywhere", "gather",
            GIVE("params", "f32", 5, 2), GIVE("indices", "i32", 3), gasket_integer("batch_dims", 1));
}

/* B25, B26. */
Test(problem, axis_out_of_range) {
    INVALID("axis = -9223372036854775808 is not in [-2, 1] (rank(params) = 2)", "gather", GIVE("params", "f32", 1, 1),
            GIVE("indices", "i32", 1), gasket_integer("axis", INT64_MIN));
    INVALID("axis = 9223372036854775807 is not in [-2, 1] (rank(params) = 2)", "gather", GIVE("params", "f32", 1, 1),
            GIVE("indices", "i32", 1), gasket_integer("axis", INT64_MAX));
    for (int64_t axis = -100; axis <= 100; axis++) {
        const struct bound *b =
            bound(operation_known("gather"), 1,
                  ARGUMENTS(GIVE("params", "f32", 2, 3, 4), GIVE("indices", "i32", 1), gasket_integer("axis", axis)));
        cr_expect_eq(b->status, axis >= -3 && axis < 3 ? GASKET_OK : GASKET_INVALID_ARGUMENT, "%d", (int)axis);
        if (axis == -4) cr_expect_str_eq(b->error.text, "axis = -4 is not in [-3, 2] (rank(params) = 3)");
        if (b->status == GASKET_OK) cr_expect_eq(b->problem.attributes[1], axis < 0 ? axis + 3 : axis);
    }
    INVALID("axis = 0, its default, is not allowed; no value is (rank(params) = 0)", "gather",
            GIVE_SCALAR("params", "f32"), GIVE("indices", "i32", 3));
}

/* ---- gather_nd ---- */

/* B31, B35, B40, B41, B44 and the shapes of B16 and B37. */
Test(problem, gather_nd_cases) {
    SHAPE("f32[2,2,2]", "gather_nd", GIVE("params", "f32", 2, 2), GIVE("indices", "i32", 2, 2, 1));
    SHAPE("f32[32,128,256]", "gather_nd", GIVE("params", "f32", 8, 128, 256), GIVE("indices", "i32", 32, 1));
    INVALID("indices.shape[-1] = 3 is greater than rank(params) = 2", "gather_nd", GIVE("params", "f32", 2, 3),
            GIVE("indices", "i32", 1, 3));
    INVALID("indices.shape[-1] = 576460752303423488 is greater than rank(params) = 2", "gather_nd",
            GIVE("params", "f32", 2, 3), GIVE("indices", "i32", 0, INT64_C(1) << 59));
    SHAPE("i16[3]", "gather_nd", GIVE("params", "i16", 2, 2, 2, 2, 2, 2, 2, 2), GIVE("indices", "i32", 3, 8));
    SHAPE("f32[1,0,5]", "gather_nd", GIVE("params", "f32", 2, 0, 5), GIVE("indices", "i32", 1, 1));
    SHAPE("i32[2,3,3]", "gather_nd", GIVE("params", "i32", 3, 3), GIVE("indices", "i32", 2, 0));
    SHAPE("i32[2,2,3]", "gather_nd", GIVE("params", "i32", 2, 5, 3), GIVE("indices", "i32", 2, 2, 1),
          gasket_integer("batch_dims", 1));
    SHAPE("i32[6,3]", "gather_nd", GIVE("params", "i32", 6, 4, 3), GIVE("indices", "i32", 6, 2));
    SHAPE("i32[]", "gather_nd", GIVE_SCALAR("params", "i32"), GIVE("indices", "i32", 0));
}

Test(problem, gather_nd_refusals) {
    INVALID("rank(params) = 2, but it must be at least 4 (B 1, indices.shape[-1] 3)", "gather_nd",
            GIVE("params", "f32", 2, 3), GIVE("indices", "i32", 2, 1, 3), gasket_integer("batch_dims", 1));
    INVALID("batch_dims = 2 is not in [0, 1] (rank(indices) = 2)", "gather_nd", GIVE("params", "f32", 2, 3),
            GIVE("indices", "i32", 2, 1), gasket_integer("batch_dims", 2));
    INVALID("indices has no dimensions, but its last one must hold the tuples", "scatter_nd",
            GIVE_SCALAR("indices", "i32"), GIVE("updates", "f32", 2), GIVE_LIST("shape", 2));
}

/* ---- scatter ---- */

Test(problem, scatter_shapes) {
    SHAPE("i32[8]", "scatter_nd", GIVE("indices", "i32", 4, 1), GIVE("updates", "i32", 4), GIVE_LIST("shape", 8));
    SHAPE("i32[4,4,4]", "scatter_nd", GIVE("indices", "i32", 2, 1), GIVE("updates", "i32", 2, 4, 4),
          GIVE_LIST("shape", 4, 4, 4));
    SHAPE("i32[3,4]", "scatter_nd", GIVE("indices", "i32", 3, 2), GIVE("updates", "i32", 3), GIVE_LIST("shape", 3, 4));
    SHAPE("i32[3]", "scatter_nd", GIVE("indices", "i32", 2, 0), GIVE("updates", "i32", 2, 3), GIVE_LIST("shape", 3));
    SHAPE("i32[4]", "scatter_nd", GIVE("indices", "i32", 1), GIVE_SCALAR("updates", "i32"), GIVE_LIST("shape", 4));
    SHAPE("i32[3,2]", "scatter_nd", GIVE("indices", "i32", 0, 2, 1), GIVE("updates", "i32", 0, 2, 2),
          GIVE_LIST("shape", 3, 2));
    SHAPE("f64[1,10,4]", "tensor_scatter", GIVE("tensor", "f64", 1, 10, 4), GIVE("indices", "i64", 1, 1, 1),
          GIVE("updates", "f64", 1, 1, 10, 4));
}

/* B28, B29, B49. */
Test(problem, scatter_refusals) {
    INVALID("updates has shape [1] but needs to be [1,1,10,4]", "tensor_scatter", GIVE("tensor", "f64", 1, 10, 4),
            GIVE("indices", "i64", 1, 1, 1), GIVE("updates", "f64", 1));
    INVALID("indices.shape[-1] = 6 is greater than rank(tensor) = 2", "tensor_scatter", GIVE("tensor", "f32", 101, 32),
            GIVE("indices", "i32", 0, 0, 0, 6), GIVE("updates", "f32", 0, 0));
    INVALID("indices.shape[-1] = 1 is greater than rank(tensor) = 0", "tensor_scatter", GIVE_SCALAR("tensor", "f32"),
            GIVE("indices", "i32", 1, 1), GIVE("updates", "f32", 4));
    SHAPE("f32[]", "tensor_scatter", GIVE_SCALAR("tensor", "f32"), GIVE("indices", "i32", 0),
          GIVE_SCALAR("updates", "f32"));
    INVALID("indices.shape[-1] = 3 is greater than len(shape) = 2", "scatter_nd", GIVE("indices", "i32", 1, 3),
            GIVE("updates", "f32", 1), GIVE_LIST("shape", 3, 4));
    INVALID("updates.shape[1] = 5 but shape[1] = 4; group S must have the same extents everywhere", "scatter_nd",
            GIVE("indices", "i32", 2, 1), GIVE("updates", "f32", 2, 5), GIVE_LIST("shape", 3, 4));
    INVALID("updates.shape[1] = 5 but tensor.shape[1] = 4; group S must have the same extents everywhere",
            "tensor_scatter", GIVE("tensor", "f32", 3, 4), GIVE("indices", "i32", 2, 1), GIVE("updates", "f32", 2, 5));
    INVALID("updates.shape[0] = 3 but indices.shape[0] = 2; group N must have the same extents everywhere",
            "scatter_nd", GIVE("indices", "i32", 2, 1), GIVE("updates", "f32", 3, 4), GIVE_LIST("shape", 3, 4));
}

Test(problem, empty_tensors_follow_the_rules) {
    INVALID("updates.shape[1] = 2 but shape[1] = 3; group S must have the same extents everywhere", "scatter_nd",
            GIVE("indices", "i32", 0, 1), GIVE("updates", "f32", 0, 2), GIVE_LIST("shape", 0, 3));
    INVALID("indices.shape[0] = 3 but params.shape[0] = 0; group B must have the same extents everywhere", "gather",
            GIVE("params", "f32", 0, 2), GIVE("indices", "i32", 3), gasket_integer("batch_dims", 1));
}

Test(problem, shapes_from_attributes) {
    INVALID("shape[1] = -1 is negative", "scatter_nd", GIVE("indices", "i32", 1, 1), GIVE("updates", "f32", 1),
            GIVE_LIST("shape", 4, -1));
    INVALID("out of shape [2147483648,2147483648,2] and type f32 would have a size that overflows 64 bits",
            "scatter_nd", GIVE("indices", "i32", 1, 3), GIVE("updates", "f32", 1),
            GIVE_LIST("shape", 1ll << 31, 1ll << 31, 2));
    int64_t many[65] = {0};
    REFUSED(GASKET_UNSUPPORTED, "shape has 65 entries, but at most 64 are supported", "scatter_nd",
            GIVE("indices", "i32", 1, 1), GIVE("updates", "f32", 1), gasket_integers("shape", many, 65));
    SHAPE("f32[]", "scatter_nd", GIVE("indices", "i32", 0), GIVE_SCALAR("updates", "f32"),
          gasket_integers("shape", NULL, 0));
}

/* ---- Ranks ---- */

Test(problem, every_rank) {
    int64_t shape[GASKET_MAX_RANK];
    for (int i = 0; i < GASKET_MAX_RANK; i++)
        shape[i] = 1;
    for (int rank = 0; rank <= GASKET_MAX_RANK; rank++) {
        DLTensor params = tensor_view(NULL, "f32", shape, rank), indices = TENSOR(NULL, "i32", rank);
        const struct bound *b = bound(operation_known("gather_nd"), 1,
                                      ARGUMENTS(gasket_tensor("params", &params), gasket_tensor("indices", &indices)));
        cr_expect_str_eq(b->shape, "f32[]", "rank %d: %s", rank, b->error.text);
        cr_expect_eq(b->problem.depth[2], rank);
    }
}

/* A depth above every rank must not pass for one that fits. */
Test(problem, tuples_deeper_than_rank_64) {
    int64_t shape[GASKET_MAX_RANK];
    for (int i = 0; i < GASKET_MAX_RANK; i++)
        shape[i] = 1;
    DLTensor params = tensor_view(NULL, "f32", shape, GASKET_MAX_RANK);
    for (int64_t depth = 65; depth <= 1000; depth += 85) {
        char text[64];
        snprintf(text, sizeof text, "indices.shape[-1] = %d is greater than rank(params) = 64", (int)depth);
        INVALID(text, "gather_nd", gasket_tensor("params", &params), GIVE("indices", "i32", 0, depth));
    }
}

Test(problem, results_beyond_rank_64) {
    int64_t shape[GASKET_MAX_RANK];
    for (int i = 0; i < GASKET_MAX_RANK; i++)
        shape[i] = 1;
    DLTensor params = tensor_view(NULL, "f32", shape, 34), indices = tensor_view(NULL, "i32", shape, 32);
    const struct gasket_argument arguments[] = {gasket_tensor("params", &params), gasket_tensor("indices", &indices)};
    REFUSED(GASKET_UNSUPPORTED, "out would have 65 dimensions, but at most 64 are supported", "gather", arguments[0],
            arguments[1]);
    params.ndim = 33;
    const struct bound *b = bound(operation_known("gather"), 1, arguments, 2);
    cr_expect_eq(b->status, GASKET_OK, "%s", b->error.text);
}

Test(problem, results_that_overflow) {
    int64_t shape[] = {INT64_C(1) << 40, INT64_C(1) << 30}, none[] = {0, 0};
    DLTensor params = tensor_view(NULL, "i8", shape, 1), indices = tensor_view(NULL, "i32", shape, 1);
    indices.strides = none;
    DLTensor table = tensor_view(NULL, "i8", (int64_t[]){2, INT64_C(1) << 40}, 2);
    REFUSED(GASKET_OK, "", "gather", gasket_tensor("params", &params), gasket_tensor("indices", &indices));
    INVALID("out of shape [1099511627776,1099511627776] and type i8 would have a size that overflows 64 bits", "gather",
            gasket_tensor("params", &table), gasket_tensor("indices", &indices));
}

/* ---- Other formulas ---- */

Test(problem, take_along_axis) {
    SHAPE("f32[2,5,4]", "take_along_axis", GIVE("params", "f32", 2, 3, 4), GIVE("indices", "i32", 2, 5, 4),
          gasket_integer("axis", 1));
    SHAPE("f32[2,3,5]", "take_along_axis", GIVE("params", "f32", 2, 3, 4), GIVE("indices", "i32", 2, 3, 5),
          gasket_integer("axis", -1));
    INVALID("indices has shape [2,5] but needs rank 3", "take_along_axis", GIVE("params", "f32", 2, 3, 4),
            GIVE("indices", "i32", 2, 5), gasket_integer("axis", 1));
    INVALID("indices.shape[2] = 9 but params.shape[2] = 4; group S must have the same extents everywhere",
            "take_along_axis", GIVE("params", "f32", 2, 3, 4), GIVE("indices", "i32", 2, 5, 9),
            gasket_integer("axis", 1));
}

Test(problem, embedding_bag) {
    SHAPE("f32[64,32]", "embedding_bag", GIVE("table", "f32", 1000, 32), GIVE("indices", "i32", 64, 100),
          GIVE("weights", "f32", 64, 100));
    SHAPE("f32[32]", "embedding_bag", GIVE("table", "f32", 1000, 32), GIVE("indices", "i32", 100),
          GIVE("weights", "f32", 100));
    INVALID("weights.shape[1] = 99 but indices.shape[1] = 100; group L must have the same extents everywhere",
            "embedding_bag", GIVE("table", "f32", 1000, 32), GIVE("indices", "i32", 64, 100),
            GIVE("weights", "f32", 64, 99));
    INVALID("weights has shape [64] but needs to be [64,100]", "embedding_bag", GIVE("table", "f32", 1000, 32),
            GIVE("indices", "i32", 64, 100), GIVE("weights", "f32", 64));
    INVALID("rank(indices) = 0, but it must be at least 1 (L 1)", "embedding_bag", GIVE("table", "f32", 1000, 32),
            GIVE_SCALAR("indices", "i32"), GIVE_SCALAR("weights", "f32"));
}

Test(problem, window_gather) {
    SHAPE("f32[2,3,7]", "window_gather", GIVE("params", "f32", 2, 9, 7), GIVE("start", "i32", 2),
          GIVE_LIST("window", 3));
    SHAPE("f32[3,7]", "window_gather", GIVE("params", "f32", 9, 7), GIVE_SCALAR("start", "i32"),
          GIVE_LIST("window", 3));
    SHAPE("f32[0,7]", "window_gather", GIVE("params", "f32", 9, 7), GIVE_SCALAR("start", "i32"),
          GIVE_LIST("window", 0));
    INVALID("window has 2 entries, but needs 1 for group W", "window_gather", GIVE("params", "f32", 2, 9, 7),
            GIVE("start", "i32", 2), GIVE_LIST("window", 3, 4));
    INVALID("window[0] = -3 is negative", "window_gather", GIVE("params", "f32", 2, 9, 7), GIVE("start", "i32", 2),
            GIVE_LIST("window", -3));
    INVALID("rank(params) = 1, but it must be at least 2 (B 1, a sum 1)", "window_gather", GIVE("params", "f32", 2),
            GIVE("start", "i32", 2), GIVE_LIST("window", 3));
}

/* ---- Operations made for the test ---- */

#define OWN(expected_status, expected, source, ...)                                    \
    do {                                                                               \
        struct gasket_operation o = operation_parse(&(source));                        \
        const struct bound *b = bound(&o, 1, ARGUMENTS(__VA_ARGS__));                  \
        cr_expect_eq(b->status, expected_status, "%s%s", b->error.text, b->shape);     \
        cr_expect_str_eq(b->status == GASKET_OK ? b->shape : b->error.text, expected); \
    } while (0)

Test(problem, sums_of_groups) {
    static const struct operation_source source = {.name = "correlate",
                                                   .formula = "out[I] += x[I + J] * k[J] from zeros",
                                                   .attributes = {{"n", 1, 0, 0, 0, 0}},
                                                   .extents = {"I = n"}};
    OWN(GASKET_OK, "f32[8]", source, GIVE("x", "f32", 10), GIVE("k", "f32", 3), GIVE_LIST("n", 8));
    OWN(GASKET_INVALID_ARGUMENT, "x.shape[0] = 10, but the sum in its subscript goes up to 10", source,
        GIVE("x", "f32", 10), GIVE("k", "f32", 3), GIVE_LIST("n", 9));
    OWN(GASKET_OK, "f32[9]", source, GIVE("x", "f32", 0), GIVE("k", "f32", 0), GIVE_LIST("n", 9));
    OWN(GASKET_INVALID_ARGUMENT, "k has shape [3,3] but needs rank 1", source, GIVE("x", "f32", 10),
        GIVE("k", "f32", 3, 3), GIVE_LIST("n", 8));
}

Test(problem, a_sum_on_the_left_needs_a_shape) {
    static const struct operation_source source = {.name = "convolve",
                                                   .formula = "out[I + J] += x[I] * k[J] from zeros",
                                                   .attributes = {{"shape", 1, 0, 0, 0, 0}},
                                                   .output_extents = "shape"};
    static const struct operation_source without = {.name = "convolve",
                                                    .formula = "out[I + J] += x[I] * k[J] from zeros"};
    OWN(GASKET_OK, "f32[12]", source, GIVE("x", "f32", 10), GIVE("k", "f32", 3), GIVE_LIST("shape", 12));
    OWN(GASKET_INVALID_ARGUMENT, "shape[0] = 11, but the sum in its subscript goes up to 11", source,
        GIVE("x", "f32", 10), GIVE("k", "f32", 3), GIVE_LIST("shape", 11));
    OWN(GASKET_INVALID_ARGUMENT,
        "convolve (out[I + J] += x[I] * k[J] from zeros) does not say the shape of out: an attribute must give it",
        without, GIVE("x", "f32", 10), GIVE("k", "f32", 3));
}

Test(problem, what_a_formula_does_not_say) {
    static const struct operation_source rank = {.name = "bag",
                                                 .formula = "out[G, S] += table[indices[G, L], S] from zeros"};
    static const struct operation_source extent = {.name = "window", .formula = "out[W, S] = params[start[] + W, S]"};
    OWN(GASKET_INVALID_ARGUMENT,
        "bag (out[G, S] += table[indices[G, L], S] from zeros) does not say how many dimensions group G has: its rank "
        "must be given",
        rank, GIVE("table", "f32", 9, 2), GIVE("indices", "i32", 3, 4));
    OWN(GASKET_INVALID_ARGUMENT,
        "window (out[W, S] = params[start[] + W, S]) does not say the extents of group W: an attribute must give them",
        extent, GIVE("params", "f32", 9, 2), GIVE_SCALAR("start", "i32"));
}

Test(problem, negative_ranks_by_expression) {
    static const struct operation_source source = {.name = "tail",
                                                   .formula = "out[A, N] = x[A, i[N]]",
                                                   .attributes = {{"k", 0, "0", NULL, NULL, NULL}},
                                                   .ranks = {"A = rank(x) - 1 - k"}};
    OWN(GASKET_OK, "f32[3,2]", source, GIVE("x", "f32", 3, 4), GIVE("i", "i32", 2));
    OWN(GASKET_INVALID_ARGUMENT,
        "the rank of group A, rank(x) - k - 1, would be -4, which is negative (rank(x) = 2, k = 5)", source,
        GIVE("x", "f32", 3, 4), GIVE("i", "i32", 2), gasket_integer("k", 5));
    OWN(GASKET_INVALID_ARGUMENT, "x has shape [3,4] but needs rank 1", source, GIVE("x", "f32", 3, 4),
        GIVE("i", "i32", 2), gasket_integer("k", 1));
    OWN(GASKET_UNSUPPORTED, "group A would have 9223372036854775807 dimensions, but at most 64 are supported", source,
        GIVE("x", "f32", 3, 4), GIVE("i", "i32", 2), gasket_integer("k", INT64_MIN));
}

Test(problem, a_start_tensor_says_the_shape_of_groups) {
    static const struct operation_source source = {.name = "bag", .formula = "out[G, S] += table[i[G, L], S] from acc"};
    OWN(GASKET_OK, "f32[3,2]", source, GIVE("acc", "f32", 3, 2), GIVE("table", "f32", 9, 2), GIVE("i", "i32", 3, 4));
    OWN(GASKET_INVALID_ARGUMENT, "i.shape[0] = 5 but acc.shape[0] = 3; group G must have the same extents everywhere",
        source, GIVE("acc", "f32", 3, 2), GIVE("table", "f32", 9, 2), GIVE("i", "i32", 5, 4));
    OWN(GASKET_OK, "f32[3,2]", source, GIVE("acc", "f32", 3, 2), GIVE("table", "f32", 9, 2), GIVE("i", "i32", 3));
    OWN(GASKET_INVALID_ARGUMENT, "rank(i) = 0, but it must be at least 1 (G 1)", source, GIVE("acc", "f32", 3, 2),
        GIVE("table", "f32", 9, 2), GIVE_SCALAR("i", "i32"));
}

/* ---- What a bound problem says ---- */

Test(problem, contents) {
    const struct bound *b = bound(operation_known("gather"), 1,
                                  ARGUMENTS(GIVE("indices", "u16", 2, 5), gasket_integer("batch_dims", 1),
                                            GIVE("params", "bf16", 2, 7, 6), gasket_integer("axis", -1)));
    cr_assert_eq(b->status, GASKET_OK, "%s", b->error.text);
    const struct gk_problem *p = &b->problem;
    const struct gasket_formula *f = &p->operation->formula;
    cr_expect_eq(p->n_arguments, 2);
    cr_expect_str_eq(f->tensors[p->argument_order[0]], "indices");
    cr_expect_str_eq(f->tensors[p->argument_order[1]], "params");
    cr_expect_eq(p->attributes[0], 1);
    cr_expect_eq(p->attributes[1], 2);
    cr_expect_eq(p->value_dtype, GASKET_BF16);
    cr_expect_eq(p->combine, GASKET_STORE);
    cr_expect_eq(p->bounds, GASKET_BOUNDS_ERROR);
    for (int g = 0; g < 4; g++)
        cr_expect_eq(p->group_rank[g], g < 3, "%c", f->groups[g]);
    cr_expect_eq(p->group_extent[0][0], 2);
    cr_expect_eq(p->group_extent[1][0], 7);
    cr_expect_eq(p->group_extent[2][0], 5);
    cr_expect_eq(p->tensors[gk_formula_output(f)].ndim, 0, "left empty");
}

Test(problem, dimensions_of_accesses) {
    const struct bound *b = bound(operation_known("gather_nd"), 1,
                                  ARGUMENTS(GIVE("params", "f32", 2, 5, 6, 7, 8), GIVE("indices", "i32", 2, 3, 2),
                                            gasket_integer("batch_dims", 1)));
    cr_assert_eq(b->status, GASKET_OK, "%s", b->error.text);
    const struct gasket_formula *f = &b->problem.operation->formula;
    struct gk_dimension d[GASKET_MAX_RANK];
    uint8_t params = f->factors[0], first = f->accesses[params].first_subscript;
    cr_assert_eq(gk_access_dimensions(&b->problem, params, d), 5);
    const int subscripts[] = {0, 1, 1, 2, 2}, parts[] = {0, 0, 1, 0, 1};
    for (int i = 0; i < 5; i++) {
        cr_expect_eq(d[i].subscript, first + subscripts[i], "%d", i);
        cr_expect_eq(d[i].part, parts[i], "%d", i);
    }
    uint8_t lookup = f->terms[f->subscripts[first + 1].first_term].id;
    cr_assert_eq(gk_access_dimensions(&b->problem, lookup, d), 3);
    cr_expect_eq(d[2].subscript, GASKET_NONE);
    cr_expect_eq(b->problem.depth[lookup], 2);
    cr_expect_eq(b->problem.depth[params], 1);
}
