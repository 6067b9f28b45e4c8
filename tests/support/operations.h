/* operations: operations from text and tensors from literals, for the unit tests. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "problem.h"

/* gather, gather_nd, scatter_nd, tensor_scatter, take_along_axis, embedding_bag or window_gather, as their specs say
 * them. Ends the program when the text is wrong. Lives as long as the program; for one thread. */
const struct gasket_operation *operation_known(const char *name);

/* An operation that only a test knows. */
struct attribute_source {
    const char *name; /* NULL ends a list */
    int is_list;
    const char *default_value, *minimum, *maximum, *wrap; /* expressions, or NULL */
};
struct operation_source {
    const char *name, *formula;
    struct attribute_source attributes[GASKET_MAX_ATTRIBUTES];
    const char *ranks[GASKET_MAX_GROUPS];   /* "B = batch_dims" */
    const char *extents[GASKET_MAX_GROUPS]; /* "W = window" */
    const char *output_extents;             /* an attribute, or NULL */
};
struct gasket_operation operation_parse(const struct operation_source *text);

DLTensor tensor_view(void *data, const char *type, int64_t *shape, int ndim);

/* TENSOR(data, "f32", 2, 3): compact. What it points to lives as long as the block it stands in. */
#define TENSOR(data, type, ...) \
    tensor_view((data), (type), (int64_t[]){__VA_ARGS__}, (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))
#define SCALAR(data, type) tensor_view((data), (type), NULL, 0)

/* What came of binding arguments. */
struct bound {
    enum gasket_status status;
    struct gk_problem problem;
    struct gk_error error;          /* its text is "" without an error */
    char shape[GK_SHAPE_TEXT + 32]; /* where it was asked for: "f32[2,3]" */
};
/* With `infers` the shape is asked for and `out` is not an argument. Valid until the next call. */
const struct bound *bound(const struct gasket_operation *operation, int infers, const struct gasket_argument *arguments,
                          size_t n_arguments);
#define ARGUMENTS(...)                             \
    (const struct gasket_argument[]){__VA_ARGS__}, \
        sizeof((const struct gasket_argument[]){__VA_ARGS__}) / sizeof(struct gasket_argument)

/* Arguments: a compact tensor without data, one of rank 0, a list of integers. */
#define GIVE(name, type, ...) gasket_tensor(name, (DLTensor[]){TENSOR(NULL, type, __VA_ARGS__)})
#define GIVE_SCALAR(name, type) gasket_tensor(name, (DLTensor[]){SCALAR(NULL, type)})
#define GIVE_LIST(name, ...) \
    gasket_integers(name, (int64_t[]){__VA_ARGS__}, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
