/* line_read: see line.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "definition.h"
#include "formula/formula.h"
#include "line.h"

struct reader {
    const struct gk_catalog *catalog;
    struct fuzz_call *call;
    struct fuzz_variant *variant;
    char *error;
    int has_variant;
};

static int fail(struct reader *r, const char *what, const char *where) {
    snprintf(r->error, FUZZ_VARIANT_TEXT, "%s: %.200s", what, where);
    return FUZZ_LINE_WRONG;
}

/* A list up to its closing bracket; NULL where there are too many values. */
static const char *read_list(const char *text, int64_t *values, int *n) {
    for (*n = 0; *text && *text != ']' && *text != '}';) {
        char *end;
        if (*n == GASKET_MAX_RANK) return NULL;
        values[(*n)++] = strtoll(text, &end, 10);
        if (end == text) return NULL;
        text = *end == ',' ? end + 1 : end;
    }
    return *text ? text + 1 : NULL;
}

static int digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Bytes from hex; how many, or -1. */
static int64_t read_hex(const char *text, size_t digits, char *bytes) {
    for (size_t i = 0; i + 1 < digits; i += 2) {
        int high = digit(text[i]), low = digit(text[i + 1]);
        if (high < 0 || low < 0) return -1;
        bytes[i / 2] = (char)(high << 4 | low);
    }
    return digits % 2 ? -1 : (int64_t)(digits / 2);
}

static int read_strings(struct reader *r, struct fuzz_buffer *buffer, const char *text) {
    size_t slots = *text ? 1 : 0, size = sizeof(struct gasket_string);
    for (const char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.'))
        slots++;
    if (slots == 0 && fuzz_buffer_elements(buffer) > 0) slots = 1; /* one empty string */
    buffer->bytes = slots * size;
    buffer->image = fuzz_pool_room(&r->call->pool, buffer->bytes);
    if (!buffer->image) return -1;
    for (size_t i = 0; i < slots; i++) {
        size_t digits = strcspn(text, ".");
        char *bytes = fuzz_pool_room(&r->call->pool, digits / 2 + 1);
        if (!bytes || read_hex(text, digits, bytes) < 0) return -1;
        struct gasket_string string = {digits > 0 ? bytes : NULL, digits / 2};
        memcpy(buffer->image + i * size, &string, size);
        text += digits + (text[digits] == '.');
    }
    return 0;
}

static int read_bytes(struct reader *r, struct fuzz_buffer *buffer, const char *text) {
    if (buffer->view.dtype.code == kDLOpaqueHandle) return read_strings(r, buffer, text);
    buffer->bytes = strlen(text) / 2;
    buffer->image = fuzz_pool_room(&r->call->pool, buffer->bytes + 1);
    return buffer->image && read_hex(text, strlen(text), buffer->image) >= 0 ? 0 : -1;
}

static void set_view(struct fuzz_buffer *buffer, int ndim, int n_strides) {
    buffer->view.device = (DLDevice){kDLCPU, 0};
    buffer->view.ndim = ndim;
    buffer->view.shape = ndim > 0 ? buffer->shape : NULL;
    buffer->view.strides = n_strides >= 0 ? buffer->strides : NULL;
    if (n_strides < 0) fuzz_buffer_compact(buffer);
}

static int read_tensor(struct reader *r, struct fuzz_buffer *buffer, const char *text) {
    char type[GASKET_NAME_SIZE] = "";
    int ndim, n_strides = -1;
    const char *at = text + strcspn(text, "[");
    if (*at == 0 || at - text >= (int)sizeof type) return -1;
    memcpy(type, text, (size_t)(at - text));
    if (gasket_type_parse(type, &buffer->view.dtype) != GASKET_OK) return -1;
    if ((at = read_list(at + 1, buffer->shape, &ndim)) == NULL) return -1;
    if (*at == '{' && (at = read_list(at + 1, buffer->strides, &n_strides)) == NULL) return -1;
    if (n_strides >= 0 && n_strides != ndim) return -1;
    set_view(buffer, ndim, n_strides);
    if (*at == '@') buffer->view.byte_offset = strtoull(at + 1, (char **)&at, 10);
    if (*at == '+') {
        buffer->at_begin = at[1] == '<';
        buffer->skew = (int)strtol(at + 1 + buffer->at_begin, (char **)&at, 10);
    }
    if (*at == '%') {
        buffer->slab = strtoull(at + 1, (char **)&at, 10);
        if (*at == 'x') buffer->far = strtoull(at + 1, (char **)&at, 10);
        if (buffer->far <= buffer->slab || buffer->slab == 0) return -1;
    }
    buffer->is_given = 1;
    if (*at == '#') {
        buffer->bytes = strtoull(at + 1, (char **)&at, 10);
        return *at == 0 ? 0 : -1;
    }
    if (*at != ':' || read_bytes(r, buffer, at + 1) != 0) return -1;
    if (buffer->far > 0) buffer->bytes = (buffer->bytes / buffer->slab - 1) * buffer->far + buffer->slab;
    return 0;
}

static int is_text(const char *value) {
    char *end;
    strtoll(value, &end, 10);
    return *end != 0;
}

static int read_named(struct reader *r, const char *name, const char *value) {
    if (r->call->n_named == (int)(sizeof r->call->named / sizeof *r->call->named)) return -1;
    struct fuzz_named *named = fuzz_call_name(r->call, name);
    if (*value == '[') {
        named->is_list = 1;
        return read_list(value + 1, named->values, &named->n) ? 0 : -1;
    }
    named->is_text = is_text(value);
    snprintf(named->text, sizeof named->text, "%s", value);
    if (!named->is_text) named->values[0] = strtoll(value, NULL, 10);
    return 0;
}

static int read_argument(struct reader *r, const char *name, const char *value) {
    const struct gasket_formula *formula = &r->call->operation->formula;
    uint8_t tensor = strcmp(name, "fill") == 0 ? FUZZ_FILL : gk_formula_tensor(formula, name);
    if (tensor == GASKET_NONE) return read_named(r, name, value);
    return read_tensor(r, &r->call->tensors[tensor], value);
}

static int read_setting(struct reader *r, const char *name, const char *value) {
    if (strcmp(name, "seed") == 0) {
        r->call->seed = strtoull(value, NULL, 10);
        return 0;
    }
    if (strcmp(name, "legal") == 0) {
        r->call->is_legal = strcmp(value, "1") == 0;
        return 0;
    }
    if (strcmp(name, "in_place") == 0) {
        r->call->in_place = gk_formula_tensor(&r->call->operation->formula, value);
        return r->call->in_place == GASKET_NONE ? -1 : 0;
    }
    r->has_variant = 1;
    return fuzz_variant_word(r->variant, r->catalog, name, value);
}

/* What a call needs to be placed, and a variant to be run. */
static int check(const struct reader *r) {
    const struct fuzz_variant *v = r->variant;
    for (int t = 0; t < FUZZ_TENSORS; t++) {
        const struct fuzz_buffer *buffer = &r->call->tensors[t];
        size_t room = buffer->far > 0 ? FUZZ_FAR_BYTES : FUZZ_PLACE_BYTES;
        if (buffer->is_given && (buffer->bytes > room - 8192 || buffer->skew < 0 || buffer->skew > 4096)) return -1;
    }
    if (!r->call->tensors[r->call->out].is_given) return -1;
    return v->via != FUZZ_BY_FORCE || v->tier == GK_TIER_JIT || v->fused || (v->resolve && v->rows) ? 0 : -1;
}

static int read_words(struct reader *r, char *words) {
    char *rest = NULL;
    int is_setting = 0;
    for (char *word = strtok_r(words, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        char *sign = strchr(word, '=');
        if (strcmp(word, "|") == 0) {
            is_setting = 1;
            continue;
        }
        if (!sign) return fail(r, "not NAME=VALUE", word);
        *sign = 0;
        if ((is_setting ? read_setting : read_argument)(r, word, sign + 1) != 0)
            return fail(r, "a word that can not be read", word);
    }
    return FUZZ_LINE_READ;
}

int fuzz_line_read(const char *line, const struct gk_catalog *catalog, struct fuzz_call *call,
                   struct fuzz_variant *variant, char error[FUZZ_VARIANT_TEXT]) {
    struct reader r = {catalog, call, variant, error, 0};
    struct gk_error unknown;
    char name[GASKET_NAME_SIZE] = "";
    size_t length = strcspn(line, " \n");
    struct fuzz_pool pool = call->pool;
    memset(variant, 0, sizeof *variant);
    memset(call, 0, sizeof *call);
    call->pool = pool;
    call->pool.used = 0;
    call->in_place = GASKET_NONE;
    const int is_formula = memchr(line, '[', length) != NULL; /* the catalog's one definition */
    if (!is_formula && length >= sizeof name) return fail(&r, "no operation", line);
    memcpy(name, is_formula ? FUZZ_DEFINED : line, is_formula ? sizeof FUZZ_DEFINED : length);
    const struct gk_entry *entry = gk_catalog_operation(catalog, name, &unknown);
    if (!entry)
        return fail(&r, is_formula ? "the library takes no such formula" : "no such operation",
                    is_formula ? line : name);
    call->operation = entry->operation;
    call->out = gk_formula_output(&entry->operation->formula);
    char *words = strdup(line + length);
    if (!words) return fail(&r, "no memory for", name);
    int result = read_words(&r, words);
    free(words);
    if (result == FUZZ_LINE_READ && check(&r) != 0) return fail(&r, "something is missing or too large", line);
    return result == FUZZ_LINE_READ && !r.has_variant ? FUZZ_LINE_WITHOUT_VARIANT : result;
}
