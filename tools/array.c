/* array: making, loading and freeing tensors with memory of their own. */
#include "array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "types.h"

void tool_array_shape(struct tool_array *array, DLDataType type, int ndim, const int64_t *shape) {
    array->tensor.device.device_type = kDLCPU;
    array->tensor.dtype = type;
    array->tensor.ndim = ndim;
    array->tensor.shape = array->shape;
    array->tensor.strides = NULL;
    if (ndim > 0 && shape != array->shape) {
        memcpy(array->shape, shape, (size_t)ndim * sizeof *shape);
    }
}

int64_t tool_elements(int ndim, const int64_t *shape) {
    int64_t n = 1;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] == 0) {
            return 0;
        }
    }
    for (int d = 0; d < ndim; d++) {
        if (__builtin_mul_overflow(n, shape[d], &n)) {
            return -1;
        }
    }
    return n;
}

enum { LARGE_PAGE = 2 << 20, CACHE_LINE = 64 };

void *tool_memory(size_t bytes) {
    size_t unit = bytes >= 2 * (size_t)LARGE_PAGE ? LARGE_PAGE : CACHE_LINE;
    if (bytes > SIZE_MAX - unit) {
        return NULL;
    }
    size_t whole = bytes ? (bytes + unit - 1) / unit * unit : unit;
    void *memory = aligned_alloc(unit, whole);
#ifdef MADV_HUGEPAGE
    if (memory && unit == LARGE_PAGE) {
        (void)madvise(memory, whole, MADV_HUGEPAGE); /* a wish: without it all works, only slower */
    }
#endif
    if (memory) {
        memset(memory, 0, whole);
    }
    return memory;
}

int tool_array_allocate(struct tool_array *array, DLDataType type, int ndim, const int64_t *shape,
                        struct tool_failure *failure) {
    char text[TOOL_SHAPE_TEXT];
    int64_t elements = tool_elements(ndim, shape);
    tool_array_shape(array, type, ndim, shape);
    if (elements < 0 || elements > INT64_MAX / 16) {
        return tool_fail(failure, "%s is too large", tool_shape_text(text, type, ndim, shape));
    }
    if (elements == 0) {
        return TOOL_DONE;
    }
    int64_t bytes = tool_type_bytes(type, elements);
    array->memory = tool_memory((size_t)bytes);
    array->tensor.data = array->memory;
    if (!array->memory) {
        return tool_fail(failure, "no memory for the %" PRId64 " bytes of %s", bytes,
                         tool_shape_text(text, type, ndim, shape));
    }
    return TOOL_DONE;
}

int tool_array_load(struct tool_array *array, struct tool_failure *failure) {
    const char *data = array->tensor.data, *begin = array->mapping;
    if (!begin || data < begin || data >= begin + array->mapping_bytes) {
        return TOOL_DONE;
    }
    int64_t bytes = tool_type_bytes(array->tensor.dtype, tool_elements(array->tensor.ndim, array->shape));
    void *memory = tool_memory((size_t)bytes);
    if (!memory) {
        return tool_fail(failure, "no memory for a copy of %" PRId64 " bytes", bytes);
    }
    memcpy(memory, data, (size_t)bytes);
    array->memory = memory;
    array->tensor.data = memory;
    munmap(array->mapping, array->mapping_bytes);
    array->mapping = NULL;
    return TOOL_DONE;
}

void tool_array_free(struct tool_array *array) {
    if (array->mapping) {
        munmap(array->mapping, array->mapping_bytes);
    }
    free(array->memory);
    free(array->texts);
    memset(array, 0, sizeof *array);
}

const char *tool_tuple_text(char text[TOOL_SHAPE_TEXT], int n, const int64_t *values) {
    size_t used = (size_t)snprintf(text, TOOL_SHAPE_TEXT, "[");
    for (int d = 0; d < n; d++) {
        if (used + 64 > TOOL_SHAPE_TEXT) {
            used += (size_t)snprintf(text + used, TOOL_SHAPE_TEXT - used, ",...");
            break;
        }
        used += (size_t)snprintf(text + used, TOOL_SHAPE_TEXT - used, "%s%" PRId64, d ? "," : "", values[d]);
    }
    snprintf(text + used, TOOL_SHAPE_TEXT - used, "]");
    return text;
}

const char *tool_shape_text(char text[TOOL_SHAPE_TEXT], DLDataType type, int ndim, const int64_t *shape) {
    char tuple[TOOL_SHAPE_TEXT];
    const char *name = gasket_type_name(type);
    snprintf(text, TOOL_SHAPE_TEXT, "%.20s %.480s", name ? name : "?", tool_tuple_text(tuple, ndim, shape));
    return text;
}
