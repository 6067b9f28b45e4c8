/* compile: a template and its knobs to LLVM's IR, assembly or an object. */
#ifndef GK_LLVM_COMPILE_H
#define GK_LLVM_COMPILE_H

#include "library.h"
#include "templates.h"

/* All stages but the source. Prints nothing; whatever LLVM says of errors goes into `text`. */
enum gasket_status gk_llvm_compile(struct gk_llvm *llvm, const struct gk_template *from,
                                   const struct gk_compilation *compilation, gk_take_fn *take, void *user, char *text);

#endif
