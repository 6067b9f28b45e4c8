/* line: a call, and the variant that runs it, as one line of text that stands alone:
 *     OPERATION NAME=VALUE... | seed=N VARIANT
 * A tensor is dtype[shape]{strides}@byte_offset+skew:HEX, skew with a '<' before it where the guard page comes before
 * the buffer. HEX are all bytes from the data pointer on (strings: one hex word for each slot, with dots between); an
 * output has none, but #BYTES. %SLABxFAR before them: they are slabs of SLAB bytes, FAR apart. "in_place=NAME" says
 * which input is the output's memory, "legal=1" that an INVALID_ARGUMENT would be a fault. */
#ifndef FUZZ_LINE_H
#define FUZZ_LINE_H

#include <stdio.h>

#include "call.h"
#include "variant.h"

/* `variant` may be NULL. */
void fuzz_line_write(FILE *file, const struct fuzz_call *call, const struct fuzz_variant *variant);

/* Reads into a call whose pool is set. Returns 0; 1 where the line names no variant, and 2 with a message in `error`
 * where it can not be read. */
enum { FUZZ_LINE_READ, FUZZ_LINE_WITHOUT_VARIANT, FUZZ_LINE_WRONG };
int fuzz_line_read(const char *line, const struct gk_catalog *catalog, struct fuzz_call *call,
                   struct fuzz_variant *variant, char error[FUZZ_VARIANT_TEXT]);

/* The elements of a tensor in row-major order, from bytes that begin as its buffer does, as a compact tensor. */
void fuzz_line_write_compact(FILE *file, const struct fuzz_buffer *buffer, const char *bytes);

#endif
