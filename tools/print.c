/* print: nested lists in columns of equal width, shortened where a tensor is large. */
#include "print.h"

#include <string.h>

#include "array.h"
#include "element.h"

enum { LARGE = 1000, LINE = 100 };
static const int64_t EDGE = 3; /* items at each end of a shortened dimension */

struct printer {
    FILE *file;
    const DLTensor *tensor;
    int is_short;
    int width; /* of an element */
};

/* The position after `i`: that of the last items where the middle of a dimension is left out. */
static int64_t next(const struct printer *p, int64_t i, int64_t extent) {
    return p->is_short && extent > 2 * EDGE && i + 1 == EDGE ? extent - EDGE : i + 1;
}

static int text_width(const char *text) {
    int width = 0;
    for (; *text; text++) {
        width += (*text & 0xc0) != 0x80;
    }
    return width;
}

/* The widest element of those that will be printed. */
static void measure(struct printer *p, int depth, int64_t first) {
    char text[TOOL_ELEMENT_TEXT];
    if (depth == p->tensor->ndim) {
        int width = text_width(tool_element_text(text, p->tensor->dtype, p->tensor->data, first));
        p->width = width > p->width ? width : p->width;
        return;
    }
    int64_t extent = p->tensor->shape[depth];
    for (int64_t i = 0; i < extent; i = next(p, i, extent)) {
        measure(p, depth + 1, first * extent + i);
    }
}

static void print_element(const struct printer *p, int64_t i) {
    char text[TOOL_ELEMENT_TEXT];
    tool_element_text(text, p->tensor->dtype, p->tensor->data, i);
    int gap = p->width - text_width(text);
    fprintf(p->file, *text == '"' ? "%2$s%1$*3$s" : "%1$*3$s%2$s", "", text, gap);
}

/* A row of values, broken into lines. */
static void print_row(const struct printer *p, int depth, int64_t first) {
    int64_t extent = p->tensor->shape[depth];
    int column = depth + 1;
    for (int64_t i = 0, after; i < extent; i = after) {
        after = next(p, i, extent);
        print_element(p, first * extent + i);
        column += p->width + 2;
        if (after < extent) {
            int breaks = column + p->width + 2 > LINE;
            fputs(after > i + 1 ? ", ...," : ",", p->file);
            fprintf(p->file, breaks ? "\n%*s" : " ", breaks ? depth + 1 : 0, "");
            column = breaks ? depth + 1 : column + (after > i + 1 ? 5 : 0);
        }
    }
}

static void print_list(const struct printer *p, int depth, int64_t first) {
    int64_t extent = p->tensor->shape[depth];
    fputc('[', p->file);
    if (depth + 1 == p->tensor->ndim) {
        print_row(p, depth, first);
    }
    for (int64_t i = 0, after; i < extent && depth + 1 < p->tensor->ndim; i = after) {
        after = next(p, i, extent);
        print_list(p, depth + 1, first * extent + i);
        if (after < extent) {
            fprintf(p->file, ",\n%*s", depth + 1, "");
        }
        if (after > i + 1) {
            fprintf(p->file, "...,\n%*s", depth + 1, "");
        }
    }
    fputc(']', p->file);
}

void tool_print_tensor(FILE *file, const DLTensor *tensor) {
    char text[TOOL_SHAPE_TEXT];
    int64_t elements = tool_elements(tensor->ndim, tensor->shape);
    struct printer p = {file, tensor, elements > LARGE, 0};
    fprintf(file, "%s\n", tool_shape_text(text, tensor->dtype, tensor->ndim, tensor->shape));
    if (elements == 0) {
        fputs("[]\n", file);
        return;
    }
    measure(&p, 0, 0);
    if (tensor->ndim == 0) {
        print_element(&p, 0);
    } else {
        print_list(&p, 0, 0);
    }
    fputc('\n', file);
}
