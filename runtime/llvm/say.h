/* say: the text that goes with a status. */
#ifndef GK_LLVM_SAY_H
#define GK_LLVM_SAY_H

#include "jit/provider.h"

/* Writes it into text[GK_PROVIDER_TEXT], on one line, and returns `status`. */
enum gasket_status gk_say(char *text, enum gasket_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
