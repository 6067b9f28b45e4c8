/* failure: how every part of the command reports what went wrong. The outcomes are the exit statuses. */
#ifndef TOOL_FAILURE_H
#define TOOL_FAILURE_H

#include <stddef.h>

enum tool_outcome { TOOL_DONE = 0, TOOL_FAILED = 1, TOOL_MISUSED = 2 };

struct tool_failure {
    char text[2048]; /* one message, without "gasket:" and without a newline */
};

/* Each sets the message and returns its outcome. */
int tool_fail(struct tool_failure *failure, const char *format, ...) __attribute__((format(printf, 2, 3)));
int tool_misuse(struct tool_failure *failure, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "there is no <kind> called <word>; did you mean <name>?", or all names where none is near. */
int tool_unknown(struct tool_failure *failure, const char *kind, const char *word, const char *const *names, size_t n);

/* The name that `word` was probably meant to be, or NULL. */
const char *tool_nearest(const char *word, const char *const *names, size_t n);

/* Puts "where: " before the message. */
void tool_locate(struct tool_failure *failure, const char *where);

#endif
