/* layout: where the elements of a tensor lie, and which tensors share memory. */
#include <string.h>

#include "tensor.h"

int64_t gk_tensor_elements(const struct gk_tensor *tensor) {
    int64_t elements = 1;
    for (int i = 0; i < tensor->ndim; i++) {
        if (tensor->shape[i] == 0) return 0;
        elements *= tensor->shape[i];
    }
    return elements;
}

/* The dimensions of more than one element by size of stride, smallest first. Strides are positive; `low` and `high` are
 * the least and the greatest element, counted from the first. */
struct spread {
    int n;
    int64_t extent[GASKET_MAX_RANK], stride[GASKET_MAX_RANK];
    int64_t low, high;
};

static void insert(struct spread *spread, int64_t extent, int64_t stride) {
    int at = spread->n++;
    for (; at > 0 && spread->stride[at - 1] > stride; at--) {
        spread->extent[at] = spread->extent[at - 1];
        spread->stride[at] = spread->stride[at - 1];
    }
    spread->extent[at] = extent;
    spread->stride[at] = stride;
}

/* The tensor has elements. */
static void spread_of(struct spread *spread, const struct gk_tensor *tensor) {
    spread->n = 0;
    spread->low = spread->high = 0;
    for (int i = 0; i < tensor->ndim; i++) {
        int64_t stride = tensor->stride[i];
        if (tensor->shape[i] == 1) continue;
        *(stride < 0 ? &spread->low : &spread->high) += stride * (tensor->shape[i] - 1);
        insert(spread, tensor->shape[i], stride < 0 ? -stride : stride);
    }
}

/* Shifts of negative numbers round down: element -1 of a 4-bit type lies in byte -1. */
static struct gk_span span_of(const struct spread *spread, enum gasket_dtype dtype) {
    int64_t bytes = gk_dtype_bytes(dtype);
    struct gk_span span = {spread->low >> 1, (spread->high >> 1) + 1};
    if (bytes > 0) {
        span.begin = spread->low * bytes;
        span.end = (spread->high + 1) * bytes;
    }
    return span;
}

struct gk_span gk_tensor_span(const struct gk_tensor *tensor) {
    struct gk_span empty = {0, 0};
    struct spread spread;
    if (gk_tensor_elements(tensor) == 0) return empty;
    spread_of(&spread, tensor);
    return span_of(&spread, tensor->dtype);
}

static int64_t greatest_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The tensor as blocks of bytes that repeat: whatever `inner` of the smallest dimensions reach is one block, of
 * block[inner] bytes, and all blocks begin at the lowest address plus a multiple of period[inner] (0: one block). */
struct blocks {
    int n;
    uintptr_t begin;
    int64_t block[GASKET_MAX_RANK + 1], period[GASKET_MAX_RANK + 1];
};

static void blocks_of(struct blocks *blocks, const struct gk_tensor *tensor, const struct spread *spread) {
    int64_t bytes = gk_dtype_bytes(tensor->dtype);
    struct gk_span span = span_of(spread, tensor->dtype);
    blocks->begin = (uintptr_t)tensor->data + (uintptr_t)span.begin;
    /* 4-bit elements share bytes: one block. */
    blocks->n = bytes > 0 ? spread->n : 0;
    blocks->block[0] = bytes > 0 ? bytes : span.end - span.begin;
    for (int i = 0; i < blocks->n; i++) {
        blocks->block[i + 1] = blocks->block[i] + spread->stride[i] * (spread->extent[i] - 1) * bytes;
    }
    blocks->period[blocks->n] = 0;
    for (int i = blocks->n - 1; i >= 0; i--) {
        blocks->period[i] = greatest_divisor(blocks->period[i + 1], spread->stride[i] * bytes);
    }
}

/* Whether blocks of `a` and `b` bytes, `distance` apart, each repeated by `period`, never meet. */
static int interleave(int64_t a, int64_t b, uint64_t distance, int64_t period) {
    if (period == 0) return 0;
    int64_t shift = (int64_t)(distance % (uint64_t)period);
    return shift >= a && b <= period - shift;
}

static int proved_apart(const struct blocks *low, const struct blocks *high) {
    uint64_t distance = high->begin - low->begin;
    for (int i = 0; i <= low->n; i++) {
        for (int j = 0; j <= high->n; j++) {
            int64_t period = greatest_divisor(low->period[i], high->period[j]);
            if (interleave(low->block[i], high->block[j], distance, period)) return 1;
        }
    }
    return 0;
}

int gk_tensors_overlap(const struct gk_tensor *a, const struct gk_tensor *b) {
    struct spread spread_a, spread_b;
    struct blocks blocks_a, blocks_b;
    if (gk_tensor_elements(a) == 0 || gk_tensor_elements(b) == 0) return 0;
    spread_of(&spread_a, a);
    spread_of(&spread_b, b);
    struct gk_span span_a = span_of(&spread_a, a->dtype), span_b = span_of(&spread_b, b->dtype);
    uintptr_t data_a = (uintptr_t)a->data, data_b = (uintptr_t)b->data;
    if (data_a + (uintptr_t)span_a.end <= data_b + (uintptr_t)span_b.begin) return 0;
    if (data_b + (uintptr_t)span_b.end <= data_a + (uintptr_t)span_a.begin) return 0;
    blocks_of(&blocks_a, a, &spread_a);
    blocks_of(&blocks_b, b, &spread_b);
    int a_is_lower = blocks_a.begin <= blocks_b.begin;
    return a_is_lower ? !proved_apart(&blocks_a, &blocks_b) : !proved_apart(&blocks_b, &blocks_a);
}

int gk_tensors_same(const struct gk_tensor *a, const struct gk_tensor *b) {
    if (a->data != b->data || a->dtype != b->dtype || a->ndim != b->ndim) return 0;
    size_t bytes = (size_t)a->ndim * sizeof *a->shape;
    return memcmp(a->shape, b->shape, bytes) == 0 && memcmp(a->stride, b->stride, bytes) == 0;
}

int gk_tensor_is_injective(const struct gk_tensor *tensor) {
    struct spread spread;
    if (gk_tensor_elements(tensor) == 0) return 1;
    spread_of(&spread, tensor);
    int64_t reach = 0;
    for (int i = 0; i < spread.n; i++) {
        if (spread.stride[i] <= reach) return 0;
        reach += spread.stride[i] * (spread.extent[i] - 1);
    }
    return 1;
}
