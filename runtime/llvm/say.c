/* say: see say.h. */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>

enum gasket_status gk_say(char *text, enum gasket_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, GK_PROVIDER_TEXT, format, arguments);
    va_end(arguments);
    for (char *at = text; *at; at++)
        if (*at == '\n') *at = ' ';
    return status;
}
