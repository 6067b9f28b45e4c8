/* stage: see stage.h. */
#include "stage.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void take(void *user, const void *bytes, size_t n) {
    fwrite(bytes, 1, n, user);
}

int tool_stage_print(const struct tool_call *call, const struct tool_command *command, struct tool_failure *failure) {
    const enum gasket_stage stage = (enum gasket_stage)(command->stage - 1);
    struct gasket_report report;
    if (stage == GASKET_STAGE_OBJECT && isatty(STDOUT_FILENO)) {
        return tool_fail(failure, "an object file is nothing for a terminal: write it to a file, as in > kernel.o");
    }
    enum gasket_status status = gasket_plan_stage(call->plan, stage, take, stdout);
    gasket_plan_report(call->plan, &report);
    if (status && strcmp(report.tier, "exact") == 0 && !command->tier) {
        return tool_fail(failure, "%s: an exact ahead-of-time kernel serves the call; --tier jit compiles one instead",
                         report.operation);
    }
    return status ? tool_fail(failure, "%s", gasket_message(call->session.context)) : TOOL_DONE;
}
