/* call: an operation with its arguments and its output, ready to run. */
#ifndef TOOL_CALL_H
#define TOOL_CALL_H

#include "arguments.h"
#include "json.h"
#include "session.h"

/* Owns all that it holds. The arguments may belong to another call. */
struct tool_call {
    struct tool_session session;
    const struct tool_arguments *arguments;
    struct tool_array output;
    gasket_plan *plan;
};

/* Opens a session; tool_call_close frees it, also after a failure of any of these. */
int tool_call_open(struct tool_call *call, const struct tool_command *command, const char *tier,
                   struct tool_failure *failure);
/* Makes the plan, and the output with memory for its elements if `has_data`. */
int tool_call_plan(struct tool_call *call, const struct tool_arguments *arguments, int has_data,
                   struct tool_failure *failure);
int tool_call_run(struct tool_call *call, struct tool_failure *failure);
void tool_call_close(struct tool_call *call);
/* Writes what the plan's report says, up to its threads; *report gets it. */
void tool_call_json(const struct tool_call *call, struct tool_json *json, struct gasket_report *report);

/* "f32 [2,3]" of the output. */
const char *tool_call_output_text(const struct tool_call *call, char text[TOOL_SHAPE_TEXT]);

#endif
