/* call_text: a problem as a line that the command reads: "gather params=f32[1000,64] indices=i64[32] axis=0". */
#ifndef GK_CALL_TEXT_H
#define GK_CALL_TEXT_H

#include "formula/writer.h"
#include "problem.h"

/* Tensors are written as type[shape]{strides}@byte_offset, the last two where they say something. An operation that is
 * not of the default set is written as its formula, with the ranks that the call has. */
void gk_call_write(struct gk_writer *writer, const struct gk_problem *problem);

#endif
