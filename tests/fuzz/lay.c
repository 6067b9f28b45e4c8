/* lay: from a case to the call: strides, and the bytes of each tensor. */
#include <string.h>

#include "draw.h"
#include "formula/formula.h"

const int64_t fuzz_fars[FUZZ_FARS] = {((int64_t)1 << 30) + 1, ((int64_t)1 << 30) + 64, ((int64_t)1 << 31) - 64,
                                      ((int64_t)1 << 31) + 64, ((int64_t)1 << 32) + 1};

/* In elements, where the tensor is so; else 0. */
static int64_t far_of(const struct fuzz_tensor *tensor) {
    int bits = gk_dtype(tensor->dtype)->bits;
    if (tensor->layout.far == 0 || tensor->ndim == 0 || tensor->layout.is_plain || bits < 8) return 0;
    int d = tensor->layout.order[0];
    int64_t extent = tensor->shape[d];
    int64_t distance = fuzz_fars[tensor->layout.far - 1], room = (int64_t)FUZZ_FAR_BYTES - FUZZ_PLACE_BYTES;
    int fits = extent > 1 && (extent - 1) * distance <= room;
    int is_far = fits && tensor->layout.step[d] != 0 && fuzz_elements(tensor) > 0;
    return is_far ? distance * 8 / bits : 0;
}

static int64_t wild_stride(int d) {
    static const int64_t strides[] = {0, 7, -3, 1000003, INT64_MAX, INT64_MIN, 1};
    return strides[d % (int)(sizeof strides / sizeof *strides)];
}

/* Strides in elements. Returns how many elements the buffer spans behind its lead; *first is the first one's place. */
static int64_t make_strides(const struct fuzz_tensor *tensor, int64_t *strides, int64_t *first) {
    const struct fuzz_layout *layout = &tensor->layout;
    int64_t step = layout->spread, last = 0;
    *first = layout->lead;
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        int d = layout->order[i];
        if (i == 0 && far_of(tensor) > 0) step = far_of(tensor);
        int64_t extent = tensor->shape[d];
        strides[d] = layout->wild > 0 && extent == 1 ? wild_stride(d + layout->wild) : layout->step[d] * step;
        if (layout->step[d] == 0) continue;
        if (extent > 0) last += (extent - 1) * step;
        if (layout->step[d] < 0 && extent > 0) *first += (extent - 1) * step;
        step *= extent + layout->pad[d] > 1 ? extent + layout->pad[d] : 1;
        step += layout->slack[d];
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

/* Where the element at a place counted in elements is in the image. */
static int64_t in_image(const struct fuzz_buffer *buffer, int64_t at, int64_t bits) {
    if (buffer->far == 0) return at;
    int64_t byte = at * bits / 8, far = (int64_t)buffer->far;
    return (byte / far * (int64_t)buffer->slab + byte % far) * 8 / bits;
}

static void put_elements(const struct fuzz_tensor *tensor, const struct fuzz_buffer *buffer, int64_t at) {
    int64_t coordinates[GASKET_MAX_RANK] = {0}, n = fuzz_elements(tensor), bits = gk_dtype(tensor->dtype)->bits;
    size_t bytes = fuzz_element_bytes(tensor->dtype);
    for (int64_t i = 0; i < n; i++) {
        put(buffer->image, in_image(buffer, at, bits), tensor->elements + (size_t)i * bytes, tensor->dtype);
        for (int d = tensor->ndim - 1; d >= 0; d--) {
            if (tensor->shape[d] == 1) continue; /* its stride may be wild */
            at += buffer->strides[d];
            if (++coordinates[d] < tensor->shape[d]) break;
            at -= coordinates[d] * buffer->strides[d];
            coordinates[d] = 0;
        }
    }
}

static void set_view(const struct fuzz_tensor *tensor, struct fuzz_buffer *buffer) {
    memcpy(buffer->shape, tensor->shape, sizeof tensor->shape[0] * (size_t)tensor->ndim);
    buffer->is_given = 1;
    buffer->at_begin = tensor->layout.at_begin;
    buffer->skew = tensor->layout.skew;
    buffer->view = (DLTensor){.device = {kDLCPU, 0}, .ndim = tensor->ndim, .dtype = gk_dtype_type(tensor->dtype)};
    buffer->view.shape = tensor->ndim > 0 ? buffer->shape : NULL;
    buffer->view.strides = tensor->layout.is_plain ? NULL : buffer->strides;
}

/* Strides, offset and sizes. */
static void measure(const struct fuzz_tensor *tensor, struct fuzz_buffer *buffer, int64_t *first) {
    int64_t bits = gk_dtype(tensor->dtype)->bits, lead = tensor->layout.lead;
    int64_t span = make_strides(tensor, buffer->strides, first), far = far_of(tensor) * bits / 8;
    if (tensor->layout.is_plain) {
        span = fuzz_elements(tensor);
        *first = lead;
        fuzz_buffer_compact(buffer);
    }
    if (*first * bits % 8 != 0) { /* a byte_offset is whole bytes */
        ++*first;
        lead++;
    }
    buffer->view.byte_offset = (uint64_t)(*first * bits / 8);
    buffer->bytes = span > 0 ? (size_t)((span + lead) * bits + 7) / 8 : 0;
    buffer->far = (size_t)far;
    buffer->slab = far > 0 ? buffer->bytes % buffer->far : 0;
}

static int lay_tensor(const struct fuzz_tensor *tensor, struct fuzz_call *call, struct fuzz_buffer *buffer) {
    int64_t first;
    set_view(tensor, buffer);
    measure(tensor, buffer, &first);
    size_t stored = fuzz_buffer_stored(buffer);
    buffer->image = NULL;
    if (stored + FUZZ_MARGIN > FUZZ_PLACE_BYTES) return -1;
    if (!tensor->elements || stored == 0) return 0;
    buffer->image = fuzz_pool_room(&call->pool, stored);
    if (!buffer->image) return -1;
    memset(buffer->image, FUZZ_POISON, stored);
    put_elements(tensor, buffer, first);
    return 0;
}

int fuzz_lay(const struct fuzz_case *c, struct fuzz_call *call) {
    call->operation = c->operation;
    call->n_named = 0;
    call->pool.used = 0;
    call->seed = c->seed;
    call->out = gk_formula_output(&c->operation->formula);
    call->in_place = c->in_place ? c->operation->formula.origin_tensor : GASKET_NONE;
    for (int t = 0; t < FUZZ_TENSORS; t++) {
        call->tensors[t].is_given = 0;
        if (c->tensors[t].is_given && lay_tensor(&c->tensors[t], call, &call->tensors[t]) != 0) return -1;
    }
    call->is_legal = !c->is_spoiled;
    fuzz_name_attributes(c, call);
    struct fuzz_random random = fuzz_random_make(c->seed, 3);
    if (c->is_spoiled) fuzz_spoil(call, &random);
    return 0;
}
