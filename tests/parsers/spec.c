/* Specs. What is accepted can be written as a spec again, which is accepted too and says the same. */
#include "gen/spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/formula.h"
#include "formula/structure.h"
#include "gen/dtypes.h"
#include "parsers/target.h"

static const char path[] = "specs/fuzzed.lua";

/* ---- Reading, with what is said on stderr ---- */

struct reading {
    struct gk_specs specs;
    int result;
    char *said;
};

static struct reading read_spec(const char *bytes, size_t size) {
    struct reading reading = {.said = NULL};
    struct gk_text source = {copy_text(bytes, size), size, size + 1};
    FILE *before = stderr;
    size_t length;
    stderr = open_memstream(&reading.said, &length);
    reading.result = gk_specs_read_text(&reading.specs, path, &source);
    fclose(stderr);
    stderr = before;
    gk_text_free(&source);
    return reading;
}

static void free_reading(struct reading *reading) {
    gk_specs_free(&reading->specs);
    free(reading->said);
}

/* As Lua counts them. */
static int count_lines(const char *bytes, size_t size) {
    int n = 1;
    for (size_t i = 0; i < size; i++) {
        n += bytes[i] == '\n' || bytes[i] == '\r';
    }
    return n;
}

/* "gasket-gen: PATH:LINE: WHAT", and the spec has that line. An error of the spec's own making
 * may name another file beside it, and say nothing. */
static void expect_refusal(const struct reading *reading, int n_lines) {
    static const char begin[] = "gasket-gen: specs/", name[] = "fuzzed.lua:";
    const char *rest = reading->said + sizeof begin - 1;
    if (expect(strncmp(reading->said, begin, sizeof begin - 1) == 0, "the message is '%s'", reading->said) &&
        strncmp(rest, name, sizeof name - 1) == 0) {
        char *end;
        long line = strtol(rest + sizeof name - 1, &end, 10);
        expect(line >= 1 && line <= n_lines, "line %ld of %d", line, n_lines);
        expect(end[0] == ':' && end[1] == ' ', "no place in '%s'", reading->said);
    }
}

/* ---- The operation, written as a spec ---- */

static void write_text(FILE *file, const char *name, const char *text) {
    fprintf(file, "%s = \"", name);
    for (; *text != 0; text++) {
        fprintf(file, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    }
    fputs("\",\n", file);
}

static void write_linear(FILE *file, const char *name, const struct gasket_linear *linear,
                         const struct gasket_operation *operation) {
    static char text[1 << 16];
    gk_linear_print(linear, &operation->formula, operation->attributes, text, sizeof text);
    write_text(file, name, text);
}

/* Names of the bits that are set. */
static void write_set(FILE *file, const char *name, uint32_t set, const char *(*name_of)(int)) {
    fprintf(file, "%s = {", name);
    for (int i = 0; i < 32; i++) {
        if ((set & GASKET_BIT(i)) != 0) {
            fprintf(file, " \"%s\",", name_of(i));
        }
    }
    fputs(" },\n", file);
}

static const char *dtype_name(int i) {
    return gk_dtype_rows[i].name;
}

static const char *combine_name(int i) {
    return gk_combine_names[i];
}

static const char *bounds_name(int i) {
    return gk_bounds_names[i];
}

static void write_attribute(FILE *file, const struct gasket_attribute *attribute,
                            const struct gasket_operation *operation) {
    const struct {
        const char *name;
        uint8_t is_there;
        const struct gasket_linear *linear;
    } linears[] = {{"default", attribute->has_default, &attribute->default_value},
                   {"minimum", attribute->has_minimum, &attribute->minimum},
                   {"maximum", attribute->has_maximum, &attribute->maximum},
                   {"wrap", attribute->has_wrap, &attribute->wrap}};
    fputs("{ ", file);
    write_text(file, "name", attribute->name);
    write_text(file, "type", attribute->type == GASKET_ATTRIBUTE_INTS ? "ints" : "int");
    for (size_t i = 0; i < sizeof linears / sizeof linears[0]; i++) {
        if (linears[i].is_there) {
            write_linear(file, linears[i].name, linears[i].linear, operation);
        }
    }
    if (attribute->doc != NULL) {
        write_text(file, "doc", attribute->doc);
    }
    fputs("},\n", file);
}

static void write_attributes(FILE *file, const struct gasket_operation *operation) {
    fputs(operation->n_attributes > 0 ? "attributes = {\n" : "", file);
    for (int i = 0; i < operation->n_attributes; i++) {
        write_attribute(file, &operation->attributes[i], operation);
    }
    fputs(operation->n_attributes > 0 ? "},\n" : "", file);
}

static void write_groups(FILE *file, const struct gasket_operation *operation) {
    fputs("ranks = {\n", file);
    for (int i = 0; i < operation->formula.n_groups; i++) {
        char name[2] = {operation->formula.groups[i], 0};
        if (operation->has_rank[i]) {
            write_linear(file, name, &operation->ranks[i], operation);
        }
    }
    fputs("},\nextents = {\n", file);
    for (int i = 0; i < operation->formula.n_groups; i++) {
        char name[2] = {operation->formula.groups[i], 0};
        if (operation->extents[i] != GASKET_NONE) {
            write_text(file, name, operation->attributes[operation->extents[i]].name);
        }
    }
    fputs("},\n", file);
    if (operation->output_extents != GASKET_NONE) {
        write_text(file, "output_extents", operation->attributes[operation->output_extents].name);
    }
}

/* The operator that is the default stands first. */
static void write_modes(FILE *file, const struct gasket_operation *operation) {
    write_set(file, "values", operation->values, dtype_name);
    if (operation->indices != 0) {
        write_set(file, "indices", operation->indices, dtype_name);
    }
    if (operation->formula.combine == GASKET_CHOSEN) {
        fprintf(file, "combine = { \"%s\",", combine_name(operation->default_combine));
        for (int i = 0; i < GASKET_COMBINES; i++) {
            if (i != operation->default_combine && (operation->combines & GASKET_BIT(i)) != 0) {
                fprintf(file, " \"%s\",", combine_name(i));
            }
        }
        fputs(" },\n", file);
    }
    write_set(file, "bounds", operation->bounds, bounds_name);
    fprintf(file, "ahead_of_time = %s,\n", operation->ahead_of_time ? "true" : "false");
}

static void write_docs(FILE *file, const struct gasket_operation *operation) {
    fputs("docs = {\n", file);
    for (int i = 0; i < operation->formula.n_tensors; i++) {
        if (operation->tensor_docs[i] != NULL) {
            write_text(file, operation->formula.tensors[i], operation->tensor_docs[i]);
        }
    }
    fputs("},\n", file);
}

static char *written(const struct gasket_operation *operation) {
    static char formula[1 << 16];
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    fputs("return operation {\n", file);
    write_text(file, "name", operation->name);
    write_text(file, "summary", operation->summary);
    gk_formula_print(&operation->formula, formula, sizeof formula);
    write_text(file, "formula", formula);
    write_attributes(file, operation);
    write_groups(file, operation);
    write_modes(file, operation);
    write_docs(file, operation);
    fputs("}\n", file);
    fclose(file);
    return text;
}

/* ---- One spec ---- */

static int count_some(void *user, const struct gk_combination *combination) {
    int *count = user;
    expect(combination->depth <= 5 && combination->axis <= 2 && combination->batch <= 1, "no such form");
    return ++*count == 100;
}

static void expect_operation(const struct gasket_operation *operation) {
    const struct gasket_formula *formula = &operation->formula;
    int count = 0;
    expect(operation->values != 0 && operation->bounds != 0 && operation->combines != 0, "a set is empty");
    expect((operation->combines & GASKET_BIT(operation->default_combine)) != 0, "the default is no operator");
    expect(operation->n_attributes <= GASKET_MAX_ATTRIBUTES, "%d attributes", operation->n_attributes);
    for (int i = 0; i < formula->n_groups; i++) {
        expect(operation->extents[i] == GASKET_NONE || operation->extents[i] < operation->n_attributes,
               "an extent of %d", operation->extents[i]);
    }
    if (operation->ahead_of_time) {
        gk_manifest(operation, count_some, &count);
        expect(count > 0, "kernels are to be made, and there are none");
    }
}

static void expect_round_trip(const struct gasket_operation *operation) {
    char *text = written(operation), *second = NULL;
    struct reading again = read_spec(text, strlen(text));
    if (expect(again.result == 0, "what is written is refused: %s\n%s", again.said, text)) {
        second = written(&again.specs.items[0].operation);
        expect(strcmp(text, second) == 0, "what is written is another operation:\n%s\n%s", text, second);
    }
    free_reading(&again);
    free(second);
    free(text);
}

void target_run(const char *bytes, size_t size) {
    struct reading reading = read_spec(bytes, size), again = read_spec(bytes, size);
    expect(reading.result == again.result && strcmp(reading.said, again.said) == 0, "the same spec gives '%s' and '%s'",
           reading.said, again.said);
    if (reading.result != 0) {
        expect_refusal(&reading, count_lines(bytes, size));
    } else if (expect(reading.said[0] == 0 && reading.specs.count == 1, "accepted, and said: %s", reading.said)) {
        expect_operation(&reading.specs.items[0].operation);
        expect_round_trip(&reading.specs.items[0].operation);
    }
    free_reading(&again);
    free_reading(&reading);
}
