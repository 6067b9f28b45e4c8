/* run: the verb that runs an operation, measures it, checks it and delivers the result. */
#include <stdio.h>
#include <stdlib.h>

#include "call.h"
#include "compare.h"
#include "json.h"
#include "npy.h"
#include "print.h"
#include "progress.h"

struct result {
    double median, least; /* seconds */
    int is_checked, is_equal;
};

/* ---- Running and measuring ---- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int run_once(struct tool_call *call, double *seconds, struct tool_failure *failure) {
    tool_pool_empty(&call->session.pool);
    double start = tool_seconds();
    int outcome = tool_call_run(call, failure);
    *seconds = tool_seconds() - start;
    return outcome;
}

/* One run, or one to warm up and then `repeat` that count. */
static int measure(struct tool_call *call, int repeat, struct result *result, struct tool_failure *failure) {
    struct tool_progress progress;
    double ignored, *seconds = calloc((size_t)repeat, sizeof *seconds);
    if (!seconds) {
        return tool_fail(failure, "no memory for %d times", repeat);
    }
    tool_progress_start(&progress, "running", repeat > 1 ? repeat : 0);
    int outcome = repeat > 1 ? run_once(call, &ignored, failure) : TOOL_DONE;
    for (int i = 0; i < repeat && !outcome; i++) {
        outcome = run_once(call, &seconds[i], failure);
        progress.done++;
    }
    tool_progress_stop(&progress);
    qsort(seconds, (size_t)repeat, sizeof *seconds, by_size);
    result->least = seconds[0];
    result->median = (seconds[(repeat - 1) / 2] + seconds[repeat / 2]) / 2;
    free(seconds);
    return outcome;
}

/* What is measured is the operation and not the disk. */
static int load_inputs(struct tool_arguments *arguments, struct tool_failure *failure) {
    int outcome = TOOL_DONE;
    for (size_t i = 0; i < arguments->n && !outcome; i++) {
        outcome = tool_array_load(&arguments->operands[i].array, failure);
    }
    return outcome;
}

/* The same call by the interpreter, in a context of its own. */
static int check(const struct tool_call *call, const struct tool_command *command, struct result *result,
                 struct tool_failure *failure) {
    struct tool_call oracle;
    struct tool_progress progress;
    int outcome = tool_call_open(&oracle, command, "interpreter", failure);
    outcome = outcome ? outcome : tool_call_plan(&oracle, call->arguments, 1, failure);
    tool_progress_start(&progress, "checking with the interpreter", 0);
    outcome = outcome ? outcome : tool_call_run(&oracle, failure);
    tool_progress_stop(&progress);
    if (!outcome) {
        result->is_checked = 1;
        outcome = tool_compare(&call->output.tensor, &oracle.output.tensor, failure);
        result->is_equal = !outcome;
    }
    tool_call_close(&oracle);
    return outcome;
}

/* ---- Telling ---- */

static void print_json(const struct tool_call *call, const struct tool_command *command, const struct result *result) {
    struct gasket_report report;
    struct tool_json json = tool_json_begin(stdout);
    tool_json_open(&json, NULL, '{');
    tool_call_json(call, &json, &report);
    tool_json_integer(&json, "repeat", command->repeat);
    tool_json_real(&json, "seconds_median", result->median);
    tool_json_real(&json, "seconds_min", result->least);
    tool_json_integer(&json, "output_bytes", report.output_bytes);
    if (result->is_checked) {
        tool_json_bool(&json, "checked", result->is_equal);
    }
    tool_json_close(&json, '}');
}

static void print_time(FILE *file, double seconds) {
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}};
    int u = seconds >= 1.0 ? 0 : seconds >= 1e-3 ? 1 : 2;
    fprintf(file, "%.3f %s", seconds / units[u].unit, units[u].name);
}

static void print_facts(const struct tool_call *call, const struct tool_command *command, const struct result *result) {
    char arguments[1024], shape[TOOL_SHAPE_TEXT];
    struct gasket_report report;
    gasket_plan_report(call->plan, &report);
    tool_arguments_text(call->arguments, arguments, sizeof arguments);
    fprintf(stderr, "%s: %s -> %s\n", report.operation, arguments, tool_call_output_text(call, shape));
    fprintf(stderr, "kernel: %s (%s tier, %s, %d thread%s)\n", report.kernel, report.tier, report.isa, report.threads,
            report.threads == 1 ? "" : "s");
    fputs("time: ", stderr);
    print_time(stderr, result->median);
    if (command->repeat > 1) {
        fputs(" median, ", stderr);
        print_time(stderr, result->least);
        fprintf(stderr, " least of %d runs", command->repeat);
    }
    if (result->median > 0) {
        fprintf(stderr, "; %.3g GB/s of output", (double)report.output_bytes / result->median * 1e-9);
    }
    fprintf(stderr, "\n%s", result->is_checked ? "check: equal to the interpreter, bit for bit\n" : "");
}

/* ---- The verb ---- */

static int deliver(const struct tool_call *call, const struct tool_command *command, const struct result *result,
                   struct tool_failure *failure) {
    int outcome = command->output ? tool_npy_write(command->output, &call->output.tensor, failure) : TOOL_DONE;
    if (outcome) {
        return outcome;
    }
    if (command->verbose || (!command->json && (command->check || command->repeat > 1))) {
        print_facts(call, command, result);
    }
    if (command->json) {
        print_json(call, command, result);
    } else if (!command->output) {
        tool_print_tensor(stdout, &call->output.tensor);
    }
    return TOOL_DONE;
}

static int run_and_deliver(struct tool_call *call, struct tool_arguments *arguments, const struct tool_command *command,
                           struct tool_failure *failure) {
    struct result result = {0};
    int outcome = command->repeat > 1 ? load_inputs(arguments, failure) : TOOL_DONE;
    outcome = outcome ? outcome : tool_call_plan(call, arguments, 1, failure);
    outcome = outcome ? outcome : measure(call, command->repeat, &result, failure);
    if (!outcome && command->check) {
        outcome = check(call, command, &result, failure);
        if (outcome && result.is_checked && command->json) {
            print_json(call, command, &result);
        }
    }
    return outcome ? outcome : deliver(call, command, &result, failure);
}

int tool_run(const struct tool_command *command, struct tool_failure *failure) {
    struct tool_call call;
    struct tool_arguments arguments = {0};
    int outcome = tool_call_open(&call, command, NULL, failure);
    if (!outcome) {
        outcome = tool_arguments_read(&arguments, call.session.context, command, failure);
    }
    if (!outcome) {
        outcome = run_and_deliver(&call, &arguments, command, failure);
    }
    tool_call_close(&call);
    tool_arguments_free(&arguments);
    return outcome;
}
