/* shape: see shape.h. */
#include "shape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The type before '[', and what follows it; NULL where there is none. */
static const char *read_type(const char *text, DLDataType *type) {
    char name[32];
    size_t length = strcspn(text, "[");
    if (text[length] == 0 || length >= sizeof name) {
        return NULL;
    }
    memcpy(name, text, length);
    name[length] = 0;
    return gasket_type_parse(name, type) == GASKET_OK ? text + length : NULL;
}

int tool_is_shape(const char *text) {
    DLDataType type;
    return read_type(text, &type) != NULL;
}

/* Numbers between the bracket at `text` and its partner; what follows it, or NULL. */
static const char *read_list(const char *text, char close, int64_t *values, int *n) {
    const char *at = text + 1;
    *n = 0;
    if (*at == close) {
        return at + 1;
    }
    for (; *n < GASKET_MAX_RANK; at++) {
        char *end;
        errno = 0;
        values[(*n)++] = strtoll(at, &end, 10);
        if (end == at || errno) {
            return NULL;
        }
        at = end;
        if (*at != ',') {
            return *at == close ? at + 1 : NULL;
        }
    }
    return NULL;
}

static const char *read_offset(const char *text, uint64_t *offset) {
    char *end;
    errno = 0;
    *offset = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !errno ? end : NULL;
}

int tool_shape_read(struct tool_array *array, const char *text, struct tool_failure *failure) {
    DLDataType type;
    int ndim = 0, n_strides = -1;
    const char *at = read_type(text, &type);
    at = at ? read_list(at, ']', array->shape, &ndim) : NULL;
    if (at && *at == '{') {
        at = read_list(at, '}', array->strides, &n_strides);
    }
    if (at && *at == '@') {
        at = read_offset(at + 1, &array->tensor.byte_offset);
    }
    if (!at || *at != 0 || (n_strides >= 0 && n_strides != ndim)) {
        return tool_misuse(failure, "'%.128s' is not a tensor as in f32[8,4]: type[shape]{strides}@byte_offset", text);
    }
    tool_array_shape(array, type, ndim, array->shape);
    array->tensor.strides = n_strides >= 0 ? array->strides : NULL;
    return TOOL_DONE;
}
