/* Files of NumPy, read as what they say and as each of the types. */
#include "tools/npy.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parsers/target.h"
#include "tensor.h"
#include "tools/element.h"
#include "tools/types.h"

/* A refusal says, in characters that can be shown, what is wrong. */
static void expect_refusal(int outcome, const struct tool_failure *failure) {
    size_t length = strlen(failure->text);
    expect(outcome == TOOL_FAILED, "the outcome is %d", outcome);
    expect(length > 0 && length < sizeof failure->text - 1, "a message of %zu bytes", length);
    for (size_t i = 0; i < length; i++) {
        expect(failure->text[i] >= ' ' && failure->text[i] <= '~', "the message holds the byte %d", failure->text[i]);
    }
}

/* ---- What was read ---- */

static int is_string(const DLTensor *tensor) {
    return tool_type_of(tensor->dtype)->form == TOOL_FORM_STRING;
}

/* The last element by the strides. */
static int64_t farthest(const DLTensor *tensor, int64_t elements) {
    int64_t last = tensor->strides != NULL ? 0 : elements - 1;
    for (int d = 0; tensor->strides != NULL && d < tensor->ndim; d++) {
        expect(tensor->strides[d] >= 1 && tensor->strides[d] <= elements, "a stride of %" PRId64, tensor->strides[d]);
        last += (tensor->shape[d] - 1) * tensor->strides[d];
    }
    return last;
}

/* Copying reads every byte, so that the sanitizer sees one too many. */
static void touch(const char *bytes, size_t n) {
    free(copy_bytes(bytes, n));
}

static void touch_elements(const DLTensor *tensor, int64_t elements) {
    const struct gasket_string *strings = tensor->data;
    touch(tensor->data, (size_t)tool_type_bytes(tensor->dtype, elements));
    for (int64_t i = 0; is_string(tensor) && i < elements; i++) {
        touch(strings[i].data, strings[i].length);
    }
}

static void expect_tensor(const struct tool_array *array, size_t size) {
    const DLTensor *tensor = &array->tensor;
    int64_t elements = tool_elements(tensor->ndim, tensor->shape);
    char text[TOOL_ELEMENT_TEXT];
    if (!expect(tool_type_of(tensor->dtype) != NULL, "no type") ||
        !expect(elements >= 0, "a shape that is too large")) {
        return;
    }
    expect((uint64_t)elements <= 2 * size, "%" PRId64 " elements", elements);
    expect((tensor->data != NULL) == (elements > 0), "data, or none");
    if (elements > 0) {
        expect(farthest(tensor, elements) == elements - 1, "the strides do not reach just the last element");
        expect(tool_element_text(text, tensor->dtype, tensor->data, 0)[0] != 0, "an element without a text");
        expect(tool_element_text(text, tensor->dtype, tensor->data, elements - 1)[0] != 0, "an element without a text");
        touch_elements(tensor, elements);
    }
}

static int same_elements(const DLTensor *a, const DLTensor *b, int64_t elements) {
    const struct gasket_string *left = a->data, *right = b->data;
    int same = 1;
    if (!is_string(a)) {
        return elements == 0 || memcmp(a->data, b->data, (size_t)tool_type_bytes(a->dtype, elements)) == 0;
    }
    for (int64_t i = 0; i < elements; i++) {
        same &= left[i].length == right[i].length && memcmp(left[i].data, right[i].data, left[i].length) == 0;
    }
    return same;
}

static int same_tensors(const DLTensor *a, const DLTensor *b) {
    int same = a->ndim == b->ndim && a->dtype.code == b->dtype.code && a->dtype.bits == b->dtype.bits;
    for (int d = 0; same && d < a->ndim; d++) {
        same = a->shape[d] == b->shape[d];
    }
    return same && same_elements(a, b, tool_elements(a->ndim, a->shape));
}

/* ---- What was read, written again ---- */

/* What the writer puts into a pipe, which holds it all: it is short. Returns the number of bytes. */
static size_t written(const DLTensor *tensor, char *bytes, size_t capacity) {
    struct tool_failure failure;
    char path[40];
    int ends[2];
    if (pipe(ends) != 0) {
        perror("pipe");
        exit(2);
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
    expect(tool_npy_write(path, tensor, &failure) == TOOL_DONE, "not written: %s", failure.text);
    close(ends[1]);
    ssize_t n = read(ends[0], bytes, capacity);
    close(ends[0]);
    return n > 0 ? (size_t)n : 0;
}

static void expect_round_trip(const struct tool_array *array) {
    static char bytes[1 << 16];
    struct tool_array again = {0};
    struct tool_failure failure;
    char *copy = NULL;
    size_t n = written(&array->tensor, bytes, sizeof bytes);
    copy = copy_bytes(bytes, n);
    if (expect(tool_npy_view(&again, copy, n, &array->tensor.dtype, &failure) == TOOL_DONE,
               "what is written is refused: %s", failure.text)) {
        expect(same_tensors(&array->tensor, &again.tensor), "what is written is another tensor");
    }
    tool_array_free(&again);
    free(copy);
}

/* ---- Files that end too early ---- */

static int can_be_read(const char *bytes, size_t size) {
    struct tool_array array = {0};
    struct tool_failure failure = {""};
    char *copy = copy_bytes(bytes, size);
    int outcome = tool_npy_view(&array, copy, size, NULL, &failure);
    if (outcome != TOOL_DONE) {
        expect_refusal(outcome, &failure);
    }
    tool_array_free(&array);
    free(copy);
    return outcome == TOOL_DONE;
}

/* The file may end where its last element does, and no earlier. */
static void expect_cut(const char *bytes, size_t size) {
    struct tool_npy_header header;
    struct tool_failure failure;
    expect(tool_npy_parse(&header, bytes, size, &failure) == TOOL_DONE && header.data <= size, "the header");
    size_t whole = header.data + (size_t)(tool_elements(header.ndim, header.shape) * header.bytes);
    expect(whole <= size && can_be_read(bytes, whole), "%zu bytes are not enough", whole);
    expect(!can_be_read(bytes, whole - 1), "%zu bytes are enough", whole - 1);
}

/* A header that ends early, in a file that ends with it. */
static void run_cut_headers(const char *bytes, size_t size) {
    struct tool_npy_header header;
    size_t fixed = bytes[6] == 1 ? 10 : 12;
    expect(tool_npy_parse(&header, bytes, size, &(struct tool_failure){""}) == TOOL_DONE, "the header");
    for (size_t length = 0; length < header.data - fixed && length < 256; length++) {
        char *cut = copy_bytes(bytes, fixed + length);
        memset(cut + 8, 0, fixed - 8);
        cut[8] = (char)length;
        can_be_read(cut, fixed + length);
        free(cut);
    }
}

static int run(const char *bytes, size_t size, const DLDataType *type) {
    struct tool_array array = {0};
    struct tool_failure failure = {""};
    int outcome = tool_npy_view(&array, bytes, size, type, &failure);
    if (outcome != TOOL_DONE) {
        expect_refusal(outcome, &failure);
    } else {
        expect_tensor(&array, size);
        if (array.tensor.strides == NULL && size < 32768) {
            expect_round_trip(&array);
        }
    }
    tool_array_free(&array);
    return outcome == TOOL_DONE;
}

void target_run(const char *bytes, size_t size) {
    struct tool_npy_header header;
    struct tool_failure failure = {""};
    int outcome = tool_npy_parse(&header, bytes, size, &failure);
    if (run(bytes, size, NULL)) {
        expect_cut(bytes, size);
        run_cut_headers(bytes, size);
    }
    if (outcome != TOOL_DONE) {
        expect_refusal(outcome, &failure);
        return;
    }
    for (size_t i = 0; i < GASKET_DTYPES; i++) {
        DLDataType type = gk_dtype_type((enum gasket_dtype)i);
        run(bytes, size, &type);
    }
}
