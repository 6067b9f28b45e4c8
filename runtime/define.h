/* define: an operation from the texts of a definition. */
#ifndef GK_DEFINE_H
#define GK_DEFINE_H

#include "abi/operation.h"
#include "error.h"

/* The operation with its texts, one piece of memory for free(); NULL with *error set. */
struct gasket_operation *gk_define(const struct gasket_definition *definition, struct gk_error *error);

#endif
