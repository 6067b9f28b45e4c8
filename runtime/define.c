/* define: see define.h. What a field means is in formula/operation.c; here it is taken from its text. */
#include "define.h"

#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "formula/lexer.h"
#include "formula/operation.h"
#include "formula/writer.h"

enum {
    ITEM = 256,  /* bytes of one item of a list, with its end */
    BEFORE = 60, /* columns that an error shows before its place */
    SHOWN = 100  /* and in all */
};

struct making {
    const struct gasket_definition *definition;
    struct gasket_operation *operation;
    char *texts; /* where the next one goes */
    struct gk_error *error;
};

/* ---- Errors ---- */

static enum gasket_status fail(const struct making *making, const char *field, const char *text,
                               const struct gk_formula_error *found) {
    const char *name = making->definition->name;
    if (found->column == GK_NO_COLUMN)
        return gk_fail(making->error, GASKET_INVALID_ARGUMENT, "operation '%.40s': %s%s%s", name, field,
                       *field ? ": " : "", found->text);
    int from = found->column > BEFORE ? found->column - BEFORE : 0;
    return gk_fail(making->error, GASKET_INVALID_ARGUMENT, "operation '%.40s': %s: %s, column %d\n    %.*s\n    %*s^",
                   name, field, found->text, found->column + 1, SHOWN, text + from, found->column - from, "");
}

static enum gasket_status told(const struct making *making, int failed, const char *field, const char *text,
                               const struct gk_formula_error *found) {
    return failed ? fail(making, field, text, found) : GASKET_OK;
}

static enum gasket_status is_missing(const struct making *making, const char *field) {
    return gk_fail(making->error, GASKET_INVALID_ARGUMENT, "operation '%.40s': %s is NULL", making->definition->name,
                   field);
}

/* ---- Texts that are kept ---- */

static size_t bytes(const char *text) {
    return text ? strlen(text) + 1 : 0;
}

static size_t bytes_of_texts(const struct gasket_definition *definition) {
    size_t total =
        bytes(definition->name) + bytes(definition->formula) + bytes(definition->summary) + bytes(definition->docs);
    for (size_t i = 0; i < definition->n_attributes; i++)
        total += bytes(definition->attributes[i].doc);
    return total;
}

static char *keep(struct making *making, const char *text) {
    if (!text) return NULL;
    char *kept = making->texts;
    memcpy(kept, text, bytes(text));
    making->texts += bytes(text);
    return kept;
}

/* ---- Fields of one text ---- */

typedef int field_fn(struct gasket_operation *operation, const char *text, struct gk_formula_error *error);

static enum gasket_status give(const struct making *making, const char *field, field_fn *read, const char *text) {
    struct gk_formula_error found;
    return told(making, read(making->operation, text, &found), field, text, &found);
}

static int read_summary(struct gasket_operation *operation, const char *text, struct gk_formula_error *error) {
    operation->summary = text;
    return gk_operation_line(text, error);
}

static enum gasket_status read_texts(struct making *making) {
    const struct gasket_definition *definition = making->definition;
    enum gasket_status status = give(making, "name", gk_operation_name, keep(making, definition->name));
    if (!status) status = give(making, "formula", gk_operation_formula, keep(making, definition->formula));
    const char *summary = keep(making, definition->summary);
    return status ? status : give(making, "summary", read_summary, summary ? summary : "");
}

/* ---- Attributes ---- */

struct expression {
    const char *name, *text;
    uint8_t *has_it;
    struct gasket_linear *linear;
};

static void name_field(char field[64], size_t number, const char *name) {
    struct gk_writer writer = gk_writer_start(field, 64);
    gk_write(&writer, "attributes[%zu]%s%s", number, *name ? "." : "", name);
}

static enum gasket_status read_expressions(struct making *making, size_t number) {
    const struct gasket_definition_attribute *from = &making->definition->attributes[number];
    struct gasket_attribute *to = gk_attribute_open(making->operation);
    const struct expression expressions[] = {
        {"default_value", from->default_value, &to->has_default, &to->default_value},
        {"minimum", from->minimum, &to->has_minimum, &to->minimum},
        {"maximum", from->maximum, &to->has_maximum, &to->maximum},
        {"wrap", from->wrap, &to->has_wrap, &to->wrap},
    };
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        const struct expression *e = &expressions[i];
        struct gk_formula_error found;
        char field[64];
        name_field(field, number, e->name);
        if (e->text && gk_operation_linear(making->operation, e->text, e->has_it, e->linear, &found))
            return fail(making, field, e->text, &found);
    }
    return GASKET_OK;
}

static enum gasket_status give_part(struct making *making, size_t number, const char *name, field_fn *read,
                                    const char *text) {
    char field[64];
    name_field(field, number, name);
    return give(making, field, read, text);
}

static int read_doc(struct gasket_operation *operation, const char *text, struct gk_formula_error *error) {
    gk_attribute_open(operation)->doc = text;
    return gk_operation_line(text, error);
}

static enum gasket_status read_attribute(struct making *making, size_t number) {
    const struct gasket_definition_attribute *from = &making->definition->attributes[number];
    struct gk_formula_error found;
    char field[64];
    name_field(field, number, from->name ? "" : "name");
    if (!from->name) return is_missing(making, field);
    enum gasket_status status = give_part(making, number, "name", gk_attribute_name, from->name);
    if (!status && from->type) status = give_part(making, number, "type", gk_attribute_type, from->type);
    if (!status) status = read_expressions(making, number);
    if (!status && from->doc) status = give_part(making, number, "doc", read_doc, keep(making, from->doc));
    return status ? status : told(making, gk_attribute_end(making->operation, &found), field, NULL, &found);
}

static enum gasket_status read_attributes(struct making *making) {
    enum gasket_status status = GASKET_OK;
    for (size_t i = 0; i < making->definition->n_attributes && !status; i++)
        status = read_attribute(making, i);
    return status;
}

/* ---- Lists ---- */

static const char *past_blanks(const char *text) {
    return text + strspn(text, " ");
}

/* Copies the bytes without the blanks at their end; fails when they are none or too many. */
static int copy_item(char item[ITEM], const char *text, size_t n, struct gk_formula_error *error) {
    while (n > 0 && text[n - 1] == ' ')
        n--;
    if (n == 0 || n >= ITEM)
        return gk_formula_fail(error, 0, n ? "an item is longer than %d bytes" : "an item is missing", ITEM - 1);
    memcpy(item, text, n);
    item[n] = 0;
    return 0;
}

/* Reads the items between commas. The columns of errors are those of the whole text. */
static enum gasket_status give_list(const struct making *making, const char *field, field_fn *read, const char *text) {
    struct gk_formula_error found;
    char item[ITEM];
    if (gk_operation_line(text, &found)) return fail(making, field, text, &found);
    for (const char *at = text;; at++) {
        at = past_blanks(at);
        size_t n = strcspn(at, ",");
        if (copy_item(item, at, n, &found) || read(making->operation, item, &found)) {
            found.column = (int)(at - text) + (found.column == GK_NO_COLUMN ? 0 : found.column);
            return fail(making, field, text, &found);
        }
        at += n;
        if (*at == 0) return GASKET_OK;
    }
}

/* Cuts "P = axis" into the group and what stands for it. */
static int cut_pair(const char *item, char group[ITEM], const char **text, struct gk_formula_error *error) {
    const char *sign = strchr(item, '=');
    if (!sign) return gk_formula_fail(error, 0, "'%.64s' is not GROUP = ...", item);
    *text = past_blanks(sign + 1);
    return copy_item(group, item, (size_t)(sign - item), error);
}

static int read_rank(struct gasket_operation *operation, const char *item, struct gk_formula_error *error) {
    char group[ITEM];
    const char *text = item;
    if (cut_pair(item, group, &text, error)) return -1;
    int failed = gk_operation_rank(operation, group, text, error);
    if (failed && error->column != GK_NO_COLUMN) error->column += (int)(text - item);
    return failed;
}

static int read_extent(struct gasket_operation *operation, const char *item, struct gk_formula_error *error) {
    char group[ITEM];
    const char *text = item;
    return cut_pair(item, group, &text, error) ? -1 : gk_operation_extent(operation, group, text, error);
}

static enum gasket_status read_lists(const struct making *making) {
    const struct gasket_definition *definition = making->definition;
    const struct {
        const char *field, *text;
        field_fn *read;
    } lists[] = {
        {"ranks", definition->ranks, read_rank},
        {"extents", definition->extents, read_extent},
        {"values", definition->values, gk_operation_value},
        {"indices", definition->indices, gk_operation_index},
        {"combine", definition->combine, gk_operation_combine},
        {"bounds", definition->bounds, gk_operation_bounds},
    };
    enum gasket_status status = GASKET_OK;
    if (definition->output_extents)
        status = give(making, "output_extents", gk_operation_output_extents, definition->output_extents);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && !status; i++)
        if (lists[i].text) status = give_list(making, lists[i].field, lists[i].read, lists[i].text);
    return status;
}

/* "params: The table" */
static int read_tensor_doc(struct gasket_operation *operation, char *line, struct gk_formula_error *error) {
    char *colon = strchr(line, ':');
    if (!colon) return gk_formula_fail(error, GK_NO_COLUMN, "'%.64s' is not TENSOR: ...", line);
    *colon = 0;
    return gk_operation_doc(operation, line, past_blanks(colon + 1), error);
}

static enum gasket_status read_docs(struct making *making) {
    char *line = keep(making, making->definition->docs);
    while (line && *line) {
        struct gk_formula_error found;
        char *end = line + strcspn(line, "\n");
        char *next = *end ? end + 1 : end;
        *end = 0;
        if (*line && read_tensor_doc(making->operation, line, &found)) return fail(making, "docs", NULL, &found);
        line = next;
    }
    return GASKET_OK;
}

/* ---- All together ---- */

static enum gasket_status read_all(struct making *making) {
    struct gk_formula_error found;
    struct gk_structure structure;
    struct gasket_operation *operation = making->operation;
    gk_operation_start(operation);
    enum gasket_status status = read_texts(making);
    if (!status) status = read_attributes(making);
    if (!status) status = read_lists(making);
    if (!status) status = read_docs(making);
    if (!status) status = told(making, gk_operation_complete(operation, &found), "", NULL, &found);
    if (!status) operation->ahead_of_time = gk_formula_structure(&operation->formula, &structure) == 0;
    return status;
}

/* What must hold before anything is read. */
static enum gasket_status check(const struct gasket_definition *definition, struct gk_error *error) {
    if (!definition) return gk_fail(error, GASKET_INVALID_ARGUMENT, "the definition is NULL");
    if (definition->size != sizeof *definition)
        return gk_fail(error, GASKET_INVALID_ARGUMENT,
                       "definition.size = %zu is not sizeof(struct gasket_definition) = %zu", definition->size,
                       sizeof *definition);
    const struct making making = {.definition = definition, .error = error};
    if (!definition->name) return gk_fail(error, GASKET_INVALID_ARGUMENT, "the name of a definition is NULL");
    if (!definition->formula) return is_missing(&making, "formula");
    if (!definition->attributes && definition->n_attributes > 0) return is_missing(&making, "attributes");
    if (definition->n_attributes > GASKET_MAX_ATTRIBUTES)
        return gk_fail(error, GASKET_INVALID_ARGUMENT, "operation '%.40s': %zu attributes are more than %d",
                       definition->name, definition->n_attributes, GASKET_MAX_ATTRIBUTES);
    return GASKET_OK;
}

struct gasket_operation *gk_define(const struct gasket_definition *definition, struct gk_error *error) {
    if (check(definition, error)) return NULL;
    struct gasket_operation *operation = malloc(sizeof *operation + bytes_of_texts(definition));
    if (!operation) {
        gk_fail(error, GASKET_OUT_OF_MEMORY, "no memory for operation '%.40s'", definition->name);
        return NULL;
    }
    struct making making = {definition, operation, (char *)(operation + 1), error};
    if (read_all(&making)) {
        free(operation);
        return NULL;
    }
    return operation;
}

enum gasket_status gasket_define(gasket_context *context, const struct gasket_definition *definition) {
    if (!context) return GASKET_INVALID_ARGUMENT;
    struct gk_error error;
    struct gasket_operation *operation = gk_define(definition, &error);
    if (!operation) return gk_context_report(context, &error);
    pthread_rwlock_wrlock(&context->catalog_lock);
    enum gasket_status status = gk_catalog_define(&context->catalog, operation, &error);
    pthread_rwlock_unlock(&context->catalog_lock);
    if (!status) return GASKET_OK;
    free(operation);
    return gk_context_report(context, &error);
}
