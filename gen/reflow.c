/* reflow: see reflow.h. */
#include "gen/reflow.h"

#include <string.h>

enum { COLUMNS = 120, EARLIEST = 60, CONTINUED = 4, MAX_OPEN = 32 };

/* Where the parentheses that are open stand: the column behind each. */
struct open {
    int columns[MAX_OPEN];
    int depth;
};

/* The end of the text or character constant that begins at `at`, or `at`. */
static const char *constant_end(const char *at) {
    const char *end = at + 1;
    if (*at != '"' && *at != '\'') {
        return at;
    }
    while (*end != '\0' && *end != '\n' && *end != *at) {
        end += *end == '\\' && end[1] != '\0' ? 2 : 1;
    }
    return *end == *at ? end : at;
}

/* Counts the parenthesis at `at`, which stands in that column. */
static void count_open(struct open *open, const char *at, int column) {
    if (*at == '(' && open->depth < MAX_OPEN) {
        open->columns[open->depth++] = column + 1;
    } else if (*at == ')' && open->depth > 0) {
        open->depth--;
    }
}

static int is_code(const char *line) {
    return strchr("#/*", line[strspn(line, " ")]) == NULL;
}

/* The end of the statement's part that begins with the line: behind the line that closes all parentheses. */
static const char *joined_end(const char *line) {
    struct open open = {.depth = 0};
    const char *at = line;
    for (; *at != '\0' && (*at != '\n' || (open.depth > 0 && is_code(line))); at++) {
        at = constant_end(at);
        count_open(&open, at, 0);
    }
    return *at == '\n' ? at + 1 : at;
}

static size_t longest_line(const char *at, const char *end) {
    size_t longest = 0;
    while (at < end) {
        size_t length = strcspn(at, "\n");
        longest = length > longest ? length : longest;
        at += length + 1;
    }
    return longest;
}

/* One line of the lines up to `end`. */
static void join(struct gk_text *joined, const char *at, const char *end) {
    while (at < end) {
        size_t length = strcspn(at, "\n"), blanks = joined->length > 0 ? strspn(at, " ") : 0;
        if (joined->length > 0 && joined->data[joined->length - 1] != '(') {
            gk_text_add(joined, " ", 1);
        }
        gk_text_add(joined, at + blanks, length - blanks);
        at += length + 1;
    }
}

/* How much of what begins at `at` stays on a line that is broken there: 0 if none can be. Commas and binary operators
 * end a line, what chooses begins one. */
static size_t break_at(const char *at) {
    static const char *const ends[] = {", ", " + ", " | ", " && ", " || "};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (strncmp(at, ends[i], strlen(ends[i])) == 0) {
            return strlen(ends[i]);
        }
    }
    return strncmp(at, " ? ", 3) == 0 || strncmp(at, " : ", 3) == 0 ? 1 : 0;
}

/* The length of the part of `rest`, which begins in that column, that makes a line: as long as can be, within as few
 * parentheses as can be. All of it when it fits or can not be broken. */
static size_t line_length(const char *rest, int column, struct open open) {
    size_t best = strlen(rest);
    int best_depth = MAX_OPEN + 1;
    if (column + (int)best <= COLUMNS) {
        return best;
    }
    for (const char *at = rest; *at != '\0' && column + (int)(at - rest) <= COLUMNS; at++) {
        at = constant_end(at);
        int here = column + (int)(at - rest);
        size_t kept = break_at(at);
        count_open(&open, at, here);
        if (kept > 0 && here >= EARLIEST && here + (int)kept - 1 <= COLUMNS && open.depth <= best_depth) {
            best = (size_t)(at - rest) + kept;
            best_depth = open.depth;
        }
    }
    return best;
}

static void break_lines(struct gk_text *text, const char *line) {
    struct open open = {.depth = 0};
    int indent = (int)strspn(line, " "), column = 0;
    while (*line != '\0') {
        size_t length = line_length(line, column, open), shown = length;
        for (size_t i = 0; i < length; i++) {
            count_open(&open, line + i, column + (int)i);
        }
        while (shown > 0 && line[shown - 1] == ' ') {
            shown--;
        }
        gk_text_format(text, "%*s%.*s\n", column, "", (int)shown, line);
        line += length;
        column = open.depth > 0 ? open.columns[open.depth - 1] : indent + CONTINUED;
    }
}

/* Whether the lines were laid out for another name: one is too long, or they are the parameters of a function. */
static int must_break(const char *source, const char *end) {
    int is_head = *source != ' ' && strcspn(source, "\n") + 1 < (size_t)(end - source);
    return is_code(source) && (is_head || longest_line(source, end) > COLUMNS);
}

void gk_reflow(struct gk_text *text, const char *source) {
    while (*source != '\0') {
        const char *end = joined_end(source);
        if (must_break(source, end)) {
            struct gk_text joined = {0};
            join(&joined, source, end);
            break_lines(text, joined.data);
            gk_text_free(&joined);
        } else {
            gk_text_add(text, source, (size_t)(end - source));
        }
        source = end;
    }
}
