/* literal: tensors written on the command line, such as [[0,1],[2,3]]:i32. */
#ifndef TOOL_LITERAL_H
#define TOOL_LITERAL_H

#include "array.h"

/* Whether the text is meant as a literal and not as the name of a file: it begins with '[' or a quote, or is one number
 * or word (true, false, nan, inf) with an optional type. */
int tool_is_literal(const char *text);

/* A value or rectangular nested lists of values, then an optional ":type". Without a type, whole numbers are i64,
 * numbers with a point or an exponent f32, true and false bool, 1+2j c64, quoted texts strings, and an empty list is
 * i64. Types that are only moved are written as their bits in hex: [0x38]:f8_e4m3fn. `type` (may be NULL) is the type
 * where the text names none. A wrong text is TOOL_MISUSED. */
int tool_literal_read(struct tool_array *array, const char *text, const DLDataType *type, struct tool_failure *failure);

#endif
