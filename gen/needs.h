/* needs: which kernels the operations of a set can use at all. */
#ifndef GK_GEN_NEEDS_H
#define GK_GEN_NEEDS_H

#include "abi/kernel.h"
#include "gen/spec.h"

struct gk_needs {
    uint32_t isas;                    /* a bit for each enum gasket_isa that was asked for */
    int has_gathers, has_tuples;      /* whether some operation gathers; has lookups that are tuples */
    uint32_t indices;                 /* types that index */
    unsigned forms;                   /* a bit for each enum gasket_resolve_form */
    uint32_t values[GASKET_COMBINES]; /* types that are scattered with each operator */
};

struct gk_needs gk_needs_of(const struct gk_specs *specs, uint32_t isas);
int gk_needs_kernel(const struct gk_needs *needs, const struct gasket_kernel *kernel);

#endif
