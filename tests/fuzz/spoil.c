/* spoil: one thing about a call that is wrong, mostly: all variants must say the same of it, and write nothing. None
 * makes a tensor larger than its memory. */
#include <string.h>

#include "draw.h"
#include "formula/formula.h"

struct spoiler {
    struct fuzz_call *call;
    struct fuzz_random *random;
    int tensor;                 /* one that is given */
    struct fuzz_buffer *buffer; /* its own */
};

/* A dimension of the tensor with at least `least` positions, or -1. */
static int dimension(const struct spoiler *s, int64_t least) {
    int ndim = s->buffer->view.ndim, first = (int)fuzz_below(s->random, ndim);
    for (int i = 0; i < ndim; i++) {
        int d = (first + i) % ndim;
        if (s->buffer->shape[d] >= least) return d;
    }
    return -1;
}

static int drop_tensor(struct spoiler *s) {
    if (s->tensor == s->call->out) return -1;
    s->buffer->is_given = 0;
    if (s->tensor == s->call->in_place) s->call->in_place = GASKET_NONE;
    return 0;
}

static int drop_argument(struct spoiler *s) {
    if (s->call->n_named == 0) return -1;
    s->call->n_named--;
    return 0;
}

static int cut_extent(struct spoiler *s) {
    int d = dimension(s, 1);
    if (d >= 0) s->buffer->shape[d]--;
    return d >= 0 ? 0 : -1;
}

static int cut_rank(struct spoiler *s) {
    if (s->buffer->view.ndim == 0) return -1;
    s->buffer->view.ndim--;
    return 0;
}

static int negate_extent(struct spoiler *s) {
    int d = dimension(s, 0);
    if (d >= 0) s->buffer->shape[d] = -1;
    return d >= 0 ? 0 : -1;
}

/* Another type of the same size. */
static int change_type(struct spoiler *s) {
    enum gasket_dtype type = (enum gasket_dtype)fuzz_below(s->random, GASKET_DTYPES);
    DLDataType other = gk_dtype_type(type), *own = &s->buffer->view.dtype;
    if (other.bits != own->bits || other.code == own->code) return -1;
    *own = other;
    return 0;
}

static int shift_offset(struct spoiler *s) {
    if (s->buffer->view.dtype.bits < 16 || s->buffer->bytes == 0) return -1;
    s->buffer->view.byte_offset++;
    return 0;
}

static int collapse_output(struct spoiler *s) {
    int d = dimension(s, 2);
    if (s->tensor != s->call->out || d < 0) return -1;
    s->buffer->view.strides = s->buffer->strides;
    s->buffer->strides[d] = 0;
    return 0;
}

static int add_unknown(struct spoiler *s) {
    fuzz_call_name(s->call, "axes")->values[0] = 1;
    return 0;
}

static int misspell(struct spoiler *s) {
    static const char *const names[] = {"bounds", "combine", "nan", "accumulate"};
    const char *name = names[fuzz_below(s->random, 4)];
    for (int i = 0; i < s->call->n_named; i++)
        if (strcmp(s->call->named[i].name, name) == 0) return -1;
    struct fuzz_named *named = fuzz_call_name(s->call, name);
    named->is_text = 1;
    strcpy(named->text, "fil");
    return 0;
}

static int push_attribute(struct spoiler *s) {
    for (int i = 0; i < s->call->n_named; i++) {
        struct fuzz_named *named = &s->call->named[i];
        if (named->is_text || named->is_list) continue;
        named->values[0] = fuzz_chance(s->random, 500) ? 65 : -65;
        return 0;
    }
    return -1;
}

void fuzz_spoil(struct fuzz_call *call, struct fuzz_random *random) {
    static int (*const ways[])(struct spoiler *) = {drop_tensor, drop_argument, cut_extent,    cut_rank,
                                                    change_type, negate_extent, shift_offset,  collapse_output,
                                                    add_unknown, misspell,      push_attribute};
    enum { TRIES = 60 };
    for (int i = 0; i < TRIES; i++) {
        struct spoiler s = {call, random, (int)fuzz_below(random, FUZZ_TENSORS), NULL};
        s.buffer = &call->tensors[s.tensor];
        int way = (int)fuzz_below(random, (int64_t)(sizeof ways / sizeof *ways));
        if (s.buffer->is_given && ways[way](&s) == 0) return;
    }
}
