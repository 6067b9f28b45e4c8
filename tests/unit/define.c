/* Operations defined at run time: the same data as the generated ones, and what is refused with which words. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "define.h"
#include "formula/formula.h"
#include "support/definitions.h"
#include "table.h"

static const struct gasket_operation *generated(const char *name) {
    for (size_t i = 0; i < gasket_kernel_set.n_operations; i++)
        if (strcmp(gasket_kernel_set.operations[i].name, name) == 0) return &gasket_kernel_set.operations[i];
    return NULL;
}

static void expect_same_text(const char *a, const char *b) {
    cr_expect(a == b || (a && b && strcmp(a, b) == 0), "'%s' is not '%s'", a ? a : "NULL", b ? b : "NULL");
}

static void expect_same_linear(const struct gasket_linear *a, const struct gasket_linear *b) {
    cr_expect(a->constant == b->constant && a->n == b->n);
    cr_expect_eq(memcmp(a->quantities, b->quantities, sizeof a->quantities), 0);
}

static void expect_same_attribute(const struct gasket_attribute *a, const struct gasket_attribute *b) {
    expect_same_text(a->name, b->name);
    expect_same_text(a->doc, b->doc);
    cr_expect(a->type == b->type && a->has_default == b->has_default && a->has_minimum == b->has_minimum &&
              a->has_maximum == b->has_maximum && a->has_wrap == b->has_wrap);
    expect_same_linear(&a->default_value, &b->default_value);
    expect_same_linear(&a->minimum, &b->minimum);
    expect_same_linear(&a->maximum, &b->maximum);
    expect_same_linear(&a->wrap, &b->wrap);
}

/* All but the name, and whether kernels are made ahead of time: a definition says no word of that. */
static void expect_same(const struct gasket_operation *a, const struct gasket_operation *b) {
    expect_same_text(a->formula_text, b->formula_text);
    expect_same_text(a->summary, b->summary);
    for (int i = 0; i < GASKET_MAX_TENSORS; i++)
        expect_same_text(a->tensor_docs[i], b->tensor_docs[i]);
    cr_expect_eq(memcmp(&a->formula, &b->formula, sizeof a->formula), 0, "%s", a->name);
    cr_expect_eq(a->n_attributes, b->n_attributes);
    for (int i = 0; i < a->n_attributes; i++)
        expect_same_attribute(&a->attributes[i], &b->attributes[i]);
    cr_expect_eq(memcmp(a->has_rank, b->has_rank, sizeof a->has_rank), 0, "%s", a->name);
    for (int i = 0; i < GASKET_MAX_GROUPS; i++)
        expect_same_linear(&a->ranks[i], &b->ranks[i]);
    cr_expect_eq(memcmp(a->extents, b->extents, sizeof a->extents), 0, "%s", a->name);
    cr_expect_eq(a->output_extents, b->output_extents, "%s", a->name);
    cr_expect_eq(a->values, b->values, "%s: %x and %x", a->name, a->values, b->values);
    cr_expect_eq(a->indices, b->indices, "%s: %x and %x", a->name, a->indices, b->indices);
    cr_expect(a->combines == b->combines && a->default_combine == b->default_combine && a->bounds == b->bounds, "%s",
              a->name);
}

Test(define, every_spec) {
    cr_assert_eq(gasket_kernel_set.n_operations, (size_t)DEFINITIONS, "definitions.c lacks a spec");
    for (int i = 0; i < DEFINITIONS; i++) {
        struct gk_error error = {GASKET_OK, ""};
        const struct gasket_operation *spec = generated(definitions[i].name + strlen("my_"));
        struct gasket_operation *operation = gk_define(&definitions[i], &error);
        cr_assert(spec != NULL && operation != NULL, "%s: %s", definitions[i].name, error.text);
        cr_expect_str_eq(operation->name, definitions[i].name);
        expect_same(operation, spec);
        free(operation);
    }
}

/* ---- What is refused ---- */

static gasket_context *open_context(void) {
    gasket_context *context;
    cr_assert_eq(gasket_context_create(NULL, &context), GASKET_OK);
    return context;
}

static void expect_refused(const struct gasket_definition *definition, int line, const char *text) {
    gasket_context *context = open_context();
    size_t before = gasket_operation_count(context);
    cr_expect_eq(gasket_define(context, definition), GASKET_INVALID_ARGUMENT, "line %d", line);
    cr_expect_str_eq(gasket_message(context), text, "line %d: %s", line, gasket_message(context));
    cr_expect_eq(gasket_operation_count(context), before, "line %d", line);
    gasket_context_destroy(context);
}
#define PICK .size = sizeof(struct gasket_definition), .name = "pick", .formula = "out[N] = table[rows[N]]"
#define REFUSE(text, ...) expect_refused(&(struct gasket_definition){__VA_ARGS__}, __LINE__, text)
/* A field of an operation with the attribute `a`, or of that attribute. */
#define ATTRIBUTE(...) \
    PICK, .attributes = (const struct gasket_definition_attribute[]){{__VA_ARGS__}}, .n_attributes = 1

Test(define, names_are_checked) {
    expect_refused(NULL, __LINE__, "the definition is NULL");
    REFUSE("the name of a definition is NULL", .size = sizeof(struct gasket_definition), .formula = "x[] = y[]");
    REFUSE("operation 'pick': formula is NULL", .size = sizeof(struct gasket_definition), .name = "pick");
    REFUSE("operation 'Pick': name: 'Pick' is no name: it must match [a-z][a-z0-9_]* and be shorter than 32",
           .size = sizeof(struct gasket_definition), .name = "Pick", .formula = "x[] = y[]");
    REFUSE("operation 'gather' is there already", .size = sizeof(struct gasket_definition), .name = "gather",
           .formula = "x[N] = y[i[N]]");
    REFUSE("operation 'pick': formula: the name 'fill' is taken by an argument of all operations",
           .size = sizeof(struct gasket_definition), .name = "pick", .formula = "out[N] = fill[i[N]]");
    REFUSE("operation 'pick': summary: must be one line without control characters", PICK, .summary = "a\nb");
}

Test(define, size_is_checked) {
    char text[120];
    snprintf(text, sizeof text, "definition.size = 8 is not sizeof(struct gasket_definition) = %zu",
             sizeof(struct gasket_definition));
    REFUSE(text, .size = 8, .name = "pick", .formula = "x[] = y[]");
}

Test(define, the_place_in_the_formula_is_shown) {
    REFUSE(
        "operation 'pick': formula: expected ',', '+' or ']', found the end, column 26\n"
        "    out[N] = table[rows[N], S\n"
        "                             ^",
        .size = sizeof(struct gasket_definition), .name = "pick", .formula = "out[N] = table[rows[N], S");
    REFUSE(
        "operation 'pick': formula: group 'S' is not on the left, and '=' can not sum over it; use a sign such as "
        "+=, column 25\n"
        "    out[N] = table[rows[N], S]\n"
        "                            ^",
        .size = sizeof(struct gasket_definition), .name = "pick", .formula = "out[N] = table[rows[N], S]");
}

/* The arguments that operations share are listed with each; none of them can be an attribute. */
Test(define, shared_arguments_are_no_attributes) {
    gasket_context *context = open_context();
    struct gasket_operation_info info;
    for (size_t i = 0; gasket_operation_describe(context, i, &info) == GASKET_OK; i++) {
        const struct gasket_operation *operation = generated(info.name);
        size_t own = (size_t)operation->formula.n_tensors + operation->n_attributes;
        cr_assert_lt(own, info.n_parameters);
        for (size_t p = own; p < info.n_parameters; p++) {
            const struct gasket_definition definition = {ATTRIBUTE(.name = info.parameters[p].name)};
            cr_expect_eq(gasket_define(context, &definition), GASKET_INVALID_ARGUMENT, "%s", info.parameters[p].name);
        }
    }
    gasket_context_destroy(context);
}

Test(define, attributes_are_checked) {
    REFUSE("operation 'pick': attributes is NULL", PICK, .n_attributes = 1);
    REFUSE("operation 'pick': 9 attributes are more than 8", PICK,
           .attributes = (const struct gasket_definition_attribute[9]){{.name = "a"}}, .n_attributes = 9);
    REFUSE("operation 'pick': attributes[0].name is NULL", ATTRIBUTE(.type = "int"));
    REFUSE("operation 'pick': attributes[0].name: 'rows' is a tensor of the formula", ATTRIBUTE(.name = "rows"));
    REFUSE("operation 'pick': attributes[0].name: the name 'nan' is taken by an argument of all operations",
           ATTRIBUTE(.name = "nan"));
    REFUSE("operation 'pick': attributes[0].type: unknown type 'intz' (did you mean 'int'?)",
           ATTRIBUTE(.name = "a", .type = "intz"));
    REFUSE(
        "operation 'pick': attributes[0].default_value: the formula has no tensor 'tables', column 6\n"
        "    rank(tables)\n"
        "         ^",
        ATTRIBUTE(.name = "a", .default_value = "rank(tables)"));
    REFUSE(
        "operation 'pick': attributes[0].maximum: there is no attribute 'b' before this place, column 5\n"
        "    1 + b\n"
        "        ^",
        ATTRIBUTE(.name = "a", .maximum = "1 + b"));
    REFUSE("operation 'pick': attributes[0]: a list (type = \"ints\") has no default, minimum, maximum or wrap",
           ATTRIBUTE(.name = "a", .type = "ints", .wrap = "1"));
    REFUSE("operation 'pick': attributes[0].doc: must be one line without control characters",
           ATTRIBUTE(.name = "a", .doc = "\t"));
}

Test(define, lists_are_checked) {
    REFUSE(
        "operation 'pick': ranks: the formula has no group 'Q', column 8\n"
        "    N = 1, Q = 1\n"
        "           ^",
        PICK, .ranks = "N = 1, Q = 1");
    REFUSE(
        "operation 'pick': ranks: there is no attribute 'b' before this place, column 10\n"
        "    N  = 1 + b\n"
        "             ^",
        PICK, .ranks = "N  = 1 + b");
    REFUSE("operation 'pick': ranks: group 'N' is given twice, column 7\n    N = 1,N = 1\n          ^", PICK,
           .ranks = "N = 1,N = 1");
    REFUSE("operation 'pick': ranks: 'N' is not GROUP = ..., column 1\n    N\n    ^", PICK, .ranks = "N");
    REFUSE("operation 'pick': ranks: an item is missing, column 7\n    N = 1,\n          ^", PICK, .ranks = "N = 1,");
    REFUSE("operation 'pick': values: an item is missing, column 1\n    \n    ^", PICK, .values = "");
    REFUSE("operation 'pick': values: unknown type 'f31' (did you mean 'f32'?), column 6\n    f32, f31\n         ^",
           PICK, .values = "f32, f31");
    REFUSE("operation 'pick': indices: only integers can be indices, column 1\n    f32\n    ^", PICK, .indices = "f32");
    REFUSE("operation 'pick': extents: no attribute 'a' with type = \"ints\", column 1\n    N = a\n    ^",
           ATTRIBUTE(.name = "a"), .extents = "N = a");
    REFUSE("operation 'pick': output_extents: no attribute 'b' with type = \"ints\"", PICK, .output_extents = "b");
    REFUSE("operation 'pick': combine: goes only with the sign '?=' in the formula, column 1\n    add\n    ^", PICK,
           .combine = "add");
    REFUSE("operation 'pick': bounds: 'drop' means nothing for this formula, column 8\n    error, drop\n           ^",
           PICK, .bounds = "error, drop");
    REFUSE("operation 'pick': docs: 'table' is not TENSOR: ...", PICK, .docs = "table");
    REFUSE("operation 'pick': docs: the formula has no tensor 'tables'", PICK, .docs = "rows: which\ntables: all");
}

Test(define, what_does_not_fit_together) {
    REFUSE(
        "operation 'pick': ranks: how many dimensions 'O' has does not follow from the ranks of the inputs; give it "
        "as 'O = ...'",
        .size = sizeof(struct gasket_definition), .name = "pick", .formula = "out[O, N, S] = table[O, rows[N], S]");
    REFUSE("operation 'pick': the field 'combine' is missing: which operators may '?=' be?",
           .size = sizeof(struct gasket_definition), .name = "pick", .formula = "out[i[N]] ?= u[N] from t");
}

/* A place far to the right is shown with what stands before it. */
Test(define, long_texts_are_cut) {
    char ranks[600] = "N = 1";
    for (int i = 0; i < 99; i++)
        strcat(ranks, " + 1");
    strcat(ranks, " + b");
    gasket_context *context = open_context();
    cr_expect_eq(gasket_define(context, &(struct gasket_definition){PICK, .ranks = ranks}), GASKET_INVALID_ARGUMENT);
    cr_expect(strstr(gasket_message(context), "an item is longer than 255 bytes, column 1\n    N = 1 + 1 + 1"), "%s",
              gasket_message(context));
    char formula[] = "out[A, B, C, D, E, F, G, H] = table[A, B, C, D, E, F, G, H, rows[A, B, C, D, E, F, G, H, *], %]";
    cr_expect_eq(gasket_define(context,
                               &(struct gasket_definition){
                                   .size = sizeof(struct gasket_definition), .name = "pick", .formula = formula}),
                 GASKET_INVALID_ARGUMENT);
    const char *shown = strstr(gasket_message(context), "\n    ");
    cr_assert(shown != NULL, "%s", gasket_message(context));
    const char *caret = strchr(shown, '^'), *second = strchr(shown + 1, '\n');
    cr_assert(caret && second && caret > second, "%s", shown);
    cr_expect_eq(shown[caret - second], '%', "%s", shown);
    gasket_context_destroy(context);
}

Test(define, lives_without_its_texts) {
    gasket_context *context = open_context();
    char name[] = "pick", formula[] = "out[N] = table[rows[N]]", docs[] = "rows: which";
    struct gasket_definition definition = {.size = sizeof definition, .name = name, .formula = formula, .docs = docs};
    cr_assert_eq(gasket_define(context, &definition), GASKET_OK);
    memset(name, '?', sizeof name - 1);
    memset(formula, '?', sizeof formula - 1);
    memset(docs, '?', sizeof docs - 1);
    memset(&definition, 0, sizeof definition);
    struct gasket_operation_info info;
    cr_assert_eq(gasket_operation_describe(context, gasket_operation_count(context) - 1, &info), GASKET_OK);
    cr_expect_str_eq(info.name, "pick");
    cr_expect_str_eq(info.formula, "out[N] = table[rows[N]]");
    cr_expect_str_eq(info.summary, "");
    cr_expect_str_eq(info.parameters[2].name, "rows");
    cr_expect_str_eq(info.parameters[2].doc, "which");
    gasket_context_destroy(context);
}

Test(define, a_plan_outlives_further_definitions) {
    gasket_context *context = open_context();
    float table[] = {1, 2, 3}, out[2];
    int32_t rows[] = {2, 0};
    DLTensor t = {table, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, (int64_t[]){3}, NULL, 0};
    DLTensor r = {rows, {kDLCPU, 0}, 1, {kDLInt, 32, 1}, (int64_t[]){2}, NULL, 0};
    DLTensor o = {out, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, (int64_t[]){2}, NULL, 0};
    const struct gasket_argument arguments[] = {gasket_tensor("table", &t), gasket_tensor("rows", &r),
                                                gasket_tensor("out", &o)};
    gasket_plan *plan;
    struct gasket_report report;
    cr_assert_eq(gasket_define(context, &(struct gasket_definition){PICK}), GASKET_OK);
    cr_assert_eq(gasket_plan_create(context, "pick", arguments, 3, &plan), GASKET_OK, "%s", gasket_message(context));
    for (int i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof name, "pick%d", i);
        struct gasket_definition more = {PICK};
        more.name = name;
        cr_assert_eq(gasket_define(context, &more), GASKET_OK, "%s", gasket_message(context));
    }
    cr_assert_eq(gasket_plan_run(plan, NULL, 0), GASKET_OK);
    cr_expect(out[0] == 3 && out[1] == 1);
    gasket_plan_report(plan, &report);
    cr_expect_str_eq(report.operation, "pick");
    cr_expect_str_neq(report.tier, "interpreter");
    gasket_plan_destroy(plan);
    gasket_context_destroy(context);
}
