/* arguments: NAME=VALUE words as arguments of a call. */
#ifndef TOOL_ARGUMENTS_H
#define TOOL_ARGUMENTS_H

#include "array.h"
#include "command.h"

/* What one argument points to. */
struct tool_operand {
    const struct gasket_parameter *parameter;
    const char *value; /* as written */
    struct tool_array array;
    int64_t integers[GASKET_MAX_RANK];
};

struct tool_arguments {
    struct gasket_operation_info operation;
    struct gasket_argument *list; /* room for one more, the output */
    size_t n;
    struct tool_operand *operands; /* one for each of the list */
    struct tool_array output;      /* how it lies, where that was written; else without a shape */
};

/* Reads all that the command gives, tensors from files or literals. */
int tool_arguments_read(struct tool_arguments *arguments, gasket_context *context, const struct tool_command *command,
                        struct tool_failure *failure);
void tool_arguments_free(struct tool_arguments *arguments);

/* "params f32 [5,3], indices i64 [2], axis 1": all arguments in a line, cut where it does not fit. */
void tool_arguments_text(const struct tool_arguments *arguments, char *text, size_t capacity);

#endif
