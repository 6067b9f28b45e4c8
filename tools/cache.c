/* cache: the verb that looks after compiled kernels on disk. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cache.h"
#include "session.h"

/* "34.5 KiB" */
static const char *size_text(char text[32], uint64_t bytes) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double size = (double)bytes;
    int u = 0;
    for (; size >= 1024 && u < 4; u++) {
        size /= 1024;
    }
    snprintf(text, 32, u ? "%.1f %s" : "%.0f %s", size, units[u]);
    return text;
}

/* ---- list and verify ---- */

struct listing {
    struct tool_json json;
    int is_json, only_damaged; /* verify tells of those alone */
    int64_t n, n_damaged;
};

static void json_entry(struct tool_json *json, const struct gasket_cache_entry *entry) {
    tool_json_open(json, NULL, '{');
    tool_json_text(json, "file", entry->file);
    tool_json_text(json, "template", entry->template_name);
    tool_json_text(json, "isa", entry->isa);
    tool_json_text(json, "compiler", entry->compiler);
    tool_json_integer(json, "bytes", (int64_t)entry->bytes);
    tool_json_integer(json, "used", entry->used);
    tool_json_text(json, "fault", entry->fault);
    tool_json_close(json, '}');
}

static void text_entry(const struct gasket_cache_entry *entry) {
    char used[32] = "", size[32];
    const time_t seconds = (time_t)entry->used;
    struct tm local;
    if (localtime_r(&seconds, &local)) {
        strftime(used, sizeof used, "%Y-%m-%d %H:%M", &local);
    }
    printf("%s  %-4s %-7s %10s  %s  %s%s\n", entry->file, entry->template_name, entry->isa,
           size_text(size, entry->bytes), used, entry->fault ? "damaged: " : entry->compiler,
           entry->fault ? entry->fault : "");
}

static int take_entry(void *user, const struct gasket_cache_entry *entry) {
    struct listing *listing = user;
    listing->n++;
    listing->n_damaged += entry->fault != NULL;
    if (listing->is_json) {
        json_entry(&listing->json, entry);
    } else if (!listing->only_damaged) {
        text_entry(entry);
    } else if (entry->fault) {
        fprintf(stderr, "gasket: %s: %s\n", entry->file, entry->fault);
    }
    return ferror(stdout);
}

static void walk(gasket_context *context, struct listing *listing) {
    if (listing->is_json) {
        tool_json_open(&listing->json, NULL, '{');
        tool_json_open(&listing->json, "entries", '[');
    }
    gasket_cache_list(context, take_entry, listing);
    if (listing->is_json) {
        tool_json_close(&listing->json, ']');
        tool_json_integer(&listing->json, "count", listing->n);
        tool_json_integer(&listing->json, "damaged", listing->n_damaged);
        tool_json_close(&listing->json, '}');
    }
}

static int list(gasket_context *context, const struct tool_command *command, struct tool_failure *failure) {
    struct listing listing = {.json = tool_json_begin(stdout), .is_json = command->json};
    (void)failure;
    walk(context, &listing);
    return TOOL_DONE;
}

static int verify(gasket_context *context, const struct tool_command *command, struct tool_failure *failure) {
    struct listing listing = {.json = tool_json_begin(stdout), .is_json = command->json, .only_damaged = 1};
    walk(context, &listing);
    if (listing.n_damaged > 0) {
        return tool_fail(failure, "%" PRId64 " of %" PRId64 " entries damaged; 'gasket cache prune' removes them",
                         listing.n_damaged, listing.n);
    }
    if (!command->json) {
        printf("%" PRId64 " entries, all sound\n", listing.n);
    }
    return TOOL_DONE;
}

/* ---- The others ---- */

void tool_cache_json(struct tool_json *json, gasket_context *context) {
    struct gasket_cache_info info;
    gasket_cache_describe(context, &info);
    tool_json_text(json, "directory", info.directory);
    tool_json_text(json, "trouble", *info.trouble ? info.trouble : NULL);
    tool_json_integer(json, "entries", (int64_t)info.entries);
    tool_json_integer(json, "bytes", (int64_t)info.bytes);
    tool_json_integer(json, "limit", (int64_t)info.limit);
}

void tool_cache_print(gasket_context *context, const char *indent) {
    struct gasket_cache_info info;
    char size[32], limit[32];
    gasket_cache_describe(context, &info);
    printf("%sdirectory  %s\n", indent, *info.directory ? info.directory : "none");
    printf("%sentries    %" PRIu64 "\n", indent, info.entries);
    printf("%ssize       %s of %s\n", indent, size_text(size, info.bytes), size_text(limit, info.limit));
    if (*info.trouble) {
        printf("%strouble    %s\n", indent, info.trouble);
    }
}

static int stat(gasket_context *context, const struct tool_command *command, struct tool_failure *failure) {
    struct tool_json json = tool_json_begin(stdout);
    (void)failure;
    if (command->json) {
        tool_json_open(&json, NULL, '{');
        tool_cache_json(&json, context);
        tool_json_close(&json, '}');
    } else {
        tool_cache_print(context, "");
    }
    return TOOL_DONE;
}

/* What was done to how many entries. */
static int tell(const struct tool_command *command, const char *what, size_t n) {
    if (command->json) {
        struct tool_json json = tool_json_begin(stdout);
        tool_json_open(&json, NULL, '{');
        tool_json_integer(&json, what, (int64_t)n);
        tool_json_close(&json, '}');
    } else {
        printf("%zu %s %s\n", n, n == 1 ? "entry" : "entries", what);
    }
    return TOOL_DONE;
}

static int prune(gasket_context *context, const struct tool_command *command, struct tool_failure *failure) {
    struct gasket_cache_info info;
    gasket_cache_describe(context, &info);
    uint64_t limit = info.limit;
    if (command->limit) {
        char *end;
        errno = 0;
        limit = strtoull(command->limit, &end, 10);
        if (errno || *end != 0 || command->limit[strspn(command->limit, "0123456789")] != 0) {
            return tool_misuse(failure, "--to takes a number of bytes, not '%.64s'", command->limit);
        }
    }
    return tell(command, "removed", gasket_cache_prune(context, limit));
}

static int clear(gasket_context *context, const struct tool_command *command, struct tool_failure *failure) {
    (void)failure;
    return tell(command, "removed", gasket_cache_clear(context));
}

static int carry(gasket_context *context, const struct tool_command *command, struct tool_failure *failure,
                 int is_import) {
    size_t n = 0;
    enum gasket_status status =
        is_import ? gasket_cache_import(context, command->file, &n) : gasket_cache_export(context, command->file, &n);
    if (status) {
        return tool_fail(failure, "%s", gasket_message(context));
    }
    return tell(command, is_import ? "imported" : "exported", n);
}

static int export(gasket_context *context, const struct tool_command *command, struct tool_failure *failure) {
    return carry(context, command, failure, 0);
}

static int import(gasket_context *context, const struct tool_command *command, struct tool_failure *failure) {
    return carry(context, command, failure, 1);
}

/* ---- The verb ---- */

static const struct action {
    const char *name;
    int takes_file, writes;
    int (*run)(gasket_context *context, const struct tool_command *command, struct tool_failure *failure);
} actions[] = {{"stat", 0, 0, stat},   {"list", 0, 0, list},     {"verify", 0, 0, verify}, {"prune", 0, 1, prune},
               {"clear", 0, 1, clear}, {"export", 1, 0, export}, {"import", 1, 1, import}};
enum { N_ACTIONS = sizeof actions / sizeof actions[0] };

static int find(const struct action **action, const char *word, struct tool_failure *failure) {
    const char *names[N_ACTIONS];
    for (int i = 0; i < N_ACTIONS; i++) {
        names[i] = actions[i].name;
        if (strcmp(names[i], word) == 0) {
            *action = &actions[i];
            return TOOL_DONE;
        }
    }
    return tool_unknown(failure, "action", word, names, N_ACTIONS);
}

static int check(const struct action *action, const struct tool_command *command, struct tool_failure *failure) {
    if (action->takes_file && !command->file) {
        return tool_misuse(failure, "%s needs a file", action->name);
    }
    if (!action->takes_file && command->file) {
        return tool_misuse(failure, "'%.64s' is one word too many: %s takes no file", command->file, action->name);
    }
    if (command->limit && action->run != prune) {
        return tool_misuse(failure, "--to goes with prune");
    }
    return TOOL_DONE;
}

/* A cache that is not used is empty, which says nothing; one that can not be written to is not looked after either. */
static int is_usable(gasket_context *context, const struct action *action, struct tool_failure *failure) {
    struct gasket_cache_info info;
    gasket_cache_describe(context, &info);
    if (action->run == stat || !*info.trouble || (!action->writes && info.entries > 0)) {
        return TOOL_DONE;
    }
    return tool_fail(failure, "the cache is not used: %s", info.trouble);
}

int tool_cache(const struct tool_command *command, struct tool_failure *failure) {
    struct tool_session session;
    const struct action *action = actions;
    int outcome = command->operation ? find(&action, command->operation, failure) : TOOL_DONE;
    outcome = outcome ? outcome : check(action, command, failure);
    if (outcome) {
        return outcome;
    }
    outcome = tool_session_open(&session, command, NULL, failure);
    outcome = outcome ? outcome : is_usable(session.context, action, failure);
    outcome = outcome ? outcome : action->run(session.context, command, failure);
    tool_session_close(&session);
    return outcome;
}
