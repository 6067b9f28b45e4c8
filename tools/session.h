/* session: a context of the library, as the command line asks for it. */
#ifndef TOOL_SESSION_H
#define TOOL_SESSION_H

#include <gasket/gasket.h>
#include <pthread.h>

#include "command.h"

/* Memory for the strings that a run makes; all of it is freed at once. */
struct tool_pool {
    pthread_mutex_t lock;
    struct tool_block *blocks;
};

struct tool_session {
    gasket_context *context;
    struct tool_pool pool;
};

/* `tier` overrides the command's when it is not NULL. */
int tool_session_open(struct tool_session *session, const struct tool_command *command, const char *tier,
                      struct tool_failure *failure);
void tool_session_close(struct tool_session *session); /* also after a failed open */
void tool_pool_empty(struct tool_pool *pool);

/* Finds an operation; another name is TOOL_MISUSED with a hint. */
int tool_operation_find(gasket_context *context, const char *name, struct gasket_operation_info *info,
                        struct tool_failure *failure);

#endif
