/* Names, kinds, types and the given output. */
#include <criterion/criterion.h>
#include <string.h>

#include "problem.h"
#include "support/operations.h"

static void expect_of(const struct bound *b, int line, enum gasket_status status, const char *text) {
    cr_expect_eq(b->status, status, "line %d: %s", line, b->error.text);
    cr_expect_str_eq(b->error.text, text, "line %d: %s", line, b->error.text);
}
#define EXPECT(status, text, operation, infers, ...) \
    expect_of(bound(operation_known(operation), infers, ARGUMENTS(__VA_ARGS__)), __LINE__, status, text)
#define INVALID(text, operation, ...) EXPECT(GASKET_INVALID_ARGUMENT, text, operation, 0, __VA_ARGS__)

#define PARAMS GIVE("params", "f32", 3, 4)
#define INDICES GIVE("indices", "i32", 2)
#define OUT GIVE("out", "f32", 2, 4)

/* ---- Names ---- */

Test(arguments, in_any_order) {
    EXPECT(GASKET_OK, "", "gather", 0, OUT, gasket_integer("axis", 0), INDICES, gasket_text("bounds", "clip"), PARAMS);
}

Test(arguments, unknown_names) {
    INVALID("gather has no argument called \"indeces\"; did you mean \"indices\"?", "gather", PARAMS,
            GIVE("indeces", "i32", 2), OUT);
    INVALID("gather has no argument called \"Axis\"; did you mean \"axis\"?", "gather", PARAMS, INDICES, OUT,
            gasket_integer("Axis", 0));
    INVALID("gather has no argument called \"bound\"; did you mean \"bounds\"?", "gather", PARAMS, INDICES, OUT,
            gasket_text("bound", "clip"));
    INVALID("gather has no argument called \"\"; did you mean \"out\"?", "gather", PARAMS, INDICES, OUT,
            gasket_text("", "clip"));
    INVALID("an argument of gather has no name", "gather", PARAMS, INDICES, OUT, gasket_integer(NULL, 0));
}

Test(arguments, very_long_names) {
    char name[4000];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = 0;
    const struct bound *b =
        bound(operation_known("gather"), 0, ARGUMENTS(PARAMS, INDICES, OUT, gasket_integer(name, 0)));
    cr_expect_eq(b->status, GASKET_INVALID_ARGUMENT);
    cr_expect_lt(strlen(b->error.text), 200);
}

Test(arguments, names_that_mean_nothing_here) {
    INVALID("combine means nothing to gather (out[B, O, N, S] = params[B, O, indices[B, N], S])", "gather", PARAMS,
            INDICES, OUT, gasket_text("combine", "add"));
    INVALID("nan means nothing to gather (out[B, O, N, S] = params[B, O, indices[B, N], S])", "gather", PARAMS, INDICES,
            OUT, gasket_text("nan", "propagate"));
    INVALID("accumulate means nothing to gather (out[B, O, N, S] = params[B, O, indices[B, N], S])", "gather", PARAMS,
            INDICES, OUT, gasket_text("accumulate", "f32"));
    INVALID("fill means nothing to scatter_nd (out[indices[N, *], S] += updates[N, S] from zeros)", "scatter_nd",
            gasket_integer("fill", 0));
    INVALID("combine means nothing to scatter_nd (out[indices[N, *], S] += updates[N, S] from zeros)", "scatter_nd",
            gasket_text("combine", "add"));
}

Test(arguments, twice_and_missing) {
    INVALID("indices is given twice", "gather", PARAMS, INDICES, INDICES, OUT);
    INVALID("axis is given twice", "gather", PARAMS, INDICES, gasket_integer("axis", 0), gasket_integer("axis", 0));
    INVALID("gather needs params, which is not given", "gather", INDICES, OUT);
    INVALID("gather needs indices, which is not given", "gather", PARAMS, OUT);
    INVALID("gather needs out, which is not given", "gather", PARAMS, INDICES);
    INVALID("scatter_nd needs shape, which is not given", "scatter_nd", GIVE("indices", "i32", 1, 1),
            GIVE("updates", "f32", 1), GIVE("out", "f32", 4));
    INVALID("take_along_axis needs axis, which is not given", "take_along_axis", PARAMS, GIVE("indices", "i32", 3, 4),
            GIVE("out", "f32", 3, 4));
}

Test(arguments, the_output_where_its_shape_is_asked_for) {
    EXPECT(GASKET_OK, "", "gather", 1, PARAMS, INDICES);
    EXPECT(GASKET_INVALID_ARGUMENT, "out is not an argument where its shape is asked for", "gather", 1, PARAMS, INDICES,
           OUT);
}

Test(arguments, kinds) {
    INVALID("axis is a real number, but must be an integer", "gather", PARAMS, INDICES, OUT, gasket_real("axis", 1));
    INVALID("axis is a list of integers, but must be an integer", "gather", PARAMS, INDICES, OUT, GIVE_LIST("axis", 1));
    INVALID("params is an integer, but must be a tensor", "gather", gasket_integer("params", 1));
    INVALID("bounds is an integer, but must be a text", "gather", gasket_integer("bounds", 1));
    INVALID("shape is an integer, but must be a list of integers", "scatter_nd", gasket_integer("shape", 1));
    INVALID("fill is a list of integers, but must be a tensor or an integer or a real number or a text", "gather",
            GIVE_LIST("fill", 1));
    struct gasket_argument odd = gasket_integer("axis", 1);
    odd.kind = (enum gasket_argument_kind)77;
    INVALID("axis is of an unknown kind, but must be an integer", "gather", odd);
}

Test(arguments, null_values) {
    INVALID("params is NULL", "gather", gasket_tensor("params", NULL));
    INVALID("bounds is NULL", "gather", gasket_text("bounds", NULL));
    INVALID("shape is NULL", "scatter_nd", gasket_integers("shape", NULL, 2));
    expect_of(bound(operation_known("gather"), 0, NULL, 1), __LINE__, GASKET_INVALID_ARGUMENT,
              "the arguments of gather are NULL");
    expect_of(bound(operation_known("gather"), 0, NULL, 0), __LINE__, GASKET_INVALID_ARGUMENT,
              "gather needs params, which is not given");
}

/* ---- Types ---- */

Test(arguments, types_of_values) {
    INVALID("out is f64 but params is f32; they must have the same type", "gather", PARAMS, INDICES,
            GIVE("out", "f64", 2, 4));
    INVALID("tensor is f32 but updates is i32; they must have the same type", "tensor_scatter",
            GIVE("updates", "i32", 2), GIVE("tensor", "f32", 3), GIVE("indices", "i32", 2, 1), GIVE("out", "f32", 3));
}

Test(arguments, types_of_indices) {
    static const char *const names[] = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"};
    for (size_t i = 0; i < COUNT(names); i++)
        EXPECT(GASKET_OK, "", "gather", 0, PARAMS, GIVE("indices", names[i], 2), OUT);
    INVALID("indices is f32, but indices are whole numbers (i8 to u64)", "gather", PARAMS, GIVE("indices", "f32", 2),
            OUT);
    INVALID("indices is bool, but indices are whole numbers (i8 to u64)", "gather", PARAMS, GIVE("indices", "bool", 2),
            OUT);
    INVALID("indices is i4, but indices are whole numbers (i8 to u64)", "gather", PARAMS, GIVE("indices", "i4", 2),
            OUT);
}

Test(arguments, types_that_an_operation_leaves_out) {
    struct gasket_operation operation = *operation_known("gather");
    operation.values = GASKET_BIT(GASKET_F64);
    expect_of(bound(&operation, 0, ARGUMENTS(PARAMS, INDICES, OUT)), __LINE__, GASKET_UNSUPPORTED,
              "params is f32, which gather does not take");
    operation.values = GASKET_BIT(GASKET_F32);
    operation.indices = GASKET_BIT(GASKET_I64);
    expect_of(bound(&operation, 0, ARGUMENTS(PARAMS, INDICES, OUT)), __LINE__, GASKET_UNSUPPORTED,
              "indices is i32, which gather does not take as an index");
}

Test(arguments, every_value_type_is_gathered) {
    for (int i = 0; i < GASKET_DTYPES; i++) {
        const char *type = gk_dtype((enum gasket_dtype)i)->name;
        EXPECT(GASKET_OK, "", "gather", 0, GIVE("params", type, 3, 4), INDICES, GIVE("out", type, 2, 4));
    }
}

Test(arguments, faults_of_tensors_come_with_their_names) {
    DLTensor indices = TENSOR(NULL, "i32", 2);
    indices.device.device_type = kDLROCM;
    EXPECT(GASKET_UNSUPPORTED, "indices is on device type 10, but must be on kDLCPU (1)", "gather", 0, PARAMS,
           gasket_tensor("indices", &indices), OUT);
    INVALID("out.shape[1] = -4 is negative", "gather", PARAMS, INDICES, GIVE("out", "f32", 2, -4));
}

/* ---- The output ---- */

Test(arguments, output_shapes) {
    INVALID("out has shape [2,5] but needs [2,4]", "gather", PARAMS, INDICES, GIVE("out", "f32", 2, 5));
    INVALID("out has shape [8] but needs [2,4]", "gather", PARAMS, INDICES, GIVE("out", "f32", 8));
    INVALID("out has shape [] but needs [2,4]", "gather", PARAMS, INDICES, GIVE_SCALAR("out", "f32"));
    INVALID("out has shape [5] but needs [4]", "tensor_scatter", GIVE("tensor", "f32", 4), GIVE("indices", "i32", 2, 1),
            GIVE("updates", "f32", 2), GIVE("out", "f32", 5));
    INVALID("out has shape [5] but needs [4]", "scatter_nd", GIVE("indices", "i32", 2, 1), GIVE("updates", "f32", 2),
            GIVE_LIST("shape", 4), GIVE("out", "f32", 5));
}

static const struct bound *with_output_strides(int64_t outer, int64_t inner) {
    int64_t strides[] = {outer, inner};
    DLTensor out = TENSOR(NULL, "f32", 2, 4);
    out.strides = strides;
    return bound(operation_known("gather"), 0, ARGUMENTS(PARAMS, INDICES, gasket_tensor("out", &out)));
}

Test(arguments, output_strides) {
    expect_of(with_output_strides(4, 1), __LINE__, GASKET_OK, "");
    expect_of(with_output_strides(-9, 2), __LINE__, GASKET_OK, "");
    expect_of(with_output_strides(1, 2), __LINE__, GASKET_OK, "");
    expect_of(with_output_strides(0, 1), __LINE__, GASKET_INVALID_ARGUMENT,
              "out of shape [2,4] has strides [0,1], with which elements can share memory");
    expect_of(with_output_strides(4, 0), __LINE__, GASKET_INVALID_ARGUMENT,
              "out of shape [2,4] has strides [4,0], with which elements can share memory");
    expect_of(with_output_strides(3, 1), __LINE__, GASKET_INVALID_ARGUMENT,
              "out of shape [2,4] has strides [3,1], with which elements can share memory");
}

Test(arguments, inputs_may_repeat_elements) {
    int64_t strides[] = {0, 0};
    DLTensor params = TENSOR(NULL, "f32", 3, 4);
    params.strides = strides;
    EXPECT(GASKET_OK, "", "gather", 0, gasket_tensor("params", &params), INDICES, OUT);
}
