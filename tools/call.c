/* call: the steps that run and explain share. */
#include "call.h"

#include <string.h>

#include "types.h"

static int report(const struct tool_call *call, enum gasket_status status, struct tool_failure *failure) {
    const char *message = gasket_message(call->session.context);
    return tool_fail(failure, "%s", *message ? message : gasket_status_name(status));
}

int tool_call_open(struct tool_call *call, const struct tool_command *command, const char *tier,
                   struct tool_failure *failure) {
    memset(call, 0, sizeof *call);
    return tool_session_open(&call->session, command, tier, failure);
}

/* The output's type and shape follow from the arguments. */
static int make_output(struct tool_call *call, int has_data, struct tool_failure *failure) {
    struct gasket_shape shape;
    const struct tool_arguments *a = call->arguments;
    enum gasket_status status = gasket_infer(call->session.context, a->operation.name, a->list, a->n, &shape);
    if (status) {
        return report(call, status, failure);
    }
    if (a->output.tensor.shape) {
        const DLTensor *given = &a->output.tensor;
        tool_array_shape(&call->output, given->dtype, given->ndim, given->shape);
        call->output.tensor.strides = given->strides;
        call->output.tensor.byte_offset = given->byte_offset;
        return has_data ? tool_misuse(failure, "%s: a run makes its result itself", a->operation.parameters[0].name)
                        : TOOL_DONE;
    }
    if (has_data) {
        return tool_array_allocate(&call->output, shape.dtype, shape.ndim, shape.shape, failure);
    }
    tool_array_shape(&call->output, shape.dtype, shape.ndim, shape.shape);
    return TOOL_DONE;
}

int tool_call_plan(struct tool_call *call, const struct tool_arguments *arguments, int has_data,
                   struct tool_failure *failure) {
    call->arguments = arguments;
    int outcome = make_output(call, has_data, failure);
    if (outcome) {
        return outcome;
    }
    arguments->list[arguments->n] = gasket_tensor(arguments->operation.parameters[0].name, &call->output.tensor);
    enum gasket_status status = gasket_plan_create(call->session.context, arguments->operation.name, arguments->list,
                                                   arguments->n + 1, &call->plan);
    return status ? report(call, status, failure) : TOOL_DONE;
}

int tool_call_run(struct tool_call *call, struct tool_failure *failure) {
    enum gasket_status status = gasket_plan_run(call->plan, NULL, 0);
    return status ? report(call, status, failure) : TOOL_DONE;
}

void tool_call_close(struct tool_call *call) {
    gasket_plan_destroy(call->plan);
    tool_session_close(&call->session);
    tool_array_free(&call->output);
}

const char *tool_call_output_text(const struct tool_call *call, char text[TOOL_SHAPE_TEXT]) {
    const DLTensor *tensor = &call->output.tensor;
    return tool_shape_text(text, tensor->dtype, tensor->ndim, tensor->shape);
}

void tool_call_json(const struct tool_call *call, struct tool_json *json, struct gasket_report *report) {
    const DLTensor *output = &call->output.tensor;
    gasket_plan_report(call->plan, report);
    tool_json_text(json, "op", report->operation);
    tool_json_integers(json, "shape", output->ndim, output->shape);
    tool_json_text(json, "dtype", gasket_type_name(output->dtype));
    tool_json_text(json, "tier", report->tier);
    tool_json_text(json, "kernel", report->kernel);
    tool_json_text(json, "isa", report->isa);
    tool_json_integer(json, "threads", report->threads);
}
