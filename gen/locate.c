/* locate: see locate.h. A scanner of Lua that knows brackets, strings, comments and `name =`, and nothing else. */
#include "gen/locate.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { MAX_DEPTH = 32 };

struct scan {
    const char *at;
    int line;
    int depth;             /* of brackets that are open */
    int places[MAX_DEPTH]; /* members without a name so far, by depth */
    int matched;           /* keys that the open tables stand for */
    int field_matches;     /* whether the member that is being read is the key after those */
    const struct gk_key *keys;
    int n_keys;
};

static void advance(struct scan *scan, const char *to) {
    for (; scan->at < to; scan->at++) {
        scan->line += *scan->at == '\n';
    }
}

/* The end of `[[...]]`, `[=[...]=]`; NULL if `text` does not begin one. */
static const char *long_bracket_end(const char *text) {
    size_t level = strspn(text + 1, "=");
    if (text[0] != '[' || text[level + 1] != '[') {
        return NULL;
    }
    for (const char *end = strchr(text, ']'); end != NULL; end = strchr(end + 1, ']')) {
        if (strspn(end + 1, "=") == level && end[level + 1] == ']') {
            return end + level + 2;
        }
    }
    return text + strlen(text);
}

static const char *quoted_end(const char *text) {
    const char *end = text + 1;
    while (*end != '\0' && *end != *text) {
        end += *end == '\\' && end[1] != '\0' ? 2 : 1;
    }
    return *end != '\0' ? end + 1 : end;
}

static const char *comment_end(const char *text) {
    const char *end = long_bracket_end(text + 2);
    return end != NULL ? end : text + strcspn(text, "\n");
}

static void skip_blanks(struct scan *scan) {
    for (;;) {
        if (isspace((unsigned char)*scan->at)) {
            advance(scan, scan->at + 1);
        } else if (scan->at[0] == '-' && scan->at[1] == '-') {
            advance(scan, comment_end(scan->at));
        } else {
            return;
        }
    }
}

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of the name that `text` gives to a member, as `name =` or `["name"] =`; 0 if it gives none. */
static size_t member_name(const char *text, const char **name) {
    int bracketed = text[0] == '[' && (text[1] == '"' || text[1] == '\'');
    size_t length = 0;
    *name = bracketed ? text + 2 : text;
    while (is_word((*name)[length])) {
        length++;
    }
    const char *after = *name + length;
    if (length == 0 || (bracketed && (after[0] != text[1] || after[1] != ']'))) {
        return 0;
    }
    after += bracketed ? 2 : 0;
    after += strspn(after, " \t");
    return after[0] == '=' && after[1] != '=' ? length : 0;
}

static void begin_member(struct scan *scan) {
    const char *name;
    skip_blanks(scan);
    if (scan->depth == 0 || scan->depth != scan->matched + 1 || *scan->at == '}') {
        scan->field_matches = 0;
        return;
    }
    const struct gk_key *key = &scan->keys[scan->matched];
    size_t length = member_name(scan->at, &name);
    if (length == 0) {
        scan->field_matches = key->name == NULL && ++scan->places[scan->depth] == key->place;
    } else {
        scan->field_matches = key->name != NULL && strlen(key->name) == length && memcmp(name, key->name, length) == 0;
        advance(scan, scan->at + (*scan->at == '[' ? length + 4 : length));
    }
}

static void open_bracket(struct scan *scan) {
    scan->matched += scan->field_matches && *scan->at == '{';
    scan->depth++;
    scan->places[scan->depth] = 0;
    advance(scan, scan->at + 1);
    begin_member(scan);
}

static void close_bracket(struct scan *scan) {
    scan->depth--;
    scan->matched -= scan->matched > 0 && scan->matched >= scan->depth;
    scan->field_matches = 0;
    advance(scan, scan->at + 1);
}

/* Past the next token; begins a member after what separates two. */
static void step(struct scan *scan) {
    const char *at = scan->at;
    if (*at == '"' || *at == '\'') {
        advance(scan, quoted_end(at));
    } else if (long_bracket_end(at) != NULL) {
        advance(scan, long_bracket_end(at));
    } else if (strchr("{(", *at) != NULL) {
        open_bracket(scan);
    } else if (strchr("})", *at) != NULL) {
        close_bracket(scan);
    } else if (strchr(",;", *at) != NULL) {
        advance(scan, at + 1);
        begin_member(scan);
    } else {
        advance(scan, at + 1);
    }
}

int gk_locate(const char *source, int first_line, const struct gk_key *keys, int n_keys) {
    struct scan scan = {.at = source, .line = 1, .keys = keys, .n_keys = n_keys};
    while (*scan.at != '\0' && scan.line < first_line) {
        advance(&scan, scan.at + 1);
    }
    advance(&scan, scan.at + strcspn(scan.at, "{"));
    while (n_keys > 0 && *scan.at != '\0' && scan.depth >= 0 && scan.depth < MAX_DEPTH - 1) {
        step(&scan);
        if (scan.field_matches && scan.matched + 1 == n_keys) {
            return scan.line;
        }
        skip_blanks(&scan);
        if (scan.depth == 0) {
            break;
        }
    }
    return first_line;
}
