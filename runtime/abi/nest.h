/* What a call-time kernel is: nested loops over whole operands, described by one constant.
 *
 * The description (struct gasket_nest) is the knob: a kernel's text reads it as a constant, so that a compiler folds it
 * away until only the loops of that formula are left. Pointers, the range of the outermost loop and the extents that
 * indices are compared with are arguments, so that problems which differ in nothing else share one kernel. All strides
 * are in bytes. */
#ifndef GASKET_ABI_NEST_H
#define GASKET_ABI_NEST_H

#include "abi/kernel.h"

enum {
    GASKET_NEST_LOOPS = 8,
    GASKET_NEST_ACCESSES = 8, /* 0: the output; 1 to n_factors: what is multiplied; then index tensors */
    GASKET_NEST_FACTORS = 4,
    GASKET_NEST_COORDINATES = 8,
    GASKET_NEST_VALUES = 2
};

struct gasket_nest_access {
    int64_t strides[GASKET_NEST_LOOPS], row_stride;
    int64_t index_dtype; /* enum gasket_dtype of an index tensor */
};

/* A value of an index tensor: the element that the access has at the point, `offset` bytes further on. */
struct gasket_nest_value {
    int64_t access, offset;
};

/* A looked-up place in a dimension of an access, found once all loops from 0 to `level` stand: the sum of the values
 * and of step * position of each loop, brought into the dimension as `form` says; times `stride` it is added to the
 * access's address. An index tensor that a value is read from may have coordinates of its own; they come earlier in
 * the list and their level is not higher; where such a coordinate is lost, so are those that it leads to. */
struct gasket_nest_coordinate {
    int64_t level, access; /* both -1 in an unused coordinate */
    int64_t stride;
    int64_t skips; /* outside the dimension, the rest of the iteration of loop `level` is left out; otherwise the factor
                      is the fill value. What leads to the output always skips */
    int64_t is_sum;                   /* more than one value alone */
    int64_t steps[GASKET_NEST_LOOPS]; /* not negative */
    int64_t n_values;
    struct gasket_nest_value values[GASKET_NEST_VALUES];
};

struct gasket_nest {
    int64_t extents[GASKET_NEST_LOOPS]; /* [0] is 0: its range is an argument. No other is 0; loops that are not used
                                           have 1 */
    int64_t checks;                     /* whether a check is asked for; without it, one finds nothing */
    int64_t checked[GASKET_NEST_LOOPS]; /* as extents, with 1 for loops that no coordinate depends on; of such a loop 0
                                           the caller checks one iteration */
    int64_t row;                        /* iterations of the innermost loop, which no coordinate depends on */
    int64_t element;                    /* bytes */
    int64_t n_factors;
    int64_t combine, nan_propagates; /* enum gasket_combine */
    int64_t form;                    /* enum gasket_resolve_form */
    int64_t streams;                 /* rows of whole 64 byte lines are stored past the caches where they are aligned */
    int64_t prefetch;                /* iterations of loop prefetch_level ahead; 0: none */
    int64_t prefetch_level;
    int64_t prefetch_access; /* whose rows are fetched */
    struct gasket_nest_access accesses[GASKET_NEST_ACCESSES];
    struct gasket_nest_coordinate coordinates[GASKET_NEST_COORDINATES];
};

struct gasket_nest_call {
    char *bases[GASKET_NEST_ACCESSES];        /* first elements */
    int64_t extents[GASKET_NEST_COORDINATES]; /* of the dimensions that are addressed */
    char fill[16];                            /* an element */
};

/* Both take iterations [begin, end) of loop 0. A run stores; a check only looks at the indices, in the loops `checked`.
 * Each returns whether an index was out of bounds (0 or 1; never with form GASKET_RAW). A run reads each index once and
 * never addresses anything outside, whatever the indices say, except with GASKET_RAW. */
typedef int64_t gasket_nest_fn(const struct gasket_nest_call *call, int64_t begin, int64_t end);

/* The names of the two functions and of the constant in a kernel's text. */
#define GASKET_NEST_RUN "gasket_nest_run"
#define GASKET_NEST_CHECK "gasket_nest_check"
#define GASKET_NEST_KNOBS "gasket_nest_knobs"

/* How the words of a text are compiled: into their callers, unless a build keeps them apart. */
#if !defined(GASKET_NEST_WORD)
#define GASKET_NEST_WORD static inline __attribute__((always_inline, unused))
#endif

#endif
