/* failure: messages, and the guess at what a wrong word was meant to be. */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int tool_fail(struct tool_failure *failure, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    return TOOL_FAILED;
}

int tool_misuse(struct tool_failure *failure, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    return TOOL_MISUSED;
}

void tool_locate(struct tool_failure *failure, const char *where) {
    char whole[sizeof failure->text];
    int room = (int)sizeof whole / 2;
    snprintf(whole, sizeof whole, "%.*s: %.*s", room - 2, where, room - 1, failure->text);
    memcpy(failure->text, whole, sizeof whole);
}

/* ---- Distance of words: insertions, deletions, replacements and swaps of neighbours ---- */

enum { LONGEST_WORD = 32 };

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t distance(const char *a, const char *b) {
    size_t rows = strlen(a), columns = strlen(b);
    size_t d[LONGEST_WORD + 1][LONGEST_WORD + 1];
    if (rows > LONGEST_WORD || columns > LONGEST_WORD) {
        return rows + columns;
    }
    for (size_t i = 0; i <= rows; i++) {
        d[i][0] = i;
    }
    for (size_t j = 0; j <= columns; j++) {
        d[0][j] = j;
    }
    for (size_t i = 1; i <= rows; i++) {
        for (size_t j = 1; j <= columns; j++) {
            int same = a[i - 1] == b[j - 1];
            d[i][j] = smaller(smaller(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + !same);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[rows][columns];
}

const char *tool_nearest(const char *word, const char *const *names, size_t n) {
    const char *nearest = NULL;
    size_t limit = strlen(word) / 3 + 1, least = limit + 1;
    for (size_t i = 0; i < n; i++) {
        size_t far = distance(word, names[i]);
        if (far < least && far < strlen(names[i])) {
            nearest = names[i];
            least = far;
        }
    }
    return nearest;
}

int tool_unknown(struct tool_failure *failure, const char *kind, const char *word, const char *const *names, size_t n) {
    const char *nearest = tool_nearest(word, names, n);
    if (nearest) {
        return tool_misuse(failure, "there is no %s called '%.64s'; did you mean '%s'?", kind, word, nearest);
    }
    tool_misuse(failure, "there is no %s called '%.64s'; there %s", kind, word, n == 1 ? "is" : "are");
    size_t used = strlen(failure->text);
    for (size_t i = 0; i < n && used < sizeof failure->text; i++) {
        int more = snprintf(failure->text + used, sizeof failure->text - used, "%s %s", i ? "," : "", names[i]);
        used += more > 0 ? (size_t)more : 0;
    }
    return TOOL_MISUSED;
}
