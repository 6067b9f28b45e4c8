/* coverage_text: sums and lists of what was counted. */
#include <string.h>

#include "coverage.h"
#include "cpu.h"

static const char *trait_text(const struct fuzz_coverage *coverage, enum fuzz_trait trait, int value) {
    static const char *const strides[] = {"compact", "offset", "odd", "padded", "permuted", "negative", "zero"};
    switch (trait) {
        case FUZZ_VALUE_TYPE:
            return value < GASKET_DTYPES ? gk_dtype_text((enum gasket_dtype)value) : NULL;
        case FUZZ_INDEX_TYPE:
            return value >= GASKET_I8 && value <= GASKET_U64 ? gk_dtype_text((enum gasket_dtype)value) : NULL;
        case FUZZ_STRATEGY:
            return value < coverage->n_strategies ? coverage->strategies[value] : NULL;
        case FUZZ_BOUNDS:
            return value < GASKET_BOUNDS_MODES ? gk_bounds_text((enum gasket_bounds)value) : NULL;
        case FUZZ_STRIDES:
            return value < FUZZ_STRIDE_CLASSES ? strides[value] : NULL;
        default:
            return value <= (int)gk_isa_best() ? gk_isa_name((enum gasket_isa)value) : NULL;
    }
}

/* Some ways to share the work are of gathers, some of scatters. */
static int can_split(const struct fuzz_goals *goals, enum gk_split split) {
    int is_of_scatters = split == GK_SPLIT_COLUMNS || split == GK_SPLIT_OWNERS;
    if (goals->n_kernels == 0) return 0;
    if (split == GK_SPLIT_NOTHING || split == GK_SPLIT_OUTER) return 1;
    for (size_t i = 0; i < goals->n_combinations; i++)
        if (goals->combinations[i].entry->structure.scatters == is_of_scatters) return 1;
    return 0;
}

/* Calls `each` with the text and count of all that is counted but pairs. */
static void each_count(const struct fuzz_coverage *coverage,
                       void (*each)(void *user, const char *kind, const char *name, uint32_t n), void *user) {
    const struct fuzz_goals *goals = coverage->goals;
    char text[GK_TEXT];
    for (size_t i = 0; i < goals->n_combinations; i++)
        each(user, "combination", fuzz_combination_text(text, &goals->combinations[i]),
             fuzz_count_read(&coverage->combinations[i]));
    for (size_t i = 0; i < goals->n_kernels; i++)
        each(user, "kernel", goals->kernels[i]->name,
             fuzz_count_read(&coverage->kernels[goals->kernels[i] - coverage->first]));
    for (int i = 0; i < FUZZ_SPLITS; i++)
        if (can_split(goals, (enum gk_split)i))
            each(user, "split", fuzz_split_names[i], fuzz_count_read(&coverage->splits[i]));
}

/* Pairs that some kernel can have: an i4 that is multiplied, or an isa that a strategy has not, is no gap. */
struct possible {
    uint8_t pairs[FUZZ_TRAITS][FUZZ_TRAITS][FUZZ_TRAIT_VALUES][FUZZ_TRAIT_VALUES];
};

static void mark_possible(struct possible *possible, const struct fuzz_coverage *coverage,
                          const struct gasket_kernel *kernel, const struct gk_combination *c) {
    int traits[FUZZ_TRAITS];
    /* Rows of compact tensors are boxes only where a gather goes along an inner axis. */
    int is_spread = kernel->rule.strided && kernel->kind != GASKET_MOVE;
    fuzz_traits(coverage, kernel, c, FUZZ_COMPACT, traits);
    for (int strides = is_spread ? FUZZ_PADDED : 0; strides < FUZZ_STRIDE_CLASSES; strides++) {
        traits[FUZZ_STRIDES] = strides;
        for (int a = 0; a < FUZZ_TRAITS; a++)
            for (int b = a + 1; b < FUZZ_TRAITS; b++)
                possible->pairs[a][b][traits[a]][traits[b]] = 1;
    }
}

/* Kernels of one strategy, instruction set and row have the same pairs, and so have the forms of a combination: one in
 * a few of each is enough, by steps that no property shares. */
static void find_possible(struct possible *possible, const struct fuzz_coverage *coverage) {
    enum { STEP = 7 };
    const struct fuzz_goals *goals = coverage->goals;
    memset(possible, 0, sizeof *possible);
    for (size_t k = 0; k < goals->n_kernels; k++)
        for (size_t i = k % STEP; i < goals->n_combinations; i += STEP)
            if (fuzz_serves(goals->kernels[k], &goals->combinations[i]))
                mark_possible(possible, coverage, goals->kernels[k], &goals->combinations[i].combination);
}

static void each_pair(const struct fuzz_coverage *coverage,
                      void (*each)(void *user, const char *kind, const char *name, uint32_t n), void *user) {
    static struct possible possible;
    find_possible(&possible, coverage);
    for (int a = 0; a < FUZZ_TRAITS; a++)
        for (int b = a + 1; b < FUZZ_TRAITS; b++)
            for (int i = 0; i < FUZZ_TRAIT_VALUES * FUZZ_TRAIT_VALUES; i++) {
                int left = i / FUZZ_TRAIT_VALUES, right = i % FUZZ_TRAIT_VALUES;
                const char *first = trait_text(coverage, (enum fuzz_trait)a, left);
                const char *second = trait_text(coverage, (enum fuzz_trait)b, right);
                char text[GK_TEXT];
                uint32_t n = fuzz_count_read(&coverage->pairs[a][b][left][right]);
                if (!first || !second || (n == 0 && !possible.pairs[a][b][left][right])) continue;
                snprintf(text, sizeof text, "%s %s", first, second);
                each(user, "pair", text, n);
            }
}

struct summing {
    struct fuzz_covered *sum;
    uint32_t times;
};

static void add_count(void *user, const char *kind, const char *name, uint32_t n) {
    struct summing *summing = user;
    struct fuzz_covered *sum = summing->sum;
    size_t *const places[] = {&sum->combinations, &sum->kernels, &sum->splits, &sum->pairs};
    static const char kinds[] = "cksp";
    size_t *place = places[strchr(kinds, kind[0]) - kinds];
    (void)name;
    place[0] += n >= summing->times;
    place[1]++; /* ..._all follows */
    if (kind[0] != 'p' && n < sum->least) sum->least = n;
}

struct fuzz_covered fuzz_coverage_sum(const struct fuzz_coverage *coverage, uint32_t times, int with_pairs) {
    struct fuzz_covered sum = {.least = UINT32_MAX};
    struct summing summing = {&sum, times > 0 ? times : 1};
    each_count(coverage, add_count, &summing);
    summing.times = 1;
    if (with_pairs) each_pair(coverage, add_count, &summing);
    return sum;
}

static void write_count(void *user, const char *kind, const char *name, uint32_t n) {
    fprintf(user, "%s\t%u\t%s\n", kind, n, name);
}

void fuzz_coverage_write(const struct fuzz_coverage *coverage, FILE *file) {
    each_count(coverage, write_count, file);
    each_pair(coverage, write_count, file);
    fuzz_noted_write(coverage, NULL, file);
}

struct gaps {
    FILE *file;
    uint32_t times;
    int left;
};

static void tell_gap(void *user, const char *kind, const char *name, uint32_t n) {
    struct gaps *gaps = user;
    if (n >= gaps->times || gaps->left <= 0) return;
    gaps->left--;
    fprintf(gaps->file, "gap: %s %s ran %u times, %u are asked for\n", kind, name, n, gaps->times);
}

void fuzz_coverage_gaps(const struct fuzz_coverage *coverage, uint32_t times, int most, FILE *file) {
    struct gaps gaps = {file, times, most};
    each_count(coverage, tell_gap, &gaps);
    gaps.times = 1;
    each_pair(coverage, tell_gap, &gaps);
}
