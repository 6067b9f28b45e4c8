/* nest_text: a nest for people to read. */
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

static void write_coordinate(struct gk_writer *writer, const struct gk_nest *nest, int c,
                             const char (*names)[GASKET_NAME_SIZE]) {
    const struct gasket_nest_coordinate *coordinate = &nest->knobs.coordinates[c];
    gk_write(writer, "  in loop %lld: %s + %lld *", (long long)coordinate->level,
             names[nest->tensors[coordinate->access]], (long long)coordinate->stride);
    for (int v = 0; v < coordinate->n_values; v++)
        gk_write(writer, " %s at +%lld", names[nest->tensors[coordinate->values[v].access]],
                 (long long)coordinate->values[v].offset);
    if (coordinate->is_sum) write_numbers(writer, " plus steps ", coordinate->steps, loops_of(&nest->knobs));
    gk_write(writer, "; outside, %s\n", coordinate->skips ? "the rest is left out" : "the fill value");
}

void gk_nest_write(struct gk_writer *writer, const struct gk_nest *nest, const char (*names)[GASKET_NAME_SIZE]) {
    const struct gasket_nest *knobs = &nest->knobs;
    const int n = loops_of(knobs);
    gk_write(writer, "knobs: loops n");
    for (int k = 1; k < n; k++)
        gk_write(writer, ",%lld", (long long)knobs->extents[k]);
    gk_write(writer, " and a row of %lld elements of %lld bytes (n = %lld, %s)\n", (long long)knobs->row,
             (long long)knobs->element, (long long)nest->count, nest->is_shared ? "threads share it" : "one thread");
    for (int a = 0; a < nest->n_accesses; a++) {
        gk_write(writer, "  %-10s", names[nest->tensors[a]]);
        write_numbers(writer, " strides ", knobs->accesses[a].strides, n);
        if (a <= knobs->n_factors) gk_write(writer, " row %lld", (long long)knobs->accesses[a].row_stride);
        gk_write(writer, "\n");
    }
    for (int c = 0; c < nest->n_coordinates; c++)
        write_coordinate(writer, nest, c, names);
    if (knobs->prefetch)
        gk_write(writer, "  rows of %s are fetched %lld iterations of loop %lld ahead\n",
                 names[nest->tensors[knobs->prefetch_access]], (long long)knobs->prefetch,
                 (long long)knobs->prefetch_level);
    if (knobs->streams) gk_write(writer, "  rows are stored past the caches where they are aligned\n");
}
