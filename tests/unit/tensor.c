/* Views of a caller's tensors: what is taken, what is refused, and in which words. */
#include "tensor.h"

#include <criterion/criterion.h>
#include <string.h>

#include "support/operations.h"

static struct gk_tensor view;
static struct gk_error error;

static enum gasket_status look(const DLTensor *tensor, int need_data) {
    error.status = GASKET_OK;
    error.text[0] = 0;
    return gk_tensor_view(&view, "params", tensor, need_data, &error);
}

static void expect(const DLTensor *tensor, enum gasket_status status, const char *text) {
    cr_expect_eq(look(tensor, 1), status, "%s: %s", text, error.text);
    cr_expect_eq(error.status, status);
    cr_expect_str_eq(error.text, text);
}

static float floats[64];

Test(tensor, compact) {
    DLTensor tensor = TENSOR(floats, "f32", 2, 3, 4);
    cr_assert_eq(look(&tensor, 1), GASKET_OK);
    cr_expect_eq(view.ndim, 3);
    cr_expect_eq(view.dtype, GASKET_F32);
    cr_expect_eq(view.data, (char *)floats);
    const int64_t strides[] = {12, 4, 1};
    cr_expect_eq(memcmp(view.stride, strides, sizeof strides), 0);
    cr_expect_eq(view.shape[2], 4);
    cr_expect_eq(gk_tensor_elements(&view), 24);
}

/* B77: the first element is data + byte_offset. */
Test(tensor, byte_offset_counts) {
    uint16_t halves[16];
    DLTensor tensor = TENSOR(halves, "f16", 3, 4);
    tensor.byte_offset = 2;
    cr_assert_eq(look(&tensor, 1), GASKET_OK);
    cr_expect_eq(view.data, (char *)(halves + 1));
    cr_expect_eq(view.byte_offset, 2);
}

/* B79. */
Test(tensor, null_shape_and_strides) {
    DLTensor scalar = SCALAR(floats, "f32");
    cr_assert_eq(look(&scalar, 1), GASKET_OK);
    cr_expect_eq(view.ndim, 0);
    cr_expect_eq(gk_tensor_elements(&view), 1);
    DLTensor tensor = TENSOR(floats, "f32", 2);
    tensor.shape = NULL;
    expect(&tensor, GASKET_INVALID_ARGUMENT, "params has ndim = 1, but its shape is NULL");
    expect(NULL, GASKET_INVALID_ARGUMENT, "params is NULL");
}

Test(tensor, strides_of_any_kind) {
    int64_t strides[] = {-8, 0, 1};
    DLTensor tensor = TENSOR(floats + 8, "f32", 2, 3, 4);
    tensor.strides = strides;
    cr_assert_eq(look(&tensor, 1), GASKET_OK);
    cr_expect_eq(memcmp(view.stride, strides, sizeof strides), 0);
    struct gk_span span = gk_tensor_span(&view);
    cr_expect_eq(span.begin, -32);
    cr_expect_eq(span.end, 16);
}

Test(tensor, strides_of_extent_one_are_ignored) {
    int64_t strides[] = {INT64_MIN, 1, INT64_MAX};
    DLTensor tensor = TENSOR(floats, "f32", 1, 4, 1);
    tensor.strides = strides;
    cr_assert_eq(look(&tensor, 1), GASKET_OK);
    cr_expect_eq(view.stride[0], 0);
    cr_expect_eq(view.stride[1], 1);
    cr_expect_eq(view.stride[2], 0);
}

Test(tensor, empty_tensors_need_no_data_and_no_strides) {
    int64_t strides[] = {INT64_MAX, INT64_MIN};
    DLTensor tensor = TENSOR(NULL, "f32", 0, 5);
    cr_expect_eq(look(&tensor, 1), GASKET_OK, "%s", error.text);
    cr_expect_null(view.data);
    tensor.strides = strides;
    cr_expect_eq(look(&tensor, 1), GASKET_OK, "%s", error.text);
    struct gk_span span = gk_tensor_span(&view);
    cr_expect_eq(span.begin, 0);
    cr_expect_eq(span.end, 0);
}

Test(tensor, null_data) {
    DLTensor tensor = TENSOR(NULL, "f32", 2, 2);
    expect(&tensor, GASKET_INVALID_ARGUMENT, "params of shape [2,2] has elements, but its data is NULL");
    cr_expect_eq(look(&tensor, 0), GASKET_OK);
    tensor.byte_offset = 8;
    cr_expect_eq(look(&tensor, 0), GASKET_OK);
    cr_expect_null(view.data);
}

Test(tensor, ranks) {
    int64_t shape[GASKET_MAX_RANK + 1];
    for (int i = 0; i <= GASKET_MAX_RANK; i++)
        shape[i] = 1;
    for (int rank = 0; rank <= GASKET_MAX_RANK; rank++) {
        DLTensor tensor = tensor_view(floats, "f32", shape, rank);
        cr_expect_eq(look(&tensor, 1), GASKET_OK);
        cr_expect_eq(view.ndim, rank);
    }
    DLTensor tensor = tensor_view(floats, "f32", shape, GASKET_MAX_RANK + 1);
    expect(&tensor, GASKET_UNSUPPORTED, "params has 65 dimensions, but at most 64 are supported");
    tensor.ndim = -1;
    expect(&tensor, GASKET_INVALID_ARGUMENT, "params has ndim = -1, which is negative");
}

/* B85. */
Test(tensor, types) {
    DLTensor tensor = TENSOR(floats, "bool", 3);
    cr_expect_eq(look(&tensor, 1), GASKET_OK);
    cr_expect_eq(view.dtype, GASKET_BOOL);
    tensor.dtype.bits = 1;
    expect(&tensor, GASKET_UNSUPPORTED, "params has an unknown type (DLPack code 6, 1 bits)");
    tensor.dtype.bits = 8;
    tensor.dtype.lanes = 4;
    expect(&tensor, GASKET_INVALID_ARGUMENT, "params has a type of 4 lanes, but needs 1 lane");
    tensor.dtype.lanes = 0;
    expect(&tensor, GASKET_INVALID_ARGUMENT, "params has a type of 0 lanes, but needs 1 lane");
    tensor.dtype = (DLDataType){kDLFloat, 80, 1};
    expect(&tensor, GASKET_UNSUPPORTED, "params has an unknown type (DLPack code 2, 80 bits)");
}

Test(tensor, devices) {
    DLTensor tensor = TENSOR(floats, "f32", 3);
    tensor.device.device_type = kDLCUDA;
    expect(&tensor, GASKET_UNSUPPORTED, "params is on device type 2, but must be on kDLCPU (1)");
}

/* B86. */
Test(tensor, negative_sizes) {
    DLTensor tensor = TENSOR(floats, "f32", 2, -3);
    expect(&tensor, GASKET_INVALID_ARGUMENT, "params.shape[1] = -3 is negative");
}

Test(tensor, sizes_that_overflow) {
    DLTensor bytes = TENSOR(NULL, "i8", INT64_MAX);
    cr_expect_eq(look(&bytes, 0), GASKET_OK);
    DLTensor halves = TENSOR(NULL, "f16", INT64_MAX);
    cr_expect_eq(look(&halves, 0), GASKET_INVALID_ARGUMENT);
    cr_expect_str_eq(error.text,
                     "params of shape [9223372036854775807] and type f16 has a size that overflows 64 bits");
    DLTensor product = TENSOR(NULL, "i8", 1 << 30, 1 << 30, 8);
    cr_expect_eq(look(&product, 0), GASKET_INVALID_ARGUMENT);
    DLTensor empty = TENSOR(NULL, "i8", INT64_MAX, 0, 2);
    cr_expect_eq(look(&empty, 0), GASKET_INVALID_ARGUMENT, "products over some dimensions must fit as well");
}

struct reach {
    const char *type;
    int64_t extent, stride;
    uint64_t byte_offset;
    enum gasket_status status;
};

Test(tensor, strides_and_offsets_that_overflow) {
    static const struct reach reaches[] = {
        {"i8", 2, INT64_MAX - 1, 0, GASKET_OK},
        {"i8", 2, INT64_MAX, 0, GASKET_INVALID_ARGUMENT},
        {"i8", 2, INT64_MIN, 0, GASKET_INVALID_ARGUMENT},
        {"i8", 2, -INT64_MAX, 0, GASKET_INVALID_ARGUMENT}, /* the whole length does not fit */
        {"i8", 3, INT64_MAX / 2 + 1, 0, GASKET_INVALID_ARGUMENT},
        {"f64", 2, INT64_MAX / 8, 0, GASKET_INVALID_ARGUMENT},
        {"f64", 2, INT64_MAX / 8 - 1, 0, GASKET_OK},
        {"f64", 2, INT64_MAX / 8 - 1, 8, GASKET_INVALID_ARGUMENT},
        {"f64", 2, -(INT64_MAX / 8 - 1), 8, GASKET_OK},
        {"f64", 1, INT64_MAX, INT64_MAX - 7, GASKET_INVALID_ARGUMENT},
    };
    for (size_t i = 0; i < COUNT(reaches); i++) {
        int64_t shape[] = {reaches[i].extent}, strides[] = {reaches[i].stride};
        DLTensor tensor = tensor_view(NULL, reaches[i].type, shape, 1);
        tensor.strides = strides;
        tensor.byte_offset = reaches[i].byte_offset;
        cr_expect_eq(look(&tensor, 0), reaches[i].status, "%zu: %s", i, error.text);
    }
}

/* B86: range before alignment. */
Test(tensor, byte_offsets) {
    DLTensor tensor = TENSOR(floats, "f32", 4);
    tensor.byte_offset = 6;
    expect(&tensor, GASKET_INVALID_ARGUMENT,
           "params has byte_offset = 6, which is not a multiple of the 4 bytes of f32");
    tensor.byte_offset = UINT64_MAX;
    expect(&tensor, GASKET_INVALID_ARGUMENT,
           "params of shape [4], strides [1] and byte_offset 18446744073709551615 reaches beyond the address space");
    tensor.byte_offset = INT64_MAX;
    cr_expect_eq(look(&tensor, 1), GASKET_INVALID_ARGUMENT);
    cr_expect(strstr(error.text, "reaches beyond") != NULL, "%s", error.text);
}

Test(tensor, addresses_do_not_wrap) {
    int64_t strides[] = {-1};
    DLTensor tensor = TENSOR((void *)(uintptr_t)64, "i8", 66);
    tensor.strides = strides;
    cr_expect_eq(look(&tensor, 1), GASKET_INVALID_ARGUMENT);
    tensor.data = (void *)(uintptr_t)65;
    cr_expect_eq(look(&tensor, 1), GASKET_OK, "%s", error.text);
    tensor.strides = NULL;
    tensor.data = (void *)(UINTPTR_MAX - 64);
    cr_expect_eq(look(&tensor, 1), GASKET_INVALID_ARGUMENT);
}

Test(tensor, odd_addresses_are_fine) {
    DLTensor tensor = TENSOR((char *)floats + 1, "f64", 4);
    cr_expect_eq(look(&tensor, 1), GASKET_OK, "%s", error.text);
}

Test(tensor, half_bytes) {
    DLTensor tensor = TENSOR(floats, "i4", 3, 3);
    tensor.byte_offset = 1;
    cr_assert_eq(look(&tensor, 1), GASKET_OK, "%s", error.text);
    cr_expect_eq(view.stride[0], 3);
    struct gk_span span = gk_tensor_span(&view);
    cr_expect_eq(span.begin, 0);
    cr_expect_eq(span.end, 5, "9 half bytes lie in 5 bytes");
}
