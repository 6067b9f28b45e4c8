/* judge: see judge.h. */
#include "judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Strings ---- */

static int same_string(const char *a, const char *b) {
    struct gasket_string x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return memcmp(a, b, sizeof x) == 0 || (x.length == y.length && memcmp(x.data, y.data, x.length) == 0);
}

/* The first byte that differs where slots of the buffer are compared as strings, or `bytes`. */
static size_t first_string(const struct fuzz_buffer *buffer, const char *a, const char *b) {
    size_t slot = sizeof(struct gasket_string), at = 0;
    while (at + slot <= buffer->bytes && same_string(a + at, b + at))
        at += slot;
    return at + slot <= buffer->bytes ? at : buffer->bytes;
}

/* ---- Where ---- */

static size_t first_difference(const char *a, const char *b, size_t n) {
    size_t i = 0;
    while (i < n && a[i] == b[i])
        i++;
    return i;
}

/* Finds the element whose bytes hold the byte, counted from the data pointer; 0 where none does. */
static int find_element(const struct fuzz_buffer *buffer, int64_t byte, int64_t *coordinates) {
    int64_t bits = buffer->view.dtype.bits, n = fuzz_buffer_elements(buffer), i = 0;
    for (int64_t at; i < n; i++) {
        at = fuzz_buffer_place(buffer, i) * bits;
        if (at / 8 <= byte && byte < (at + bits + 7) / 8) break;
    }
    for (int64_t d = buffer->view.ndim - 1, rest = i; d >= 0 && i < n; rest /= buffer->shape[d--])
        coordinates[d] = rest % buffer->shape[d];
    return i < n;
}

static int write_hex(char *text, size_t size, const char *bytes, size_t n) {
    int length = 0;
    for (size_t i = 0; i < n; i++)
        length += snprintf(text + length, size - (size_t)length, "%02x", (unsigned char)bytes[i]);
    return length;
}

static void tell(const struct fuzz_buffer *buffer, const char *expected, const char *found, int64_t byte, char *text) {
    int64_t coordinates[GASKET_MAX_RANK];
    size_t bytes = buffer->view.dtype.bits < 8 ? 1 : buffer->view.dtype.bits / 8u;
    int length = snprintf(text, FUZZ_DIFFERENCE, "out at byte %" PRId64, byte);
    if (byte >= 0 && byte < (int64_t)buffer->bytes && find_element(buffer, byte, coordinates)) {
        length += snprintf(text + length, (size_t)(FUZZ_DIFFERENCE - length), ", element [");
        for (int d = 0; d < buffer->view.ndim; d++)
            length += snprintf(text + length, (size_t)(FUZZ_DIFFERENCE - length), "%s%" PRId64, d > 0 ? "," : "",
                               coordinates[d]);
        length += snprintf(text + length, (size_t)(FUZZ_DIFFERENCE - length), "]");
        byte -= byte % (int64_t)bytes;
    } else {
        length += snprintf(text + length, (size_t)(FUZZ_DIFFERENCE - length), ", beside its elements");
        bytes = 1;
    }
    length += snprintf(text + length, (size_t)(FUZZ_DIFFERENCE - length), ": expected ");
    length += write_hex(text + length, (size_t)(FUZZ_DIFFERENCE - length), expected + byte, bytes);
    length += snprintf(text + length, (size_t)(FUZZ_DIFFERENCE - length), ", got ");
    write_hex(text + length, (size_t)(FUZZ_DIFFERENCE - length), found + byte, bytes);
}

int fuzz_judge(const struct fuzz_call *call, const char *expected, const char *found, int by_content,
               char text[FUZZ_DIFFERENCE]) {
    const struct fuzz_buffer *out = &call->tensors[call->out];
    size_t begin, window = fuzz_window(out, &begin);
    if (memcmp(expected + begin, found + begin, window) == 0) return 0;
    size_t byte = begin + first_difference(expected + begin, found + begin, window);
    int is_inside = byte >= out->at && byte < out->at + out->bytes;
    if (by_content && is_inside) {
        size_t string = first_string(out, expected + out->at, found + out->at);
        if (string == out->bytes) {
            size_t end = out->at + out->bytes;
            byte = end + first_difference(expected + end, found + end, begin + window - end);
            if (byte == begin + window) return 0;
        } else {
            byte = out->at + string;
        }
    }
    tell(out, expected + out->at, found + out->at, (int64_t)byte - (int64_t)out->at, text);
    return -1;
}
