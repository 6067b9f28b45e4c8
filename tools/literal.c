/* literal: nested lists of values, walked twice: for the shape and the kind of values, then to store them. */
#include "literal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "types.h"

/* One walk over the text. */
struct walk {
    const char *text, *at;
    struct tool_failure *failure;
    int ndim;                       /* -1 until the first value or empty list was met */
    int64_t shape[GASKET_MAX_RANK]; /* -1: not known yet */
    int64_t index[GASKET_MAX_RANK]; /* of the value at hand */
    unsigned kinds;                 /* a bit for each kind of value that was met */
    int64_t count;                  /* of values so far */
    struct tool_array *array;       /* NULL in the first walk */
    char *texts;                    /* where the next string's bytes go */
};

static void skip_space(struct walk *w) {
    while (*w->at == ' ' || *w->at == '\n' || *w->at == '\t') {
        w->at++;
    }
}

static int malformed(struct walk *w, const char *expected) {
    return tool_misuse(w->failure, "%s expected at character %td of '%.60s'", expected, w->at - w->text + 1, w->text);
}

static int nested_unlike(struct walk *w) {
    return tool_misuse(w->failure, "the lists are not nested alike at character %td of '%.60s'", w->at - w->text + 1,
                       w->text);
}

/* ---- Values ---- */

static int store_text(struct walk *w, const struct tool_value *value) {
    struct gasket_string *string = (struct gasket_string *)w->array->tensor.data + w->count;
    string->data = w->texts;
    string->length = (size_t)tool_value_decode(value, w->texts); /* the first walk saw that it can be decoded */
    w->texts += string->length + 1;
    w->texts[-1] = 0;
    return TOOL_DONE;
}

static int store(struct walk *w, const struct tool_value *value) {
    const DLTensor *tensor = &w->array->tensor;
    char place[TOOL_SHAPE_TEXT + 8];
    if (value->kind == TOOL_VALUE_TEXT) {
        return store_text(w, value);
    }
    int outcome = tool_value_store(value, tensor->dtype, tensor->data, w->count, w->failure);
    if (outcome && tensor->ndim > 0) {
        char position[TOOL_SHAPE_TEXT];
        snprintf(place, sizeof place, "at %s", tool_tuple_text(position, tensor->ndim, w->index));
        tool_locate(w->failure, place);
    }
    return outcome;
}

static int read_value(struct walk *w, int depth) {
    struct tool_value value;
    const char *end = tool_value_scan(w->at, &value);
    if (!end) {
        return malformed(w, depth ? "a value, '[' or ']'" : "a value or '['");
    }
    if (w->ndim >= 0 && w->ndim != depth) {
        return nested_unlike(w);
    }
    if (value.kind == TOOL_VALUE_TEXT && !w->array) {
        char *scratch = malloc((size_t)(value.end - value.begin) + 1);
        int64_t length = scratch ? tool_value_decode(&value, scratch) : 0;
        free(scratch);
        if (length < 0) {
            return malformed(w, "a text with \\\\ \\\" \\' \\n \\t \\r or \\xHH as its only escapes");
        }
    }
    w->ndim = depth;
    w->kinds |= 1u << value.kind;
    int outcome = w->array ? store(w, &value) : TOOL_DONE;
    w->count++;
    w->at = end;
    return outcome;
}

/* ---- Lists ---- */

static int read_item(struct walk *w, int depth);

/* The list's length agrees with that of its neighbours; an empty one ends the nesting. */
static int close_list(struct walk *w, int depth, int64_t length) {
    if (length == 0 && w->ndim < 0) {
        w->ndim = depth + 1;
    }
    if (w->shape[depth] < 0) {
        w->shape[depth] = length;
    }
    if (length == 0 && w->ndim != depth + 1) {
        return nested_unlike(w);
    }
    if (w->shape[depth] != length) {
        return tool_misuse(w->failure,
                           "the list that ends at character %td of '%.60s' has %" PRId64
                           " items, the one before it has %" PRId64,
                           w->at - w->text, w->text, length, w->shape[depth]);
    }
    return TOOL_DONE;
}

static int read_list(struct walk *w, int depth) {
    int64_t length = 0;
    if (depth == GASKET_MAX_RANK) {
        return tool_misuse(w->failure, "lists nest deeper than %d in '%.60s'", GASKET_MAX_RANK, w->text);
    }
    w->at++;
    skip_space(w);
    while (*w->at != ']') {
        if (length > 0 && *w->at++ != ',') {
            w->at--;
            return malformed(w, "',' or ']'");
        }
        w->index[depth] = length++;
        int outcome = read_item(w, depth + 1);
        if (outcome) {
            return outcome;
        }
    }
    w->at++;
    return close_list(w, depth, length);
}

static int read_item(struct walk *w, int depth) {
    skip_space(w);
    int outcome = *w->at == '[' ? read_list(w, depth) : read_value(w, depth);
    skip_space(w);
    return outcome;
}

static void begin_walk(struct walk *w, const char *text, struct tool_failure *failure) {
    memset(w, 0, sizeof *w);
    memset(w->shape, 0xff, sizeof w->shape);
    w->text = w->at = text;
    w->ndim = -1;
    w->failure = failure;
}

/* ---- The type ---- */

static int has(const struct walk *w, enum tool_value_kind kind) {
    return (w->kinds & 1u << kind) != 0;
}

static int mix_refused(struct walk *w) {
    int texts = has(w, TOOL_VALUE_TEXT), bools = has(w, TOOL_VALUE_BOOL);
    int numbers = has(w, TOOL_VALUE_WHOLE) || has(w, TOOL_VALUE_REAL) || has(w, TOOL_VALUE_COMPLEX);
    if (texts + bools + numbers > 1) {
        return tool_misuse(w->failure, "%s and %s are mixed in '%.60s'", texts ? "texts" : "true and false",
                           numbers ? "numbers" : "true or false", w->text);
    }
    return TOOL_DONE;
}

static const char *default_type(const struct walk *w) {
    static const struct {
        enum tool_value_kind kind;
        const char *type;
    } defaults[] = {
        {TOOL_VALUE_TEXT, "string"}, {TOOL_VALUE_BOOL, "bool"}, {TOOL_VALUE_COMPLEX, "c64"}, {TOOL_VALUE_REAL, "f32"}};
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++) {
        if (has(w, defaults[i].kind)) {
            return defaults[i].type;
        }
    }
    return "i64";
}

/* The type after the colon at the cursor, else the one wanted, else that of the values. */
static int choose_type(struct walk *w, const DLDataType *wanted, DLDataType *type) {
    const char *name = default_type(w);
    if (*w->at == ':') {
        name = w->at + 1;
    } else if (*w->at) {
        return malformed(w, "the end or ':' with a type");
    } else if (wanted) {
        name = gasket_type_name(*wanted);
    }
    if (gasket_type_parse(name, type) != GASKET_OK) {
        return tool_misuse(w->failure, "'%.32s' is not a type (i32, i64, f32, bf16, bool, string... are)", name);
    }
    int is_string = tool_type_of(*type)->form == TOOL_FORM_STRING;
    if (w->kinds && is_string != has(w, TOOL_VALUE_TEXT)) {
        return tool_misuse(w->failure, "'%.60s' holds %s of type %s", w->text,
                           is_string ? "no quoted texts, which are the values" : "texts, which are not values", name);
    }
    return TOOL_DONE;
}

/* ---- Whole literals ---- */

int tool_is_literal(const char *text) {
    struct tool_value value;
    DLDataType type;
    while (*text == ' ') {
        text++;
    }
    if (*text == '[' || *text == '"' || *text == '\'') {
        return 1;
    }
    const char *end = tool_value_scan(text, &value);
    return end && (*end == 0 || (*end == ':' && gasket_type_parse(end + 1, &type) == GASKET_OK));
}

static int allocate(struct walk *w, struct tool_array *array, DLDataType type) {
    for (int d = 0; d < w->ndim; d++) {
        w->shape[d] = w->shape[d] < 0 ? 0 : w->shape[d];
    }
    int outcome = tool_array_allocate(array, type, w->ndim, w->shape, w->failure);
    if (!outcome && tool_type_of(type)->form == TOOL_FORM_STRING) {
        array->texts = malloc(strlen(w->text) + 1);
        outcome = array->texts ? TOOL_DONE : tool_fail(w->failure, "no memory for the texts");
    }
    return outcome;
}

int tool_literal_read(struct tool_array *array, const char *text, const DLDataType *type,
                      struct tool_failure *failure) {
    struct walk first, second;
    DLDataType chosen = {0, 0, 0};
    begin_walk(&first, text, failure);
    int outcome = read_item(&first, 0);
    outcome = outcome ? outcome : mix_refused(&first);
    outcome = outcome ? outcome : choose_type(&first, type, &chosen);
    outcome = outcome ? outcome : allocate(&first, array, chosen);
    if (!outcome) {
        begin_walk(&second, text, failure);
        second.array = array;
        second.texts = array->texts;
        outcome = read_item(&second, 0);
    }
    if (outcome) {
        tool_array_free(array);
    }
    return outcome;
}
