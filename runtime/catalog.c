/* catalog: see catalog.h. */
#include "catalog.h"

#include <stdlib.h>
#include <string.h>

#include "formula/nearest.h"

uint64_t gk_kernel_identity(const struct gasket_kernel *kernel) {
    uint64_t kind = (uint64_t)kernel->kind << 32;
    switch ((enum gasket_kernel_kind)kernel->kind) {
        case GASKET_RESOLVE:
        case GASKET_FUSED:
        case GASKET_CHECK:
            return kind | (uint64_t)kernel->index_dtype << 8 | kernel->form;
        case GASKET_REDUCE:
            return kind | (uint64_t)kernel->value_dtype << 16 | (uint64_t)kernel->combine << 8 | kernel->nan_propagates;
        case GASKET_MOVE:
        case GASKET_PLACE:
            break;
    }
    return kind;
}

/* Kernels of one identity lie in one array per set, so their addresses keep the order of the table within it; sets keep
 * the order of registration by the merge below being stable. */
static void sort_kernels(const struct gasket_kernel **kernels, size_t n) {
    for (size_t i = 1; i < n; i++) {
        const struct gasket_kernel *kernel = kernels[i];
        uint64_t identity = gk_kernel_identity(kernel);
        size_t low = 0, high = i;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (gk_kernel_identity(kernels[middle]) <= identity)
                low = middle + 1;
            else
                high = middle;
        }
        memmove(kernels + low + 1, kernels + low, (i - low) * sizeof *kernels);
        kernels[low] = kernel;
    }
}

static int knows(const struct gk_catalog *catalog, const char *name) {
    for (size_t i = 0; i < catalog->n_entries; i++)
        if (strcmp(catalog->entries[i].operation->name, name) == 0) return 1;
    return 0;
}

static enum gasket_status check_set(const struct gk_catalog *catalog, const struct gasket_kernel_set *set,
                                    struct gk_error *error) {
    if (!set) return gk_fail(error, GASKET_INVALID_ARGUMENT, "the kernel set is NULL");
    if (set->abi_version != GASKET_ABI_VERSION)
        return gk_fail(error, GASKET_INVALID_ARGUMENT,
                       "kernel set '%s' was generated for kernel ABI %u, this library has ABI %d", set->name,
                       set->abi_version, GASKET_ABI_VERSION);
    for (size_t i = 0; i < set->n_operations; i++)
        if (knows(catalog, set->operations[i].name))
            return gk_fail(error, GASKET_INVALID_ARGUMENT, "kernel set '%s': operation '%s' is there already",
                           set->name, set->operations[i].name);
    return GASKET_OK;
}

static struct gk_entry make_entry(const struct gasket_operation *operation) {
    struct gk_entry entry = {.operation = operation};
    entry.has_kernels = operation->ahead_of_time && gk_formula_structure(&operation->formula, &entry.structure) == 0;
    return entry;
}

static void replace_lists(struct gk_catalog *catalog, struct gk_catalog lists) {
    free(catalog->entries);
    free(catalog->kernels);
    *catalog = lists;
}

enum gasket_status gk_catalog_add(struct gk_catalog *catalog, const struct gasket_kernel_set *set,
                                  struct gk_error *error) {
    enum gasket_status status = check_set(catalog, set, error);
    if (status) return status;
    size_t n_entries = catalog->n_entries + set->n_operations, n_kernels = catalog->n_kernels + set->n_kernels;
    struct gk_entry *entries = malloc((n_entries + 1) * sizeof *entries);
    const struct gasket_kernel **kernels = malloc((n_kernels + 1) * sizeof *kernels);
    if (!entries || !kernels) {
        free(entries);
        free(kernels);
        return gk_fail(error, GASKET_OUT_OF_MEMORY, "no memory for kernel set '%s'", set->name);
    }
    for (size_t i = 0; i < catalog->n_entries; i++)
        entries[i] = catalog->entries[i];
    for (size_t i = 0; i < set->n_operations; i++)
        entries[catalog->n_entries + i] = make_entry(&set->operations[i]);
    for (size_t i = 0; i < catalog->n_kernels; i++)
        kernels[i] = catalog->kernels[i];
    for (size_t i = 0; i < set->n_kernels; i++)
        kernels[catalog->n_kernels + i] = &set->kernels[i];
    sort_kernels(kernels, n_kernels);
    replace_lists(catalog, (struct gk_catalog){entries, n_entries, kernels, n_kernels});
    return GASKET_OK;
}

enum gasket_status gk_catalog_define(struct gk_catalog *catalog, struct gasket_operation *operation,
                                     struct gk_error *error) {
    if (knows(catalog, operation->name))
        return gk_fail(error, GASKET_INVALID_ARGUMENT, "operation '%s' is there already", operation->name);
    struct gk_entry *entries = realloc(catalog->entries, (catalog->n_entries + 1) * sizeof *entries);
    if (!entries) return gk_fail(error, GASKET_OUT_OF_MEMORY, "no memory for operation '%s'", operation->name);
    entries[catalog->n_entries] = make_entry(operation);
    entries[catalog->n_entries++].owned = operation;
    catalog->entries = entries;
    return GASKET_OK;
}

void gk_catalog_free(struct gk_catalog *catalog) {
    for (size_t i = 0; i < catalog->n_entries; i++)
        free(catalog->entries[i].owned);
    replace_lists(catalog, (struct gk_catalog){NULL, 0, NULL, 0});
}

const struct gk_entry *gk_catalog_operation(const struct gk_catalog *catalog, const char *name,
                                            struct gk_error *error) {
    enum { MOST = 64 };
    const char *names[MOST];
    size_t n = 0;
    for (size_t i = 0; i < catalog->n_entries; i++) {
        const char *known = catalog->entries[i].operation->name;
        if (name && strcmp(known, name) == 0) return &catalog->entries[i];
        if (n < MOST) names[n++] = known;
    }
    const char *nearest = name ? gk_nearest(name, names, n) : NULL;
    gk_fail(error, GASKET_INVALID_ARGUMENT, "there is no operation '%s'%s%s%s", name ? name : "(NULL)",
            nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return NULL;
}

static size_t first_not_below(const struct gk_catalog *catalog, uint64_t identity) {
    size_t low = 0, high = catalog->n_kernels;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (gk_kernel_identity(catalog->kernels[middle]) < identity)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t gk_catalog_range(const struct gk_catalog *catalog, uint64_t identity, size_t *first) {
    *first = first_not_below(catalog, identity);
    return first_not_below(catalog, identity + 1);
}
