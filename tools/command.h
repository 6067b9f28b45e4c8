/* command: the command line, taken apart. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include "failure.h"

struct tool_command {
    const char *operation; /* NULL where none was named; that of the formula where there is one */
    char **pairs;          /* NAME=VALUE, in their order; points into argv, which was reordered */
    int n_pairs;
    const char *output, *isa, *tier, *jit, *cache;
    const char *formula, *ranks; /* of an operation that is defined for this run; NULL without one */
    const char *file, *limit;    /* of the cache: the file of an action, and what --to says */
    int threads, repeat;         /* 0 and 1 unless said */
    int stage;                   /* 1 + enum gasket_stage, or 0 */
    int check, json, help, verbose;
};

/* `verb` says which options there are: one of the command's, or "call" for a line of problems. Words that are no
 * options and have no '=' are the operation, then wrong; for verbs that take files they are the operation and a file.
 */
int tool_command_read(struct tool_command *command, const char *verb, int n, char **words,
                      struct tool_failure *failure);

/* The verbs, each in a file of its own. They return the exit status and leave printing the failure to the caller. */
int tool_run(const struct tool_command *command, struct tool_failure *failure);
int tool_explain(const struct tool_command *command, struct tool_failure *failure);
int tool_jit(const struct tool_command *command, struct tool_failure *failure);
int tool_warm(const struct tool_command *command, struct tool_failure *failure);
int tool_cache(const struct tool_command *command, struct tool_failure *failure);
int tool_list(const struct tool_command *command, struct tool_failure *failure);
int tool_info(const struct tool_command *command, struct tool_failure *failure);

#endif
