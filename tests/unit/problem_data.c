/* What is checked when data is there: NULL pointers, and outputs that share memory with inputs. */
#include <criterion/criterion.h>
#include <string.h>

#include "problem.h"
#include "support/operations.h"

static char memory[256];

static void expect_of(const char *operation, int line, const char *text, const struct gasket_argument *arguments,
                      size_t n) {
    struct gk_problem problem;
    struct gk_error error = {GASKET_OK, ""};
    cr_assert_eq(gk_problem_bind(&problem, operation_known(operation), arguments, n, NULL, &error), GASKET_OK,
                 "line %d: %s", line, error.text);
    enum gasket_status status = gk_problem_check_data(&problem, &error);
    cr_expect_eq(status, text[0] == 0 ? GASKET_OK : GASKET_INVALID_ARGUMENT, "line %d", line);
    cr_expect_str_eq(error.text, text, "line %d: %s", line, error.text);
}
#define EXPECT(text, operation, ...) expect_of(operation, __LINE__, text, ARGUMENTS(__VA_ARGS__))
#define AT(name, offset, type, ...) gasket_tensor(name, (DLTensor[]){TENSOR(memory + (offset), type, __VA_ARGS__)})

Test(data, null_pointers) {
    EXPECT("params of shape [3] has elements, but its data is NULL", "gather", GIVE("params", "i8", 3),
           AT("indices", 0, "i8", 2), AT("out", 8, "i8", 2));
    EXPECT("indices of shape [2] has elements, but its data is NULL", "gather", AT("params", 0, "i8", 3),
           GIVE("indices", "i8", 2), AT("out", 8, "i8", 2));
    EXPECT("out of shape [2] has elements, but its data is NULL", "gather", AT("params", 0, "i8", 3),
           AT("indices", 4, "i8", 2), GIVE("out", "i8", 2));
    EXPECT("", "gather", GIVE("params", "i8", 0, 3), GIVE("indices", "i8", 0), GIVE("out", "i8", 0, 3));
    EXPECT("", "gather", GIVE("params", "i8", 5, 0), AT("indices", 4, "i8", 2), GIVE("out", "i8", 2, 0));
}

/* B89. */
Test(data, touching_is_not_overlap) {
    EXPECT("", "gather", AT("params", 0, "i8", 16), AT("indices", 64, "i8", 16), AT("out", 16, "i8", 16));
    EXPECT("", "gather", AT("params", 16, "i8", 16), AT("indices", 64, "i8", 16), AT("out", 0, "i8", 16));
    EXPECT("out overlaps params in memory", "gather", AT("params", 0, "i8", 16), AT("indices", 64, "i8", 16),
           AT("out", 15, "i8", 16));
    EXPECT("out overlaps indices in memory", "gather", AT("params", 0, "i8", 16), AT("indices", 64, "i8", 16),
           AT("out", 79, "i8", 16));
    EXPECT("out overlaps params in memory", "gather", AT("params", 0, "i8", 16), AT("indices", 64, "i8", 16),
           AT("out", 0, "i8", 16));
    EXPECT("", "gather", AT("params", 0, "i8", 16), AT("indices", 0, "i8", 16), AT("out", 16, "i8", 16));
    EXPECT("", "gather", AT("params", 0, "i8", 16), AT("indices", 0, "i8", 0), AT("out", 4, "i8", 0));
}

Test(data, byte_offsets_count) {
    DLTensor params = TENSOR(memory, "i8", 16), out = TENSOR(memory, "i8", 16);
    out.byte_offset = 16;
    EXPECT("", "gather", gasket_tensor("params", &params), AT("indices", 64, "i8", 16), gasket_tensor("out", &out));
    params.byte_offset = 1;
    EXPECT("out overlaps params in memory", "gather", gasket_tensor("params", &params), AT("indices", 64, "i8", 16),
           gasket_tensor("out", &out));
}

Test(data, columns_of_one_matrix) {
    int64_t strides[] = {4, 1};
    DLTensor params = TENSOR(memory, "i16", 4, 2), out = TENSOR(memory + 4, "i16", 4, 2);
    params.strides = out.strides = strides;
    EXPECT("", "gather", gasket_tensor("params", &params), AT("indices", 64, "i8", 4), gasket_tensor("out", &out));
    out.data = memory + 2;
    EXPECT("out overlaps params in memory", "gather", gasket_tensor("params", &params), AT("indices", 64, "i8", 4),
           gasket_tensor("out", &out));
}

/* B82 among them. */
Test(data, in_place) {
    EXPECT("", "tensor_scatter", AT("tensor", 0, "i8", 4), AT("indices", 16, "i8", 4, 1), AT("updates", 32, "i8", 4),
           AT("out", 0, "i8", 4));
    EXPECT("out overlaps tensor in memory; it must lie apart from it or be the same, with the same strides",
           "tensor_scatter", AT("tensor", 1, "i8", 4), AT("indices", 16, "i8", 4, 1), AT("updates", 32, "i8", 4),
           AT("out", 0, "i8", 4));
    EXPECT("out overlaps updates in memory", "tensor_scatter", AT("tensor", 0, "i8", 4), AT("indices", 16, "i8", 4, 1),
           AT("updates", 0, "i8", 4), AT("out", 0, "i8", 4));
    EXPECT("out overlaps indices in memory", "tensor_scatter", AT("tensor", 0, "i8", 4), AT("indices", 0, "i8", 4, 1),
           AT("updates", 32, "i8", 4), AT("out", 0, "i8", 4));
    EXPECT("", "tensor_scatter", AT("tensor", 0, "i8", 4), AT("indices", 0, "i8", 4, 1), AT("updates", 0, "i8", 4),
           AT("out", 4, "i8", 4));
}

Test(data, in_place_with_other_strides) {
    int64_t back[] = {-1};
    DLTensor out = TENSOR(memory + 3, "i8", 4);
    out.strides = back;
    EXPECT("out overlaps tensor in memory; it must lie apart from it or be the same, with the same strides",
           "tensor_scatter", AT("tensor", 0, "i8", 4), AT("indices", 16, "i8", 4, 1), AT("updates", 32, "i8", 4),
           gasket_tensor("out", &out));
}

/* A start that is read elsewhere too can not be the output. */
Test(data, a_start_that_is_read) {
    static const struct operation_source source = {.name = "self", .formula = "out[i[N]] += x[N] from x"};
    struct gasket_operation operation = operation_parse(&source);
    const struct bound *b =
        bound(&operation, 0, ARGUMENTS(AT("x", 0, "i8", 4), AT("i", 16, "i8", 4), AT("out", 0, "i8", 4)));
    cr_assert_eq(b->status, GASKET_OK, "%s", b->error.text);
    struct gk_error error;
    cr_expect_eq(gk_problem_check_data(&b->problem, &error), GASKET_INVALID_ARGUMENT);
    cr_expect_str_eq(error.text, "out overlaps x in memory");
}
