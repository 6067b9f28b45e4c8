/* cpu: which instruction sets this machine has and the operating system has enabled. */
#ifndef GK_CPU_H
#define GK_CPU_H

#include "abi/kernel.h"

const char *gk_isa_name(enum gasket_isa isa);
/* The isa called `name`, or -1. */
int gk_isa_named(const char *name);
/* NULL when usable, else a static text that says why not. */
const char *gk_isa_missing(enum gasket_isa isa);
enum gasket_isa gk_isa_best(void);

#endif
