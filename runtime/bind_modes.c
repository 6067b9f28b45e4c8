/* bind_modes: how values combine, and what becomes of indices out of bounds. */
#include <string.h>

#include "bind.h"
#include "jit/policy.h"

static const char *const combine_names[GASKET_COMBINES] = {GASKET_COMBINE_NAMES};
static const char *const bounds_names[GASKET_BOUNDS_MODES] = {GASKET_BOUNDS_NAMES};
static const unsigned class_combines[GASKET_CLASSES] = GASKET_CLASS_COMBINES;

/* An argument whose text is one of a few words. */
struct words {
    const char *name;
    const struct gasket_argument *given;
    const char *const *words;
    int n;
    unsigned offered; /* a bit for each word */
};

/* Sets *chosen to the word's number; leaves it when the argument is not given. */
static enum gasket_status choose(const struct gk_binding *binding, const struct words *words, int *chosen) {
    if (words->given == NULL) return GASKET_OK;
    char list[256] = "";
    for (int i = 0; i < words->n; i++) {
        if (!(words->offered & GASKET_BIT(i))) continue;
        if (strcmp(words->words[i], words->given->text) == 0) {
            *chosen = i;
            return GASKET_OK;
        }
        gk_append(list, sizeof list, "%s%s", list[0] == 0 ? "" : ", ", words->words[i]);
    }
    return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s = \"%.40s\" is not one of those that %s takes: %s",
                   words->name, words->given->text, binding->operation->name, list);
}

static unsigned class_of(const struct gk_binding *binding) {
    return gk_dtype(binding->problem->value_dtype)->class;
}

static const char *type_name(const struct gk_binding *binding) {
    return gk_dtype(binding->problem->value_dtype)->name;
}

static enum gasket_status bind_combine(struct gk_binding *binding) {
    const struct gasket_operation *operation = binding->operation;
    int is_chosen = operation->formula.combine == GASKET_CHOSEN;
    int combine = is_chosen ? operation->default_combine : operation->formula.combine;
    const struct words words = {"combine", binding->commons[GK_COMBINE], combine_names, GASKET_COMBINES,
                                operation->combines};
    enum gasket_status status = choose(binding, &words, &combine);
    if (status != GASKET_OK) return status;
    unsigned computes = class_combines[class_of(binding)];
    if (!(computes & GASKET_BIT(combine))) {
        return gk_fail(binding->error, GASKET_UNSUPPORTED, "combine = \"%s\" does not exist for %s",
                       combine_names[combine], type_name(binding));
    }
    if (operation->formula.n_factors > 1 && !(computes & GASKET_BIT(GASKET_MUL))) {
        return gk_fail(binding->error, GASKET_UNSUPPORTED, "%s multiplies, which does not exist for %s",
                       operation->name, type_name(binding));
    }
    binding->problem->combine = (enum gasket_combine)combine;
    return GASKET_OK;
}

static enum gasket_status bind_bounds(struct gk_binding *binding) {
    int bounds = GASKET_BOUNDS_ERROR;
    const struct words words = {"bounds", binding->commons[GK_BOUNDS], bounds_names, GASKET_BOUNDS_MODES,
                                binding->operation->bounds};
    enum gasket_status status = choose(binding, &words, &bounds);
    if (status != GASKET_OK) return status;
    binding->problem->bounds = (enum gasket_bounds)bounds;
    if (binding->commons[GK_FILL] != NULL && bounds != GASKET_BOUNDS_FILL && bounds != GASKET_BOUNDS_FROM_END) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                       "fill means nothing with bounds = \"%s\"; it goes with \"fill\" and \"from_end\"",
                       bounds_names[bounds]);
    }
    return GASKET_OK;
}

static enum gasket_status bind_nan(struct gk_binding *binding) {
    static const char *const names[] = {"ignore", "propagate"};
    enum gasket_combine combine = binding->problem->combine;
    const struct words words = {"nan", binding->commons[GK_NAN], names, 2, 3};
    int propagates = 0;
    enum gasket_status status = choose(binding, &words, &propagates);
    if (status != GASKET_OK) return status;
    if (words.given != NULL && combine != GASKET_MIN && combine != GASKET_MAX) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                       "nan means nothing with combine = \"%s\"; it goes with \"min\" and \"max\"",
                       combine_names[combine]);
    }
    /* Other classes have no NaN that could propagate. */
    binding->problem->nan_propagates = propagates && class_of(binding) == GASKET_FLOAT;
    return GASKET_OK;
}

static enum gasket_status bind_accumulate(struct gk_binding *binding) {
    static const char *const names[] = {"native", "f32"};
    enum gasket_combine combine = binding->problem->combine;
    enum gasket_dtype dtype = binding->problem->value_dtype;
    const struct words words = {"accumulate", binding->commons[GK_ACCUMULATE], names, 2, 3};
    int wide = 0;
    enum gasket_status status = choose(binding, &words, &wide);
    if (status != GASKET_OK || !wide) return status;
    if (dtype != GASKET_F16 && dtype != GASKET_BF16) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                       "accumulate = \"f32\" means nothing to %s; it goes with f16 and bf16", type_name(binding));
    }
    if (combine != GASKET_ADD && combine != GASKET_SUB && combine != GASKET_MUL) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                       "accumulate = \"f32\" means nothing with combine = \"%s\"; it goes with \"add\", \"sub\" and "
                       "\"mul\"",
                       combine_names[combine]);
    }
    binding->problem->accumulates_wide = 1;
    return GASKET_OK;
}

static enum gasket_status bind_policy(struct gk_binding *binding) {
    static const char *const names[] = {GK_POLICY_NAMES};
    const struct words words = {"jit", binding->commons[GK_JIT], names, GK_POLICIES, (1u << GK_POLICIES) - 1};
    binding->problem->policy = -1;
    return choose(binding, &words, &binding->problem->policy);
}

enum gasket_status gk_bind_modes(struct gk_binding *binding) {
    enum gasket_status status = bind_combine(binding);
    if (status == GASKET_OK) status = bind_bounds(binding);
    if (status == GASKET_OK) status = bind_nan(binding);
    if (status == GASKET_OK) status = bind_accumulate(binding);
    return status == GASKET_OK ? bind_policy(binding) : status;
}
