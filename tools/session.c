/* session: making the context, saying why not, and memory for strings. */
#include "session.h"

#include <stdlib.h>
#include <string.h>

struct tool_block {
    struct tool_block *next;
    char bytes[];
};

/* Several threads may ask at once. */
static void *allocate(void *user, size_t bytes) {
    struct tool_pool *pool = user;
    struct tool_block *block = bytes > SIZE_MAX / 2 ? NULL : malloc(sizeof *block + bytes);
    if (!block) {
        return NULL;
    }
    pthread_mutex_lock(&pool->lock);
    block->next = pool->blocks;
    pool->blocks = block;
    pthread_mutex_unlock(&pool->lock);
    return block->bytes;
}

void tool_pool_empty(struct tool_pool *pool) {
    while (pool->blocks) {
        struct tool_block *next = pool->blocks->next;
        free(pool->blocks);
        pool->blocks = next;
    }
}

static int explain_failure(enum gasket_status status, const struct gasket_options *options,
                           struct tool_failure *failure) {
    const char *why = NULL;
    if (options->isa && !gasket_isa_usable(options->isa, &why)) {
        return tool_fail(failure, "instruction set %s can not be used here: %s", options->isa, why);
    }
    return tool_fail(failure, "the library does not start: %s", gasket_status_name(status));
}

static int define_formula(gasket_context *context, const struct tool_command *command, struct tool_failure *failure) {
    const struct gasket_definition definition = {.size = sizeof definition,
                                                 .name = command->operation,
                                                 .formula = command->formula,
                                                 .summary = "the formula of the command line",
                                                 .ranks = command->ranks};
    enum gasket_status status = gasket_define(context, &definition);
    return status == GASKET_OK ? TOOL_DONE : tool_misuse(failure, "%s", gasket_message(context));
}

int tool_session_open(struct tool_session *session, const struct tool_command *command, const char *tier,
                      struct tool_failure *failure) {
    struct gasket_options options = {.size = sizeof options,
                                     .threads = command->threads,
                                     .isa = command->isa,
                                     .tier = tier ? tier : command->tier,
                                     .jit = command->jit,
                                     .cache = command->cache,
                                     .allocate = allocate,
                                     .allocate_user = &session->pool};
    session->context = NULL;
    session->pool.blocks = NULL;
    pthread_mutex_init(&session->pool.lock, NULL);
    enum gasket_status status = gasket_context_create(&options, &session->context);
    if (status) {
        return explain_failure(status, &options, failure);
    }
    return command->formula ? define_formula(session->context, command, failure) : TOOL_DONE;
}

void tool_session_close(struct tool_session *session) {
    gasket_context_destroy(session->context);
    tool_pool_empty(&session->pool);
    pthread_mutex_destroy(&session->pool.lock);
}

int tool_operation_find(gasket_context *context, const char *name, struct gasket_operation_info *info,
                        struct tool_failure *failure) {
    size_t n = gasket_operation_count(context);
    const char **names = calloc(n ? n : 1, sizeof *names);
    int outcome = names ? TOOL_DONE : tool_fail(failure, "no memory");
    for (size_t i = 0; i < n && !outcome; i++) {
        if (gasket_operation_describe(context, i, info) != GASKET_OK) {
            outcome = tool_fail(failure, "%s", gasket_message(context));
        } else if (strcmp(info->name, name) == 0) {
            free(names);
            return TOOL_DONE;
        } else {
            names[i] = info->name;
        }
    }
    if (!outcome) {
        outcome = tool_unknown(failure, "operation", name, names, n);
    }
    free(names);
    return outcome;
}
