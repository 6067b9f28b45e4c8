/* bind_names: which argument is which. */
#include <string.h>

#include "bind.h"
#include "formula/formula.h"
#include "formula/nearest.h"

enum { MAX_NAMES = GASKET_MAX_TENSORS + GASKET_MAX_ATTRIBUTES + GK_COMMONS };

static const char *const common_names[GK_COMMONS] = {"bounds", "fill", "nan", "accumulate", "combine", "jit"};

static const char *const kind_names[] = {
    [GASKET_ARGUMENT_TENSOR] = "a tensor",
    [GASKET_ARGUMENT_INTEGER] = "an integer",
    [GASKET_ARGUMENT_INTEGERS] = "a list of integers",
    [GASKET_ARGUMENT_REAL] = "a real number",
    [GASKET_ARGUMENT_TEXT] = "a text",
};

static const char *kind_name(enum gasket_argument_kind kind) {
    return (size_t)kind < sizeof kind_names / sizeof *kind_names ? kind_names[kind] : "of an unknown kind";
}

/* A name that arguments may have, and where the one of that name is kept. */
struct slot {
    const char *name;
    const struct gasket_argument **given;
    unsigned kinds; /* a bit for each kind that it takes */
    int is_required;
};

/* The arguments that mean something to some call of the operation. */
static int takes_common(const struct gasket_operation *operation, enum gk_common common) {
    unsigned combines =
        operation->formula.combine == GASKET_CHOSEN ? operation->combines : GASKET_BIT(operation->formula.combine);
    unsigned extremes = GASKET_BIT(GASKET_MIN) | GASKET_BIT(GASKET_MAX);
    unsigned sums = GASKET_BIT(GASKET_ADD) | GASKET_BIT(GASKET_SUB) | GASKET_BIT(GASKET_MUL);
    const int takes[GK_COMMONS] = {
        [GK_BOUNDS] = operation->bounds != 0,
        [GK_FILL] = (operation->bounds & GASKET_BIT(GASKET_BOUNDS_FILL)) != 0,
        [GK_NAN] = (combines & extremes) != 0,
        [GK_ACCUMULATE] = (combines & sums) != 0,
        [GK_COMBINE] = operation->formula.combine == GASKET_CHOSEN,
        [GK_JIT] = 1,
    };
    return takes[common];
}

static unsigned attribute_kinds(const struct gasket_attribute *attribute) {
    return attribute->type == GASKET_ATTRIBUTE_INTS ? GASKET_BIT(GASKET_ARGUMENT_INTEGERS)
                                                    : GASKET_BIT(GASKET_ARGUMENT_INTEGER);
}

static unsigned common_kinds(enum gk_common common) {
    unsigned text = GASKET_BIT(GASKET_ARGUMENT_TEXT);
    unsigned value = text | GASKET_BIT(GASKET_ARGUMENT_INTEGER) | GASKET_BIT(GASKET_ARGUMENT_REAL) |
                     GASKET_BIT(GASKET_ARGUMENT_TENSOR);
    return common == GK_FILL ? value : text;
}

/* The slots of the operation: tensors, the output last, attributes, then the common ones. */
static size_t list_slots(struct gk_binding *binding, struct slot slots[MAX_NAMES]) {
    const struct gasket_operation *operation = binding->operation;
    const struct gasket_formula *formula = &operation->formula;
    uint8_t output = gk_formula_output(formula);
    size_t n = 0;
    for (uint8_t i = 0; i < formula->n_tensors; i++) {
        struct slot slot = {formula->tensors[i], &binding->tensors[i], GASKET_BIT(GASKET_ARGUMENT_TENSOR), 1};
        if (i != output) slots[n++] = slot;
    }
    if (!binding->infers) {
        struct slot slot = {formula->tensors[output], &binding->tensors[output], GASKET_BIT(GASKET_ARGUMENT_TENSOR), 1};
        slots[n++] = slot;
    }
    for (uint8_t i = 0; i < operation->n_attributes; i++) {
        const struct gasket_attribute *attribute = &operation->attributes[i];
        struct slot slot = {attribute->name, &binding->attributes[i], attribute_kinds(attribute),
                            !attribute->has_default};
        slots[n++] = slot;
    }
    for (enum gk_common i = 0; i < GK_COMMONS; i++) {
        struct slot slot = {common_names[i], &binding->commons[i], common_kinds(i), 0};
        if (takes_common(operation, i)) slots[n++] = slot;
    }
    return n;
}

static int is_common(const char *name) {
    for (int i = 0; i < GK_COMMONS; i++) {
        if (strcmp(common_names[i], name) == 0) return 1;
    }
    return 0;
}

static enum gasket_status fail_unknown(const struct gk_binding *binding, const char *name, const struct slot *slots,
                                       size_t n) {
    const char *operation = binding->operation->name;
    const struct gasket_formula *formula = &binding->operation->formula;
    if (binding->infers && strcmp(name, formula->tensors[gk_formula_output(formula)]) == 0) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s is not an argument where its shape is asked for",
                       name);
    }
    if (is_common(name)) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s means nothing to %s (%s)", name, operation,
                       binding->operation->formula_text);
    }
    const char *names[MAX_NAMES];
    for (size_t i = 0; i < n; i++)
        names[i] = slots[i].name;
    return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s has no argument called \"%.40s\"; did you mean \"%s\"?",
                   operation, name, gk_nearest(name, names, n));
}

static enum gasket_status fail_kind(const struct gk_binding *binding, const struct slot *slot,
                                    enum gasket_argument_kind kind) {
    char wanted[128] = "";
    for (unsigned i = GASKET_ARGUMENT_TENSOR; i <= GASKET_ARGUMENT_TEXT; i++) {
        if (slot->kinds & GASKET_BIT(i)) {
            gk_append(wanted, sizeof wanted, "%s%s", wanted[0] == 0 ? "" : " or ", kind_names[i]);
        }
    }
    return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s is %s, but must be %s", slot->name, kind_name(kind),
                   wanted);
}

/* Whether what the argument points to is there. */
static int has_value(const struct gasket_argument *argument) {
    if (argument->kind == GASKET_ARGUMENT_TENSOR) return argument->tensor != NULL;
    if (argument->kind == GASKET_ARGUMENT_TEXT) return argument->text != NULL;
    if (argument->kind == GASKET_ARGUMENT_INTEGERS) return argument->integers != NULL || argument->n_integers == 0;
    return 1;
}

static enum gasket_status bind_one(struct gk_binding *binding, const struct gasket_argument *argument,
                                   const struct slot *slots, size_t n) {
    if (argument->name == NULL) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "an argument of %s has no name",
                       binding->operation->name);
    }
    const struct slot *slot = slots;
    while (slot < slots + n && strcmp(slot->name, argument->name) != 0)
        slot++;
    if (slot == slots + n) return fail_unknown(binding, argument->name, slots, n);
    if (*slot->given != NULL) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s is given twice", slot->name);
    }
    if ((unsigned)argument->kind > GASKET_ARGUMENT_TEXT || !(slot->kinds & GASKET_BIT(argument->kind))) {
        return fail_kind(binding, slot, argument->kind);
    }
    if (!has_value(argument)) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s is NULL", slot->name);
    }
    *slot->given = argument;
    return GASKET_OK;
}

static void note_order(struct gk_binding *binding, const struct gasket_argument *argument) {
    for (uint8_t i = 0; i < binding->operation->formula.n_tensors; i++) {
        if (binding->tensors[i] == argument) {
            binding->problem->argument_order[binding->problem->n_arguments++] = i;
        }
    }
}

static enum gasket_status check_complete(const struct gk_binding *binding, const struct slot *slots, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (slots[i].is_required && *slots[i].given == NULL) {
            return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s needs %s, which is not given",
                           binding->operation->name, slots[i].name);
        }
    }
    return GASKET_OK;
}

enum gasket_status gk_bind_names(struct gk_binding *binding, const struct gasket_argument *arguments,
                                 size_t n_arguments) {
    struct slot slots[MAX_NAMES];
    size_t n = list_slots(binding, slots);
    if (arguments == NULL && n_arguments > 0) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "the arguments of %s are NULL",
                       binding->operation->name);
    }
    for (size_t i = 0; i < n_arguments; i++) {
        enum gasket_status status = bind_one(binding, &arguments[i], slots, n);
        if (status != GASKET_OK) return status;
        note_order(binding, &arguments[i]);
    }
    return check_complete(binding, slots, n);
}
