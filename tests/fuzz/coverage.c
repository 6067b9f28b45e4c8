/* coverage: see coverage.h. */
#include "coverage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- Keys of combinations ---- */

static uint64_t key_of(const struct gasket_operation *operation, const struct gk_combination *c) {
    uint64_t key = (uint64_t)(uintptr_t)operation;
    const int fields[] = {(int)c->value, (int)c->index, (int)c->combine, c->depth, c->axis, c->batch, (int)c->bounds};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        key = key * 37 + (uint64_t)(fields[i] + 1);
    return key;
}

static int by_key(const void *a, const void *b) {
    const struct fuzz_keyed *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* ---- Making ---- */

static void *shared(size_t bytes) {
    void *memory = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) exit(2);
    return memory;
}

/* The number of a strategy, new ones the next. */
static int strategy_number(struct fuzz_coverage *coverage, const char *name) {
    int i = 0;
    while (i < coverage->n_strategies && strcmp(coverage->strategies[i], name) != 0)
        i++;
    if (i == FUZZ_TRAIT_VALUES) exit(2);
    coverage->strategies[i] = name;
    if (i == coverage->n_strategies) coverage->n_strategies++;
    return i;
}

static void number_kernels(struct fuzz_coverage *coverage) {
    const struct gk_catalog *catalog = coverage->goals->catalog;
    const struct gasket_kernel *last = coverage->first = catalog->kernels[0];
    for (size_t i = 0; i < catalog->n_kernels; i++) {
        if (catalog->kernels[i] < coverage->first) coverage->first = catalog->kernels[i];
        if (catalog->kernels[i] > last) last = catalog->kernels[i];
    }
    coverage->n_kernels = (size_t)(last - coverage->first) + 1;
    coverage->strategy_of = calloc(coverage->n_kernels, 1);
    if (!coverage->strategy_of) exit(2);
    for (size_t i = 0; i < catalog->n_kernels; i++)
        coverage->strategy_of[catalog->kernels[i] - coverage->first] =
            (uint8_t)strategy_number(coverage, catalog->kernels[i]->strategy);
}

void fuzz_coverage_make(struct fuzz_coverage *coverage, const struct fuzz_goals *goals) {
    memset(coverage, 0, sizeof *coverage);
    coverage->goals = goals;
    number_kernels(coverage);
    coverage->sorted = malloc((goals->n_combinations + 1) * sizeof *coverage->sorted);
    if (!coverage->sorted) exit(2);
    for (size_t i = 0; i < goals->n_combinations; i++) {
        const struct fuzz_combination *of = &goals->combinations[i];
        coverage->sorted[i] = (struct fuzz_keyed){key_of(of->entry->operation, &of->combination), i};
    }
    qsort(coverage->sorted, goals->n_combinations, sizeof *coverage->sorted, by_key);
    coverage->combinations = shared(goals->n_combinations * sizeof(fuzz_count));
    coverage->kernels = shared(coverage->n_kernels * sizeof(fuzz_count));
    coverage->splits = shared(FUZZ_SPLITS * sizeof(fuzz_count));
    coverage->pairs = shared(sizeof *coverage->pairs * FUZZ_TRAITS);
    coverage->noted = shared(sizeof *coverage->noted * FUZZ_NOTED);
}

void fuzz_coverage_free(struct fuzz_coverage *coverage) {
    munmap(coverage->combinations, coverage->goals->n_combinations * sizeof(fuzz_count) + 1);
    munmap(coverage->kernels, coverage->n_kernels * sizeof(fuzz_count) + 1);
    munmap(coverage->splits, FUZZ_SPLITS * sizeof(fuzz_count) + 1);
    munmap(coverage->pairs, sizeof *coverage->pairs * FUZZ_TRAITS + 1);
    munmap(coverage->noted, sizeof *coverage->noted * FUZZ_NOTED + 1);
    free(coverage->sorted);
    free(coverage->strategy_of);
}

/* ---- Counting ---- */

static void count(fuzz_count *counter) {
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

uint32_t fuzz_count_read(const fuzz_count *counter) {
    return atomic_load_explicit(counter, memory_order_relaxed);
}

void fuzz_count_case(struct fuzz_coverage *coverage, const struct gasket_plan *plan) {
    struct fuzz_keyed wanted = {key_of(plan->problem.operation, &plan->form.combination), 0};
    const struct fuzz_keyed *found =
        bsearch(&wanted, coverage->sorted, coverage->goals->n_combinations, sizeof wanted, by_key);
    if (found) count(&coverage->combinations[found->number]);
}

void fuzz_traits(const struct fuzz_coverage *coverage, const struct gasket_kernel *kernel,
                 const struct gk_combination *c, enum fuzz_stride_class strides, int traits[FUZZ_TRAITS]) {
    traits[FUZZ_VALUE_TYPE] = (int)c->value;
    traits[FUZZ_INDEX_TYPE] = (int)c->index;
    traits[FUZZ_STRATEGY] = coverage->strategy_of[kernel - coverage->first];
    traits[FUZZ_BOUNDS] = (int)c->bounds;
    traits[FUZZ_STRIDES] = (int)strides;
    traits[FUZZ_ISA] = kernel->isa;
}

static void count_kernel(struct fuzz_coverage *coverage, const struct gasket_plan *plan,
                         const struct gasket_kernel *kernel, enum fuzz_stride_class strides) {
    if (!kernel) return;
    int traits[FUZZ_TRAITS];
    fuzz_traits(coverage, kernel, &plan->form.combination, strides, traits);
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
