/* describe: the public entries that list what there is. */
#include <string.h>

#include "context.h"
#include "formula/formula.h"
#include "gasket/gasket.h"
#include "problem.h"

const char *gasket_version(void) {
#define TEXT(x) #x
#define JOINED(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)
    return JOINED(GASKET_VERSION_MAJOR, GASKET_VERSION_MINOR, GASKET_VERSION_PATCH);
#undef JOINED
#undef TEXT
}

size_t gasket_operation_count(gasket_context *context) {
    pthread_rwlock_rdlock(&context->catalog_lock);
    size_t n = context->catalog.n_entries;
    pthread_rwlock_unlock(&context->catalog_lock);
    return n;
}

static void add(struct gasket_operation_info *info, const char *name, const char *doc, enum gasket_argument_kind kind,
                int is_optional) {
    struct gasket_parameter parameter = {name, doc, kind, GASKET_ROLE_VALUE, is_optional};
    info->parameters[info->n_parameters++] = parameter;
}

static void add_tensors(struct gasket_operation_info *info, const struct gasket_operation *operation) {
    const struct gasket_formula *formula = &operation->formula;
    uint8_t out = gk_formula_output(formula);
    for (uint8_t i = 0; i < formula->n_tensors; i++) {
        uint8_t t = i == 0 ? out : i <= out ? (uint8_t)(i - 1) : i; /* the output first */
        add(info, formula->tensors[t], operation->tensor_docs[t], GASKET_ARGUMENT_TENSOR, 0);
        if (t == out)
            info->parameters[i].role = GASKET_ROLE_OUTPUT;
        else if (gk_formula_is_index(formula, t))
            info->parameters[i].role = GASKET_ROLE_INDEX;
    }
}

static void add_modes(struct gasket_operation_info *info, const struct gasket_operation *operation) {
    uint8_t combines = operation->combines;
    if (operation->formula.combine == GASKET_CHOSEN)
        add(info, "combine", "what an update does to what is there", GASKET_ARGUMENT_TEXT, 1);
    if (operation->bounds)
        add(info, "bounds", "what happens to an index outside its dimension", GASKET_ARGUMENT_TEXT, 1);
    if (operation->bounds & GASKET_BIT(GASKET_BOUNDS_FILL))
        add(info, "fill", "what an index outside its dimension gives", GASKET_ARGUMENT_REAL, 1);
    if (combines & (GASKET_BIT(GASKET_MIN) | GASKET_BIT(GASKET_MAX)))
        add(info, "nan", "ignore or propagate, for min and max", GASKET_ARGUMENT_TEXT, 1);
    if (combines & (GASKET_BIT(GASKET_ADD) | GASKET_BIT(GASKET_SUB) | GASKET_BIT(GASKET_MUL)))
        add(info, "accumulate", "native or f32, for f16 and bf16", GASKET_ARGUMENT_TEXT, 1);
}

enum gasket_status gasket_operation_describe(gasket_context *context, size_t index,
                                             struct gasket_operation_info *info) {
    if (!context || !info) return GASKET_INVALID_ARGUMENT;
    pthread_rwlock_rdlock(&context->catalog_lock);
    const struct gasket_operation *operation =
        index < context->catalog.n_entries ? context->catalog.entries[index].operation : NULL;
    size_t n = context->catalog.n_entries;
    pthread_rwlock_unlock(&context->catalog_lock);
    if (!operation) {
        struct gk_error error;
        gk_fail(&error, GASKET_INVALID_ARGUMENT, "operation %zu of %zu", index, n);
        return gk_context_report(context, &error);
    }
    memset(info, 0, sizeof *info);
    info->name = operation->name;
    info->formula = operation->formula_text;
    info->summary = operation->summary;
    add_tensors(info, operation);
    for (int a = 0; a < operation->n_attributes; a++) {
        const struct gasket_attribute *attribute = &operation->attributes[a];
        add(info, attribute->name, attribute->doc,
            attribute->type == GASKET_ATTRIBUTE_INTS ? GASKET_ARGUMENT_INTEGERS : GASKET_ARGUMENT_INTEGER,
            attribute->has_default);
    }
    add_modes(info, operation);
    return GASKET_OK;
}

/* ---- The manifest ---- */

struct listing {
    const struct gasket_operation *operation;
    int (*line)(void *user, const struct gasket_combination *combination);
    void *user;
};

static int list_one(void *state, const struct gk_combination *combination) {
    struct listing *listing = state;
    char form[GK_TEXT], bodies[GK_TEXT];
    struct gasket_combination line = {
        listing->operation->name,
        gk_dtype_text(combination->value),
        gk_dtype_text(combination->index),
        gk_combine_text(combination->combine),
        gk_form_text(form, combination),
        gk_bounds_text(combination->bounds),
        gk_bodies_text(bodies, listing->operation, combination),
    };
    return listing->line(listing->user, &line);
}

int gasket_manifest(gasket_context *context, const char *operation,
                    int (*line)(void *user, const struct gasket_combination *combination), void *user) {
    int result = 0;
    pthread_rwlock_rdlock(&context->catalog_lock);
    for (size_t i = 0; i < context->catalog.n_entries && !result; i++) {
        struct listing listing = {context->catalog.entries[i].operation, line, user};
        if (!operation || strcmp(operation, listing.operation->name) == 0)
            result = gk_manifest(listing.operation, list_one, &listing);
    }
    pthread_rwlock_unlock(&context->catalog_lock);
    return result;
}
