/* layout: how each tensor lies in memory. */
#include <string.h>

#include "draw.h"
#include "formula/formula.h"

enum style { PLAIN, COMPACT, PERMUTED, PADDED, NEGATIVE, ZERO, SPREAD, MIXED, STYLES };

struct layouter {
    struct fuzz_random *random;
    const struct fuzz_tensor *tensor;
    struct fuzz_layout *layout;
    int is_whole; /* its elements lie apart */
    int is_half;  /* elements of less than a byte: rows stay whole bytes */
};

static void reset(struct fuzz_layout *layout, int ndim) {
    memset(layout, 0, sizeof *layout);
    for (int d = 0; d < ndim; d++) {
        layout->order[d] = (uint8_t)d;
        layout->step[d] = 1;
    }
    layout->spread = 1;
}

/* Swaps neighbours, or all at random. */
static void permute(struct layouter *l) {
    int n = l->tensor->ndim - l->is_half;
    for (int i = n - 1; i > 0; i--) {
        int with = fuzz_chance(l->random, 500) ? i - 1 : (int)fuzz_below(l->random, i + 1);
        uint8_t kept = l->layout->order[i];
        l->layout->order[i] = l->layout->order[with];
        l->layout->order[with] = kept;
    }
}

static void pad(struct layouter *l) {
    for (int d = 0; d < l->tensor->ndim; d++) {
        uint8_t room = (uint8_t)fuzz_between(l->random, 1, 9);
        if (l->is_half) room = (uint8_t)(room / 2 * 2);
        if (!fuzz_chance(l->random, l->tensor->shape[d] > 1 ? 500 : 50)) continue;
        *(fuzz_chance(l->random, 600) ? &l->layout->pad[d] : &l->layout->slack[d]) = room;
    }
}

static void turn(struct layouter *l) {
    for (int d = 0; d < l->tensor->ndim - l->is_half; d++)
        if (fuzz_chance(l->random, 500)) l->layout->step[d] = -1;
}

static void collapse(struct layouter *l) {
    if (l->is_whole || l->is_half) return;
    for (int d = 0; d < l->tensor->ndim; d++)
        if (fuzz_chance(l->random, 400)) l->layout->step[d] = 0;
}

static void spread(struct layouter *l) {
    if (!l->is_half) l->layout->spread = (uint8_t)fuzz_between(l->random, 2, 3);
}

static void apply(struct layouter *l, enum style style) {
    static void (*const changes[STYLES])(struct layouter *) = {
        [PERMUTED] = permute, [PADDED] = pad, [NEGATIVE] = turn, [ZERO] = collapse, [SPREAD] = spread};
    l->layout->is_plain = style == PLAIN;
    if (changes[style]) changes[style](l);
    for (int i = PERMUTED; style == MIXED && i < MIXED; i++)
        if (fuzz_chance(l->random, 350)) changes[i](l);
}

/* Where it begins: at any address, behind any number of elements. */
static void displace(struct layouter *l, int is_aligned) {
    l->layout->at_begin = (uint8_t)fuzz_below(l->random, 2);
    if (is_aligned) {
        l->layout->at_begin = 1;
        return;
    }
    if (fuzz_chance(l->random, 200)) l->layout->wild = (uint8_t)fuzz_between(l->random, 1, 7);
    if (fuzz_chance(l->random, 250)) l->layout->lead = (uint8_t)fuzz_between(l->random, 1, 9);
    if (l->is_half) l->layout->lead = (uint8_t)(l->layout->lead / 2 * 2);
    if (fuzz_chance(l->random, 300)) l->layout->skew = (uint8_t)fuzz_between(l->random, 1, 65);
}

/* An input whose offsets need more than 31 bits; there is one place for such. */
enum { MOST_FAR = 8 };
static void part_far(struct fuzz_case *c, struct fuzz_random *random) {
    int n = c->operation->formula.n_tensors, first = (int)fuzz_below(random, n);
    for (int i = 0; i < n; i++) {
        int t = (first + i) % n;
        struct fuzz_tensor *tensor = &c->tensors[t];
        int64_t extent = tensor->ndim > 0 ? tensor->shape[tensor->layout.order[0]] : 0;
        int is_start = c->in_place && t == c->operation->formula.origin_tensor;
        if (t == gk_formula_output(&c->operation->formula) || is_start) continue;
        if (extent < 2 || extent > MOST_FAR) continue;
        tensor->layout.is_plain = 0;
        tensor->layout.far = (uint8_t)fuzz_between(random, 1, FUZZ_FARS);
        return;
    }
}

/* A goal's kernel that takes boxes needs rows that are not contiguous, others need the opposite. */
static enum style draw_style(const struct fuzz_goal *goal, struct fuzz_random *random) {
    static const uint8_t any[STYLES] = {50, 5, 10, 9, 8, 6, 4, 8}, boxes[STYLES] = {10, 0, 30, 10, 10, 10, 20, 10};
    static const uint8_t rows[STYLES] = {85, 5, 0, 5, 2, 3, 0, 0}, aligned[STYLES] = {50, 5, 0, 40, 0, 5, 0, 0};
    const struct gasket_kernel *kernel = goal->kernel;
    int of_rows = kernel && kernel->kind != GASKET_RESOLVE && kernel->kind != GASKET_CHECK;
    const uint8_t *weights = !of_rows                     ? any
                             : kernel->rule.strided       ? boxes
                             : kernel->rule.alignment > 1 ? aligned
                                                          : rows;
    return (enum style)fuzz_weighted(random, weights, STYLES);
}

/* The order in which sums on the left come to an element must not depend on where it lies: backwards, often. */
static int has_left_sum(const struct gasket_formula *formula) {
    const struct gasket_access *left = &formula->accesses[formula->left];
    for (int i = 0; i < left->n_subscripts; i++)
        if (formula->subscripts[left->first_subscript + i].n_terms > 1) return 1;
    return 0;
}

void fuzz_draw_layouts(struct fuzz_case *c, const struct fuzz_goal *goal, struct fuzz_random *random) {
    const struct gasket_formula *formula = &c->operation->formula;
    int is_aligned = goal->kernel && goal->kernel->rule.alignment > 1;
    int is_simple = fuzz_chance(random, 350); /* all plain: what most callers have */
    for (int t = 0; t < FUZZ_TENSORS; t++) {
        struct fuzz_tensor *tensor = &c->tensors[t];
        if (!tensor->is_given) continue;
        reset(&tensor->layout, tensor->ndim);
        /* The values of a tuple have bounds of their own, which an unchecked one must keep to. */
        int is_trusted = c->bounds == GASKET_BOUNDS_UNCHECKED && gk_formula_is_index(formula, (uint8_t)t);
        struct layouter l = {random, tensor, &tensor->layout, t == gk_formula_output(formula) || is_trusted,
                             gk_dtype(tensor->dtype)->bits < 8 && tensor->ndim > 0};
        const int is_turned = t == gk_formula_output(formula) && has_left_sum(formula) && fuzz_chance(random, 250);
        apply(&l, is_turned ? NEGATIVE : is_simple && !goal->kernel ? PLAIN : draw_style(goal, random));
        displace(&l, is_aligned && t != FUZZ_FILL);
    }
    if (fuzz_chance(random, gk_dtype(c->value)->bits == 8 ? 60 : 15)) part_far(c, random);
    fuzz_set_in_place(c);
}
