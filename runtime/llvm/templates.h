/* templates: the texts that kernels are made of, and their bitcode, inside this file. */
#ifndef GK_LLVM_TEMPLATES_H
#define GK_LLVM_TEMPLATES_H

#include <stddef.h>

#include "abi/kernel.h"

struct gk_template {
    const char *name;
    enum gasket_isa level;
    const char *bitcode, *bitcode_end;
    const char *text, *text_end;
};

/* The text of the level, or of the next lower one that was built; NULL when there is none. */
const struct gk_template *gk_template_find(const char *name, enum gasket_isa level);

#endif
