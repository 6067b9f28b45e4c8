/* npy: NumPy's .npy files, versions 1.0 to 3.0, to and from tensors. */
#ifndef TOOL_NPY_H
#define TOOL_NPY_H

#include "array.h"

/* What the header of a file says. */
struct tool_npy_header {
    char order;    /* '<', '>', '|' or '=' */
    char letter;   /* 'f' of "<f4" */
    int64_t bytes; /* 4 of "<f4"; of text (U) characters */
    int fortran;
    int ndim;
    int64_t shape[GASKET_MAX_RANK];
    size_t data; /* where the elements begin */
};

int tool_npy_parse(struct tool_npy_header *header, const char *bytes, size_t size, struct tool_failure *failure);

/* Makes the array of a file's bytes, which must stay as long as the array: elements are not copied unless their byte
 * order or their packing asks for it. `as` is NULL, or another type of the same width to take the elements as. */
int tool_npy_view(struct tool_array *array, const char *bytes, size_t size, const DLDataType *as,
                  struct tool_failure *failure);

/* The same of a file, which is mapped where it can be. Messages name the path. */
int tool_npy_read(struct tool_array *array, const char *path, const DLDataType *as, struct tool_failure *failure);

/* Writes a compact tensor: to a temporary file beside it that then takes its name, or straight into `path` where that
 * is a device or a pipe. On a failure there is no new file and an old one is as it was. */
int tool_npy_write(const char *path, const DLTensor *tensor, struct tool_failure *failure);

#endif
