/* source: a kernel as C. */
#ifndef GK_LLVM_SOURCE_H
#define GK_LLVM_SOURCE_H

#include "jit/provider.h"
#include "templates.h"

/* The knobs as the definition of a constant, then the template's text: a C compiler makes the kernel of it. */
enum gasket_status gk_source(const struct gk_template *from, const struct gk_compilation *compilation, gk_take_fn *take,
                             void *user, char *text);

#endif
