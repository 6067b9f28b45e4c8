/* call: see call.h. */
#include "call.h"

#include <stdio.h>
#include <string.h>

char *fuzz_call_room(struct fuzz_call *call, size_t bytes) {
    size_t begin = (call->pool_used + 15) / 16 * 16;
    if (bytes > call->pool_size || begin > call->pool_size - bytes) return NULL;
    call->pool_used = begin + bytes;
    return call->pool + begin;
}

struct fuzz_named *fuzz_call_name(struct fuzz_call *call, const char *name) {
    struct fuzz_named *named = &call->named[call->n_named++];
    memset(named, 0, offsetof(struct fuzz_named, values));
    snprintf(named->name, sizeof named->name, "%s", name);
    return named;
}

/* Bytes beside a tensor are poison as well: what a kernel writes there is seen. */
static void clear_margins(const struct fuzz_buffer *buffer, char *place) {
    size_t end = buffer->at + buffer->bytes;
    size_t before = buffer->at < FUZZ_MARGIN ? buffer->at : FUZZ_MARGIN;
    size_t after = FUZZ_PLACE_BYTES - end < FUZZ_MARGIN ? FUZZ_PLACE_BYTES - end : FUZZ_MARGIN;
    memset(place + buffer->at - before, FUZZ_POISON, before);
    memset(place + end, FUZZ_POISON, after);
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
        buffer->at = fuzz_place_at(place, buffer->bytes, buffer->at_begin, buffer->skew);
        clear_margins(buffer, place->written);
        if (image && buffer->bytes > 0)
            memcpy(place->written + buffer->at, image, buffer->bytes);
        else
            memset(place->written + buffer->at, FUZZ_POISON, buffer->bytes);
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
