/* case: a problem before it is laid out in memory: extents by group, elements in row-major order, layouts as what was
 * done to a compact one. The shrinker takes positions and dimensions away from it. */
#ifndef FUZZ_CASE_H
#define FUZZ_CASE_H

#include "call.h"
#include "problem.h"

enum { FUZZ_ELEMENTS = 1 << 16 }; /* the most that a tensor has */

/* How a tensor lies in memory. */
struct fuzz_layout {
    int is_plain;                   /* strides are NULL; the rest is as for a compact tensor */
    uint8_t order[GASKET_MAX_RANK]; /* dimensions, outermost in memory first */
    int8_t step[GASKET_MAX_RANK];   /* by dimension: 1 forwards, -1 backwards, 0 all elements in one place */
    uint8_t pad[GASKET_MAX_RANK];   /* by dimension: positions left free after its own */
    uint8_t slack[GASKET_MAX_RANK]; /* by dimension: elements left free after that: no whole position */
    uint8_t spread;                 /* elements from one to the next of the innermost dimension */
    uint8_t far;                    /* 0, or 1 + which distance lies between positions of the outermost dimension */
    uint8_t wild;                   /* not 0: strides of dimensions of extent 1 are anything; nobody looks at them */
    uint8_t lead;                   /* elements of byte_offset before the first */
    uint8_t skew;                   /* bytes between the buffer and its guard page */
    uint8_t at_begin;
};

/* Distances in bytes, around where offsets need a 32nd and a 33rd bit. */
enum { FUZZ_FARS = 5 };
extern const int64_t fuzz_fars[FUZZ_FARS];

struct fuzz_tensor {
    int is_given; /* the output is, but has no elements */
    enum gasket_dtype dtype;
    int ndim;
    int64_t shape[GASKET_MAX_RANK];
    struct fuzz_layout layout;
    char *elements; /* row-major, fuzz_element_bytes each */
};

struct fuzz_case {
    const struct gasket_operation *operation;
    int group_rank[GASKET_MAX_GROUPS];
    int64_t group_extent[GASKET_MAX_GROUPS][GASKET_MAX_RANK];
    int64_t depth[GASKET_MAX_ACCESSES];                        /* of tuple lookups, else 1 */
    int64_t addressed[GASKET_MAX_SUBSCRIPTS][GASKET_MAX_RANK]; /* extents that lookups and sums address */
    int64_t attributes[GASKET_MAX_ATTRIBUTES];                 /* of type INT */
    uint8_t is_omitted[GASKET_MAX_ATTRIBUTES], is_wrapped[GASKET_MAX_ATTRIBUTES]; /* default; counted from the end */
    struct fuzz_tensor tensors[FUZZ_TENSORS]; /* by tensor id; the fill value is the last */
    enum gasket_dtype value, index;
    enum gasket_combine combine;
    enum gasket_bounds bounds;
    uint8_t nan_propagates, accumulates_wide, in_place, is_spoiled;
    uint64_t seed;
    struct fuzz_pool pool;
};

size_t fuzz_element_bytes(enum gasket_dtype dtype); /* of the elements above: 1 for types of less than a byte */
int64_t fuzz_elements(const struct fuzz_tensor *tensor);

/* What a dimension of a tensor belongs to. */
enum fuzz_owner { FUZZ_OWNED_BY_GROUP, FUZZ_OWNED_BY_SUBSCRIPT, FUZZ_OWNED_BY_TUPLE };
struct fuzz_dimension {
    uint8_t owner, id, part; /* id: of the group, subscript or access */
};
/* dimensions[0 .. result): those of a tensor, from the first access to it, or of the output for a tensor that only is
 * started from. The result is -1 when there would be too many. */
int fuzz_dimensions(const struct fuzz_case *c, uint8_t tensor, struct fuzz_dimension dimensions[GASKET_MAX_RANK]);
int64_t *fuzz_extent(struct fuzz_case *c, struct fuzz_dimension dimension);

/* The greatest value of the groups in a sum of rank 1 each; -1 from each group without a value. */
int64_t fuzz_sum_reach(const struct fuzz_case *c, const struct gasket_subscript *subscript);

/* Sets ranks and shapes of all tensors of the formula; -1 where one has more than GASKET_MAX_RANK dimensions. */
int fuzz_set_shapes(struct fuzz_case *c);
/* Finds the attributes that give the groups their ranks; -1 where there are none. Those that ranks leave open are
 * drawn before. */
int fuzz_solve_attributes(struct fuzz_case *c);

/* In place, the tensor that the output starts from lies as the output does; but for wild strides. */
void fuzz_set_in_place(struct fuzz_case *c);

/* Lays the case out; -1 when the call's pool is too small. */
int fuzz_lay(const struct fuzz_case *c, struct fuzz_call *call);

#endif
