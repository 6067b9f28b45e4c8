/* jit: a call-time kernel that is made ready ahead of its use. */
#ifndef TOOL_JIT_H
#define TOOL_JIT_H

#include "call.h"

enum tool_source { TOOL_COMPILED, TOOL_CACHED, TOOL_AHEAD_OF_TIME };

struct tool_kernel {
    struct tool_call call;
    struct tool_arguments arguments;
    struct gasket_report report;
    enum tool_source source;
    const char *not_stored; /* why a compiled kernel is not in the cache; NULL when it is */
};

/* Compiles what the command's operation and arguments need, or finds it in the cache. tool_kernel_close frees it, also
 * after a failure. */
int tool_kernel_open(struct tool_kernel *kernel, const struct tool_command *command, struct tool_failure *failure);
void tool_kernel_close(struct tool_kernel *kernel);

/* Which compiler makes call-time kernels: found by compiling a small one, for no cache. */
struct tool_compiler {
    char name[96]; /* "" where there is none, and: */
    struct tool_failure failure;
};
void tool_compiler_find(struct tool_compiler *compiler, const struct tool_command *command);

/* Writes what the report says of a call-time kernel, nothing where there is none. */
void tool_jit_json(struct tool_json *json, const struct gasket_report *report);

#endif
