/* tensor: tensors in poisoned memory between pages that may not be touched. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "support/support.h"

size_t dtype_bytes(DLDataType dtype) {
    return dtype.bits < 8 ? 1 : (size_t)dtype.bits / 8;
}

DLDataType dtype_named(const char *name) {
    DLDataType dtype;
    if (gasket_type_parse(name, &dtype) != GASKET_OK) give_up(name);
    return dtype;
}

int64_t product(const int64_t *values, int n) {
    int64_t total = 1;
    for (int i = 0; i < n; i++)
        total *= values[i];
    return total;
}

enum { PAGE = 4096 };

void tensor_memory(struct tensor *tensor, size_t bytes, enum side side) {
    if (tensor->map != NULL) munmap(tensor->map, tensor->mapped);
    size_t inner = (bytes + PAGE - 1) / PAGE * PAGE;
    tensor->mapped = inner + 2 * (size_t)PAGE;
    tensor->map = mmap(NULL, tensor->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (tensor->map == MAP_FAILED) give_up("mmap");
    if (inner != 0 && mprotect(tensor->map + PAGE, inner, PROT_READ | PROT_WRITE) != 0) give_up("mprotect");
    memset(tensor->map + PAGE, POISON, inner);
    tensor->bytes = bytes;
    tensor->data = tensor->map + PAGE + (side == AT_END ? inner - bytes : 0);
}

void tensor_make(struct tensor *tensor, DLDataType dtype, int ndim, const int64_t *shape, enum side side) {
    memset(tensor, 0, sizeof *tensor);
    if (ndim > 0) memcpy(tensor->shape, shape, (size_t)ndim * sizeof *shape);
    int64_t elements = product(tensor->shape, ndim);
    size_t bytes = dtype.bits < 8 ? ((size_t)elements * dtype.bits + 7) / 8 : (size_t)elements * dtype_bytes(dtype);
    tensor_memory(tensor, bytes, side);
    tensor->view = (DLTensor){.data = bytes ? tensor->data : NULL,
                              .device = {kDLCPU, 0},
                              .ndim = ndim,
                              .dtype = dtype,
                              .shape = ndim ? tensor->shape : NULL};
}

void tensor_free(struct tensor *tensor) {
    if (tensor->map != NULL) munmap(tensor->map, tensor->mapped);
    free(tensor->text);
    memset(tensor, 0, sizeof *tensor);
}

void tensor_poison(struct tensor *tensor) {
    memset(tensor->data, POISON, tensor->bytes);
}

static int poisoned(const char *begin, const char *end) {
    for (const char *byte = begin; byte < end; byte++)
        if ((unsigned char)*byte != POISON) return 0;
    return 1;
}

int tensor_is_poisoned(const struct tensor *tensor) {
    return poisoned(tensor->map + PAGE, tensor->map + tensor->mapped - PAGE);
}

int tensor_slack_is_intact(const struct tensor *tensor) {
    return poisoned(tensor->map + PAGE, tensor->data) &&
           poisoned(tensor->data + tensor->bytes, tensor->map + tensor->mapped - PAGE);
}

void tensor_make_read_only(struct tensor *tensor) {
    size_t inner = tensor->mapped - 2 * (size_t)PAGE;
    if (inner != 0 && mprotect(tensor->map + PAGE, inner, PROT_READ) != 0) give_up("mprotect");
}

static int strings_equal(const struct tensor *a, const struct tensor *b) {
    const struct gasket_string *x = (const void *)a->data, *y = (const void *)b->data;
    for (size_t i = 0; i < a->bytes / sizeof *x; i++)
        if (x[i].length != y[i].length || (x[i].length && memcmp(x[i].data, y[i].data, x[i].length) != 0)) return 0;
    return 1;
}

int tensors_equal(const struct tensor *a, const struct tensor *b) {
    if (memcmp(&a->view.dtype, &b->view.dtype, sizeof a->view.dtype) != 0 || a->view.ndim != b->view.ndim ||
        memcmp(a->shape, b->shape, (size_t)a->view.ndim * sizeof a->shape[0]) != 0 || a->bytes != b->bytes)
        return 0;
    if (a->view.dtype.code == kDLOpaqueHandle) return strings_equal(a, b);
    return a->bytes == 0 || memcmp(a->data, b->data, a->bytes) == 0;
}

const char *tensor_hex(const struct tensor *tensor) {
    enum { SHOWN = 64 };
    static char texts[4][3 * SHOWN + 8];
    static int turn;
    char *text = texts[turn++ & 3], *end = text;
    int is_string = tensor->view.dtype.code == kDLOpaqueHandle;
    for (size_t i = 0; i < tensor->bytes && i < SHOWN && !is_string; i++)
        end += sprintf(end, "%02x", (unsigned)(unsigned char)tensor->data[i]);
    const struct gasket_string *strings = (const void *)tensor->data;
    for (size_t i = 0; is_string && i < tensor->bytes / sizeof *strings && end < text + SHOWN; i++)
        end += sprintf(end, "'%.*s'", strings[i].length < 32 ? (int)strings[i].length : 32,
                       strings[i].length ? strings[i].data : "");
    strcpy(end, tensor->bytes > SHOWN ? "..." : "");
    return text;
}
