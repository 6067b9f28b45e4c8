/* write_operations: a C function with typed parameters for each operation, over gasket_call(). */
#include <stdlib.h>
#include <string.h>

#include "formula/formula.h"
#include "gen/dtypes.h"
#include "gen/outputs.h"

/* Which of the arguments that every operation shares mean something to one. */
struct modes {
    int bounds, fill, nan, accumulate, combine;
};

static int sums_a_group(const struct gasket_formula *formula) {
    for (uint8_t i = 0; i < formula->n_groups; i++) {
        if (!gk_access_has_group(formula, formula->left, i, 1)) {
            return 1;
        }
    }
    return 0;
}

static struct modes modes_of(const struct gasket_operation *operation) {
    unsigned sums = GASKET_BIT(GASKET_ADD) | GASKET_BIT(GASKET_SUB) | GASKET_BIT(GASKET_MUL);
    unsigned orders = GASKET_BIT(GASKET_MIN) | GASKET_BIT(GASKET_MAX);
    uint32_t narrow = GASKET_BIT(GASKET_F16) | GASKET_BIT(GASKET_BF16);
    int is_sum = (operation->combines & sums) != 0 || sums_a_group(&operation->formula);
    return (struct modes){
        .bounds = operation->indices != 0,
        .fill = (operation->bounds & GASKET_BIT(GASKET_BOUNDS_FILL)) != 0,
        .nan = (operation->combines & orders) != 0,
        .accumulate = is_sum && (operation->values & narrow) != 0,
        .combine = operation->formula.combine == GASKET_CHOSEN,
    };
}

static int has_options(const struct gasket_operation *operation, const struct modes *modes) {
    int any = modes->bounds || modes->fill || modes->nan || modes->accumulate || modes->combine;
    for (int i = 0; i < operation->n_attributes; i++) {
        any |= operation->attributes[i].has_default;
    }
    return any;
}

static void add_text_option(struct gk_text *text, int has_it, const char *name, const char *comment) {
    if (has_it) {
        gk_text_format(text, "    const char *%s; /* %s */\n", name, comment);
    }
}

/* "error" (default), "clip", ... of the bits that are set, `first` before the others. */
static char *quoted_names(unsigned bits, unsigned first, const char *const *names, unsigned n) {
    struct gk_text text = {0};
    gk_text_format(&text, "\"%s\" (default)", names[first]);
    for (unsigned i = 0; i < n; i++) {
        if (i != first && (bits & GASKET_BIT(i)) != 0) {
            gk_text_format(&text, ", \"%s\"", names[i]);
        }
    }
    return text.data;
}

static void write_mode_options(const struct gasket_operation *operation, const struct modes *modes,
                               struct gk_text *text) {
    unsigned first = 0;
    while ((operation->bounds & GASKET_BIT(first)) == 0) {
        first++;
    }
    char *bounds = quoted_names(operation->bounds, first, gk_bounds_names, GASKET_BOUNDS_MODES);
    char *combine = quoted_names(
        operation->combines, operation->default_combine < GASKET_COMBINES ? operation->default_combine : GASKET_STORE,
        gk_combine_names, GASKET_COMBINES);
    add_text_option(text, modes->combine, "combine", combine);
    add_text_option(text, modes->bounds, "bounds", bounds);
    if (modes->fill) {
        gk_text_format(text, "    const struct gasket_argument *fill; /* by the name \"fill\"; default 0 */\n");
    }
    add_text_option(text, modes->nan, "nan", "\"ignore\" (default), \"propagate\"");
    add_text_option(text, modes->accumulate, "accumulate", "\"native\" (default), \"f32\"");
    free(bounds);
    free(combine);
}

static void write_options(const struct gasket_operation *operation, const struct gk_set *set, const struct modes *modes,
                          struct gk_text *text) {
    gk_text_format(text, "/* All zero: the defaults. */\nstruct %s_%s_options {\n", set->name, operation->name);
    for (int i = 0; i < operation->n_attributes; i++) {
        const struct gasket_attribute *attribute = &operation->attributes[i];
        if (attribute->has_default) {
            gk_text_format(text, "    int has_%s;\n    int64_t %s;", attribute->name, attribute->name);
            gk_text_format(text, attribute->doc != NULL ? " /* %s */\n" : "%s\n",
                           attribute->doc != NULL ? attribute->doc : "");
        }
    }
    write_mode_options(operation, modes, text);
    gk_text_format(text, "};\n\n");
}

/* ---- The function ---- */

static void write_doc(const char *name, const char *doc, struct gk_text *text) {
    if (doc != NULL) {
        gk_text_format(text, " *   %-12s %s\n", name, doc);
    }
}

static void write_comment(const struct gasket_operation *operation, struct gk_text *text) {
    gk_text_format(text, "/* %s.\n *     %s\n", operation->summary, operation->formula_text);
    for (int i = 0; i < operation->formula.n_tensors; i++) {
        write_doc(operation->formula.tensors[i], operation->tensor_docs[i], text);
    }
    for (int i = 0; i < operation->n_attributes; i++) {
        if (!operation->attributes[i].has_default) {
            write_doc(operation->attributes[i].name, operation->attributes[i].doc, text);
        }
    }
    text->length--;
    gk_text_format(text, " */\n");
}

static void add_parameter(struct gk_text *text, int indent, char *parameter) {
    gk_text_wrap(text, parameter, indent);
    free(parameter);
}

static void write_parameters(const struct gasket_operation *operation, const struct gk_set *set, int with_options,
                             struct gk_text *text) {
    const struct gasket_formula *formula = &operation->formula;
    int indent = (int)(strlen("static inline enum gasket_status _(") + strlen(set->name) + strlen(operation->name));
    gk_text_format(text, "static inline enum gasket_status %s_%s(gasket_context *context,", set->name, operation->name);
    for (int i = 0; i < formula->n_tensors; i++) {
        if (i != gk_formula_output(formula)) {
            add_parameter(text, indent, gk_printed("const DLTensor *%s,", formula->tensors[i]));
        }
    }
    for (int i = 0; i < operation->n_attributes; i++) {
        const struct gasket_attribute *attribute = &operation->attributes[i];
        if (attribute->type == GASKET_ATTRIBUTE_INTS) {
            add_parameter(text, indent, gk_printed("const int64_t *%s,", attribute->name));
            add_parameter(text, indent, gk_printed("size_t n_%s,", attribute->name));
        } else if (!attribute->has_default) {
            add_parameter(text, indent, gk_printed("int64_t %s,", attribute->name));
        }
    }
    add_parameter(
        text, indent,
        gk_printed("DLTensor *%s%s", formula->tensors[gk_formula_output(formula)], with_options ? "," : ") {"));
    if (with_options) {
        add_parameter(text, indent, gk_printed("const struct %s_%s_options *options) {", set->name, operation->name));
    }
    gk_text_format(text, "\n");
}

static void write_required(const struct gasket_operation *operation, struct gk_text *text) {
    const struct gasket_formula *formula = &operation->formula;
    for (int i = 0; i < formula->n_tensors; i++) {
        gk_text_format(text, "    arguments[count++] = gasket_tensor(\"%s\", %s);\n", formula->tensors[i],
                       formula->tensors[i]);
    }
    for (int i = 0; i < operation->n_attributes; i++) {
        const char *name = operation->attributes[i].name;
        if (operation->attributes[i].type == GASKET_ATTRIBUTE_INTS) {
            gk_text_format(text, "    arguments[count++] = gasket_integers(\"%s\", %s, n_%s);\n", name, name, name);
        } else if (!operation->attributes[i].has_default) {
            gk_text_format(text, "    arguments[count++] = gasket_integer(\"%s\", %s);\n", name, name);
        }
    }
}

static void write_text_argument(struct gk_text *text, int has_it, const char *name) {
    if (has_it) {
        gk_text_format(text,
                       "        if (options->%s != NULL) {\n"
                       "            arguments[count++] = gasket_text(\"%s\", options->%s);\n        }\n",
                       name, name, name);
    }
}

static void write_optional(const struct gasket_operation *operation, const struct modes *modes, struct gk_text *text) {
    gk_text_format(text, "    if (options != NULL) {\n");
    for (int i = 0; i < operation->n_attributes; i++) {
        const char *name = operation->attributes[i].name;
        if (operation->attributes[i].has_default) {
            gk_text_format(text,
                           "        if (options->has_%s) {\n"
                           "            arguments[count++] = gasket_integer(\"%s\", options->%s);\n        }\n",
                           name, name, name);
        }
    }
    write_text_argument(text, modes->combine, "combine");
    write_text_argument(text, modes->bounds, "bounds");
    if (modes->fill) {
        gk_text_format(text,
                       "        if (options->fill != NULL) {\n"
                       "            arguments[count] = *options->fill;\n"
                       "            arguments[count++].name = \"fill\";\n        }\n");
    }
    write_text_argument(text, modes->nan, "nan");
    write_text_argument(text, modes->accumulate, "accumulate");
    gk_text_format(text, "    }\n");
}

static void write_operation(const struct gasket_operation *operation, const struct gk_set *set, struct gk_text *text) {
    struct modes modes = modes_of(operation);
    int with_options = has_options(operation, &modes);
    int most = operation->formula.n_tensors + operation->n_attributes + modes.bounds + modes.fill + modes.nan +
               modes.accumulate + modes.combine;
    gk_text_format(text, "\n");
    if (with_options) {
        write_options(operation, set, &modes, text);
    }
    write_comment(operation, text);
    write_parameters(operation, set, with_options, text);
    gk_text_format(text, "    struct gasket_argument arguments[%d];\n    size_t count = 0;\n", most);
    write_required(operation, text);
    if (with_options) {
        write_optional(operation, &modes, text);
    }
    gk_text_format(text, "    return gasket_call(context, \"%s\", arguments, count);\n}\n", operation->name);
}

void gk_write_operations(const struct gk_set *set, struct gk_texts *files) {
    char *path = gk_printed("%s/operations.h", set->name);
    struct gk_text *text = gk_texts_add(files, path);
    gk_write_specs_banner(text, "/* ", " */", set->specs);
    gk_text_format(text, "#ifndef ");
    gk_write_guard(text, set, "OPERATIONS");
    gk_text_format(text, "\n#define ");
    gk_write_guard(text, set, "OPERATIONS");
    gk_text_format(text, "\n\n#include \"gasket/gasket.h\"\n");
    for (size_t i = 0; i < set->specs->count; i++) {
        write_operation(&set->specs->items[i].operation, set, text);
    }
    gk_text_format(text, "\n#endif\n");
    free(path);
}
