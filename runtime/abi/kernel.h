/* What a kernel is: its arguments, its signature and its line in the kernel table.
 *
 * A call is resolved, then moved: a resolver turns up to GASKET_BLOCK index tuples into byte offsets, a mover takes
 * rows to or from those offsets. A fused kernel does both in one loop. Kernels are pure functions of their arguments:
 * no globals, no thread-local state, no allocation, no libc beyond memcpy and memset. */
#ifndef GASKET_ABI_KERNEL_H
#define GASKET_ABI_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "abi/operation.h"

enum { GASKET_ABI_VERSION = 1, GASKET_BLOCK = 512 };

/* The offset of a tuple that addresses nothing: the row is filled (gather) or dropped (scatter). */
#define GASKET_NO_OFFSET INT64_MIN

/* Where tuples lie and what their values mean. All strides are in bytes. */
struct gasket_lookup {
    int64_t tuple_stride;     /* from one tuple to the next */
    int64_t component_stride; /* from one value of a tuple to the next */
    int64_t depth;            /* values in a tuple */
    const int64_t *extents;   /* [depth] of the dimensions that are addressed */
    const int64_t *strides;   /* [depth] of the tensor that is indexed */
};

/* Writes `count` offsets, GASKET_NO_OFFSET for a tuple out of bounds. Returns the position of the first such tuple, or
 * count. Reads every index once. */
typedef int64_t gasket_resolve_fn(const struct gasket_lookup *lookup, const void *indices, int64_t count,
                                  int64_t *offsets);

struct gasket_rows;

/* Adds the string `update` to the end of `*target`; 0, or a nonzero value when memory has run out. */
typedef int gasket_append_fn(void *state, struct gasket_string_view *target, const struct gasket_string_view *update);

/* Rows to move. For each o in [0, outer) and i in [0, count), with the offsets given beside it:
 *     indexed row: indexed + o * outer_indexed_stride + offsets[i]
 *     plain row:   plain   + o * outer_plain_stride   + i * plain_stride
 * A row is `row` bytes (movers) or `row` elements (combiners) and is contiguous on both sides, unless inner_rank > 0:
 * then it is a box of elements with these extents and strides, and `row` is ignored. All strides are in bytes. */
struct gasket_rows {
    char *indexed, *plain;
    int64_t plain_stride;
    const int32_t *picked; /* where not NULL, picked[i] stands for i in plain rows (place and combine of rows) */
    int64_t row;
    int64_t outer, outer_indexed_stride, outer_plain_stride;
    int64_t prefetch; /* rows ahead that are prefetched; 0: none */
    int64_t element;  /* bytes in an element */
    int64_t inner_rank;
    const int64_t *inner_extents, *inner_indexed_strides, *inner_plain_strides;
    gasket_append_fn *append; /* strings that are added only */
    void *append_state;
};

/* None of offsets[0..count) is GASKET_NO_OFFSET. Items are taken in order. Returns 0, or nonzero when append failed. */
typedef int gasket_rows_fn(const struct gasket_rows *rows, const int64_t *offsets, int64_t count);

/* Resolves and gathers `count` rows in one loop. Returns the position of the first tuple out of bounds, or count; rows
 * at such tuples are left unwritten. */
typedef int64_t gasket_fused_fn(const struct gasket_lookup *lookup, const struct gasket_rows *rows, const void *indices,
                                int64_t count);

/* Whether one of the tuples is out of bounds. */
typedef int64_t gasket_check_fn(const struct gasket_lookup *lookup, const void *indices, int64_t count);

enum gasket_kernel_kind {
    GASKET_RESOLVE, /* tuples -> offsets */
    GASKET_MOVE,    /* indexed rows -> plain rows (gather) */
    GASKET_PLACE,   /* plain rows -> indexed rows, stored (scatter) */
    GASKET_REDUCE,  /* plain rows combined into indexed rows (scatter) */
    GASKET_FUSED,   /* resolve and gather */
    GASKET_CHECK    /* tuples -> whether one is out of bounds */
};

/* How a resolver treats a value outside [0, extent). MARK serves error, fill and drop. */
enum gasket_resolve_form { GASKET_MARK, GASKET_CLIP, GASKET_WRAP, GASKET_RAW };

enum gasket_isa { GASKET_BASE, GASKET_AVX2, GASKET_AVX512, GASKET_NEON, GASKET_ISAS };
#define GASKET_ISA_NAMES "base", "avx2", "avx512", "neon"

enum { GASKET_ANY = 255 }; /* a field of a kernel that does not restrict it */

/* When a kernel applies, and what it costs; the chooser takes the cheapest that applies. */
struct gasket_rule {
    int64_t row_min, row_max, row_multiple; /* bytes of a contiguous row */
    int64_t count_min, count_max;           /* tuples in one run of the index */
    int64_t bytes_min;                      /* bytes that the call writes */
    uint8_t alignment;                      /* of the plain rows and their strides, in bytes; 1: none */
    uint8_t strided;                        /* rows are boxes of elements (inner_rank > 0) */
    uint8_t packed_tuples;                  /* needs component_stride = index size and tuple_stride = depth * that */
    uint8_t packed_rows;                    /* needs plain_stride = row: plain rows touch */
    uint8_t exact;                          /* made for this very row or depth: tier "exact", else "general" */
    float cost;                             /* relative to the other strategies of the same kind */
};

struct gasket_kernel {
    const char *name;     /* <what>__<isa>_<how> */
    const char *strategy; /* the template that it comes from */
    uint8_t kind, isa;
    uint8_t index_dtype;    /* enum gasket_dtype, or GASKET_ANY */
    uint8_t depth;          /* or GASKET_ANY: run-time depth */
    uint8_t form;           /* enum gasket_resolve_form, or GASKET_ANY */
    uint8_t value_dtype;    /* combiners; else GASKET_ANY */
    uint8_t combine;        /* enum gasket_combine, or GASKET_ANY */
    uint8_t nan_propagates; /* min and max of floats: 1 = nan=propagate; else GASKET_ANY */
    struct gasket_rule rule;
    union {
        gasket_resolve_fn *resolve;
        gasket_rows_fn *rows;
        gasket_fused_fn *fused;
        gasket_check_fn *check;
    } run;
};

/* Everything that one generator run made. The runtime refuses a set of another ABI version. */
struct gasket_kernel_set {
    uint32_t abi_version;
    const char *name;
    const struct gasket_operation *operations;
    size_t n_operations;
    const struct gasket_kernel *kernels;
    size_t n_kernels;
};

#endif
