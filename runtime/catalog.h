/* catalog: the operations and kernels that a context knows: those of the default set, of registered ones, and
 * operations that were defined at run time. Entries move when one is added; operations stay where they are. */
#ifndef GK_CATALOG_H
#define GK_CATALOG_H

#include "error.h"
#include "formula/structure.h"

struct gk_entry {
    const struct gasket_operation *operation;
    struct gk_structure structure; /* valid when has_kernels */
    int has_kernels;               /* the formula has a kernel form and its set was made ahead of time for it */
    void *owned;                   /* the operation where it was defined at run time, else NULL */
};

struct gk_catalog {
    struct gk_entry *entries;
    size_t n_entries;
    const struct gasket_kernel **kernels; /* sorted by gk_kernel_identity, then in the order of the sets */
    size_t n_kernels;
};

/* Appends a set. On an error the catalog is as before. */
enum gasket_status gk_catalog_add(struct gk_catalog *catalog, const struct gasket_kernel_set *set,
                                  struct gk_error *error);
/* Appends an operation that malloc made, and owns it from then on. On an error it is still the caller's. */
enum gasket_status gk_catalog_define(struct gk_catalog *catalog, struct gasket_operation *operation,
                                     struct gk_error *error);
void gk_catalog_free(struct gk_catalog *catalog);

/* NULL, with INVALID_ARGUMENT that names the nearest operation, when there is none of that name. */
const struct gk_entry *gk_catalog_operation(const struct gk_catalog *catalog, const char *name, struct gk_error *error);

/* What a kernel computes, as a number: kernels of one identity are interchangeable where their rules allow it. */
uint64_t gk_kernel_identity(const struct gasket_kernel *kernel);

/* The kernels of an identity: kernels[*first .. result). */
size_t gk_catalog_range(const struct gk_catalog *catalog, uint64_t identity, size_t *first);

#endif
