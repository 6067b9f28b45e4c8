/* info: the verb that says what this build and this machine have. */
#include <stdio.h>
#include <string.h>

#include "cache.h"
#include "jit.h"
#include "json.h"
#include "session.h"

struct feature {
    const char *name;
    int is_usable;
    const char *why;
};

enum { N_ISAS = 4, N_TIERS = 5, JIT = 1, CPU_TEXT = 128 };

struct inventory {
    char cpu[CPU_TEXT];
    struct feature isas[N_ISAS], tiers[N_TIERS];
    struct tool_compiler compiler;
};

/* The processor's name as the system gives it, or "unknown". */
static void read_cpu(char name[CPU_TEXT]) {
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, CPU_TEXT, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && value) {
            snprintf(name, CPU_TEXT, "%.*s", CPU_TEXT - 1, value + 2);
            name[strcspn(name, "\n")] = 0;
            break;
        }
    }
    if (file) {
        fclose(file);
    }
}

/* Whether a context of that tier can be made. */
static void try_tier(struct feature *tier, const struct tool_command *command) {
    struct tool_session session;
    struct tool_failure failure;
    tier->is_usable = tool_session_open(&session, command, tier->name, &failure) == TOOL_DONE;
    tier->why = tier->is_usable ? "usable" : "not in this build";
    tool_session_close(&session);
}

static void try_compiler(struct inventory *inventory, const struct tool_command *command) {
    struct feature *tier = &inventory->tiers[JIT];
    tool_compiler_find(&inventory->compiler, command);
    tier->is_usable = inventory->compiler.name[0] != 0;
    tier->why = tier->is_usable ? "usable" : inventory->compiler.failure.text;
}

static void take_stock(struct inventory *inventory, const struct tool_command *command) {
    static const char *const isas[N_ISAS] = {"base", "avx2", "avx512", "neon"};
    static const struct feature tiers[N_TIERS] = {{"exact", 0, NULL},
                                                  {"jit", 0, ""},
                                                  {"general", 0, NULL},
                                                  {"interpreter", 0, NULL},
                                                  {"cuda", 0, "not in this build"}};
    read_cpu(inventory->cpu);
    for (int i = 0; i < N_ISAS; i++) {
        struct feature *isa = &inventory->isas[i];
        isa->name = isas[i];
        isa->is_usable = gasket_isa_usable(isas[i], &isa->why);
    }
    for (int t = 0; t < N_TIERS; t++) {
        inventory->tiers[t] = tiers[t];
        if (!tiers[t].why) {
            try_tier(&inventory->tiers[t], command);
        }
    }
    try_compiler(inventory, command);
}

/* ---- Telling ---- */

static void json_features(struct tool_json *json, const char *name, const struct feature *features, int n) {
    tool_json_open(json, name, '[');
    for (int i = 0; i < n; i++) {
        tool_json_open(json, NULL, '{');
        tool_json_text(json, "name", features[i].name);
        tool_json_bool(json, "usable", features[i].is_usable);
        tool_json_text(json, "why", features[i].why);
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
}

static void print_json(gasket_context *context, const struct inventory *inventory) {
    struct gasket_operation_info info;
    struct tool_json json = tool_json_begin(stdout);
    tool_json_open(&json, NULL, '{');
    tool_json_text(&json, "version", gasket_version());
    tool_json_text(&json, "cpu", inventory->cpu);
    tool_json_text(&json, "isa", gasket_context_isa(context));
    tool_json_integer(&json, "threads", gasket_context_threads(context));
    json_features(&json, "isas", inventory->isas, N_ISAS);
    json_features(&json, "tiers", inventory->tiers, N_TIERS);
    tool_json_text(&json, "compiler", inventory->compiler.name[0] ? inventory->compiler.name : NULL);
    tool_json_open(&json, "cache", '{');
    tool_cache_json(&json, context);
    tool_json_close(&json, '}');
    tool_json_open(&json, "operations", '[');
    for (size_t i = 0; gasket_operation_describe(context, i, &info) == GASKET_OK; i++) {
        tool_json_open(&json, NULL, '{');
        tool_json_text(&json, "name", info.name);
        tool_json_text(&json, "formula", info.formula);
        tool_json_text(&json, "summary", info.summary);
        tool_json_close(&json, '}');
    }
    tool_json_close(&json, ']');
    tool_json_close(&json, '}');
}

static void print_features(const char *title, const struct feature *features, int n) {
    printf("%s\n", title);
    for (int i = 0; i < n; i++) {
        printf("  %-22s %s%s\n", features[i].name,
               features[i].is_usable ? "yes" : "no: ", features[i].is_usable ? "" : features[i].why);
    }
}

static void print_text(gasket_context *context, const struct inventory *inventory) {
    struct gasket_operation_info info;
    printf("gasket %s\n", gasket_version());
    printf("processor: %s\n", inventory->cpu);
    printf("instruction set in use: %s\n", gasket_context_isa(context));
    printf("threads: %d\n", gasket_context_threads(context));
    print_features("instruction sets", inventory->isas, N_ISAS);
    print_features("tiers", inventory->tiers, N_TIERS);
    printf("compiler of call-time kernels: %s\n", inventory->compiler.name[0] ? inventory->compiler.name : "none");
    printf("cache of call-time kernels\n");
    tool_cache_print(context, "  ");
    printf("operations\n");
    for (size_t i = 0; gasket_operation_describe(context, i, &info) == GASKET_OK; i++) {
        printf("  %-16s %s\n  %-16s %s\n", info.name, info.formula, "", info.summary);
    }
}

int tool_info(const struct tool_command *command, struct tool_failure *failure) {
    struct tool_session session;
    struct inventory inventory;
    if (command->operation || command->n_pairs > 0) {
        return tool_misuse(failure, "info takes no arguments; 'gasket run OP --help' describes an operation");
    }
    int outcome = tool_session_open(&session, command, NULL, failure);
    if (!outcome) {
        take_stock(&inventory, command);
        if (command->json) {
            print_json(session.context, &inventory);
        } else {
            print_text(session.context, &inventory);
        }
    }
    tool_session_close(&session);
    return outcome;
}
