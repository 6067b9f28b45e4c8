/* array: a tensor together with the memory that it owns. */
#ifndef TOOL_ARRAY_H
#define TOOL_ARRAY_H

#include <gasket/gasket.h>

#include "failure.h"

/* Stays where it is: the tensor points to its own shape and strides. All zero is an empty one. */
struct tool_array {
    DLTensor tensor;
    int64_t shape[GASKET_MAX_RANK], strides[GASKET_MAX_RANK];
    void *memory;  /* elements, or the views of strings; freed with the array */
    void *texts;   /* bytes of strings; freed with the array */
    void *mapping; /* a mapped file, unmapped with the array */
    size_t mapping_bytes;
};

/* Sets type and shape; the strides are compact (NULL) and there is no data. */
void tool_array_shape(struct tool_array *array, DLDataType type, int ndim, const int64_t *shape);
/* The same and memory for the elements, all zero. */
int tool_array_allocate(struct tool_array *array, DLDataType type, int ndim, const int64_t *shape,
                        struct tool_failure *failure);
/* Brings the elements of a mapped file into memory, so that reading its pages is done with. */
int tool_array_load(struct tool_array *array, struct tool_failure *failure);
void tool_array_free(struct tool_array *array);

/* The product of the extents, or -1 where it does not fit 63 bits. 0 as soon as an extent is 0. */
int64_t tool_elements(int ndim, const int64_t *shape);

/* "f32 [2,3]"; returns `text`. */
enum { TOOL_SHAPE_TEXT = 512 };
const char *tool_shape_text(char text[TOOL_SHAPE_TEXT], DLDataType type, int ndim, const int64_t *shape);
/* "[1,0]": extents or a position. */
const char *tool_tuple_text(char text[TOOL_SHAPE_TEXT], int n, const int64_t *values);

/* Zeroed memory for `bytes` (at least one), on large pages where it is large; NULL when there is none. */
void *tool_memory(size_t bytes);

#endif
