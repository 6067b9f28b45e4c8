/* lay: from a case to the call: strides, and the bytes of each tensor. */
#include <string.h>

#include "draw.h"
#include "formula/formula.h"

/* Strides in elements. Returns how many elements the buffer spans behind its lead; *first is the first one's place. */
static int64_t make_strides(const struct fuzz_tensor *tensor, int64_t *strides, int64_t *first) {
    const struct fuzz_layout *layout = &tensor->layout;
    int64_t step = layout->spread, last = 0;
    *first = layout->lead;
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        int d = layout->order[i];
        int64_t extent = tensor->shape[d];
        strides[d] = layout->step[d] * step;
        if (layout->step[d] == 0) continue;
        if (extent > 0) last += (extent - 1) * step;
        if (layout->step[d] < 0 && extent > 0) *first += (extent - 1) * step;
        step *= extent + layout->pad[d] > 1 ? extent + layout->pad[d] : 1;
    }
    return fuzz_elements(tensor) > 0 ? last + 1 : 0;
}

static void put(char *image, int64_t at, const char *element, enum gasket_dtype dtype) {
    int64_t bytes = gk_dtype_bytes(dtype);
    if (bytes > 0) {
        memcpy(image + at * bytes, element, (size_t)bytes);
        return;
    }
    int shift = (int)(at & 1) * 4;
    image[at / 2] = (char)((image[at / 2] & ~(0xf << shift)) | (*element & 0xf) << shift);
}

static void put_elements(const struct fuzz_tensor *tensor, const int64_t *strides, int64_t at, char *image) {
    int64_t coordinates[GASKET_MAX_RANK] = {0}, n = fuzz_elements(tensor);
    size_t bytes = fuzz_element_bytes(tensor->dtype);
    for (int64_t i = 0; i < n; i++) {
        put(image, at, tensor->elements + (size_t)i * bytes, tensor->dtype);
        for (int d = tensor->ndim - 1; d >= 0; d--) {
            at += strides[d];
            if (++coordinates[d] < tensor->shape[d]) break;
            at -= coordinates[d] * strides[d];
            coordinates[d] = 0;
        }
    }
}

static int lay_tensor(const struct fuzz_tensor *tensor, struct fuzz_call *call, struct fuzz_buffer *buffer) {
    int64_t first, bits = gk_dtype(tensor->dtype)->bits, span = make_strides(tensor, buffer->strides, &first);
    if (tensor->layout.is_plain) {
        span = fuzz_elements(tensor);
        first = tensor->layout.lead;
        for (int64_t d = tensor->ndim - 1, step = 1; d >= 0; step *= tensor->shape[d--])
            buffer->strides[d] = step;
    }
    int64_t lead = tensor->layout.lead;
    if (first * bits % 8 != 0) { /* a byte_offset is whole bytes */
        first++;
        lead++;
    }
    buffer->is_given = 1;
    buffer->bytes = span > 0 ? (size_t)((span + lead) * bits + 7) / 8 : 0;
    buffer->at_begin = tensor->layout.at_begin;
    buffer->skew = tensor->layout.skew;
    memcpy(buffer->shape, tensor->shape, sizeof tensor->shape[0] * (size_t)tensor->ndim);
    buffer->view = (DLTensor){.device = {kDLCPU, 0}, .ndim = tensor->ndim, .dtype = gk_dtype_type(tensor->dtype)};
    buffer->view.shape = tensor->ndim > 0 ? buffer->shape : NULL;
    buffer->view.strides = tensor->layout.is_plain ? NULL : buffer->strides;
    buffer->view.byte_offset = (uint64_t)(first * bits / 8);
    buffer->image = NULL;
    if (buffer->bytes + FUZZ_MARGIN > FUZZ_PLACE_BYTES) return -1;
    if (!tensor->elements || buffer->bytes == 0) return 0;
    buffer->image = fuzz_call_room(call, buffer->bytes);
    if (!buffer->image) return -1;
    memset(buffer->image, FUZZ_POISON, buffer->bytes);
    put_elements(tensor, buffer->strides, first, buffer->image);
    return 0;
}

int fuzz_lay(const struct fuzz_case *c, struct fuzz_call *call) {
    call->operation = c->operation;
    call->n_named = 0;
    call->pool_used = 0;
    call->seed = c->seed;
    call->out = gk_formula_output(&c->operation->formula);
    call->in_place = c->in_place ? c->operation->formula.origin_tensor : GASKET_NONE;
    for (int t = 0; t < FUZZ_TENSORS; t++) {
        call->tensors[t].is_given = 0;
        if (c->tensors[t].is_given && lay_tensor(&c->tensors[t], call, &call->tensors[t]) != 0) return -1;
    }
    fuzz_name_attributes(c, call);
    struct fuzz_random random = fuzz_random_make(c->seed, 3);
    if (c->is_spoiled) fuzz_spoil(call, &random);
    return 0;
}
