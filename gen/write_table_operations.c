/* write_table_operations: operations as initialisers of struct gasket_operation. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gen/outputs.h"

static const char *const combine_constants[] = {"GASKET_STORE", "GASKET_ADD", "GASKET_SUB",   "GASKET_MUL",
                                                "GASKET_MIN",   "GASKET_MAX", "GASKET_CHOSEN"};
static const char *const origin_constants[] = {"GASKET_FROM_NOTHING", "GASKET_FROM_ZEROS", "GASKET_FROM_TENSOR"};
static const char *const term_constants[] = {"GASKET_TERM_GROUP", "GASKET_TERM_LOOKUP"};
static const char *const quantity_constants[] = {"GASKET_RANK_OF", "GASKET_ATTRIBUTE_VALUE"};
static const char *const type_constants[] = {"GASKET_ATTRIBUTE_INT", "GASKET_ATTRIBUTE_INTS"};

static void add_id(struct gk_text *text, const char *name, uint8_t id) {
    gk_text_format(text, id == GASKET_NONE ? ".%s = GASKET_NONE," : ".%s = %d,", name, id);
}

static void begin_list(struct gk_text *text, int indent, const char *name) {
    gk_text_format(text, "%*s.%s = {", indent, "", name);
}

static void add_list_item(struct gk_text *text, int indent, char *item) {
    size_t last = text->length - 1;
    if (text->data[last] == '{') {
        gk_text_format(text, "%s", item);
    } else {
        gk_text_wrap(text, item, indent + 4);
    }
    free(item);
}

static void end_list(struct gk_text *text) {
    if (text->data[text->length - 1] == ',') {
        text->length--;
    }
    gk_text_format(text, "},\n");
}

static void write_accesses(const struct gasket_formula *formula, struct gk_text *text) {
    gk_text_format(text, "                .accesses =\n                    {\n");
    for (int i = 0; i < formula->n_accesses; i++) {
        const struct gasket_access *access = &formula->accesses[i];
        gk_text_format(text,
                       "                        {.tensor = %d, .first_subscript = %d, .n_subscripts = %d,"
                       " .is_tuple = %d},\n",
                       access->tensor, access->first_subscript, access->n_subscripts, access->is_tuple);
    }
    gk_text_format(text, "                    },\n");
    begin_list(text, 16, "subscripts");
    for (int i = 0; i < formula->n_subscripts; i++) {
        add_list_item(text, 16,
                      gk_printed("{%d, %d},", formula->subscripts[i].first_term, formula->subscripts[i].n_terms));
    }
    end_list(text);
    begin_list(text, 16, "terms");
    for (int i = 0; i < formula->n_terms; i++) {
        add_list_item(text, 16, gk_printed("{%s, %d},", term_constants[formula->terms[i].kind], formula->terms[i].id));
    }
    end_list(text);
}

static void write_names(const struct gasket_formula *formula, struct gk_text *text) {
    begin_list(text, 16, "tensors");
    for (int i = 0; i < formula->n_tensors; i++) {
        add_list_item(text, 16, gk_printed("\"%s\",", formula->tensors[i]));
    }
    end_list(text);
    begin_list(text, 16, "groups");
    for (int i = 0; i < formula->n_groups; i++) {
        add_list_item(text, 16, gk_printed("'%c',", formula->groups[i]));
    }
    end_list(text);
}

static void write_formula(const struct gasket_formula *formula, struct gk_text *text) {
    gk_text_format(text, "        .formula =\n            {\n");
    write_names(formula, text);
    gk_text_format(text,
                   "                .n_tensors = %d, .n_groups = %d, .n_accesses = %d, .n_subscripts = %d,\n"
                   "                .n_terms = %d, .n_factors = %d,\n                .left = %d,\n",
                   formula->n_tensors, formula->n_groups, formula->n_accesses, formula->n_subscripts, formula->n_terms,
                   formula->n_factors, formula->left);
    begin_list(text, 16, "factors");
    for (int i = 0; i < formula->n_factors; i++) {
        add_list_item(text, 16, gk_printed("%d,", formula->factors[i]));
    }
    end_list(text);
    gk_text_format(text, "                .combine = %s,\n                .origin = %s,\n                ",
                   combine_constants[formula->combine], origin_constants[formula->origin]);
    add_id(text, "origin_tensor", formula->origin_tensor);
    gk_text_format(text, "\n");
    write_accesses(formula, text);
    gk_text_format(text, "            },\n");
}

static void write_linear(const struct gasket_linear *linear, struct gk_text *text) {
    gk_text_format(text, "{.constant = ");
    gk_text_int64(text, linear->constant);
    if (linear->n > 0) {
        gk_text_format(text, ", .n = %d, .quantities = {", linear->n);
        for (int i = 0; i < linear->n; i++) {
            const struct gasket_quantity *quantity = &linear->quantities[i];
            gk_text_format(text, "%s{%d, %s, %d}", i > 0 ? ", " : "", quantity->factor,
                           quantity_constants[quantity->kind], quantity->id);
        }
        gk_text_format(text, "}");
    }
    gk_text_format(text, "}");
}

/* A member on a line of its own, or on two if it is long. */
static void add_member(struct gk_text *text, int indent, const char *name, const struct gk_text *value) {
    int is_long = (size_t)indent + strlen(name) + strlen(". = ,") + value->length > 120;
    gk_text_format(text, "%*s.%s =", indent, "", name);
    gk_text_format(text, is_long ? "\n%*s" : "%*s", is_long ? indent + 4 : 1, "");
    gk_text_format(text, "%s,\n", value->data);
}

static void add_linear(struct gk_text *text, int indent, const char *name, const struct gasket_linear *linear) {
    struct gk_text value = {0};
    write_linear(linear, &value);
    add_member(text, indent, name, &value);
    gk_text_free(&value);
}

static void add_literal(struct gk_text *text, int indent, const char *name, const char *literal) {
    struct gk_text value = {0};
    gk_text_literal(&value, literal);
    add_member(text, indent, name, &value);
    gk_text_free(&value);
}

static void write_optional(struct gk_text *text, const char *flag, const char *name, int has_it,
                           const struct gasket_linear *linear) {
    if (has_it) {
        gk_text_format(text, "                    .%s = 1,\n", flag);
        add_linear(text, 20, name, linear);
    }
}

static void write_attribute(const struct gasket_attribute *attribute, struct gk_text *text) {
    gk_text_format(text, "                {\n                    .name = \"%s\",\n                    .type = %s,\n",
                   attribute->name, type_constants[attribute->type]);
    write_optional(text, "has_default", "default_value", attribute->has_default, &attribute->default_value);
    write_optional(text, "has_minimum", "minimum", attribute->has_minimum, &attribute->minimum);
    write_optional(text, "has_maximum", "maximum", attribute->has_maximum, &attribute->maximum);
    write_optional(text, "has_wrap", "wrap", attribute->has_wrap, &attribute->wrap);
    add_literal(text, 20, "doc", attribute->doc);
    gk_text_format(text, "                },\n");
}

static void write_groups(const struct gasket_operation *operation, struct gk_text *text) {
    begin_list(text, 8, "has_rank");
    for (int i = 0; i < operation->formula.n_groups; i++) {
        add_list_item(text, 8, gk_printed("%d,", operation->has_rank[i]));
    }
    end_list(text);
    for (int i = 0; i < operation->formula.n_groups; i++) {
        if (operation->has_rank[i]) {
            char *name = gk_printed("ranks[%d]", i);
            add_linear(text, 8, name, &operation->ranks[i]);
            free(name);
        }
    }
    begin_list(text, 8, "extents");
    for (int i = 0; i < GASKET_MAX_GROUPS; i++) {
        uint8_t id = operation->extents[i];
        add_list_item(text, 8, id == GASKET_NONE ? gk_copy("GASKET_NONE,") : gk_printed("%d,", id));
    }
    end_list(text);
}

static void write_texts(const struct gasket_operation *operation, struct gk_text *text) {
    gk_text_format(text, "        .name = \"%s\",\n", operation->name);
    add_literal(text, 8, "formula_text", operation->formula_text);
    add_literal(text, 8, "summary", operation->summary);
    gk_text_format(text, "        .tensor_docs =\n            {\n");
    for (int i = 0; i < operation->formula.n_tensors; i++) {
        gk_text_format(text, "                ");
        gk_text_literal(text, operation->tensor_docs[i]);
        gk_text_format(text, ",\n");
    }
    gk_text_format(text, "            },\n");
}

static void write_operation(const struct gasket_operation *operation, struct gk_text *text) {
    gk_text_format(text, "    {\n");
    write_texts(operation, text);
    write_formula(&operation->formula, text);
    if (operation->n_attributes > 0) {
        gk_text_format(text, "        .n_attributes = %d,\n        .attributes =\n            {\n",
                       operation->n_attributes);
        for (int i = 0; i < operation->n_attributes; i++) {
            write_attribute(&operation->attributes[i], text);
        }
        gk_text_format(text, "            },\n");
    }
    write_groups(operation, text);
    gk_text_format(text, "        ");
    add_id(text, "output_extents", operation->output_extents);
    gk_text_format(text,
                   "\n        .values = 0x%" PRIx32 ",\n        .indices = 0x%" PRIx32
                   ",\n        .combines = 0x%x,\n"
                   "        .default_combine = %s,\n        .bounds = 0x%x,\n        .ahead_of_time = %d,\n    },\n",
                   operation->values, operation->indices, (unsigned)operation->combines,
                   combine_constants[operation->default_combine], (unsigned)operation->bounds,
                   operation->ahead_of_time);
}

void gk_write_table_operations(const struct gk_specs *specs, struct gk_text *text) {
    for (size_t i = 0; i < specs->count; i++) {
        write_operation(&specs->items[i].operation, text);
    }
}
