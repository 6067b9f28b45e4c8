/* call: see call.h. */
#include "call.h"

#include <stdio.h>
#include <string.h>

int64_t fuzz_product(const int64_t *extents, int n) {
    int64_t product = 1;
    for (int i = 0; i < n; i++)
        product *= extents[i];
    return product;
}

int64_t fuzz_buffer_elements(const struct fuzz_buffer *buffer) {
    return fuzz_product(buffer->shape, buffer->view.ndim);
}

size_t fuzz_buffer_stored(const struct fuzz_buffer *buffer) {
    return buffer->far > 0 ? (buffer->bytes / buffer->far + 1) * buffer->slab : buffer->bytes;
}

int64_t fuzz_buffer_place(const struct fuzz_buffer *buffer, int64_t number) {
    int64_t at = (int64_t)buffer->view.byte_offset * 8 / buffer->view.dtype.bits;
    for (int d = buffer->view.ndim - 1; d >= 0; d--) {
        at += number % buffer->shape[d] * buffer->strides[d];
        number /= buffer->shape[d];
    }
    return at;
}

void fuzz_buffer_compact(struct fuzz_buffer *buffer) {
    for (int64_t d = buffer->view.ndim - 1, step = 1; d >= 0; step *= buffer->shape[d--])
        buffer->strides[d] = step;
}

size_t fuzz_window(const struct fuzz_buffer *buffer, size_t *begin) {
    size_t end = buffer->at + buffer->bytes;
    *begin = buffer->at < FUZZ_MARGIN ? 0 : buffer->at - FUZZ_MARGIN;
    return (FUZZ_PLACE_BYTES - end < FUZZ_MARGIN ? FUZZ_PLACE_BYTES : end + FUZZ_MARGIN) - *begin;
}

struct fuzz_named *fuzz_call_name(struct fuzz_call *call, const char *name) {
    struct fuzz_named *named = &call->named[call->n_named++];
    memset(named, 0, offsetof(struct fuzz_named, values));
    snprintf(named->name, sizeof named->name, "%s", name);
    return named;
}

static void place_slabs(struct fuzz_buffer *buffer, const struct fuzz_place *place) {
    buffer->at = fuzz_place_at(place, buffer->bytes, buffer->at_begin, buffer->skew);
    for (size_t i = 0; i * buffer->far < buffer->bytes; i++)
        memcpy(place->written + buffer->at + i * buffer->far, buffer->image + i * buffer->slab, buffer->slab);
    buffer->view.data = place->seen + buffer->at;
}

void fuzz_call_place(struct fuzz_call *call, const struct fuzz_places *places) {
    for (int t = 0; t < FUZZ_TENSORS; t++) {
        struct fuzz_buffer *buffer = &call->tensors[t];
        const struct fuzz_place *place = &places->near[t];
        if (!buffer->is_given) continue;
        if (buffer->far > 0) {
            place_slabs(buffer, &places->far);
            continue;
        }
        int from = t == call->out && call->in_place != GASKET_NONE ? call->in_place : t;
        const char *image = call->tensors[from].image;
        size_t begin;
        buffer->at = fuzz_place_at(place, buffer->bytes, buffer->at_begin, buffer->skew);
        size_t window = fuzz_window(buffer, &begin);
        memset(place->written + begin, FUZZ_POISON, window); /* what a kernel writes beside a tensor is seen */
        if (image && buffer->bytes > 0) memcpy(place->written + buffer->at, image, buffer->bytes);
        char *data = t == call->out || t == call->in_place ? places->near[call->out].written : place->seen;
        buffer->view.data = buffer->bytes > 0 ? data + buffer->at : NULL;
    }
}

static struct gasket_argument named_argument(const struct fuzz_named *named) {
    if (named->is_text) return gasket_text(named->name, named->text);
    if (named->is_list) return gasket_integers(named->name, named->values, (size_t)named->n);
    return gasket_integer(named->name, named->values[0]);
}

size_t fuzz_call_arguments(const struct fuzz_call *call, struct gasket_argument arguments[FUZZ_ARGUMENTS]) {
    size_t n = 0;
    for (int t = 0; t < FUZZ_TENSORS; t++) {
        const char *name = t == FUZZ_FILL ? "fill" : call->operation->formula.tensors[t];
        if (call->tensors[t].is_given) arguments[n++] = gasket_tensor(name, &call->tensors[t].view);
    }
    for (int i = 0; i < call->n_named; i++)
        arguments[n++] = named_argument(&call->named[i]);
    return n;
}
