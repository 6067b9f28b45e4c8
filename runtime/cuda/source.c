/* source: see source.h. */
#include "cuda/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/writer.h"

__asm__(".pushsection .rodata\ngk_cuda_text:\n.incbin \"" GASKET_CUDA_TEXT
        "\"\ngk_cuda_text_end:\n.byte 0\n.popsection\n");
extern const char gk_cuda_text[], gk_cuda_text_end[];

enum { MOST_MACROS = 1 << 14 };

/* ---- Constants ---- */

/* The words of a structure that has nothing else; zeros at the end are left out. */
static void write_words(struct gk_writer *out, const char *name, const void *words, size_t bytes) {
    int64_t word;
    size_t n = bytes / sizeof word;
    const char *at = words;
    for (word = 0; n > 1 && word == 0; n -= word == 0)
        memcpy(&word, at + (n - 1) * sizeof word, sizeof word);
    gk_write(out, "#define %s {", name);
    for (size_t i = 0; i < n; i++) {
        memcpy(&word, at + i * sizeof word, sizeof word);
        gk_write(out, "%s%" PRId64, i ? ", " : "", word);
    }
    gk_write(out, "}\n");
}

/* How many of the loops, accesses and coordinates there are at most. */
static int count_used(const struct gk_nest *nest) {
    int used = nest->n_accesses > nest->n_coordinates ? nest->n_accesses : nest->n_coordinates;
    for (int k = used; k < GASKET_NEST_LOOPS; k++)
        if (nest->knobs.extents[k] != 1) used = k + 1;
    return used;
}

static void write_each(struct gk_writer *out, const struct gk_nest *nest) {
    const int n = count_used(nest);
    gk_write(out, "#define GK_EACH(word)");
    for (int i = 0; i < n; i++)
        gk_write(out, " word(%d)", i);
    gk_write(out, "\n#define GK_INWARDS(word)");
    for (int i = n - 1; i >= 0; i--)
        gk_write(out, " word(%d)", i);
    gk_write(out, "\n");
}

/* ---- What is done with elements ---- */

static int is_element(const struct gk_nest *nest) {
    return nest->template_name[0] == 'e';
}

static const char *moved_type(int64_t bytes) {
    return bytes == 1 ? "u8" : bytes == 2 ? "u16" : bytes == 4 ? "u32" : bytes == 8 ? "u64" : "v16";
}

/* Of the types that are ordered. */
static int is_float(const char *type) {
    return type[0] == 'f' || type[0] == 'b';
}

/* "add_f32", "max_f32_nan" */
static const char *operation(char text[32], const struct gk_nest *nest) {
    static const char *const names[] = {GASKET_COMBINE_NAMES};
    const int is_order = nest->knobs.combine == GASKET_MIN || nest->knobs.combine == GASKET_MAX;
    const int has_nan = is_order && nest->knobs.nan_propagates && is_float(nest->template_name);
    snprintf(text, 32, "%s_%s%s", names[nest->knobs.combine], nest->template_name, has_nan ? "_nan" : "");
    return text;
}

static void write_combine(struct gk_writer *out, const struct gk_nest *nest, const struct gk_grid *grid) {
    char text[32];
    if (nest->knobs.combine == GASKET_STORE)
        gk_write(out, "#define GK_COMBINE(there, update) (update)\n");
    else
        gk_write(out, "#define GK_COMBINE gk_%s\n", operation(text, nest));
    if (nest->knobs.n_factors > 1) gk_write(out, "#define GK_MULTIPLY gk_mul_%s\n", nest->template_name);
    if (grid->sharing == GK_NATIVE) gk_write(out, "#define GK_ATOMIC gk_atomic_%s\n", operation(text, nest));
    if (grid->sharing == GK_SWAPPED) gk_write(out, "#define GK_ATOMIC_BITS %d\n", grid->swapped_bits);
}

static void write_macros(struct gk_writer *out, const struct gk_nest *nest, const struct gk_grid *grid) {
    gk_write(out, "#define GK_VALUE %s\n", is_element(nest) ? moved_type(nest->knobs.element) : nest->template_name);
    gk_write(out, "#define GK_ITEM %s\n", grid->items <= INT32_MAX ? "uint32_t" : "uint64_t");
    if (grid->moves)
        gk_write(out, "#define GK_PIECE %s\n#define GK_BATCH %lld\n", moved_type(grid->piece), (long long)grid->batch);
    else
        write_combine(out, nest, grid);
    write_each(out, nest);
    write_words(out, "GASKET_NEST_INIT", &nest->knobs, sizeof nest->knobs);
    write_words(out, "GASKET_GRID_INIT", &grid->knobs, sizeof grid->knobs);
    gk_write(out, "\n");
}

enum gasket_status gk_cuda_source_make(char **text, const struct gk_nest *nest, const struct gk_grid *grid,
                                       struct gk_error *error) {
    const size_t body = (size_t)(gk_cuda_text_end - gk_cuda_text);
    *text = malloc(MOST_MACROS + body + 1);
    if (!*text) return gk_fail(error, GASKET_OUT_OF_MEMORY, "no memory for the source of a kernel");
    struct gk_writer out = gk_writer_start(*text, MOST_MACROS);
    write_macros(&out, nest, grid);
    memcpy(*text + out.length, gk_cuda_text, body + 1);
    return GASKET_OK;
}
