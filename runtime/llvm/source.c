/* source: see source.h. */
#include "source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/nest.h"
#include "say.h"

/* A member of a struct: `count` of them, each of `size` bytes and made of `parts`, or an int64_t. */
struct member {
    const char *name;
    size_t at, count, size;
    const struct member *parts;
};

#define WORDS(type, name, count) \
    { #name, offsetof(struct type, name), count, sizeof(int64_t), NULL }
#define PARTS(type, name, count, parts) \
    { #name, offsetof(struct type, name), count, sizeof(((struct type *)0)->name[0]), parts }
#define END \
    { NULL, 0, 0, 0, NULL }

static const struct member access_members[] = {WORDS(gasket_nest_access, strides, GASKET_NEST_LOOPS),
                                               WORDS(gasket_nest_access, row_stride, 1),
                                               WORDS(gasket_nest_access, index_dtype, 1), END};
static const struct member value_members[] = {WORDS(gasket_nest_value, access, 1), WORDS(gasket_nest_value, offset, 1),
                                              END};
static const struct member coordinate_members[] = {
    WORDS(gasket_nest_coordinate, level, 1),
    WORDS(gasket_nest_coordinate, access, 1),
    WORDS(gasket_nest_coordinate, stride, 1),
    WORDS(gasket_nest_coordinate, skips, 1),
    WORDS(gasket_nest_coordinate, is_sum, 1),
    WORDS(gasket_nest_coordinate, steps, GASKET_NEST_LOOPS),
    WORDS(gasket_nest_coordinate, n_values, 1),
    PARTS(gasket_nest_coordinate, values, GASKET_NEST_VALUES, value_members),
    END};
static const struct member nest_members[] = {
    WORDS(gasket_nest, extents, GASKET_NEST_LOOPS),
    WORDS(gasket_nest, checks, 1),
    WORDS(gasket_nest, checked, GASKET_NEST_LOOPS),
    WORDS(gasket_nest, row, 1),
    WORDS(gasket_nest, element, 1),
    WORDS(gasket_nest, n_factors, 1),
    WORDS(gasket_nest, combine, 1),
    WORDS(gasket_nest, nan_propagates, 1),
    WORDS(gasket_nest, form, 1),
    WORDS(gasket_nest, streams, 1),
    WORDS(gasket_nest, prefetch, 1),
    WORDS(gasket_nest, prefetch_level, 1),
    WORDS(gasket_nest, prefetch_access, 1),
    PARTS(gasket_nest, accesses, GASKET_NEST_ACCESSES, access_members),
    PARTS(gasket_nest, coordinates, GASKET_NEST_COORDINATES, coordinate_members),
    END};

static int is_zero(const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (bytes[i]) return 0;
    return 1;
}

static void write_word(FILE *out, const char *at) {
    int64_t value;
    memcpy(&value, at, sizeof value);
    fprintf(out, "%" PRId64, value);
}

static void write_words(FILE *out, const char *at, size_t count) {
    while (count > 1 && is_zero(at + (count - 1) * sizeof(int64_t), sizeof(int64_t)))
        count--;
    fputc('{', out);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) fputs(", ", out);
        write_word(out, at + i * sizeof(int64_t));
    }
    fputc('}', out);
}

static void write_struct(FILE *out, const char *bytes, const struct member *members, const char *between);

static void write_parts(FILE *out, const char *at, const struct member *member) {
    const char *gap = "";
    fputc('{', out);
    for (size_t i = 0; i < member->count; i++) {
        const char *part = at + i * member->size;
        if (is_zero(part, member->size)) continue;
        fprintf(out, "%s[%zu] = {", gap, i);
        write_struct(out, part, member->parts, ", ");
        fputc('}', out);
        gap = ", ";
    }
    fputc('}', out);
}

/* What is zero is left out. */
static void write_struct(FILE *out, const char *bytes, const struct member *members, const char *between) {
    const char *gap = "";
    for (const struct member *member = members; member->name; member++) {
        const char *at = bytes + member->at;
        if (is_zero(at, member->count * member->size)) continue;
        fprintf(out, "%s.%s = ", gap, member->name);
        if (member->parts)
            write_parts(out, at, member);
        else if (member->count > 1)
            write_words(out, at, member->count);
        else
            write_word(out, at);
        gap = between;
    }
}

enum gasket_status gk_source(const struct gk_template *from, const struct gk_compilation *compilation, gk_take_fn *take,
                             void *user, char *text) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    if (!out) return gk_say(text, GASKET_OUT_OF_MEMORY, "no memory for the source of a kernel");
    fprintf(out, "#include \"abi/nest.h\"\n\nstatic const struct gasket_nest %s = {\n    ", GASKET_NEST_KNOBS);
    write_struct(out, compilation->knobs, nest_members, ",\n    ");
    fputs("\n};\n\n", out);
    fwrite(from->text, 1, (size_t)(from->text_end - from->text), out);
    const int failed = ferror(out), closed = fclose(out);
    if (!failed && !closed) take(user, bytes, size);
    free(bytes);
    return failed || closed ? gk_say(text, GASKET_OUT_OF_MEMORY, "no memory for the source of a kernel") : GASKET_OK;
}
