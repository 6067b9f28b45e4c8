/* shape: tensors without elements, written as type[shape]{strides}@byte_offset: f32[1000,64]{128,1}@256. */
#ifndef TOOL_SHAPE_H
#define TOOL_SHAPE_H

#include "array.h"

/* Whether the text begins as one: the name of a type and '['. */
int tool_is_shape(const char *text);
/* Strides count elements; without them the tensor is compact. A wrong text is TOOL_MISUSED. */
int tool_shape_read(struct tool_array *array, const char *text, struct tool_failure *failure);

#endif
