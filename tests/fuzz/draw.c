/* draw: see draw.h. */
#include "draw.h"

#include <stdlib.h>
#include <string.h>

#include "formula/formula.h"

static void draw_modes(struct fuzz_case *c, const struct fuzz_goal *goal, struct fuzz_random *random) {
    const struct gk_combination *wanted = &goal->combination;
    const struct gasket_formula *formula = &c->operation->formula;
    enum gasket_class class = gk_dtype(wanted->value)->class;
    int is_ordered = wanted->combine == GASKET_MIN || wanted->combine == GASKET_MAX;
    int is_sum = wanted->combine != GASKET_STORE && !is_ordered;
    int is_half = wanted->value == GASKET_F16 || wanted->value == GASKET_BF16;
    c->value = wanted->value;
    c->index = wanted->index;
    c->combine = wanted->combine;
    c->bounds = wanted->bounds;
    c->nan_propagates = is_ordered && class == GASKET_FLOAT && fuzz_chance(random, 500);
    if (goal->kernel && goal->kernel->kind == GASKET_REDUCE && goal->kernel->nan_propagates != GASKET_ANY)
        c->nan_propagates = goal->kernel->nan_propagates;
    /* No kernel does it: that takes the turn of one that the problem would not miss. */
    c->accumulates_wide =
        is_half && is_sum && goal->kernel && goal->kernel->kind == GASKET_RESOLVE && fuzz_chance(random, 400);
    c->in_place = formula->origin == GASKET_FROM_TENSOR && fuzz_chance(random, 200);
    /* What is unchecked has to be right. */
    c->is_spoiled = (uint8_t)(goal->kernel && c->bounds != GASKET_BOUNDS_UNCHECKED && fuzz_chance(random, 120));
    int scatters = gk_formula_scatters(formula);
    int fills = c->bounds == GASKET_BOUNDS_FILL || (c->bounds == GASKET_BOUNDS_FROM_END && !scatters);
    if (fills && fuzz_chance(random, 600))
        c->tensors[FUZZ_FILL] = (struct fuzz_tensor){.is_given = 1, .dtype = c->value};
}

/* Attributes that no rank fixes keep what is drawn here; how they are written is drawn for all. */
static void draw_attributes(struct fuzz_case *c, struct fuzz_random *random) {
    for (int a = 0; a < c->operation->n_attributes; a++) {
        c->attributes[a] = 0;
        c->is_omitted[a] = (uint8_t)fuzz_chance(random, 600);
        c->is_wrapped[a] = (uint8_t)fuzz_chance(random, 300);
    }
}

static int draw_once(struct fuzz_case *c, const struct fuzz_goal *goal, struct fuzz_random *random) {
    memset(c->tensors, 0, sizeof c->tensors);
    memset(c->group_rank, 0, sizeof c->group_rank);
    c->operation = goal->entry->operation;
    c->pool.used = 0;
    draw_modes(c, goal, random);
    if (fuzz_draw_shapes(c, goal, random) != 0) return -1;
    draw_attributes(c, random);
    if (fuzz_solve_attributes(c) != 0) return -1;
    fuzz_draw_layouts(c, goal, random);
    fuzz_draw_values(c, random);
    fuzz_draw_indices(c, random);
    return 0;
}

int fuzz_draw(struct fuzz_case *c, struct fuzz_call *call, const struct fuzz_goals *goals, struct fuzz_seed seed) {
    enum { TRIES = 20 };
    struct fuzz_random random = fuzz_random_make(seed.seed, seed.number);
    struct fuzz_goal goal = fuzz_goal_of(goals, &random, seed.number);
    c->seed = fuzz_bits(&random);
    for (int i = 0; i < TRIES; i++)
        if (draw_once(c, &goal, &random) == 0 && fuzz_lay(c, call) == 0) return 0;
    return -1;
}
