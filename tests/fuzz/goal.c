/* goal: see goal.h. */
#include "goal.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "tensor.h"

enum { KERNEL_EVERY = 8, OTHER_EVERY = 64, TRIES = 2000 };

static void *grown(void *list, size_t n, size_t size) {
    list = n % 1024 == 0 ? realloc(list, (n + 1024) * size) : list;
    if (!list) exit(2);
    return list;
}

struct listing {
    struct fuzz_goals *goals;
    const struct gk_entry *entry;
};

static int add_combination(void *user, const struct gk_combination *combination) {
    struct listing *listing = user;
    struct fuzz_goals *goals = listing->goals;
    goals->combinations = grown(goals->combinations, goals->n_combinations, sizeof *goals->combinations);
    goals->combinations[goals->n_combinations++] = (struct fuzz_combination){listing->entry, *combination};
    return 0;
}

static int serves_index(const struct gasket_kernel *kernel, const struct gk_combination *c) {
    int depth = c->depth < 0 ? 1 : c->depth;
    return kernel->index_dtype == c->index && kernel->form == gk_resolve_form(c->bounds) &&
           (kernel->depth == GASKET_ANY || kernel->depth == depth);
}

/* Some whole number of elements must be a row that the rule takes. */
static int serves_rows(const struct gasket_kernel *kernel, const struct gk_combination *c) {
    const struct gasket_rule *rule = &kernel->rule;
    int64_t element = (int64_t)gk_dtype(c->value)->bits;
    if (rule->strided) return rule->row_min * 8 <= element && element <= rule->row_max * 8; /* single elements */
    if (rule->row_min == rule->row_max && rule->row_min * 8 % element != 0) return 0;
    return c->axis != 2 || rule->row_min * 8 <= element;
}

int fuzz_serves(const struct gasket_kernel *kernel, const struct fuzz_combination *of) {
    const struct gk_combination *c = &of->combination;
    int scatters = of->entry->structure.scatters, stores = c->combine == GASKET_STORE;
    switch ((enum gasket_kernel_kind)kernel->kind) {
        case GASKET_RESOLVE:
            return serves_index(kernel, c);
        case GASKET_FUSED:
            return !scatters && c->bounds != GASKET_BOUNDS_FILL && serves_index(kernel, c) && serves_rows(kernel, c);
        case GASKET_MOVE:
            return !scatters && serves_rows(kernel, c);
        case GASKET_PLACE:
            return scatters && stores && serves_rows(kernel, c);
        case GASKET_CHECK: /* comes along with others */
            return 0;
        case GASKET_REDUCE:
            return scatters && kernel->value_dtype == c->value && kernel->combine == c->combine &&
                   serves_rows(kernel, c);
    }
    return 0;
}

/* The first combination that a kernel can serve, or NULL. */
static const struct fuzz_combination *first_served(const struct fuzz_goals *goals, const struct gasket_kernel *kernel) {
    for (size_t i = 0; i < goals->n_combinations; i++)
        if (fuzz_serves(kernel, &goals->combinations[i])) return &goals->combinations[i];
    return NULL;
}

/* Without a pattern the aims are of the base, which every machine has: what suits one suits its wider likes. */
static void add_kernels(struct fuzz_goals *goals, const char *pattern) {
    enum gasket_isa best = gk_isa_best();
    for (size_t i = 0; i < goals->catalog->n_kernels; i++) {
        const struct gasket_kernel *kernel = goals->catalog->kernels[i];
        if (kernel->isa > best || (pattern && fnmatch(pattern, kernel->name, 0) != 0)) continue;
        if (!first_served(goals, kernel)) continue;
        goals->kernels = grown(goals->kernels, goals->n_kernels, sizeof *goals->kernels);
        goals->kernels[goals->n_kernels++] = kernel;
        if (!pattern && kernel->isa != GASKET_BASE) continue;
        goals->aims = grown(goals->aims, goals->n_aims, sizeof *goals->aims);
        goals->aims[goals->n_aims++] = kernel;
    }
}

void fuzz_goals_make(struct fuzz_goals *goals, const struct gk_catalog *catalog, const char *operation,
                     const char *pattern) {
    memset(goals, 0, sizeof *goals);
    goals->catalog = catalog;
    goals->other_every = OTHER_EVERY;
    for (size_t i = 0; i < catalog->n_entries; i++) {
        struct listing listing = {goals, &catalog->entries[i]};
        if (operation && strcmp(operation, listing.entry->operation->name) != 0) continue;
        if (listing.entry->has_kernels)
            gk_manifest(listing.entry->operation, add_combination, &listing);
        else if (goals->n_others < sizeof goals->others / sizeof *goals->others)
            goals->others[goals->n_others++] = listing.entry;
    }
    add_kernels(goals, pattern);
}

struct fuzz_goals fuzz_goals_of_one(const struct gk_catalog *catalog, const struct gk_entry *entry) {
    return (struct fuzz_goals){.catalog = catalog, .others = {entry}, .n_others = 1, .other_every = 1};
}

void fuzz_goals_free(struct fuzz_goals *goals) {
    free(goals->combinations);
    free(goals->kernels);
    free(goals->aims);
}

/* ---- Turns ---- */

/* 0 where there is none: without lookups there is no type of indices and no mode of bounds. */
static int drawn_bit(struct fuzz_random *random, uint32_t bits) {
    int bit = 0;
    if (bits == 0) return bit;
    do
        bit = (int)fuzz_below(random, 32);
    while (!(bits & GASKET_BIT(bit)));
    return bit;
}

static struct fuzz_goal free_goal(const struct gk_entry *entry, struct fuzz_random *random) {
    static const unsigned combines[GASKET_CLASSES] = GASKET_CLASS_COMBINES;
    const struct gasket_operation *operation = entry->operation;
    struct fuzz_goal goal = {.entry = entry, .combination = {.depth = -1, .axis = -1, .batch = -1}};
    struct gk_combination *c = &goal.combination;
    uint8_t combine = operation->formula.combine;
    do {
        c->value = (enum gasket_dtype)drawn_bit(random, operation->values);
        c->combine = (enum gasket_combine)(combine == GASKET_CHOSEN ? drawn_bit(random, operation->combines) : combine);
    } while (!(combines[gk_dtype(c->value)->class] & GASKET_BIT(c->combine)));
    c->index = (enum gasket_dtype)drawn_bit(random, operation->indices);
    c->bounds = (enum gasket_bounds)drawn_bit(random, operation->bounds);
    return goal;
}

/* Neighbours in the manifest are alike: a step of a prime mixes them, and comes to each before the first again. */
static size_t mixed(uint64_t turn, size_t n) {
    enum { PRIME = 28657 };
    return (size_t)(turn % n * PRIME % n);
}

static struct fuzz_goal combination_goal(const struct fuzz_combination *of) {
    return (struct fuzz_goal){.entry = of->entry, .combination = of->combination, .has_form = 1};
}

static struct fuzz_goal kernel_goal(const struct fuzz_goals *goals, const struct gasket_kernel *kernel,
                                    struct fuzz_random *random) {
    const struct fuzz_combination *found = NULL;
    for (int i = 0; i < TRIES && !found; i++) {
        found = &goals->combinations[fuzz_below(random, (int64_t)goals->n_combinations)];
        if (!fuzz_serves(kernel, found)) found = NULL;
    }
    struct fuzz_goal goal = combination_goal(found ? found : first_served(goals, kernel));
    goal.kernel = kernel;
    return goal;
}

struct fuzz_goal fuzz_goal_of(const struct fuzz_goals *goals, struct fuzz_random *random, uint64_t number) {
    if (goals->n_others > 0 && (number % goals->other_every == 0 || goals->n_combinations == 0))
        return free_goal(goals->others[number / goals->other_every % goals->n_others], random);
    if (goals->n_aims > 0 && number % KERNEL_EVERY == KERNEL_EVERY - 1)
        return kernel_goal(goals, goals->aims[mixed(number / KERNEL_EVERY, goals->n_aims)], random);
    uint64_t turn = number - number / KERNEL_EVERY - number / goals->other_every;
    return combination_goal(&goals->combinations[mixed(turn, goals->n_combinations)]);
}

const char *fuzz_combination_text(char text[GK_TEXT], const struct fuzz_combination *of) {
    const struct gk_combination *c = &of->combination;
    char form[GK_TEXT];
    snprintf(text, GK_TEXT, "%s %s %s combine=%s %s bounds=%s", of->entry->operation->name, gk_dtype_text(c->value),
             gk_dtype_text(c->index), gk_combine_text(c->combine), gk_form_text(form, c), gk_bounds_text(c->bounds));
    return text;
}
