/* operations: see operations.h. */
#include "support/operations.h"

#include <stdio.h>
#include <string.h>

#include "formula/formula.h"
#include "support/support.h"

static const struct operation_source texts[] = {
    {.name = "gather",
     .formula = "out[B, O, N, S] = params[B, O, indices[B, N], S]",
     .attributes = {{"batch_dims", 0, "0", "-rank(indices)", "rank(indices)", "rank(indices)"},
                    {"axis", 0, "batch_dims", "-rank(params)", "rank(params) - 1", "rank(params)"}},
     .ranks = {"B = batch_dims", "O = axis - batch_dims"}},
    {.name = "gather_nd",
     .formula = "out[B, N, S] = params[B, indices[B, N, *], S]",
     .attributes = {{"batch_dims", 0, "0", "0", "rank(indices) - 1", NULL}},
     .ranks = {"B = batch_dims"}},
    {.name = "scatter_nd",
     .formula = "out[indices[N, *], S] += updates[N, S] from zeros",
     .attributes = {{"shape", 1, NULL, NULL, NULL, NULL}},
     .output_extents = "shape"},
    {.name = "tensor_scatter", .formula = "out[indices[N, *], S] ?= updates[N, S] from tensor"},
    {.name = "take_along_axis",
     .formula = "out[P, N, S] = params[P, indices[P, N, S], S]",
     .attributes = {{"axis", 0, NULL, "-rank(params)", "rank(params) - 1", "rank(params)"}},
     .ranks = {"P = axis", "N = 1"}},
    {.name = "embedding_bag",
     .formula = "out[G, S] += table[indices[G, L], S] * weights[G, L] from zeros",
     .ranks = {"L = 1"}},
    {.name = "window_gather",
     .formula = "out[B, W, S] = params[B, start[B] + W, S]",
     .attributes = {{"window", 1, NULL, NULL, NULL, NULL}},
     .extents = {"W = window"}},
};

static _Noreturn void fail(const char *text, const char *why) {
    fprintf(stderr, "%s: ", text);
    give_up(why);
}

static struct gasket_linear linear(const struct gasket_operation *operation, const char *text) {
    struct gasket_linear result;
    struct gk_formula_error error;
    memset(&result, 0, sizeof result);
    if (gk_linear_parse(text, &operation->formula, operation->attributes, operation->n_attributes, &result, &error)) {
        fail(text, error.text);
    }
    return result;
}

static uint8_t optional(const struct gasket_operation *operation, const char *text, struct gasket_linear *result) {
    if (text == NULL) return 0;
    *result = linear(operation, text);
    return 1;
}

static void add_attribute(struct gasket_operation *operation, const struct attribute_source *text) {
    struct gasket_attribute *attribute = &operation->attributes[operation->n_attributes];
    snprintf(attribute->name, sizeof attribute->name, "%s", text->name);
    attribute->type = text->is_list ? GASKET_ATTRIBUTE_INTS : GASKET_ATTRIBUTE_INT;
    attribute->has_default = optional(operation, text->default_value, &attribute->default_value);
    attribute->has_minimum = optional(operation, text->minimum, &attribute->minimum);
    attribute->has_maximum = optional(operation, text->maximum, &attribute->maximum);
    attribute->has_wrap = optional(operation, text->wrap, &attribute->wrap);
    attribute->doc = "";
    operation->n_attributes++;
}

static uint8_t attribute_named(const struct gasket_operation *operation, const char *name) {
    for (uint8_t i = 0; i < operation->n_attributes; i++) {
        if (strcmp(operation->attributes[i].name, name) == 0) return i;
    }
    fail(name, "no such attribute");
}

/* What stands after "G = ". */
static const char *right_side(const struct gasket_operation *operation, const char *text, uint8_t *group) {
    *group = gk_formula_group(&operation->formula, text[0]);
    if (*group == GASKET_NONE || strncmp(text + 1, " = ", 3) != 0) fail(text, "not \"GROUP = ...\"");
    return text + 4;
}

static void add_groups(struct gasket_operation *operation, const struct operation_source *text) {
    uint8_t group;
    memset(operation->extents, GASKET_NONE, sizeof operation->extents);
    for (int i = 0; i < GASKET_MAX_GROUPS && text->ranks[i] != NULL; i++) {
        const char *rank = right_side(operation, text->ranks[i], &group);
        operation->has_rank[group] = optional(operation, rank, &operation->ranks[group]);
    }
    for (int i = 0; i < GASKET_MAX_GROUPS && text->extents[i] != NULL; i++) {
        const char *extents = right_side(operation, text->extents[i], &group);
        operation->extents[group] = attribute_named(operation, extents);
    }
}

static uint8_t bounds_bits(const struct gasket_formula *formula) {
    unsigned bits = GASKET_BIT(GASKET_BOUNDS_ERROR) | GASKET_BIT(GASKET_BOUNDS_CLIP) |
                    GASKET_BIT(GASKET_BOUNDS_FROM_END) | GASKET_BIT(GASKET_BOUNDS_UNCHECKED);
    return (uint8_t)(bits | GASKET_BIT(gk_formula_scatters(formula) ? GASKET_BOUNDS_DROP : GASKET_BOUNDS_FILL));
}

struct gasket_operation operation_parse(const struct operation_source *text) {
    struct gasket_operation operation;
    struct gk_formula_error error;
    memset(&operation, 0, sizeof operation);
    if (gk_formula_parse(text->formula, &operation.formula, &error)) fail(text->formula, error.text);
    operation.name = text->name;
    operation.formula_text = text->formula;
    operation.summary = "";
    for (int i = 0; i < GASKET_MAX_ATTRIBUTES && text->attributes[i].name != NULL; i++)
        add_attribute(&operation, &text->attributes[i]);
    add_groups(&operation, text);
    operation.output_extents =
        text->output_extents == NULL ? GASKET_NONE : attribute_named(&operation, text->output_extents);
    operation.values = GASKET_BIT(GASKET_DTYPES) - 1;
    for (unsigned i = GASKET_I8; i <= GASKET_U64; i++)
        operation.indices |= GASKET_BIT(i);
    int is_chosen = operation.formula.combine == GASKET_CHOSEN;
    operation.combines = (uint8_t)(is_chosen ? 0x3f : GASKET_BIT(operation.formula.combine));
    operation.default_combine = is_chosen ? GASKET_STORE : operation.formula.combine;
    operation.bounds = bounds_bits(&operation.formula);
    return operation;
}

const struct gasket_operation *operation_known(const char *name) {
    static struct gasket_operation operations[COUNT(texts)];
    size_t i = 0;
    while (i < COUNT(texts) && strcmp(texts[i].name, name) != 0)
        i++;
    if (i == COUNT(texts)) fail(name, "no such operation");
    if (operations[i].name == NULL) operations[i] = operation_parse(&texts[i]);
    return &operations[i];
}

const struct bound *bound(const struct gasket_operation *operation, int infers, const struct gasket_argument *arguments,
                          size_t n_arguments) {
    static struct bound result;
    struct gasket_shape shape;
    char text[GK_SHAPE_TEXT];
    memset(&result, 0, sizeof result);
    result.status =
        gk_problem_bind(&result.problem, operation, arguments, n_arguments, infers ? &shape : NULL, &result.error);
    if (!infers || result.status != GASKET_OK) return &result;
    snprintf(result.shape, sizeof result.shape, "%s%s", gasket_type_name(shape.dtype),
             gk_shape_text(text, shape.shape, shape.ndim));
    return &result;
}

DLTensor tensor_view(void *data, const char *type, int64_t *shape, int ndim) {
    DLTensor tensor;
    memset(&tensor, 0, sizeof tensor);
    tensor.data = data;
    tensor.device.device_type = kDLCPU;
    tensor.ndim = ndim;
    tensor.shape = shape;
    if (gasket_type_parse(type, &tensor.dtype) != GASKET_OK) fail(type, "no such type");
    return tensor;
}
