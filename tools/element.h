/* element: one value between text and storage. */
#ifndef TOOL_ELEMENT_H
#define TOOL_ELEMENT_H

#include <gasket/gasket.h>

#include "failure.h"

/* Values as they stand in a literal. */
enum tool_value_kind {
    TOOL_VALUE_WHOLE,
    TOOL_VALUE_REAL,
    TOOL_VALUE_COMPLEX,
    TOOL_VALUE_BOOL,
    TOOL_VALUE_TEXT,
    TOOL_VALUE_KINDS
};
struct tool_value {
    enum tool_value_kind kind;
    const char *begin, *end;      /* as written, with the quotes of a text */
    const char *real, *imaginary; /* where these parts begin, or NULL: they are 0 */
};

/* Reads one value at `text` and returns what follows it, or NULL where there is none. */
const char *tool_value_scan(const char *text, struct tool_value *value);

/* Stores the value as element `i` of the type. Not for texts. TOOL_MISUSED where it is not one of the type's values. */
int tool_value_store(const struct tool_value *value, DLDataType type, void *data, int64_t i,
                     struct tool_failure *failure);

/* Decodes a quoted text to `bytes` (room for the literal) and returns how many there are, or -1 on a wrong escape. */
int64_t tool_value_decode(const struct tool_value *value, char *bytes);

/* Element `i` as text, short and exact: reading it back gives the same bits (but of NaN). Long strings are cut. */
enum { TOOL_ELEMENT_TEXT = 320 };
const char *tool_element_text(char text[TOOL_ELEMENT_TEXT], DLDataType type, const void *data, int64_t i);

/* Half precision and bfloat16, rounded to nearest even. */
double tool_double_of_f16(uint16_t bits);
double tool_double_of_bf16(uint16_t bits);
uint16_t tool_f16_of_double(double value);
uint16_t tool_bf16_of_double(double value);

#endif
