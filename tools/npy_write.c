/* npy: from a compact tensor to a file, all of it or nothing. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "npy.h"
#include "types.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HOST_ORDER '<'
#else
#define HOST_ORDER '>'
#endif

/* Bytes of the longest string, at least one. */
static int64_t longest_string(const DLTensor *tensor, int64_t elements) {
    const struct gasket_string *strings = tensor->data;
    size_t longest = 1;
    for (int64_t i = 0; i < elements; i++) {
        longest = strings[i].length > longest ? strings[i].length : longest;
    }
    return (int64_t)longest;
}

/* ---- The header ---- */

enum { HEADER_SIZE = 2048, ALIGNMENT = 64 }; /* room for 64 extents of 19 digits */

static int format_shape(char *text, size_t capacity, int ndim, const int64_t *shape) {
    int used = snprintf(text, capacity, "(");
    for (int d = 0; d < ndim; d++) {
        used += snprintf(text + used, capacity - (size_t)used, "%" PRId64 "%s", shape[d],
                         d + 1 < ndim ? ", " : (ndim == 1 ? "," : ""));
    }
    return used + snprintf(text + used, capacity - (size_t)used, ")");
}

/* Returns the header's size: the elements begin at a multiple of 64 bytes. */
static size_t format_header(char bytes[HEADER_SIZE], char letter, int64_t width, int ndim, const int64_t *shape) {
    const size_t fixed = 10;
    char order = width == 1 || letter == 'S' || letter == 'V' ? '|' : HOST_ORDER;
    char *text = bytes + fixed;
    int n = snprintf(text, HEADER_SIZE - fixed, "{'descr': '%c%c%" PRId64 "', 'fortran_order': False, 'shape': ", order,
                     letter, width);
    n += format_shape(text + n, HEADER_SIZE - fixed - (size_t)n, ndim, shape);
    n += snprintf(text + n, HEADER_SIZE - fixed - (size_t)n, ", }");
    size_t used = fixed + (size_t)n, whole = (used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(bytes + used, ' ', whole - used);
    bytes[whole - 1] = '\n';
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (char)((whole - fixed) & 0xff);
    bytes[9] = (char)((whole - fixed) >> 8);
    return whole;
}

/* ---- The contents ---- */

static int put(int file, const char *bytes, size_t n) {
    while (n > 0) {
        ssize_t done = write(file, bytes, n < (1u << 30) ? n : (1u << 30));
        if (done < 0 && errno != EINTR) {
            return -1;
        }
        bytes += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return 0;
}

static int put_strings(int file, const struct gasket_string *strings, int64_t n, size_t width) {
    size_t rows = width < 65536 ? 65536 / width : 1;
    char *block = malloc(rows * width);
    int result = block ? 0 : -1;
    for (int64_t i = 0; i < n && result == 0;) {
        size_t used = 0;
        memset(block, 0, rows * width);
        for (; used < rows && i < n; used++, i++) {
            if (strings[i].length > 0) {
                memcpy(block + used * width, strings[i].data, strings[i].length);
            }
        }
        result = put(file, block, used * width);
    }
    free(block);
    return result;
}

static int put_tensor(int file, const DLTensor *tensor) {
    char header[HEADER_SIZE];
    int64_t shape[GASKET_MAX_RANK] = {0}, elements = tool_elements(tensor->ndim, tensor->shape);
    const struct tool_type *type = tool_type_of(tensor->dtype);
    int is_string = type->form == TOOL_FORM_STRING;
    int64_t width = is_string ? longest_string(tensor, elements) : tool_type_bytes(tensor->dtype, 1);
    for (int d = 0; d < tensor->ndim; d++) {
        shape[d] = tensor->shape[d];
    }
    if (tool_type_is_half_byte(tensor->dtype)) {
        shape[tensor->ndim - 1] /= 2;
    }
    size_t n = format_header(header, type->npy, width, tensor->ndim, shape);
    if (put(file, header, n) != 0) {
        return -1;
    }
    if (is_string) {
        return put_strings(file, tensor->data, elements, (size_t)width);
    }
    return put(file, tensor->data, (size_t)tool_type_bytes(tensor->dtype, elements));
}

/* ---- The file ---- */

static int check_writable(const DLTensor *tensor, struct tool_failure *failure) {
    if (!tool_type_of(tensor->dtype)) {
        return tool_fail(failure, "the type can not be written to a .npy file");
    }
    if (tool_type_is_half_byte(tensor->dtype) && (tensor->ndim == 0 || tensor->shape[tensor->ndim - 1] % 2 != 0)) {
        return tool_fail(failure, "4-bit values are written in pairs: the last extent of the result must be even");
    }
    return TOOL_DONE;
}

/* Opens a new file beside `path`; its name goes to `name`. */
static int open_temporary(const char *path, char *name, size_t capacity) {
    int file = -1;
    for (int i = 0; i < 100 && file < 0; i++) {
        int n = snprintf(name, capacity, "%s.%ld.%d.part", path, (long)getpid(), i);
        if (n < 0 || (size_t)n >= capacity) {
            errno = ENAMETOOLONG;
            return -1;
        }
        file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST) {
            return -1;
        }
    }
    return file;
}

static int write_and_rename(const char *path, const DLTensor *tensor) {
    char name[4096 + 64];
    int file = open_temporary(path, name, sizeof name);
    if (file < 0) {
        return -1;
    }
    int result = put_tensor(file, tensor), error = errno;
    if (close(file) != 0 && result == 0) {
        result = -1;
        error = errno;
    }
    if (result == 0 && rename(name, path) != 0) {
        result = -1;
        error = errno;
    }
    if (result != 0) {
        unlink(name);
        errno = error;
    }
    return result;
}

/* A device or a pipe takes no other file's name. */
static int write_into(const char *path, const DLTensor *tensor) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        return -1;
    }
    int result = put_tensor(file, tensor);
    return close(file) != 0 ? -1 : result;
}

int tool_npy_write(const char *path, const DLTensor *tensor, struct tool_failure *failure) {
    struct stat info;
    int outcome = check_writable(tensor, failure);
    if (outcome) {
        return outcome;
    }
    int exists = stat(path, &info) == 0;
    char *real = exists ? realpath(path, NULL) : NULL; /* through links, to the file that they name */
    int result =
        exists && !S_ISREG(info.st_mode) ? write_into(path, tensor) : write_and_rename(real ? real : path, tensor);
    if (result != 0) {
        outcome = tool_fail(failure, "%s can not be written: %s", path, strerror(errno));
    }
    free(real);
    return outcome;
}
