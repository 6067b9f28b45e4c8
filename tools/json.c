/* json: the writer. What is not UTF-8 is written as the character of the same number, so that the output always is. */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

static void put_string(FILE *file, const char *text) {
    size_t left = strlen(text);
    fputc('"', file);
    while (left > 0) {
        size_t length = tool_utf8_length(text, left);
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            fprintf(file, "\\%c", c);
        } else if (c == '\n') {
            fputs("\\n", file);
        } else if (length == 0 || c < ' ' || c == 0x7f) {
            fprintf(file, "\\u%04x", c);
        } else {
            fwrite(text, 1, length, file);
        }
        length = length ? length : 1;
        text += length;
        left -= length;
    }
    fputc('"', file);
}

/* What stands before a value: a comma, a line, the name. */
static void put_start(struct tool_json *json, const char *name) {
    uint64_t bit = (uint64_t)1 << json->depth;
    if (json->has_items & bit) {
        fputc(',', json->file);
    }
    json->has_items |= bit;
    if (json->depth > 0) {
        fprintf(json->file, "\n%*s", 2 * json->depth, "");
    }
    if (name) {
        put_string(json->file, name);
        fputs(": ", json->file);
    }
}

void tool_json_open(struct tool_json *json, const char *name, char bracket) {
    put_start(json, name);
    fputc(bracket, json->file);
    json->depth++;
    json->has_items &= ~((uint64_t)1 << json->depth);
}

void tool_json_close(struct tool_json *json, char bracket) {
    int is_empty = !(json->has_items & (uint64_t)1 << json->depth);
    json->depth--;
    if (!is_empty) {
        fprintf(json->file, "\n%*s", 2 * json->depth, "");
    }
    fputc(bracket, json->file);
    if (json->depth == 0) {
        fputc('\n', json->file);
    }
}

void tool_json_text(struct tool_json *json, const char *name, const char *value) {
    put_start(json, name);
    if (value) {
        put_string(json->file, value);
    } else {
        fputs("null", json->file);
    }
}

void tool_json_integer(struct tool_json *json, const char *name, int64_t value) {
    put_start(json, name);
    fprintf(json->file, "%" PRId64, value);
}

void tool_json_integers(struct tool_json *json, const char *name, int n, const int64_t *values) {
    put_start(json, name);
    fputc('[', json->file);
    for (int i = 0; i < n; i++) {
        fprintf(json->file, "%s%" PRId64, i ? ", " : "", values[i]);
    }
    fputc(']', json->file);
}

void tool_json_real(struct tool_json *json, const char *name, double value) {
    char text[40] = "null";
    for (int digits = 6; digits <= 17 && isfinite(value); digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    put_start(json, name);
    fputs(text, json->file);
}

void tool_json_bool(struct tool_json *json, const char *name, int value) {
    put_start(json, name);
    fputs(value ? "true" : "false", json->file);
}
