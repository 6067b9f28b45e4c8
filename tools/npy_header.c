/* npy: the header, a Python dictionary with three keys, read strictly. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "npy.h"

/* A reading position in the header's text. */
struct cursor {
    const char *at, *end;
    struct tool_npy_header *header;
    struct tool_failure *failure;
};

/* What stands at the cursor, fit to be shown. */
struct excerpt {
    char text[40];
};

static struct excerpt excerpt_at(const struct cursor *c) {
    struct excerpt e;
    size_t n = 0;
    for (const char *p = c->at; p < c->end && n < 20; p++) {
        e.text[n++] = (char)(*p >= ' ' && *p <= '~' ? *p : '?');
    }
    snprintf(e.text + n, sizeof e.text - n, "%s", n == 0 ? "its end" : "");
    return e;
}

static int malformed(struct cursor *c, const char *expected) {
    return tool_fail(c->failure, "the header is malformed: %s expected at '%s'", expected, excerpt_at(c).text);
}

static void skip_space(struct cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t' || *c->at == '\r')) {
        c->at++;
    }
}

/* Whether the next character is `wanted`, which is then passed. */
static int take(struct cursor *c, char wanted) {
    skip_space(c);
    if (c->at < c->end && *c->at == wanted) {
        c->at++;
        return 1;
    }
    return 0;
}

/* A Python string without escapes. */
static int read_string(struct cursor *c, char *text, size_t capacity) {
    skip_space(c);
    char quote = '\0';
    if (c->at < c->end) {
        quote = *c->at;
    }
    if (quote != '\'' && quote != '"') {
        return malformed(c, "a quoted word");
    }
    const char *begin = c->at + 1, *close = memchr(begin, quote, (size_t)(c->end - begin));
    if (!close || (size_t)(close - begin) >= capacity || memchr(begin, '\\', (size_t)(close - begin))) {
        return malformed(c, "a short quoted word");
    }
    memcpy(text, begin, (size_t)(close - begin));
    text[close - begin] = 0;
    c->at = close + 1;
    return TOOL_DONE;
}

static int read_number(struct cursor *c, int64_t *number) {
    skip_space(c);
    const char *begin = c->at;
    *number = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        if (__builtin_mul_overflow(*number, 10, number) || __builtin_add_overflow(*number, *c->at - '0', number)) {
            c->at = begin;
            return tool_fail(c->failure, "an extent does not fit 63 bits: '%s'", excerpt_at(c).text);
        }
    }
    if (c->at == begin && c->at < c->end && *c->at == '-') {
        return tool_fail(c->failure, "an extent is negative: '%s'", excerpt_at(c).text);
    }
    return c->at == begin ? malformed(c, "a whole number") : TOOL_DONE;
}

/* "<f4": order, letter, width. */
static int parse_type(struct cursor *c, const char *text) {
    struct tool_npy_header *h = c->header;
    int known = text[0] && strchr("<>|=", text[0]) && ((text[1] | 32) >= 'a' && (text[1] | 32) <= 'z');
    struct cursor digits = {text + 2 * known, text + strlen(text), h, c->failure};
    int is_wrong = !known || read_number(&digits, &h->bytes) != TOOL_DONE || h->bytes > INT32_MAX;
    int has_unit = !is_wrong && (text[1] | 32) == 'm' && *digits.at == '['; /* <M8[ns] */
    if (is_wrong || (digits.at != digits.end && !has_unit)) {
        return tool_fail(c->failure, "the type '%s' is not understood", text);
    }
    h->order = text[0];
    h->letter = text[1];
    return TOOL_DONE;
}

static int read_descr(struct cursor *c) {
    char text[24] = "";
    skip_space(c);
    if (c->at < c->end && (*c->at == '[' || *c->at == '(' || *c->at == '{')) {
        return tool_fail(c->failure, "structured and nested types are not read: %s", excerpt_at(c).text);
    }
    if (read_string(c, text, sizeof text)) {
        return TOOL_FAILED;
    }
    for (char *p = text; *p; p++) {
        *p = (char)(*p >= ' ' && *p <= '~' ? *p : '?');
    }
    if (strcmp(text + (text[0] == '|'), "O") == 0) {
        return tool_fail(c->failure, "the elements are Python objects (pickled), which are never read");
    }
    return parse_type(c, text);
}

static int read_fortran_order(struct cursor *c) {
    skip_space(c);
    size_t left = (size_t)(c->end - c->at);
    if (left >= 4 && memcmp(c->at, "True", 4) == 0) {
        c->header->fortran = 1;
        c->at += 4;
        return TOOL_DONE;
    }
    if (left >= 5 && memcmp(c->at, "False", 5) == 0) {
        c->header->fortran = 0;
        c->at += 5;
        return TOOL_DONE;
    }
    return malformed(c, "True or False");
}

/* (), (n,), (n, m)... but not (n), which Python takes for a number. */
static int read_shape(struct cursor *c) {
    struct tool_npy_header *h = c->header;
    int comma = 1;
    if (!take(c, '(')) {
        return malformed(c, "the shape, a tuple");
    }
    for (h->ndim = 0; !take(c, ')'); h->ndim++) {
        if (!comma) {
            return malformed(c, "',' or ')'");
        }
        if (h->ndim == GASKET_MAX_RANK) {
            return tool_fail(c->failure, "the shape has more than %d dimensions", GASKET_MAX_RANK);
        }
        if (read_number(c, &h->shape[h->ndim])) {
            return TOOL_FAILED;
        }
        (void)take(c, 'L'); /* Python 2 wrote long integers so */
        comma = take(c, ',');
    }
    if (h->ndim == 1 && !comma) {
        return tool_fail(c->failure, "the shape is not a tuple: a comma is missing in (%" PRId64 ")", h->shape[0]);
    }
    return TOOL_DONE;
}

static const struct {
    const char *name;
    int (*read)(struct cursor *);
} keys[] = {{"descr", read_descr}, {"fortran_order", read_fortran_order}, {"shape", read_shape}};
enum { N_KEYS = sizeof keys / sizeof keys[0] };

static int read_entry(struct cursor *c, unsigned *seen) {
    char name[32];
    int k = 0;
    if (read_string(c, name, sizeof name)) {
        return TOOL_FAILED;
    }
    while (k < N_KEYS && strcmp(name, keys[k].name) != 0) {
        k++;
    }
    if (k == N_KEYS || (*seen & 1u << k)) {
        return tool_fail(c->failure, "the header has %s key", k == N_KEYS ? "an unknown" : "twice the same");
    }
    *seen |= 1u << k;
    return take(c, ':') ? keys[k].read(c) : malformed(c, "':'");
}

static int read_dictionary(struct cursor *c) {
    unsigned seen = 0;
    int comma = 1;
    if (!take(c, '{')) {
        return malformed(c, "'{'");
    }
    while (!take(c, '}')) {
        if (!comma) {
            return malformed(c, "',' or '}'");
        }
        if (read_entry(c, &seen)) {
            return TOOL_FAILED;
        }
        comma = take(c, ',');
    }
    for (int k = 0; k < N_KEYS; k++) {
        if (!(seen & 1u << k)) {
            return tool_fail(c->failure, "the header does not say '%s'", keys[k].name);
        }
    }
    skip_space(c);
    return c->at == c->end ? TOOL_DONE : malformed(c, "the end of the header");
}

/* ---- What stands before the dictionary ---- */

enum { MAGIC = 6, VERSION = 2 };

static int check_magic(const char *bytes, size_t size, struct tool_failure *failure) {
    if (size >= 4 && memcmp(bytes, "PK\3\4", 4) == 0) {
        return tool_fail(failure, "this is an archive (.npz); unpack it and give one of its .npy files");
    }
    if (size < MAGIC || memcmp(bytes, "\x93NUMPY", MAGIC) != 0) {
        return tool_fail(failure, "this is not a .npy file: it does not begin with \\x93NUMPY");
    }
    return TOOL_DONE;
}

int tool_npy_parse(struct tool_npy_header *header, const char *bytes, size_t size, struct tool_failure *failure) {
    memset(header, 0, sizeof *header);
    if (check_magic(bytes, size, failure)) {
        return TOOL_FAILED;
    }
    const unsigned char *u = (const unsigned char *)bytes;
    size_t length_bytes = size > MAGIC && u[MAGIC] == 1 ? 2 : 4, length = 0;
    size_t text = MAGIC + VERSION + length_bytes;
    if (size >= MAGIC + VERSION && (u[MAGIC] < 1 || u[MAGIC] > 3 || u[MAGIC + 1] != 0)) {
        return tool_fail(failure, "version %d.%d of .npy is not known (1.0, 2.0 and 3.0 are)", u[MAGIC], u[MAGIC + 1]);
    }
    if (size < text) {
        return tool_fail(failure, "the file ends inside its header (%zu bytes)", size);
    }
    for (size_t i = 0; i < length_bytes; i++) {
        length |= (size_t)u[MAGIC + VERSION + i] << 8 * i;
    }
    if (length > size - text) {
        return tool_fail(failure, "the file ends inside its header: %zu of %zu bytes are there", size - text, length);
    }
    header->data = text + length;
    struct cursor c = {bytes + text, bytes + text + length, header, failure};
    return read_dictionary(&c);
}
