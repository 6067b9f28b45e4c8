/* usage: the help texts. */
#ifndef TOOL_USAGE_H
#define TOOL_USAGE_H

#include <stdio.h>

#include "command.h"

void tool_usage(FILE *file);
/* Help for a verb, and for its operation if the command names one. */
int tool_help(const char *verb, const struct tool_command *command, struct tool_failure *failure);

#endif
