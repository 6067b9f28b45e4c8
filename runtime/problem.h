/* problem: one call with everything known and checked: tensors by id, attributes, group ranks and extents, modes. What
 * follows (interpreter, fold) relies on it and does not check again. Only index values are not yet looked at. */
#ifndef GK_PROBLEM_H
#define GK_PROBLEM_H

#include "abi/operation.h"
#include "tensor.h"

struct gk_problem {
    const struct gasket_operation *operation;
    struct gk_tensor tensors[GASKET_MAX_TENSORS]; /* by tensor id; the output among them */
    uint8_t argument_order[GASKET_MAX_TENSORS];   /* tensor ids in the order in which the caller gave them */
    int n_arguments;                              /* entries of argument_order */
    int64_t attributes[GASKET_MAX_ATTRIBUTES];    /* values of INT attributes, negative ones wrapped */
    int group_rank[GASKET_MAX_GROUPS];
    int64_t group_extent[GASKET_MAX_GROUPS][GASKET_MAX_RANK];
    int64_t depth[GASKET_MAX_ACCESSES]; /* of tuple lookups: values in a tuple; of other accesses 1 */
    enum gasket_dtype value_dtype;      /* of all tensors that are not indices */
    enum gasket_combine combine;        /* never GASKET_CHOSEN */
    enum gasket_bounds bounds;
    int has_fill;
    uint8_t fill[16]; /* an element of value_dtype (4-bit types: in the low half of a byte); zero by default */
    int nan_propagates, accumulates_wide;
    int policy; /* enum gk_policy of this call, or -1: the context's */
};

/* Which subscript addresses a dimension of an access: `part` counts the dimensions of a group or the values of a tuple.
 */
struct gk_dimension {
    uint8_t subscript; /* id in formula.subscripts */
    uint8_t part;
};

/* Binds arguments to the operation and checks all but index values and data. With shape != NULL there must be no `out`:
 * it gets the shape of the output, and tensors[out] is left empty. Otherwise `out` must be given and fit, and must not
 * overlap (checked by gk_problem_check_data). */
enum gasket_status gk_problem_bind(struct gk_problem *problem, const struct gasket_operation *operation,
                                   const struct gasket_argument *arguments, size_t n_arguments,
                                   struct gasket_shape *shape, struct gk_error *error);

/* What can only be checked with data pointers: NULL data, overlap of the output with inputs. */
enum gasket_status gk_problem_check_data(const struct gk_problem *problem, struct gk_error *error);

/* Whether strings are put together, which needs memory for them. */
int gk_adds_strings(const struct gk_problem *problem);

/* A copy of the problem on other memory: data[tensor id] is the first element. */
void gk_problem_move(struct gk_problem *moved, const struct gk_problem *problem, char *const *data);

/* Fills dimensions[0 .. rank of the accessed tensor) and returns that rank. The last dimension of a tuple lookup, which
 * holds the tuple, has the subscript GASKET_NONE. */
int gk_access_dimensions(const struct gk_problem *problem, uint8_t access,
                         struct gk_dimension dimensions[GASKET_MAX_RANK]);

#endif
