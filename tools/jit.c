/* jit: the verb that compiles the kernel of a call without running it. */
#include "jit.h"

#include <stdio.h>
#include <string.h>

/* What a cache that stored nothing has to say. */
static const char *why_not_stored(gasket_context *context) {
    struct gasket_cache_info info;
    gasket_cache_describe(context, &info);
    if (info.stored > 0) {
        return NULL;
    }
    return *info.trouble ? info.trouble : "the cache takes no more";
}

static int prepare(struct tool_kernel *kernel, struct tool_failure *failure) {
    gasket_context *context = kernel->call.session.context;
    if (gasket_plan_prepare(kernel->call.plan) != GASKET_OK) {
        return tool_fail(failure, "%s", gasket_message(context));
    }
    gasket_plan_report(kernel->call.plan, &kernel->report);
    kernel->source = kernel->report.jit_key[0] == 0  ? TOOL_AHEAD_OF_TIME
                     : kernel->report.jit_was_cached ? TOOL_CACHED
                                                     : TOOL_COMPILED;
    kernel->not_stored = kernel->source == TOOL_COMPILED ? why_not_stored(context) : NULL;
    return TOOL_DONE;
}

/* The environment's policy is for calls; this was asked for. */
int tool_kernel_open(struct tool_kernel *kernel, const struct tool_command *command, struct tool_failure *failure) {
    struct tool_command wish = *command;
    memset(kernel, 0, sizeof *kernel);
    wish.jit = "async";
    int outcome = tool_call_open(&kernel->call, &wish, NULL, failure);
    if (!outcome) {
        outcome = tool_arguments_read(&kernel->arguments, kernel->call.session.context, command, failure);
    }
    if (!outcome) {
        outcome = tool_call_plan(&kernel->call, &kernel->arguments, 0, failure);
    }
    return outcome ? outcome : prepare(kernel, failure);
}

void tool_kernel_close(struct tool_kernel *kernel) {
    tool_call_close(&kernel->call);
    tool_arguments_free(&kernel->arguments);
}

/* The line of the story that names the compiler. */
static void read_compiler(const gasket_plan *plan, struct tool_compiler *compiler) {
    static const char label[] = "\n  compiler ";
    char story[16384];
    const char *line = gasket_plan_explain(plan, story, sizeof story, NULL) == GASKET_OK ? strstr(story, label) : NULL;
    if (line) {
        line += sizeof label - 1;
        line += strspn(line, " ");
        snprintf(compiler->name, sizeof compiler->name, "%.*s", (int)strcspn(line, "\n"), line);
    }
}

void tool_compiler_find(struct tool_compiler *compiler, const struct tool_command *command) {
    struct tool_kernel kernel;
    char *pairs[] = {"a=f32[2]", "i=i32[2]", "b=f32[2]"}; /* no ahead-of-time kernel multiplies */
    struct tool_command probe = {.operation = "formula", .formula = "out[N] = a[i[N]] * b[N]", .pairs = pairs};
    probe.n_pairs = sizeof pairs / sizeof *pairs;
    probe.isa = command->isa;
    probe.cache = "";
    compiler->name[0] = 0;
    if (tool_kernel_open(&kernel, &probe, &compiler->failure) == TOOL_DONE) {
        read_compiler(kernel.call.plan, compiler);
    }
    tool_kernel_close(&kernel);
}

void tool_jit_json(struct tool_json *json, const struct gasket_report *report) {
    if (report->jit_key[0] == 0) {
        return;
    }
    tool_json_text(json, "key", report->jit_key);
    tool_json_bool(json, "cached", report->jit_was_cached);
    tool_json_real(json, "milliseconds", report->jit_milliseconds);
    tool_json_integer(json, "code_bytes", (int64_t)report->jit_code_bytes);
}

static void print_json(const struct tool_kernel *kernel) {
    struct gasket_report report;
    struct tool_json json = tool_json_begin(stdout);
    tool_json_open(&json, NULL, '{');
    tool_call_json(&kernel->call, &json, &report);
    tool_jit_json(&json, &report);
    if (kernel->source == TOOL_COMPILED) {
        tool_json_text(&json, "not_stored", kernel->not_stored);
    }
    tool_json_close(&json, '}');
}

static void print_text(const struct tool_kernel *kernel) {
    const struct gasket_report *report = &kernel->report;
    printf("kernel  %s\n", report->kernel);
    if (kernel->source == TOOL_AHEAD_OF_TIME) {
        printf("tier    %s: compiled ahead of time; --tier jit compiles one for this call\n", report->tier);
        return;
    }
    const char *what = kernel->source == TOOL_CACHED ? "hit, read in" : "miss, compiled in";
    printf("key     %s\ncache   %s %.2f ms%s%s\ncode    %zu bytes\n", report->jit_key, what, report->jit_milliseconds,
           kernel->not_stored ? "; not stored: " : "", kernel->not_stored ? kernel->not_stored : "",
           report->jit_code_bytes);
}

int tool_jit(const struct tool_command *command, struct tool_failure *failure) {
    struct tool_kernel kernel;
    int outcome = tool_kernel_open(&kernel, command, failure);
    if (!outcome && command->json) {
        print_json(&kernel);
    } else if (!outcome) {
        print_text(&kernel);
    }
    tool_kernel_close(&kernel);
    return outcome;
}
