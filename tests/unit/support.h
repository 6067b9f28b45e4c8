/* support: operations from text and tensors from literals, for the unit tests. */
#ifndef GASKET_TESTS_SUPPORT_H
#define GASKET_TESTS_SUPPORT_H

#include "problem.h"

/* gather, gather_nd, scatter_nd, tensor_scatter, take_along_axis, embedding_bag or window_gather, as their specs say
 * them. Ends the program when the text is wrong. */
struct gasket_operation support_operation(const char *name);

/* An operation that only a test knows. */
struct support_attribute {
    const char *name; /* NULL ends a list */
    int is_list;
    const char *default_value, *minimum, *maximum, *wrap; /* expressions, or NULL */
};
struct support_text {
    const char *name, *formula;
    struct support_attribute attributes[GASKET_MAX_ATTRIBUTES];
    const char *ranks[GASKET_MAX_GROUPS];   /* "B = batch_dims" */
    const char *extents[GASKET_MAX_GROUPS]; /* "W = window" */
    const char *output_extents;             /* an attribute, or NULL */
};
struct gasket_operation support_parse(const struct support_text *text);

DLTensor support_tensor(void *data, const char *type, int64_t *shape, int ndim);

/* TENSOR(data, "f32", 2, 3): compact. What it points to lives as long as the block it stands in. */
#define TENSOR(data, type, ...)                          \
    support_tensor((data), (type), (int64_t[]){__VA_ARGS__}, \
                   (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))
#define SCALAR(data, type) support_tensor((data), (type), NULL, 0)
#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
