/* explain: the verb that says what a run would do. */
#include <stdio.h>
#include <stdlib.h>

#include "call.h"
#include "jit.h"
#include "json.h"
#include "stage.h"

static char *whole_story(const gasket_plan *plan, struct tool_failure *failure) {
    size_t length = 0;
    enum gasket_status status = gasket_plan_explain(plan, NULL, 0, &length);
    char *text = status ? NULL : malloc(length + 1);
    if (!text || gasket_plan_explain(plan, text, length + 1, NULL) != GASKET_OK) {
        tool_fail(failure, "the plan can not be explained: %s", status ? gasket_status_name(status) : "no memory");
        free(text);
        return NULL;
    }
    return text;
}

static void print_json(const struct tool_call *call, const char *story) {
    struct gasket_report report;
    struct tool_json json = tool_json_begin(stdout);
    tool_json_open(&json, NULL, '{');
    tool_call_json(call, &json, &report);
    tool_json_integer(&json, "output_bytes", report.output_bytes);
    tool_jit_json(&json, &report);
    tool_json_text(&json, "text", story);
    tool_json_close(&json, '}');
}

static int tell(const struct tool_call *call, const struct tool_command *command, struct tool_failure *failure) {
    char *story = whole_story(call->plan, failure);
    if (!story) {
        return TOOL_FAILED;
    }
    if (command->json) {
        print_json(call, story);
    } else {
        fputs(story, stdout);
    }
    free(story);
    return TOOL_DONE;
}

/* A command ends before a compilation in the background would: the kernel is compiled first, unless that is turned off.
 * Where it can not be, the story tells why. A stage is always asked for on purpose. */
int tool_explain(const struct tool_command *command, struct tool_failure *failure) {
    struct tool_call call;
    struct tool_arguments arguments = {0};
    struct tool_command wish = *command;
    wish.jit = command->stage && !command->jit ? "async" : command->jit;
    int outcome = tool_call_open(&call, &wish, NULL, failure);
    if (!outcome) {
        outcome = tool_arguments_read(&arguments, call.session.context, command, failure);
    }
    if (!outcome) {
        outcome = tool_call_plan(&call, &arguments, 0, failure);
    }
    if (!outcome && command->stage) {
        outcome = tool_stage_print(&call, command, failure);
    } else if (!outcome) {
        (void)gasket_plan_prepare(call.plan);
        outcome = tell(&call, command, failure);
    }
    tool_call_close(&call);
    tool_arguments_free(&arguments);
    return outcome;
}
