/* explain: the verb that says what a run would do. */
#include <stdio.h>
#include <stdlib.h>

#include "call.h"
#include "json.h"

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

int tool_explain(const struct tool_command *command, struct tool_failure *failure) {
    struct tool_call call;
    struct tool_arguments arguments = {0};
    int outcome = tool_call_open(&call, command, NULL, failure);
    if (!outcome) {
        outcome = tool_arguments_read(&arguments, call.session.context, command, failure);
    }
    if (!outcome) {
        outcome = tool_call_plan(&call, &arguments, 0, failure);
    }
    if (!outcome) {
        outcome = tell(&call, command, failure);
    }
    tool_call_close(&call);
    tool_arguments_free(&arguments);
    return outcome;
}
