/* line_write: see line.h. */
#include <inttypes.h>
#include <string.h>

#include "definition.h"
#include "line.h"

static void write_list(FILE *file, const char *brackets, const int64_t *values, int n) {
    fputc(brackets[0], file);
    for (int i = 0; i < n; i++)
        fprintf(file, "%s%" PRId64, i > 0 ? "," : "", values[i]);
    fputc(brackets[1], file);
}

static void write_hex(FILE *file, const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%02x", (unsigned char)bytes[i]);
}

/* Slots between the elements hold poison, which is no string. */
static int is_string(const char *slot) {
    for (size_t i = 0; i < sizeof(struct gasket_string); i++)
        if ((unsigned char)slot[i] != FUZZ_POISON) return 1;
    return 0;
}

static void write_strings(FILE *file, const char *slots, size_t bytes) {
    for (size_t at = 0; at + sizeof(struct gasket_string) <= bytes; at += sizeof(struct gasket_string)) {
        struct gasket_string string;
        memcpy(&string, slots + at, sizeof string);
        if (at > 0) fputc('.', file);
        if (is_string(slots + at)) write_hex(file, string.data, string.length);
    }
}

static void write_bytes(FILE *file, const struct fuzz_buffer *buffer, const char *bytes, size_t n) {
    fputc(':', file);
    if (buffer->view.dtype.code == kDLOpaqueHandle)
        write_strings(file, bytes, n);
    else
        write_hex(file, bytes, n);
}

static void write_tensor(FILE *file, const char *name, const struct fuzz_buffer *buffer) {
    fprintf(file, " %s=%s", name, gasket_type_name(buffer->view.dtype));
    write_list(file, "[]", buffer->shape, buffer->view.ndim);
    if (buffer->view.strides) write_list(file, "{}", buffer->strides, buffer->view.ndim);
    if (buffer->view.byte_offset > 0) fprintf(file, "@%" PRIu64, buffer->view.byte_offset);
    if (buffer->skew > 0 || buffer->at_begin) fprintf(file, "+%s%d", buffer->at_begin ? "<" : "", buffer->skew);
    if (buffer->far > 0) fprintf(file, "%%%zux%zu", buffer->slab, buffer->far);
    if (buffer->image)
        write_bytes(file, buffer, buffer->image, fuzz_buffer_stored(buffer));
    else
        fprintf(file, "#%zu", buffer->bytes);
}

static void write_named(FILE *file, const struct fuzz_named *named) {
    fprintf(file, " %s=", named->name);
    if (named->is_text)
        fputs(named->text, file);
    else if (named->is_list)
        write_list(file, "[]", named->values, named->n);
    else
        fprintf(file, "%" PRId64, named->values[0]);
}

void fuzz_line_write(FILE *file, const struct fuzz_call *call, const struct fuzz_variant *variant) {
    const struct gasket_formula *formula = &call->operation->formula;
    char text[FUZZ_VARIANT_TEXT];
    const int is_drawn = strcmp(call->operation->name, FUZZ_DEFINED) == 0;
    fputs(is_drawn ? call->operation->summary : call->operation->name, file);
    for (int i = 0; i < call->n_named; i++)
        write_named(file, &call->named[i]);
    for (int t = 0; t < FUZZ_TENSORS; t++)
        if (call->tensors[t].is_given)
            write_tensor(file, t == FUZZ_FILL ? "fill" : formula->tensors[t], &call->tensors[t]);
    fprintf(file, " | seed=%" PRIu64, call->seed);
    if (call->is_legal) fputs(" legal=1", file);
    if (call->in_place != GASKET_NONE) fprintf(file, " in_place=%s", formula->tensors[call->in_place]);
    if (variant) fprintf(file, " %s", fuzz_variant_text(text, variant));
}

/* ---- Compact ---- */

static void write_halves(FILE *file, const struct fuzz_buffer *buffer, const char *bytes, int64_t n) {
    unsigned byte = 0;
    fputc(':', file);
    for (int64_t i = 0; i < n; i++) {
        int64_t at = fuzz_buffer_place(buffer, i);
        unsigned half = (unsigned)(unsigned char)bytes[at / 2] >> (at & 1) * 4 & 0xfu;
        byte = i & 1 ? byte | half << 4 : half;
        if (i & 1 || i == n - 1) fprintf(file, "%02x", byte);
    }
}

static void write_elements(FILE *file, const struct fuzz_buffer *buffer, const char *bytes, int64_t n) {
    size_t size = buffer->view.dtype.bits / 8u;
    int is_string = buffer->view.dtype.code == kDLOpaqueHandle;
    fputc(':', file);
    for (int64_t i = 0; i < n; i++) {
        const char *element = bytes + fuzz_buffer_place(buffer, i) * (int64_t)size;
        if (is_string && i > 0) fputc('.', file);
        (is_string ? write_strings : write_hex)(file, element, size);
    }
}

void fuzz_line_write_compact(FILE *file, const struct fuzz_buffer *buffer, const char *bytes) {
    int64_t n = fuzz_buffer_elements(buffer);
    fputs(gasket_type_name(buffer->view.dtype), file);
    write_list(file, "[]", buffer->shape, buffer->view.ndim);
    (buffer->view.dtype.bits < 8 ? write_halves : write_elements)(file, buffer, bytes, n);
}
