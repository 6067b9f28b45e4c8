/* name: the one speller of names. Nothing reads them back. */
#include "formula/name.h"

#include <inttypes.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *pick(const char *const *texts, size_t n, unsigned number) {
    return number < n ? texts[number] : "any";
}

const char *gk_dtype_text(enum gasket_dtype dtype) {
    static const char *const texts[] = {
#define GASKET_DTYPE(ID, name, code, bits, type, class) name,
#include "abi/dtypes.def"
#undef GASKET_DTYPE
    };
    return pick(texts, COUNT(texts), (unsigned)dtype);
}

const char *gk_combine_text(enum gasket_combine combine) {
    static const char *const texts[] = {GASKET_COMBINE_NAMES};
    return pick(texts, COUNT(texts), (unsigned)combine);
}

const char *gk_bounds_text(enum gasket_bounds bounds) {
    static const char *const texts[] = {GASKET_BOUNDS_NAMES};
    return pick(texts, COUNT(texts), (unsigned)bounds);
}

const char *gk_resolve_form_text(enum gasket_resolve_form form) {
    static const char *const texts[] = {"mark", "clip", "wrap", "raw"};
    return pick(texts, COUNT(texts), (unsigned)form);
}

static const char *isa_text(uint8_t isa) {
    static const char *const texts[] = {GASKET_ISA_NAMES};
    return pick(texts, COUNT(texts), isa);
}

enum gasket_resolve_form gk_resolve_form(enum gasket_bounds bounds) {
    static const enum gasket_resolve_form forms[GASKET_BOUNDS_MODES] = {
        [GASKET_BOUNDS_ERROR] = GASKET_MARK,    [GASKET_BOUNDS_FILL] = GASKET_MARK,
        [GASKET_BOUNDS_DROP] = GASKET_MARK,     [GASKET_BOUNDS_CLIP] = GASKET_CLIP,
        [GASKET_BOUNDS_FROM_END] = GASKET_WRAP, [GASKET_BOUNDS_UNCHECKED] = GASKET_RAW,
    };
    return forms[bounds];
}

static void write_resolve(struct gk_writer *writer, const struct gasket_kernel *kernel) {
    gk_write(writer, "resolve_%s_d", gk_dtype_text(kernel->index_dtype));
    if (kernel->depth == GASKET_ANY) {
        gk_write(writer, "n");
    } else {
        gk_write(writer, "%d", kernel->depth);
    }
}

static void write_reduce(struct gk_writer *writer, const struct gasket_kernel *kernel) {
    if (kernel->value_dtype == GASKET_STRING) {
        gk_write(writer, "append_string");
        return;
    }
    gk_write(writer, "combine_%s_%s%s", gk_dtype_text(kernel->value_dtype), gk_combine_text(kernel->combine),
             kernel->nan_propagates == 1 ? "_nan" : "");
}

void gk_write_what(struct gk_writer *writer, const struct gasket_kernel *kernel, const char *row) {
    switch ((enum gasket_kernel_kind)kernel->kind) {
        case GASKET_RESOLVE:
            write_resolve(writer, kernel);
            break;
        case GASKET_MOVE:
            gk_write(writer, "move_r%s", row);
            break;
        case GASKET_PLACE:
            gk_write(writer, "place_r%s", row);
            break;
        case GASKET_REDUCE:
            write_reduce(writer, kernel);
            break;
        case GASKET_FUSED:
            gk_write(writer, "gather_b%s_%s", row, gk_dtype_text(kernel->index_dtype));
            break;
        case GASKET_CHECK:
            gk_write(writer, "check_%s", gk_dtype_text(kernel->index_dtype));
            break;
    }
}

const char *gk_kernel_name(char text[GK_TEXT], const struct gasket_kernel *kernel, int64_t row, const char *how) {
    struct gk_writer writer = gk_writer_start(text, GK_TEXT);
    char digits[24] = "n";
    if (row >= 0) {
        snprintf(digits, sizeof digits, "%" PRId64, row);
    }
    gk_write_what(&writer, kernel, digits);
    gk_write(&writer, "__%s_%s", isa_text(kernel->isa), how);
    return text;
}
