/* call: a problem as the library gets it, with the bytes of its tensors. It is what a replay line says. */
#ifndef FUZZ_CALL_H
#define FUZZ_CALL_H

#include "abi/operation.h"
#include "gasket/gasket.h"
#include "memory.h"

enum {
    FUZZ_TENSORS = GASKET_MAX_TENSORS + 1, /* and the fill value */
    FUZZ_FILL = GASKET_MAX_TENSORS,
    FUZZ_ARGUMENTS = FUZZ_TENSORS + GASKET_MAX_ATTRIBUTES + 5,
    FUZZ_TEXT = 24
};

/* A tensor: `bytes` bytes from its data pointer on. */
struct fuzz_buffer {
    int is_given;
    DLTensor view;
    int64_t shape[GASKET_MAX_RANK], strides[GASKET_MAX_RANK];
    char *image; /* what the bytes are before the call; NULL for an output, which is poisoned */
    size_t bytes, at;
    int at_begin, skew; /* the side that the guard page is on, and the bytes left to it */
    size_t slab, far;   /* an input whose image is slabs of so many bytes, so far apart in memory; else 0 */
};

struct fuzz_named {
    char name[GASKET_NAME_SIZE], text[FUZZ_TEXT]; /* the text where it is no number */
    int is_list, is_text;
    int n;
    int64_t values[GASKET_MAX_RANK];
};

struct fuzz_call {
    const struct gasket_operation *operation;
    struct fuzz_buffer tensors[FUZZ_TENSORS]; /* by tensor id */
    struct fuzz_named named[GASKET_MAX_ATTRIBUTES + 5];
    int n_named;
    uint8_t out;           /* tensor id */
    uint8_t is_legal;      /* the library may not find it wrong */
    uint8_t in_place;      /* tensor id of the input that is the output's memory, or GASKET_NONE */
    uint64_t seed;         /* of what is drawn while it runs: pairs of kernels, cuts of ranges */
    struct fuzz_pool pool; /* images, and what strings point to */
};

int64_t fuzz_product(const int64_t *extents, int n);
int64_t fuzz_buffer_elements(const struct fuzz_buffer *buffer);
/* Bytes of the image. */
size_t fuzz_buffer_stored(const struct fuzz_buffer *buffer);
/* Where the element of a row-major number is, counted in elements from the data pointer. */
int64_t fuzz_buffer_place(const struct fuzz_buffer *buffer, int64_t number);
/* Sets the strides of a compact tensor; its rank and shape are set. */
void fuzz_buffer_compact(struct fuzz_buffer *buffer);
/* The part of its place that is looked at: the buffer and what lies around it. */
size_t fuzz_window(const struct fuzz_buffer *buffer, size_t *begin);

struct fuzz_named *fuzz_call_name(struct fuzz_call *call, const char *name);

/* A place for each tensor, and one for a tensor of slabs. */
struct fuzz_places {
    struct fuzz_place near[FUZZ_TENSORS], far;
};
/* Sets data pointers and copies the images of all tensors to their places. The output gets the image of the input that
 * it is in place of, or poison. */
void fuzz_call_place(struct fuzz_call *call, const struct fuzz_places *places);
/* The arguments, output included; what they point to belongs to the call. */
size_t fuzz_call_arguments(const struct fuzz_call *call, struct gasket_argument arguments[FUZZ_ARGUMENTS]);

#endif
