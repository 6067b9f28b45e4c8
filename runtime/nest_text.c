/* nest_text: a nest for people to read, as the lines of its knobs. */
#include "formula/formula.h"
#include "formula/writer.h"
#include "nest.h"

static void write_numbers(struct gk_writer *writer, const char *what, const int64_t *numbers, int n) {
    gk_write(writer, "%s", what);
    for (int i = 0; i < n; i++)
        gk_write(writer, "%s%lld", i ? "," : "", (long long)numbers[i]);
}

static int loops_of(const struct gasket_nest *knobs) {
    int n = GASKET_NEST_LOOPS;
    while (n > 1 && knobs->extents[n - 1] == 1)
        n--;
    return n;
}

/* "params + 24 * (indices[+0] + loops * 0,1)": strides and offsets are bytes. */
static void write_coordinate(struct gk_writer *writer, const struct gk_nest *nest, int c,
                             const char (*names)[GASKET_NAME_SIZE]) {
    const struct gasket_nest_coordinate *coordinate = &nest->knobs.coordinates[c];
    gk_write(writer, "  %-10s %s + %lld * (", "place", names[nest->tensors[coordinate->access]],
             (long long)coordinate->stride);
    for (int v = 0; v < coordinate->n_values; v++)
        gk_write(writer, "%s%s[+%lld]", v ? " + " : "", names[nest->tensors[coordinate->values[v].access]],
                 (long long)coordinate->values[v].offset);
    if (coordinate->is_sum) write_numbers(writer, " + loops * ", coordinate->steps, loops_of(&nest->knobs));
    gk_write(writer, "); extent %lld, found in loop %lld; outside, %s\n", (long long)nest->extents[c],
             (long long)coordinate->level, coordinate->skips ? "nothing is stored" : "the fill value");
}

static void write_loops(struct gk_writer *writer, const struct gk_nest *nest) {
    const struct gasket_nest *knobs = &nest->knobs;
    gk_write(writer, "  %-10s %lld%s", "loops", (long long)nest->count, nest->is_shared ? " (threads share it)" : "");
    for (int k = 1; k < loops_of(knobs); k++)
        gk_write(writer, ", %lld", (long long)knobs->extents[k]);
    gk_write(writer, "; a row of %lld element%s of %lld byte%s\n", (long long)knobs->row, knobs->row == 1 ? "" : "s",
             (long long)knobs->element, knobs->element == 1 ? "" : "s");
}

static void write_memory(struct gk_writer *writer, const struct gk_nest *nest, const char (*names)[GASKET_NAME_SIZE]) {
    const struct gasket_nest *knobs = &nest->knobs;
    if (knobs->prefetch)
        gk_write(writer, "  %-10s %s, %lld iterations of loop %lld ahead\n", "prefetch",
                 names[nest->tensors[knobs->prefetch_access]], (long long)knobs->prefetch,
                 (long long)knobs->prefetch_level);
    if (knobs->streams) gk_write(writer, "  %-10s past the caches, rows that are aligned\n", "stores");
}

void gk_nest_write(struct gk_writer *writer, const struct gk_nest *nest, const char (*names)[GASKET_NAME_SIZE]) {
    const struct gasket_nest *knobs = &nest->knobs;
    const int n = loops_of(knobs);
    write_loops(writer, nest);
    for (int a = 0; a < nest->n_accesses; a++) {
        gk_write(writer, "  %-10s", names[nest->tensors[a]]);
        write_numbers(writer, " bytes per loop ", knobs->accesses[a].strides, n);
        if (a <= knobs->n_factors) gk_write(writer, "; in the row %lld", (long long)knobs->accesses[a].row_stride);
        gk_write(writer, "\n");
    }
    for (int c = 0; c < nest->n_coordinates; c++)
        write_coordinate(writer, nest, c, names);
    write_memory(writer, nest, names);
}
