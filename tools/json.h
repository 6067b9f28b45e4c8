/* json: writes JSON, one value after the other, with commas and escapes where they belong. */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include <stdint.h>
#include <stdio.h>

struct tool_json {
    FILE *file;
    int depth;
    uint64_t has_items; /* a bit for each open object or list */
};

static inline struct tool_json tool_json_begin(FILE *file) {
    struct tool_json json = {file, 0, 0};
    return json;
}

/* `name` is NULL in lists and for the outermost value. `bracket` is '{' or '['. Depth at most 60. */
void tool_json_open(struct tool_json *json, const char *name, char bracket);
void tool_json_close(struct tool_json *json, char bracket);
void tool_json_text(struct tool_json *json, const char *name, const char *value); /* NULL becomes null */
void tool_json_integer(struct tool_json *json, const char *name, int64_t value);
void tool_json_integers(struct tool_json *json, const char *name, int n, const int64_t *values); /* on one line */
void tool_json_real(struct tool_json *json, const char *name, double value); /* nan and inf become null */
void tool_json_bool(struct tool_json *json, const char *name, int value);

#endif
