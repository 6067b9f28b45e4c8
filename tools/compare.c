/* compare: whether the interpreter agrees. */
#include "compare.h"

#include <string.h>

#include "array.h"
#include "element.h"
#include "types.h"

static int strings_equal(const struct gasket_string *a, const struct gasket_string *b) {
    return a->length == b->length && (a->length == 0 || memcmp(a->data, b->data, a->length) == 0);
}

static int differs_at(const DLTensor *a, const DLTensor *b, int64_t i) {
    const char *x = a->data, *y = b->data;
    int64_t width = a->dtype.bits / 8;
    if (a->dtype.bits == 4) {
        int shift = i % 2 ? 4 : 0;
        return ((x[i / 2] ^ y[i / 2]) >> shift & 15) != 0;
    }
    if (tool_type_of(a->dtype)->form == TOOL_FORM_STRING) {
        return !strings_equal((const struct gasket_string *)a->data + i, (const struct gasket_string *)b->data + i);
    }
    return memcmp(x + i * width, y + i * width, (size_t)width) != 0;
}

static int64_t first_difference(const DLTensor *a, const DLTensor *b, int64_t elements) {
    size_t bytes = (size_t)tool_type_bytes(a->dtype, elements);
    int has_pointers = tool_type_of(a->dtype)->form == TOOL_FORM_STRING;
    if (elements == 0 || (!has_pointers && memcmp(a->data, b->data, bytes) == 0)) {
        return elements;
    }
    int64_t i = 0;
    while (i < elements && !differs_at(a, b, i)) {
        i++;
    }
    return i;
}

int tool_compare(const DLTensor *ours, const DLTensor *theirs, struct tool_failure *failure) {
    char a[TOOL_ELEMENT_TEXT], b[TOOL_ELEMENT_TEXT], position[TOOL_SHAPE_TEXT];
    int64_t at[GASKET_MAX_RANK], elements = tool_elements(ours->ndim, ours->shape);
    int64_t i = first_difference(ours, theirs, elements), rest = i;
    if (i == elements) {
        return TOOL_DONE;
    }
    for (int d = ours->ndim - 1; d >= 0; d--) {
        at[d] = rest % ours->shape[d];
        rest /= ours->shape[d];
    }
    return tool_fail(failure, "the check failed: the first difference is at %s, %s here and %s from the interpreter",
                     tool_tuple_text(position, ours->ndim, at), tool_element_text(a, ours->dtype, ours->data, i),
                     tool_element_text(b, theirs->dtype, theirs->data, i));
}
