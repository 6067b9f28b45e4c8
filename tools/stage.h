/* stage: the steps from a call-time kernel's text to its code, on standard output. */
#ifndef TOOL_STAGE_H
#define TOOL_STAGE_H

#include "call.h"

/* Prints the stage that the command asks for, and nothing else. */
int tool_stage_print(const struct tool_call *call, const struct tool_command *command, struct tool_failure *failure);

#endif
