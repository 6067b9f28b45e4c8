/* write_manifest: the list of everything that kernels serve, in full for people who ask, and compact to be committed.
 */
#include <stdlib.h>
#include <string.h>

#include "formula/structure.h"
#include "gen/dtypes.h"
#include "gen/outputs.h"

/* ---- In full ---- */

struct listing {
    const struct gasket_operation *operation;
    FILE *stream;
};

static int list_line(void *user, const struct gk_combination *combination) {
    const struct listing *listing = user;
    char form[GK_TEXT], bodies[GK_TEXT];
    fprintf(listing->stream, "%s %s %s %s %s bounds=%s: %s\n", listing->operation->name,
            gk_dtype_text(combination->value), gk_dtype_text(combination->index), gk_combine_text(combination->combine),
            gk_form_text(form, combination), gk_bounds_text(combination->bounds),
            gk_bodies_text(bodies, listing->operation, combination));
    return 0;
}

void gk_list_manifest(const struct gk_specs *specs, FILE *stream) {
    for (size_t i = 0; i < specs->count; i++) {
        struct listing listing = {&specs->items[i].operation, stream};
        gk_manifest(listing.operation, list_line, &listing);
    }
}

/* ---- Compact ---- */

/* Combinations with one text; which pairs of types they have. */
struct line {
    char *text;
    uint32_t values, indices;
    int count;
};
struct lines {
    const struct gasket_operation *operation;
    struct line *items;
    size_t count;
};

/* Replaces the first "<before><name><after>" in the text by "<before>*<after>". */
static void blot(char *text, const char *before, const char *name, const char *after) {
    char *pattern = gk_printed("%s%s%s", before, name, after);
    char *found = strstr(text, pattern);
    if (found != NULL) {
        found += strlen(before);
        *found = '*';
        memmove(found + 1, found + strlen(name), strlen(found + strlen(name)) + 1);
    }
    free(pattern);
}

static char *line_text(const struct gasket_operation *operation, const struct gk_combination *combination) {
    char form[GK_TEXT], bodies[GK_TEXT];
    gk_bodies_text(bodies, operation, combination);
    blot(bodies, "resolve_", gk_dtype_text(combination->index), "_");
    blot(bodies, "combine_", gk_dtype_text(combination->value), "_");
    return gk_printed("%s %s %s bounds=%s: %s", operation->name, gk_combine_text(combination->combine),
                      gk_form_text(form, combination), gk_bounds_text(combination->bounds), bodies);
}

static struct line *find_line(struct lines *lines, char *text) {
    for (size_t i = 0; i < lines->count; i++) {
        if (strcmp(lines->items[i].text, text) == 0) {
            free(text);
            return &lines->items[i];
        }
    }
    lines->items = gk_grow(lines->items, lines->count + 1, sizeof *lines->items);
    lines->items[lines->count] = (struct line){.text = text};
    return &lines->items[lines->count++];
}

static int collect(void *user, const struct gk_combination *combination) {
    struct lines *lines = user;
    struct line *line = find_line(lines, line_text(lines->operation, combination));
    line->values |= GASKET_BIT(combination->value);
    line->indices |= GASKET_BIT(combination->index);
    line->count++;
    return 0;
}

static void write_set(struct gk_text *text, const char *label, uint32_t set) {
    gk_text_format(text, " %s", label);
    const char *separator = "=";
    for (int i = 0; i < GASKET_DTYPES; i++) {
        if ((set & GASKET_BIT(i)) != 0) {
            gk_text_format(text, "%s%s", separator, gk_dtype_rows[i].name);
            separator = ",";
        }
    }
}

static int write_operation(const struct gasket_operation *operation, struct gk_text *text) {
    struct lines lines = {.operation = operation};
    int total = 0;
    gk_manifest(operation, collect, &lines);
    for (size_t i = 0; i < lines.count; i++) {
        gk_text_format(text, "%s", lines.items[i].text);
        write_set(text, "values", lines.items[i].values);
        write_set(text, "indices", lines.items[i].indices);
        gk_text_format(text, "\n");
        total += lines.items[i].count;
        free(lines.items[i].text);
    }
    free(lines.items);
    return total;
}

void gk_write_manifest(const struct gk_set *set, struct gk_texts *files) {
    struct gk_text *text = gk_texts_add(files, "manifest.txt");
    gk_write_specs_banner(text, "# ", "", set->specs);
    gk_text_format(text,
                   "# One line: an operation, an operator, a form, a bounds mode, the bodies, and the types; every"
                   " value type goes with\n# every index type. `gasket-gen --list` prints each combination.\n");
    for (size_t i = 0; i < set->specs->count; i++) {
        const struct gasket_operation *operation = &set->specs->items[i].operation;
        gk_text_format(text, "\n# %s\n", operation->formula_text);
        if (!operation->ahead_of_time) {
            gk_text_format(text, "# %s: the interpreter only\n", operation->name);
        } else {
            int total = write_operation(operation, text);
            gk_text_format(text, "# %s: %d combinations\n", operation->name, total);
        }
    }
}
