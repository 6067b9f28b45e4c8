/* name: the part of a kernel's name that says what it computes. */
#ifndef GASKET_FORMULA_NAME_H
#define GASKET_FORMULA_NAME_H

#include "formula/structure.h"
#include "formula/writer.h"

/* `row` stands where the bytes of a row are named: "4", "n", "*". */
void gk_write_what(struct gk_writer *writer, const struct gasket_kernel *kernel, const char *row);

#endif
