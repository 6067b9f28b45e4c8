/* utf8: telling text from other bytes. */
#ifndef TOOL_UTF8_H
#define TOOL_UTF8_H

#include <stddef.h>

/* Bytes of the well-formed UTF-8 character at `text` (1 to 4), or 0 where there is none. */
size_t tool_utf8_length(const char *text, size_t available);

#endif
