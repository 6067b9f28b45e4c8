/* coverage: see coverage.h. */
#include "coverage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cpu.h"

enum { SPLITS = GK_SPLIT_OWNERS + 1 };

/* ---- Keys of combinations ---- */

static uint64_t key_of(const struct gk_entry *entry, const struct gk_combination *c) {
    uint64_t key = (uint64_t)(uintptr_t)entry;
    const int fields[] = {(int)c->value, (int)c->index, (int)c->combine, c->depth, c->axis, c->batch, (int)c->bounds};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        key = key * 37 + (uint64_t)(fields[i] + 1);
    return key;
}

static uint64_t key_at(const struct fuzz_goals *goals, size_t at) {
    return key_of(goals->combinations[at].entry, &goals->combinations[at].combination);
}

static const struct fuzz_goals *sorting;

static int by_key(const void *a, const void *b) {
    uint64_t x = key_at(sorting, *(const size_t *)a), y = key_at(sorting, *(const size_t *)b);
    return (x > y) - (x < y);
}

/* The number of a combination, or n_combinations. */
static size_t find(const struct fuzz_coverage *coverage, uint64_t key) {
    const struct fuzz_goals *goals = coverage->goals;
    size_t low = 0, high = goals->n_combinations;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (key_at(goals, coverage->sorted[middle]) < key)
            low = middle + 1;
        else
            high = middle;
    }
    int is_found = low < goals->n_combinations && key_at(goals, coverage->sorted[low]) == key;
    return is_found ? coverage->sorted[low] : goals->n_combinations;
}

/* ---- Making ---- */

static void *shared(size_t bytes) {
    void *memory = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) exit(2);
    return memory;
}

static int strategy_number(const struct fuzz_coverage *coverage, const char *name) {
    int i = 0;
    while (i < coverage->n_strategies && strcmp(coverage->strategies[i], name) != 0)
        i++;
    return i;
}

static void number_kernels(struct fuzz_coverage *coverage) {
    const struct gk_catalog *catalog = coverage->goals->catalog;
    const struct gasket_kernel *last = coverage->first = catalog->kernels[0];
    for (size_t i = 0; i < catalog->n_kernels; i++) {
        const struct gasket_kernel *kernel = catalog->kernels[i];
        if (kernel < coverage->first) coverage->first = kernel;
        if (kernel > last) last = kernel;
        int strategy = strategy_number(coverage, kernel->strategy);
        if (strategy == coverage->n_strategies && strategy < FUZZ_TRAIT_VALUES)
            coverage->strategies[coverage->n_strategies++] = kernel->strategy;
    }
    coverage->n_kernels = (size_t)(last - coverage->first) + 1;
}

void fuzz_coverage_make(struct fuzz_coverage *coverage, const struct fuzz_goals *goals) {
    memset(coverage, 0, sizeof *coverage);
    coverage->goals = goals;
    number_kernels(coverage);
    coverage->sorted = malloc((goals->n_combinations + 1) * sizeof *coverage->sorted);
    if (!coverage->sorted) exit(2);
    for (size_t i = 0; i < goals->n_combinations; i++)
        coverage->sorted[i] = i;
    sorting = goals;
    qsort(coverage->sorted, goals->n_combinations, sizeof *coverage->sorted, by_key);
    coverage->combinations = shared(goals->n_combinations * sizeof(fuzz_count));
    coverage->kernels = shared(coverage->n_kernels * sizeof(fuzz_count));
    coverage->splits = shared(SPLITS * sizeof(fuzz_count));
    coverage->pairs = shared(sizeof *coverage->pairs * FUZZ_TRAITS);
}

void fuzz_coverage_free(struct fuzz_coverage *coverage) {
    munmap(coverage->combinations, coverage->goals->n_combinations * sizeof(fuzz_count) + 1);
    munmap(coverage->kernels, coverage->n_kernels * sizeof(fuzz_count) + 1);
    munmap(coverage->splits, SPLITS * sizeof(fuzz_count) + 1);
    munmap(coverage->pairs, sizeof *coverage->pairs * FUZZ_TRAITS + 1);
    free(coverage->sorted);
}

/* ---- Counting ---- */

static void count(fuzz_count *counter) {
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

static uint32_t value_of(const fuzz_count *counter) {
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static const struct gk_entry *entry_of(const struct gasket_plan *plan) {
    const struct gk_catalog *catalog = &plan->context->catalog;
    size_t i = 0;
    while (catalog->entries[i].operation != plan->problem.operation)
        i++;
    return &catalog->entries[i];
}

void fuzz_count_case(struct fuzz_coverage *coverage, const struct gasket_plan *plan) {
    /* Contexts have catalogs of their own; goals name the entries of one. */
    size_t entry = (size_t)(entry_of(plan) - plan->context->catalog.entries);
    uint64_t key = key_of(&coverage->goals->catalog->entries[entry], &plan->form.combination);
    size_t at = find(coverage, key);
    if (at < coverage->goals->n_combinations) count(&coverage->combinations[at]);
}

static void count_kernel(struct fuzz_coverage *coverage, const struct gasket_plan *plan,
                         const struct gasket_kernel *kernel, enum fuzz_stride_class strides) {
    if (!kernel) return;
    const struct gk_combination *c = &plan->form.combination;
    const int traits[FUZZ_TRAITS] = {(int)c->value,  (int)c->index, strategy_number(coverage, kernel->strategy),
                                     (int)c->bounds, (int)strides,  kernel->isa};
    count(&coverage->kernels[kernel - coverage->first]);
    for (int a = 0; a < FUZZ_TRAITS; a++)
        for (int b = a + 1; b < FUZZ_TRAITS; b++)
            count(&coverage->pairs[a][b][traits[a]][traits[b]]);
}

void fuzz_count_variant(struct fuzz_coverage *coverage, const struct gasket_plan *plan,
                        const struct fuzz_variant *variant, enum fuzz_stride_class strides) {
    count_kernel(coverage, plan, variant->resolve, strides);
    count_kernel(coverage, plan, variant->rows, strides);
    count_kernel(coverage, plan, variant->fused, strides);
    count(&coverage->splits[variant->split]);
}

static enum fuzz_stride_class class_of(const struct fuzz_buffer *buffer) {
    const DLTensor *view = &buffer->view;
    enum fuzz_stride_class class = FUZZ_COMPACT;
    int64_t step = 1, previous = 0;
    for (int d = view->ndim - 1; view->strides && d >= 0; d--) {
        int64_t stride = view->strides[d];
        enum fuzz_stride_class found = stride == 0         ? FUZZ_ZERO
                                       : stride < 0        ? FUZZ_NEGATIVE
                                       : stride < previous ? FUZZ_PERMUTED
                                       : stride != step    ? FUZZ_PADDED
                                                           : FUZZ_COMPACT;
        if (view->shape[d] == 1) continue;
        if (found > class) class = found;
        previous = stride;
        step = stride * view->shape[d];
    }
    if (class != FUZZ_COMPACT) return class;
    uintptr_t alignment = view->dtype.bits < 8 ? 1 : view->dtype.bits / 8u;
    if ((uintptr_t)view->data % alignment != 0) return FUZZ_ODD;
    return view->byte_offset != 0 ? FUZZ_OFFSET : FUZZ_COMPACT;
}

enum fuzz_stride_class fuzz_stride_class(const struct fuzz_call *call) {
    enum fuzz_stride_class class = FUZZ_COMPACT;
    for (int t = 0; t < GASKET_MAX_TENSORS; t++) {
        if (!call->tensors[t].is_given) continue;
        enum fuzz_stride_class found = class_of(&call->tensors[t]);
        if (found > class) class = found;
    }
    return class;
}

/* ---- Telling ---- */

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

/* Calls `each` with the text and count of all that is counted but pairs. */
static void each_count(const struct fuzz_coverage *coverage,
                       void (*each)(void *user, const char *kind, const char *name, uint32_t n), void *user) {
    const struct fuzz_goals *goals = coverage->goals;
    char text[GK_TEXT];
    for (size_t i = 0; i < goals->n_combinations; i++)
        each(user, "combination", fuzz_combination_text(text, &goals->combinations[i]),
             value_of(&coverage->combinations[i]));
    for (size_t i = 0; i < goals->n_kernels; i++)
        each(user, "kernel", goals->kernels[i]->name,
             value_of(&coverage->kernels[goals->kernels[i] - coverage->first]));
    for (int i = 0; goals->n_kernels > 0 && i < SPLITS; i++)
        each(user, "split", fuzz_split_names[i], value_of(&coverage->splits[i]));
}

/* Pairs that no kernel can have (a string that is multiplied, avx2 with a strategy that has none) are counted among
 * all: nothing here says which those are. */
static void each_pair(const struct fuzz_coverage *coverage,
                      void (*each)(void *user, const char *kind, const char *name, uint32_t n), void *user) {
    for (int a = 0; a < FUZZ_TRAITS; a++)
        for (int b = a + 1; b < FUZZ_TRAITS; b++)
            for (int i = 0; i < FUZZ_TRAIT_VALUES * FUZZ_TRAIT_VALUES; i++) {
                int left = i / FUZZ_TRAIT_VALUES, right = i % FUZZ_TRAIT_VALUES;
                const char *first = trait_text(coverage, (enum fuzz_trait)a, left);
                const char *second = trait_text(coverage, (enum fuzz_trait)b, right);
                char text[GK_TEXT];
                if (!first || !second) continue;
                snprintf(text, sizeof text, "%s %s", first, second);
                each(user, "pair", text, value_of(&coverage->pairs[a][b][left][right]));
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

struct fuzz_covered fuzz_coverage_sum(const struct fuzz_coverage *coverage, uint32_t times) {
    struct fuzz_covered sum = {.least = UINT32_MAX};
    struct summing summing = {&sum, times > 0 ? times : 1};
    each_count(coverage, add_count, &summing);
    summing.times = 1;
    each_pair(coverage, add_count, &summing);
    return sum;
}

static void write_count(void *user, const char *kind, const char *name, uint32_t n) {
    fprintf(user, "%s\t%u\t%s\n", kind, n, name);
}

void fuzz_coverage_write(const struct fuzz_coverage *coverage, FILE *file) {
    each_count(coverage, write_count, file);
    each_pair(coverage, write_count, file);
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
}
