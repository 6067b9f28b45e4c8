/* spec_fields: see spec_fields.h. */
#include "gen/spec_fields.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "gen/dtypes.h"

static struct gasket_operation *operation_of(const struct gk_reader *reader) {
    return &reader->spec->operation;
}

static int read_name(struct gk_reader *reader) {
    const char *name = gk_reader_name(reader);
    if (name != NULL) {
        operation_of(reader)->name = name;
    }
    return name != NULL ? 0 : -1;
}

static int read_summary(struct gk_reader *reader) {
    operation_of(reader)->summary = gk_reader_text(reader);
    return operation_of(reader)->summary != NULL ? 0 : -1;
}

static int read_formula(struct gk_reader *reader) {
    struct gk_formula_error error;
    struct gasket_operation *operation = operation_of(reader);
    const char *text = gk_reader_text(reader);
    if (text == NULL) {
        return -1;
    }
    operation->formula_text = text;
    if (gk_formula_parse(text, &operation->formula, &error) != 0) {
        return gk_reader_fail_at(reader, text, &error);
    }
    for (int i = 0; i < operation->formula.n_tensors; i++) {
        if (gk_reader_check_taken(reader, operation->formula.tensors[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

/* ---- Attributes ---- */

static struct gasket_attribute *last_attribute(const struct gk_reader *reader) {
    return &operation_of(reader)->attributes[operation_of(reader)->n_attributes];
}

static int read_linear(struct gk_reader *reader, struct gasket_linear *linear) {
    struct gk_formula_error error;
    struct gasket_operation *operation = operation_of(reader);
    lua_State *L = reader->lua->L;
    int result = 0;
    lua_pushvalue(L, -1);
    lua_tostring(L, -1);
    const char *text = gk_reader_text(reader);
    if (text == NULL) {
        result = -1;
    } else if (gk_linear_parse(text, &operation->formula, operation->attributes, operation->n_attributes, linear,
                               &error) != 0) {
        result = gk_reader_fail_at(reader, text, &error);
    }
    lua_pop(L, 1);
    return result;
}

static int read_default(struct gk_reader *reader) {
    last_attribute(reader)->has_default = 1;
    return read_linear(reader, &last_attribute(reader)->default_value);
}

static int read_minimum(struct gk_reader *reader) {
    last_attribute(reader)->has_minimum = 1;
    return read_linear(reader, &last_attribute(reader)->minimum);
}

static int read_maximum(struct gk_reader *reader) {
    last_attribute(reader)->has_maximum = 1;
    return read_linear(reader, &last_attribute(reader)->maximum);
}

static int read_wrap(struct gk_reader *reader) {
    last_attribute(reader)->has_wrap = 1;
    return read_linear(reader, &last_attribute(reader)->wrap);
}

static int read_doc(struct gk_reader *reader) {
    last_attribute(reader)->doc = gk_reader_text(reader);
    return last_attribute(reader)->doc != NULL ? 0 : -1;
}

static int read_type(struct gk_reader *reader) {
    static const char *const names[] = {"int", "ints"};
    const char *name = lua_tostring(reader->lua->L, -1);
    size_t type = gk_name_index(name, names, 2);
    if (type == 2) {
        return gk_reader_unknown(reader, "type", name, names, 2);
    }
    last_attribute(reader)->type = type == 0 ? GASKET_ATTRIBUTE_INT : GASKET_ATTRIBUTE_INTS;
    return 0;
}

static uint8_t attribute_number(const struct gasket_operation *operation, const char *name) {
    uint8_t i = 0;
    while (i < operation->n_attributes && strcmp(operation->attributes[i].name, name) != 0) {
        i++;
    }
    return i;
}

static int read_attribute_name(struct gk_reader *reader) {
    struct gasket_operation *operation = operation_of(reader);
    const char *name = gk_reader_name(reader);
    if (name == NULL) {
        return -1;
    }
    if (gk_formula_tensor(&operation->formula, name) != GASKET_NONE) {
        return gk_reader_fail(reader, "'%s' is a tensor of the formula", name);
    }
    if (attribute_number(operation, name) < operation->n_attributes) {
        return gk_reader_fail(reader, "there is an attribute '%s' already", name);
    }
    snprintf(last_attribute(reader)->name, GASKET_NAME_SIZE, "%s", name);
    return 0;
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
    struct gasket_operation *operation = operation_of(reader);
    if (operation->n_attributes == GASKET_MAX_ATTRIBUTES) {
        return gk_reader_fail(reader, "more than %d attributes", GASKET_MAX_ATTRIBUTES);
    }
    if (gk_reader_fields(reader, attribute_fields) != 0) {
        return -1;
    }
    const struct gasket_attribute *attribute = last_attribute(reader);
    if (attribute->type == GASKET_ATTRIBUTE_INTS &&
        (attribute->has_default || attribute->has_minimum || attribute->has_maximum || attribute->has_wrap)) {
        return gk_reader_fail(reader, "a list (type = \"ints\") has no default, minimum, maximum or wrap");
    }
    operation->n_attributes++;
    return 0;
}

static int read_attributes(struct gk_reader *reader) {
    return gk_reader_list(reader, GK_FIELD_TABLE, read_attribute, NULL);
}

/* ---- Groups ---- */

static int group_number(struct gk_reader *reader, const char *key) {
    uint8_t group =
        key[0] != '\0' && key[1] == '\0' ? gk_formula_group(&operation_of(reader)->formula, key[0]) : GASKET_NONE;
    return group == GASKET_NONE ? gk_reader_fail(reader, "the formula has no group '%s'", key) : group;
}

static int read_rank(struct gk_reader *reader, const char *key, void *user) {
    (void)user;
    int group = group_number(reader, key);
    if (group < 0) {
        return -1;
    }
    operation_of(reader)->has_rank[group] = 1;
    return read_linear(reader, &operation_of(reader)->ranks[group]);
}

static int read_ranks(struct gk_reader *reader) {
    return gk_reader_map(reader, GK_FIELD_TEXT | GK_FIELD_WHOLE, read_rank, NULL);
}

/* The number of the list attribute that is named on top of the stack. */
static int read_list_attribute(struct gk_reader *reader) {
    const struct gasket_operation *operation = operation_of(reader);
    const char *name = lua_tostring(reader->lua->L, -1);
    uint8_t number = attribute_number(operation, name);
    if (number == operation->n_attributes || operation->attributes[number].type != GASKET_ATTRIBUTE_INTS) {
        return gk_reader_fail(reader, "no attribute '%s' with type = \"ints\"", name);
    }
    return number;
}

static int read_extent(struct gk_reader *reader, const char *key, void *user) {
    (void)user;
    int group = group_number(reader, key);
    int attribute = group < 0 ? -1 : read_list_attribute(reader);
    if (attribute < 0) {
        return -1;
    }
    operation_of(reader)->extents[group] = (uint8_t)attribute;
    return 0;
}

static int read_extents(struct gk_reader *reader) {
    return gk_reader_map(reader, GK_FIELD_TEXT, read_extent, NULL);
}

static int read_output_extents(struct gk_reader *reader) {
    int attribute = read_list_attribute(reader);
    if (attribute < 0) {
        return -1;
    }
    operation_of(reader)->output_extents = (uint8_t)attribute;
    return 0;
}

/* ---- Types, operators, modes ---- */

static int read_dtype(struct gk_reader *reader, void *user) {
    const char *name = lua_tostring(reader->lua->L, -1);
    uint32_t *set = user, found = gk_dtype_set(name);
    if (found == 0) {
        return gk_reader_fail(reader, "unknown type '%s' (did you mean '%s'?)", name, gk_dtype_nearest(name));
    }
    *set |= found;
    return 0;
}

static int read_dtypes(struct gk_reader *reader, uint32_t *set) {
    *set = 0;
    return lua_type(reader->lua->L, -1) == LUA_TSTRING ? read_dtype(reader, set)
                                                       : gk_reader_list(reader, GK_FIELD_TEXT, read_dtype, set);
}

static int read_values(struct gk_reader *reader) {
    return read_dtypes(reader, &operation_of(reader)->values);
}

static int read_indices(struct gk_reader *reader) {
    struct gasket_operation *operation = operation_of(reader);
    int is_all = lua_type(reader->lua->L, -1) == LUA_TSTRING && strcmp(lua_tostring(reader->lua->L, -1), "all") == 0;
    if (!is_all && read_dtypes(reader, &operation->indices) != 0) {
        return -1;
    }
    if (!is_all && (operation->indices & ~gk_integer_set()) != 0) {
        return gk_reader_fail(reader, "only integers can be indices");
    }
    return 0;
}

static int read_combine_name(struct gk_reader *reader, void *user) {
    (void)user;
    struct gasket_operation *operation = operation_of(reader);
    const char *name = lua_tostring(reader->lua->L, -1);
    size_t combine = gk_name_index(name, gk_combine_names, GASKET_COMBINES);
    if (combine == GASKET_COMBINES) {
        return gk_reader_unknown(reader, "operator", name, gk_combine_names, GASKET_COMBINES);
    }
    if (operation->combines == 0) {
        operation->default_combine = (uint8_t)combine;
    }
    operation->combines |= (uint8_t)GASKET_BIT(combine);
    return 0;
}

static int read_combine(struct gk_reader *reader) {
    if (operation_of(reader)->formula.combine != GASKET_CHOSEN) {
        return gk_reader_fail(reader, "goes only with the sign '?=' in the formula");
    }
    return gk_reader_list(reader, GK_FIELD_TEXT, read_combine_name, NULL);
}

static int read_bounds_name(struct gk_reader *reader, void *user) {
    (void)user;
    const char *name = lua_tostring(reader->lua->L, -1);
    size_t mode = gk_name_index(name, gk_bounds_names, GASKET_BOUNDS_MODES);
    if (mode == GASKET_BOUNDS_MODES) {
        return gk_reader_unknown(reader, "bounds mode", name, gk_bounds_names, GASKET_BOUNDS_MODES);
    }
    operation_of(reader)->bounds |= (uint8_t)GASKET_BIT(mode);
    return 0;
}

static int read_bounds(struct gk_reader *reader) {
    return gk_reader_list(reader, GK_FIELD_TEXT, read_bounds_name, NULL);
}

static int read_ahead_of_time(struct gk_reader *reader) {
    operation_of(reader)->ahead_of_time = (uint8_t)lua_toboolean(reader->lua->L, -1);
    return 0;
}

static int read_tensor_doc(struct gk_reader *reader, const char *key, void *user) {
    (void)user;
    struct gasket_operation *operation = operation_of(reader);
    uint8_t tensor = gk_formula_tensor(&operation->formula, key);
    if (tensor == GASKET_NONE) {
        return gk_reader_fail(reader, "the formula has no tensor '%s'", key);
    }
    operation->tensor_docs[tensor] = gk_reader_text(reader);
    return operation->tensor_docs[tensor] != NULL ? 0 : -1;
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
