/* list: the verb that prints the manifest, one line per combination. */
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "session.h"

static const char *const columns[] = {"op", "value", "index", "combine", "form", "bounds", "bodies"};
enum { N_COLUMNS = sizeof columns / sizeof columns[0], FORM = 4, BODIES = 6, MOST_FILTERS = 16 };

/* NAME=WORD: a column that must be the word, or a part of the form such as axis=inner, or a piece of the bodies. */
struct filter {
    int column;
    const char *word; /* of the form: the whole NAME=WORD */
};

struct listing {
    struct filter filters[MOST_FILTERS];
    int n_filters;
    int is_json;
    struct tool_json json;
    int64_t n_lines;
};

/* Whether `part` is one of the words of the text. */
static int has_part(const char *text, const char *part) {
    size_t length = strlen(part);
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) {
        int begins = at == text || at[-1] == ' ';
        if (begins && (at[length] == 0 || at[length] == ' ')) {
            return 1;
        }
    }
    return 0;
}

static int passes(const struct filter *filter, const char *const cells[N_COLUMNS]) {
    const char *cell = cells[filter->column];
    if (filter->column == FORM) {
        return has_part(cell, filter->word);
    }
    return filter->column == BODIES ? strstr(cell, filter->word) != NULL : strcmp(cell, filter->word) == 0;
}

static void print_json_line(struct tool_json *json, const char *const cells[N_COLUMNS]) {
    tool_json_open(json, NULL, '{');
    for (int c = 0; c < N_COLUMNS; c++) {
        tool_json_text(json, columns[c], cells[c]);
    }
    tool_json_close(json, '}');
}

static int print_line(void *user, const struct gasket_combination *line) {
    struct listing *l = user;
    const char *const cells[N_COLUMNS] = {line->operation, line->value,  line->index, line->combine,
                                          line->form,      line->bounds, line->bodies};
    for (int f = 0; f < l->n_filters; f++) {
        if (!passes(&l->filters[f], cells)) {
            return 0;
        }
    }
    l->n_lines++;
    if (l->is_json) {
        print_json_line(&l->json, cells);
    } else {
        printf("%-15s %-14s %-5s %-7s %-20s %-10s %s\n", cells[0], cells[1], cells[2], cells[3], cells[4], cells[5],
               cells[6]);
    }
    return ferror(stdout);
}

/* ---- Filters ---- */

static int is_form_name(const char *name, size_t length) {
    static const char *const names[] = {"axis", "batch", "depth"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) {
            return 1;
        }
    }
    return 0;
}

static int unknown_filter(const char *word, size_t length, struct tool_failure *failure) {
    static const char *const names[] = {"value", "index", "combine", "bounds", "bodies", "axis", "batch", "depth"};
    char name[64];
    snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : (int)sizeof name - 1, word);
    return tool_unknown(failure, "filter", name, names, sizeof names / sizeof names[0]);
}

static int read_filter(struct filter *filter, const char *word, struct tool_failure *failure) {
    size_t length = strcspn(word, "=");
    DLDataType type;
    if (is_form_name(word, length)) {
        filter->column = FORM;
        filter->word = word;
        return TOOL_DONE;
    }
    filter->word = word + length + 1;
    filter->column = 1;
    while (filter->column < N_COLUMNS && (filter->column == FORM || strlen(columns[filter->column]) != length ||
                                          memcmp(columns[filter->column], word, length) != 0)) {
        filter->column++;
    }
    if (filter->column == N_COLUMNS) {
        return unknown_filter(word, length, failure);
    }
    if (filter->column <= 2 && gasket_type_parse(filter->word, &type) != GASKET_OK) {
        return tool_misuse(failure, "'%.32s' is not a type (i32, i64, f32, bf16, bool, string... are)", filter->word);
    }
    return TOOL_DONE;
}

static int read_filters(struct listing *listing, const struct tool_command *command, struct tool_failure *failure) {
    int outcome = TOOL_DONE;
    if (command->n_pairs > MOST_FILTERS) {
        return tool_misuse(failure, "more than %d filters", MOST_FILTERS);
    }
    for (int i = 0; i < command->n_pairs && !outcome; i++) {
        outcome = read_filter(&listing->filters[listing->n_filters++], command->pairs[i], failure);
    }
    return outcome;
}

/* ---- The verb ---- */

static void print_all(struct listing *listing, gasket_context *context, const struct tool_command *command) {
    listing->is_json = command->json;
    listing->json = tool_json_begin(stdout);
    if (command->json) {
        tool_json_open(&listing->json, NULL, '{');
        tool_json_open(&listing->json, "combinations", '[');
    }
    gasket_manifest(context, command->operation, print_line, listing);
    if (command->json) {
        tool_json_close(&listing->json, ']');
        tool_json_integer(&listing->json, "count", listing->n_lines);
        tool_json_close(&listing->json, '}');
    } else if (listing->n_lines == 0) {
        fputs("gasket: no combination matches; other calls are served by call-time kernels or the interpreter\n",
              stderr);
    }
}

int tool_list(const struct tool_command *command, struct tool_failure *failure) {
    struct tool_session session;
    struct gasket_operation_info info;
    struct listing listing = {.n_filters = 0};
    int outcome = tool_session_open(&session, command, NULL, failure);
    outcome = outcome ? outcome : read_filters(&listing, command, failure);
    if (!outcome && command->operation) {
        outcome = tool_operation_find(session.context, command->operation, &info, failure);
    }
    if (!outcome) {
        print_all(&listing, session.context, command);
    }
    tool_session_close(&session);
    return outcome;
}
