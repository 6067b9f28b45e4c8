/* spec_fields: see spec_fields.h. What a field means is in formula/operation.c; here it is taken from Lua. */
#include "gen/spec_fields.h"

#include <lauxlib.h>

#include "formula/operation.h"
#include "formula/structure.h"

static struct gasket_operation *operation_of(const struct gk_reader *reader) {
    return &reader->spec->operation;
}

static const char *top(const struct gk_reader *reader) {
    return lua_tostring(reader->lua->L, -1);
}

/* Complains of what failed; the result for the caller. */
static int told(const struct gk_reader *reader, int failed, const char *text, const struct gk_formula_error *error) {
    if (!failed) {
        return 0;
    }
    return error->column == GK_NO_COLUMN ? gk_reader_fail(reader, "%s", error->text)
                                         : gk_reader_fail_at(reader, text, error);
}

typedef int field_fn(struct gasket_operation *operation, const char *text, struct gk_formula_error *error);

static int give(const struct gk_reader *reader, field_fn *field, const char *text) {
    struct gk_formula_error error;
    return told(reader, field(operation_of(reader), text, &error), text, &error);
}

struct setter {
    field_fn *field;
};

static int give_member(struct gk_reader *reader, void *user) {
    const struct setter *setter = user;
    return give(reader, setter->field, top(reader));
}

/* One text, or a list of them. */
static int read_set(struct gk_reader *reader, field_fn *field) {
    struct setter setter = {field};
    return lua_type(reader->lua->L, -1) == LUA_TSTRING ? give_member(reader, &setter)
                                                       : gk_reader_list(reader, GK_FIELD_TEXT, give_member, &setter);
}

static int read_name(struct gk_reader *reader) {
    const char *name = gk_reader_text(reader);
    int failed = name == NULL || give(reader, gk_operation_name, name) != 0;
    return failed ? -1 : gk_reader_check_taken(reader, name);
}

static int read_summary(struct gk_reader *reader) {
    operation_of(reader)->summary = gk_reader_text(reader);
    return operation_of(reader)->summary != NULL ? 0 : -1;
}

static int read_formula(struct gk_reader *reader) {
    const struct gasket_formula *formula = &operation_of(reader)->formula;
    const char *text = gk_reader_text(reader);
    int failed = text == NULL || give(reader, gk_operation_formula, text) != 0;
    for (int i = 0; !failed && i < formula->n_tensors; i++) {
        failed = gk_reader_check_taken(reader, formula->tensors[i]) != 0;
    }
    return failed ? -1 : 0;
}

/* ---- Attributes ---- */

static struct gasket_attribute *attribute_of(const struct gk_reader *reader) {
    return gk_attribute_open(operation_of(reader));
}

static int read_linear(struct gk_reader *reader, uint8_t *has_it, struct gasket_linear *linear) {
    struct gk_formula_error error;
    lua_pushvalue(reader->lua->L, -1); /* a number becomes a text in place */
    const char *text = top(reader);
    int failed = gk_operation_linear(operation_of(reader), text, has_it, linear, &error);
    int result = told(reader, failed, text, &error);
    lua_pop(reader->lua->L, 1);
    return result;
}

static int read_default(struct gk_reader *reader) {
    return read_linear(reader, &attribute_of(reader)->has_default, &attribute_of(reader)->default_value);
}

static int read_minimum(struct gk_reader *reader) {
    return read_linear(reader, &attribute_of(reader)->has_minimum, &attribute_of(reader)->minimum);
}

static int read_maximum(struct gk_reader *reader) {
    return read_linear(reader, &attribute_of(reader)->has_maximum, &attribute_of(reader)->maximum);
}

static int read_wrap(struct gk_reader *reader) {
    return read_linear(reader, &attribute_of(reader)->has_wrap, &attribute_of(reader)->wrap);
}

static int read_doc(struct gk_reader *reader) {
    attribute_of(reader)->doc = gk_reader_text(reader);
    return attribute_of(reader)->doc != NULL ? 0 : -1;
}

static int read_type(struct gk_reader *reader) {
    return give(reader, gk_attribute_type, top(reader));
}

static int read_attribute_name(struct gk_reader *reader) {
    return give(reader, gk_attribute_name, top(reader)) != 0 ? -1 : gk_reader_check_taken(reader, top(reader));
}

static const struct gk_field attribute_fields[] = {
    {"name", GK_FIELD_TEXT, 1, read_attribute_name},
    {"type", GK_FIELD_TEXT, 0, read_type},
    {"default", GK_FIELD_TEXT | GK_FIELD_WHOLE, 0, read_default},
    {"minimum", GK_FIELD_TEXT | GK_FIELD_WHOLE, 0, read_minimum},
    {"maximum", GK_FIELD_TEXT | GK_FIELD_WHOLE, 0, read_maximum},
    {"wrap", GK_FIELD_TEXT | GK_FIELD_WHOLE, 0, read_wrap},
    {"doc", GK_FIELD_TEXT, 0, read_doc},
    {NULL, 0, 0, NULL},
};

static int read_attribute(struct gk_reader *reader, void *user) {
    (void)user;
    struct gk_formula_error error;
    if (told(reader, gk_attribute_begin(operation_of(reader), &error), NULL, &error) != 0 ||
        gk_reader_fields(reader, attribute_fields) != 0) {
        return -1;
    }
    return told(reader, gk_attribute_end(operation_of(reader), &error), NULL, &error);
}

static int read_attributes(struct gk_reader *reader) {
    return gk_reader_list(reader, GK_FIELD_TABLE, read_attribute, NULL);
}

/* ---- Groups ---- */

static int read_rank(struct gk_reader *reader, const char *key, void *user) {
    (void)user;
    struct gk_formula_error error;
    lua_pushvalue(reader->lua->L, -1);
    const char *text = top(reader);
    int result = told(reader, gk_operation_rank(operation_of(reader), key, text, &error), text, &error);
    lua_pop(reader->lua->L, 1);
    return result;
}

static int read_ranks(struct gk_reader *reader) {
    return gk_reader_map(reader, GK_FIELD_TEXT | GK_FIELD_WHOLE, read_rank, NULL);
}

static int read_extent(struct gk_reader *reader, const char *key, void *user) {
    (void)user;
    struct gk_formula_error error;
    return told(reader, gk_operation_extent(operation_of(reader), key, top(reader), &error), NULL, &error);
}

static int read_extents(struct gk_reader *reader) {
    return gk_reader_map(reader, GK_FIELD_TEXT, read_extent, NULL);
}

static int read_output_extents(struct gk_reader *reader) {
    return give(reader, gk_operation_output_extents, top(reader));
}

/* ---- Types, operators, modes, texts ---- */

static int read_values(struct gk_reader *reader) {
    return read_set(reader, gk_operation_value);
}

static int read_indices(struct gk_reader *reader) {
    return read_set(reader, gk_operation_index);
}

static int read_combine(struct gk_reader *reader) {
    return read_set(reader, gk_operation_combine);
}

static int read_bounds(struct gk_reader *reader) {
    return read_set(reader, gk_operation_bounds);
}

static int read_ahead_of_time(struct gk_reader *reader) {
    operation_of(reader)->ahead_of_time = (uint8_t)lua_toboolean(reader->lua->L, -1);
    return 0;
}

static int read_tensor_doc(struct gk_reader *reader, const char *key, void *user) {
    (void)user;
    struct gk_formula_error error;
    const char *text = gk_reader_text(reader);
    return text == NULL ? -1 : told(reader, gk_operation_doc(operation_of(reader), key, text, &error), NULL, &error);
}

static int read_docs(struct gk_reader *reader) {
    return gk_reader_map(reader, GK_FIELD_TEXT, read_tensor_doc, NULL);
}

const struct gk_field gk_operation_fields[] = {
    {"name", GK_FIELD_TEXT, 1, read_name},
    {"summary", GK_FIELD_TEXT, 1, read_summary},
    {"formula", GK_FIELD_TEXT, 1, read_formula},
    {"attributes", GK_FIELD_TABLE, 0, read_attributes},
    {"ranks", GK_FIELD_TABLE, 0, read_ranks},
    {"extents", GK_FIELD_TABLE, 0, read_extents},
    {"output_extents", GK_FIELD_TEXT, 0, read_output_extents},
    {"values", GK_FIELD_TEXT | GK_FIELD_TABLE, 0, read_values},
    {"indices", GK_FIELD_TEXT | GK_FIELD_TABLE, 0, read_indices},
    {"combine", GK_FIELD_TABLE, 0, read_combine},
    {"bounds", GK_FIELD_TABLE, 0, read_bounds},
    {"ahead_of_time", GK_FIELD_BOOLEAN, 0, read_ahead_of_time},
    {"docs", GK_FIELD_TABLE, 0, read_docs},
    {NULL, 0, 0, NULL},
};

int gk_spec_complete(struct gk_reader *reader) {
    struct gk_formula_error error;
    struct gk_structure structure;
    struct gasket_operation *operation = operation_of(reader);
    int result = told(reader, gk_operation_complete(operation, &error), NULL, &error);
    if (result == 0 && operation->ahead_of_time && gk_formula_structure(&operation->formula, &structure) != 0) {
        return gk_reader_fail(reader, "no kernels exist for a formula of this form; say ahead_of_time = false");
    }
    return result;
}
