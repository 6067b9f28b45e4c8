/* interpreted: problems as lines of text (support.h), of operations written as text, bound and run by the interpreter
 * alone: no generated table, no context, no kernel. */
#ifndef INTERPRETED_H
#define INTERPRETED_H

#include "interpreter.h"
#include "support/support.h"

/* An operation in words. `attributes` are "name=default" or "name[]" for a list without default. `ranks` are
 * "B=expression" for a group's rank, "W=name[]" for a group's extents and "out=name[]" for the output's shape. Blanks
 * part them. */
struct operation_text {
    const char *name, *formula, *attributes, *ranks;
};
/* The four operations that have kernels and the three others, under their names. */
extern const struct operation_text known_operations[];

struct interpreted {
    struct gasket_operation operation;
    struct line line;
    struct gasket_argument arguments[LINE_ARGUMENTS + 1];
    struct tensor out; /* poisoned */
    struct gk_problem problem;
    struct gk_string_memory memory;
    struct gk_error error;
};

/* Parses and binds; gives up with a message when that does not go well. `text` may be that of an operation not known.
 */
void interpreted_open(struct interpreted *run, const struct operation_text *operation, const char *text,
                      enum side side);
void interpreted_close(struct interpreted *run);
const struct operation_text *operation_named(const char *name);

/* Runs the line. NULL when the output, or the status, the whole message and an untouched output, are as they must be;
 * else what is wrong, in a static buffer. `message` is NULL where none is expected. */
const char *interpreted_check(const struct operation_text *operation, const char *text, const char *message);

#endif
