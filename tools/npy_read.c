/* npy: from a file's bytes to a tensor. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "npy.h"
#include "types.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OTHER_ORDER '>'
#else
#define OTHER_ORDER '<'
#endif

/* A file on its way to an array. */
struct source {
    struct tool_npy_header header;
    const char *data;
    int64_t elements; /* of the file */
    DLDataType type;  /* that they are taken as */
    struct tool_failure *failure;
};

static int refuse_type(struct source *s) {
    const struct tool_npy_header *h = &s->header;
    const char *why = "it is not one of Gasket's types";
    switch (h->letter) {
        case 'V':
            if (h->bytes > 2) {
                why = "raw bytes have no meaning of their own; FILE:TYPE takes them as a type of the same width";
                break;
            }
            return tool_fail(s->failure, "the elements are %" PRId64 " raw bytes; say what they are, as in FILE:%s",
                             h->bytes, h->bytes == 1 ? "f8_e4m3fn" : "bf16");
        case 'O':
            why = "Python objects are never read";
            break;
        case 'U':
            why = "text must be encoded to bytes first (numpy.char.encode)";
            break;
        case 'M':
        case 'm':
            why = "dates and times are whole numbers: take them as FILE:i64";
            break;
        case 'f':
        case 'c':
            why = "only 2, 4 and 8 byte floats, and complex numbers of 4 and 8 byte floats are known";
            break;
        default:
            break;
    }
    return tool_fail(s->failure, "the type %c%c%" PRId64 " can not be read: %s", h->order, h->letter, h->bytes, why);
}

static int take_as(struct source *s, DLDataType as) {
    const struct tool_npy_header *h = &s->header;
    const struct tool_type *type = tool_type_of(as);
    int is_bytes = type && type->form == TOOL_FORM_STRING;
    int64_t width = tool_type_is_half_byte(as) ? 1 : as.bits / 8;
    if (!strchr("biufcVSMm", h->letter)) {
        return refuse_type(s);
    }
    if (is_bytes != (h->letter == 'S') || (!is_bytes && width != h->bytes)) {
        return tool_fail(s->failure, "elements of type %c%c%" PRId64 " can not be taken as %s: the width differs",
                         h->order, h->letter, h->bytes, gasket_type_name(as));
    }
    s->type = as;
    return TOOL_DONE;
}

static int choose_type(struct source *s, const DLDataType *as) {
    const struct tool_npy_header *h = &s->header;
    const struct tool_type *type = tool_type_of_npy(h->letter, h->bytes);
    if (h->order == '|' && h->bytes > 1 && !strchr("SVUO", h->letter)) {
        return tool_fail(s->failure, "the byte order of |%c%" PRId64 " is not said", h->letter, h->bytes);
    }
    if (h->letter == 'S' && h->bytes == 0) {
        return tool_fail(s->failure, "strings of no bytes (S0) are not read");
    }
    if (as) {
        return take_as(s, *as);
    }
    if (!type) {
        return refuse_type(s);
    }
    s->type = tool_type_dlpack(type);
    return TOOL_DONE;
}

/* Sets the number of elements and checks that the file holds them. */
static int measure(struct source *s, size_t size) {
    const struct tool_npy_header *h = &s->header;
    char shape[TOOL_SHAPE_TEXT];
    int64_t bytes = 0, there = (int64_t)(size - h->data);
    s->elements = tool_elements(h->ndim, h->shape);
    if (s->elements < 0 || __builtin_mul_overflow(s->elements, h->bytes, &bytes)) {
        return tool_fail(s->failure, "the shape %s is too large: its bytes do not fit 63 bits",
                         tool_tuple_text(shape, h->ndim, h->shape));
    }
    if (bytes > there) {
        return tool_fail(s->failure,
                         "the file is cut short: the shape %s of %c%c%" PRId64 " needs %" PRId64 " bytes, %" PRId64
                         " are there",
                         tool_tuple_text(shape, h->ndim, h->shape), h->order, h->letter, h->bytes, bytes, there);
    }
    return TOOL_DONE;
}

static void reverse(char *data, int64_t n, int64_t width) {
    for (int64_t i = 0; i < n; i++, data += width) {
        for (int64_t a = 0, b = width - 1; a < b; a++, b--) {
            char byte = data[a];
            data[a] = data[b];
            data[b] = byte;
        }
    }
}

static void set_fortran_strides(struct tool_array *array) {
    int64_t stride = 1;
    for (int d = 0; d < array->tensor.ndim; d++) {
        array->strides[d] = stride;
        stride *= array->shape[d]; /* fits: the product was checked */
    }
    array->tensor.strides = array->strides;
}

/* A copy of the elements in array->memory. */
static int copy_elements(struct tool_array *array, const struct source *s) {
    const struct tool_npy_header *h = &s->header;
    int64_t bytes = s->elements * h->bytes;
    array->memory = tool_memory((size_t)bytes);
    array->tensor.data = array->memory;
    if (!array->memory) {
        return tool_fail(s->failure, "no memory for a copy of %" PRId64 " bytes", bytes);
    }
    memcpy(array->memory, s->data, (size_t)bytes);
    return TOOL_DONE;
}

/* Pairs of 4-bit values in row-major order, whatever the order in the file. */
static int pair_up(struct tool_array *array, const struct source *s) {
    const struct tool_npy_header *h = &s->header;
    int last = h->ndim - 1;
    if (last < 0) {
        return tool_fail(s->failure, "4-bit types need a last dimension, which they double");
    }
    if (__builtin_mul_overflow(h->shape[last], 2, &array->shape[last])) {
        return tool_fail(s->failure, "4-bit types double the last extent, and %" PRId64 " is too large for that",
                         h->shape[last]);
    }
    if (s->elements > INT64_MAX / 2 || !h->fortran || h->ndim < 2 || s->elements == 0) {
        return TOOL_DONE;
    }
    int64_t at[GASKET_MAX_RANK] = {0};
    if (copy_elements(array, s)) {
        return TOOL_FAILED;
    }
    for (int64_t i = 0; i < s->elements; i++) {
        int64_t from = 0;
        for (int d = last; d >= 0; d--) {
            from = from * h->shape[d] + at[d];
        }
        ((char *)array->memory)[i] = s->data[from];
        for (int d = last; d >= 0 && ++at[d] == h->shape[d]; d--) {
            at[d] = 0;
        }
    }
    return TOOL_DONE;
}

/* Views of the strings, without the zeros that pad them. */
static int view_strings(struct tool_array *array, const struct source *s) {
    int64_t width = s->header.bytes;
    struct gasket_string *views =
        s->elements > INT64_MAX / 32 ? NULL : tool_memory((size_t)s->elements * sizeof *views);
    if (!views) {
        return tool_fail(s->failure, "no memory for %" PRId64 " strings", s->elements);
    }
    for (int64_t i = 0; i < s->elements; i++) {
        const char *begin = s->data + i * width, *end = begin + width;
        while (end > begin && end[-1] == 0) {
            end--;
        }
        views[i].data = begin;
        views[i].length = (size_t)(end - begin);
    }
    array->memory = views;
    array->tensor.data = views;
    return TOOL_DONE;
}

static int fill_array(struct tool_array *array, const struct source *s) {
    const struct tool_npy_header *h = &s->header;
    int64_t parts = h->letter == 'c' ? 2 : 1;
    array->tensor.data = s->elements ? (void *)(uintptr_t)s->data : NULL; /* borrowed, never written */
    if (tool_type_is_half_byte(s->type)) {
        return pair_up(array, s);
    }
    if (h->fortran && h->ndim > 1 && s->elements > 0) {
        set_fortran_strides(array);
    }
    if (s->elements == 0) {
        return TOOL_DONE;
    }
    if (h->letter == 'S') {
        return view_strings(array, s);
    }
    if (h->order != OTHER_ORDER || h->bytes == 1) {
        return TOOL_DONE;
    }
    if (copy_elements(array, s)) {
        return TOOL_FAILED;
    }
    reverse(array->memory, s->elements * parts, h->bytes / parts);
    return TOOL_DONE;
}

int tool_npy_view(struct tool_array *array, const char *bytes, size_t size, const DLDataType *as,
                  struct tool_failure *failure) {
    struct source s = {.failure = failure};
    if (tool_npy_parse(&s.header, bytes, size, failure) || choose_type(&s, as) || measure(&s, size)) {
        return TOOL_FAILED;
    }
    s.data = bytes + s.header.data;
    tool_array_shape(array, s.type, s.header.ndim, s.header.shape);
    return fill_array(array, &s);
}

/* ---- Files ---- */

/* Bytes of something that can not be mapped (a pipe), into array->texts. */
static int slurp(struct tool_array *array, int file, size_t *size, struct tool_failure *failure) {
    size_t capacity = 1 << 16;
    char *bytes = malloc(capacity);
    ssize_t got = 1;
    *size = 0;
    while (bytes && got > 0) {
        got = read(file, bytes + *size, capacity - *size);
        if (got < 0 && errno == EINTR) {
            got = 1;
            continue;
        }
        *size += got > 0 ? (size_t)got : 0;
        if (*size == capacity) {
            capacity *= 2;
            char *more = realloc(bytes, capacity);
            if (!more) {
                free(bytes);
            }
            bytes = more;
        }
    }
    array->texts = bytes;
    if (!bytes) {
        return tool_fail(failure, "no memory for the file");
    }
    return got < 0 ? tool_fail(failure, "it can not be read: %s", strerror(errno)) : TOOL_DONE;
}

/* Maps or reads the file; *bytes stays as long as the array. */
static int load(struct tool_array *array, int file, const char **bytes, size_t *size, struct tool_failure *failure) {
    struct stat info;
    if (fstat(file, &info) != 0) {
        return tool_fail(failure, "it can not be read: %s", strerror(errno));
    }
    if (S_ISDIR(info.st_mode)) {
        return tool_fail(failure, "it is a directory");
    }
    if (S_ISREG(info.st_mode) && info.st_size > 0) {
        *size = (size_t)info.st_size;
        void *mapping = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, file, 0);
        if (mapping != MAP_FAILED) {
            array->mapping = mapping;
            array->mapping_bytes = *size;
            *bytes = mapping;
            return TOOL_DONE;
        }
    }
    int outcome = slurp(array, file, size, failure);
    *bytes = array->texts;
    return outcome;
}

int tool_npy_read(struct tool_array *array, const char *path, const DLDataType *as, struct tool_failure *failure) {
    const char *bytes = NULL;
    size_t size = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return tool_fail(failure, "%s: %s", path, strerror(errno));
    }
    int outcome = load(array, file, &bytes, &size, failure);
    close(file);
    if (!outcome) {
        outcome = tool_npy_view(array, bytes, size, as, failure);
    }
    if (outcome) {
        tool_locate(failure, path);
        tool_array_free(array);
    }
    return outcome;
}
