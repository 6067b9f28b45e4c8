/* Which tensors share memory: by hand, and against a map of bytes for many small layouts. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/operations.h"

static char memory[512];

/* data at memory + offset, strides in elements. */
static struct gk_tensor at(int64_t offset, const char *type, int ndim, const int64_t *shape, const int64_t *strides) {
    struct gk_tensor view;
    struct gk_error error;
    int64_t shape_copy[GASKET_MAX_RANK], strides_copy[GASKET_MAX_RANK];
    for (int i = 0; i < ndim; i++) {
        shape_copy[i] = shape[i];
        if (strides != NULL) strides_copy[i] = strides[i];
    }
    DLTensor tensor = tensor_view(memory + offset, type, shape_copy, ndim);
    tensor.strides = strides == NULL ? NULL : strides_copy;
    cr_assert_eq(gk_tensor_view(&view, "t", &tensor, 1, &error), GASKET_OK, "%s", error.text);
    return view;
}

static struct gk_tensor row(int64_t offset, const char *type, int64_t extent) {
    return at(offset, type, 1, &extent, NULL);
}

static int overlap(const struct gk_tensor *a, const struct gk_tensor *b) {
    int result = gk_tensors_overlap(a, b);
    cr_expect_eq(gk_tensors_overlap(b, a), result, "must not depend on the order");
    return result;
}

/* B89. */
Test(layout, touching_is_not_overlap) {
    struct gk_tensor params = row(0, "i8", 16), out = row(16, "i8", 16), nearer = row(15, "i8", 16);
    cr_expect_eq(overlap(&params, &out), 0);
    cr_expect_eq(overlap(&params, &nearer), 1);
    cr_expect_eq(overlap(&out, &nearer), 1);
    struct gk_tensor empty = row(8, "i8", 0);
    cr_expect_eq(overlap(&params, &empty), 0);
    cr_expect_eq(overlap(&empty, &empty), 0);
}

Test(layout, interleaved_views) {
    const int64_t four[] = {4}, two[] = {2}, rows[] = {4, 2}, by_four[] = {4, 1};
    struct gk_tensor even = at(0, "f32", 1, four, two), odd = at(4, "f32", 1, four, two);
    cr_expect_eq(overlap(&even, &odd), 0);
    cr_expect_eq(overlap(&even, &even), 1);
    struct gk_tensor shifted = at(2, "f32", 1, four, two);
    cr_expect_eq(overlap(&even, &shifted), 1);
    struct gk_tensor left = at(0, "f32", 2, rows, by_four), right = at(8, "f32", 2, rows, by_four);
    cr_expect_eq(overlap(&left, &right), 0, "halves of the columns of a matrix");
    struct gk_tensor middle = at(4, "f32", 2, rows, by_four);
    cr_expect_eq(overlap(&left, &middle), 1);
    cr_expect_eq(overlap(&middle, &right), 1);
}

Test(layout, negative_strides) {
    const int64_t four[] = {4}, back[] = {-2};
    struct gk_tensor even = at(24, "f32", 1, four, back), odd = at(28, "f32", 1, four, back);
    struct gk_tensor before = row(0, "i8", 1), after = row(28, "i8", 4), tail = row(27, "i8", 1);
    cr_expect_eq(overlap(&even, &odd), 0);
    cr_expect_eq(overlap(&even, &before), 1);
    cr_expect_eq(overlap(&even, &after), 0);
    cr_expect_eq(overlap(&even, &tail), 1);
}

Test(layout, half_bytes_share_bytes) {
    struct gk_tensor a = row(0, "i4", 3), b = row(1, "i4", 2), c = row(2, "i4", 2);
    cr_expect_eq(overlap(&a, &b), 1);
    cr_expect_eq(overlap(&a, &c), 0);
    const int64_t two[] = {2}, back[] = {-1};
    struct gk_tensor d = at(1, "i4", 1, two, back);
    struct gk_span span = gk_tensor_span(&d);
    cr_expect_eq(span.begin, -1);
    cr_expect_eq(span.end, 1);
}

/* ---- Against a map of bytes ---- */

static void mark(const struct gk_tensor *tensor, unsigned char map[sizeof memory]) {
    int64_t bytes = gk_dtype_bytes(tensor->dtype), elements = gk_tensor_elements(tensor);
    for (int64_t e = 0; e < elements; e++) {
        int64_t rest = e, offset = tensor->data - memory;
        for (int d = tensor->ndim - 1; d >= 0; d--) {
            offset += rest % tensor->shape[d] * tensor->stride[d] * bytes;
            rest /= tensor->shape[d];
        }
        for (int64_t i = 0; i < bytes; i++)
            map[offset + i]++;
    }
}

static uint32_t next(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static struct gk_tensor random_tensor(uint32_t *state) {
    static const char *const types[] = {"i8", "i16", "f32"};
    int64_t shape[3], strides[3];
    int ndim = (int)(next(state) % 4);
    for (int i = 0; i < ndim; i++) {
        shape[i] = next(state) % 5;
        strides[i] = (int64_t)(next(state) % 13) - 5;
    }
    return at(200 + next(state) % 24, types[next(state) % 3], ndim, shape, strides);
}

static int share(const struct gk_tensor *a, const struct gk_tensor *b) {
    unsigned char of_a[sizeof memory] = {0}, of_b[sizeof memory] = {0};
    mark(a, of_a);
    mark(b, of_b);
    for (size_t i = 0; i < sizeof memory; i++) {
        if (of_a[i] && of_b[i]) return 1;
    }
    return 0;
}

static void check_span(const struct gk_tensor *tensor) {
    unsigned char map[sizeof memory] = {0};
    struct gk_span span = gk_tensor_span(tensor);
    mark(tensor, map);
    if (span.begin == span.end) {
        cr_expect_eq(gk_tensor_elements(tensor), 0);
        return;
    }
    int64_t base = tensor->data - memory;
    cr_expect(map[base + span.begin] && !map[base + span.begin - 1]);
    cr_expect(map[base + span.end - 1] && !map[base + span.end]);
}

/* Real overlap is never missed, and nearly all that lies apart is seen to. */
Test(layout, random_pairs) {
    uint32_t state = 1;
    int apart = 0, shown = 0;
    for (int i = 0; i < 20000; i++) {
        struct gk_tensor a = random_tensor(&state), b = random_tensor(&state);
        int shares = share(&a, &b), says = overlap(&a, &b);
        cr_assert(says || !shares, "overlap missed in round %d", i);
        apart += !shares;
        shown += !says;
        check_span(&a);
    }
    cr_expect_gt(apart, 1000);
    cr_expect_gt(shown * 10, apart * 8, "%d of %d", shown, apart);
}

static int is_really_injective(const struct gk_tensor *tensor) {
    unsigned char map[sizeof memory] = {0};
    mark(tensor, map);
    for (size_t i = 0; i < sizeof memory; i++) {
        if (map[i] > 1) return 0;
    }
    return 1;
}

Test(layout, injective) {
    const int64_t three[] = {3}, none[] = {0}, box[] = {2, 3}, turned[] = {1, 2}, close[] = {1, 1}, back[] = {-3, 1};
    struct gk_tensor broadcast = at(0, "f32", 1, three, none);
    cr_expect_eq(gk_tensor_is_injective(&broadcast), 0);
    struct gk_tensor transposed = at(0, "f32", 2, box, turned), folded = at(0, "f32", 2, box, close);
    cr_expect_eq(gk_tensor_is_injective(&transposed), 1);
    cr_expect_eq(gk_tensor_is_injective(&folded), 0);
    struct gk_tensor reversed = at(32, "f32", 2, box, back), scalar = row(0, "f32", 1), empty = row(0, "f32", 0);
    cr_expect_eq(gk_tensor_is_injective(&reversed), 1);
    cr_expect_eq(gk_tensor_is_injective(&scalar), 1);
    cr_expect_eq(gk_tensor_is_injective(&empty), 1);
}

Test(layout, injective_is_never_claimed_in_error) {
    uint32_t state = 7;
    int claimed = 0;
    for (int i = 0; i < 20000; i++) {
        struct gk_tensor tensor = random_tensor(&state);
        int says = gk_tensor_is_injective(&tensor);
        cr_assert(!says || is_really_injective(&tensor), "round %d", i);
        claimed += says;
    }
    cr_expect_gt(claimed, 1000);
}

Test(layout, same) {
    const int64_t box[] = {2, 3}, turned[] = {1, 2};
    struct gk_tensor a = row(0, "f32", 6), b = row(0, "i32", 6), c = row(4, "f32", 6);
    struct gk_tensor d = at(0, "f32", 2, box, NULL), e = at(0, "f32", 2, box, turned);
    cr_expect_eq(gk_tensors_same(&a, &a), 1);
    cr_expect_eq(gk_tensors_same(&a, &b), 0);
    cr_expect_eq(gk_tensors_same(&a, &c), 0);
    cr_expect_eq(gk_tensors_same(&a, &d), 0);
    cr_expect_eq(gk_tensors_same(&d, &e), 0);
}

/* Many dimensions cost little. */
Test(layout, rank_64) {
    int64_t shape[GASKET_MAX_RANK], strides[GASKET_MAX_RANK];
    for (int i = 0; i < GASKET_MAX_RANK; i++) {
        shape[i] = i % 8 == 0 ? 2 : 1;
        strides[i] = INT64_C(2) << (i / 8);
    }
    struct gk_tensor a = at(0, "i8", GASKET_MAX_RANK, shape, strides), b = at(1, "i8", GASKET_MAX_RANK, shape, strides);
    cr_expect_eq(gk_tensor_is_injective(&a), 1);
    cr_expect_eq(overlap(&a, &b), 0);
    cr_expect_eq(overlap(&a, &a), 1);
}
