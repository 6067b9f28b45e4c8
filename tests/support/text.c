/* text: tensors from text, and what counts as the same message. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

int message_holds(const char *message, const char *part) {
    char squeezed[2][2048];
    const char *texts[2] = {message, part};
    for (int i = 0; i < 2; i++) {
        size_t n = 0;
        for (const char *c = texts[i]; *c && n < sizeof squeezed[i] - 1; c++)
            if (*c != ' ') squeezed[i][n++] = *c;
        squeezed[i][n] = 0;
    }
    return strstr(squeezed[0], squeezed[1]) != NULL;
}

/* ---- Elements ---- */

/* The bits of the nearest float with that many bits of exponent and mantissa. */
static uint16_t narrow_float(double value, int exponent_bits, int mantissa_bits) {
    int bias = (1 << (exponent_bits - 1)) - 1;
    unsigned sign = signbit(value) ? 1u << (exponent_bits + mantissa_bits) : 0;
    unsigned infinity = ((1u << exponent_bits) - 1) << mantissa_bits;
    if (isnan(value)) return (uint16_t)(sign | infinity | (1u << (mantissa_bits - 1)));
    double size = fabs(value);
    int exponent = size > 0 && ilogb(size) > 1 - bias ? ilogb(size) : 1 - bias;
    if (isinf(value) || exponent > bias) return (uint16_t)(sign | infinity);
    unsigned mantissa = (unsigned)nearbyint(ldexp(size, mantissa_bits - exponent));
    unsigned bits = mantissa + ((unsigned)(exponent + bias - 1) << mantissa_bits);
    return (uint16_t)(sign | (bits < infinity ? bits : infinity));
}

static void put_real(DLDataType dtype, double value, char *element) {
    float single = (float)value;
    uint16_t half = dtype.code == kDLBfloat ? narrow_float(value, 8, 7) : narrow_float(value, 5, 10);
    if (dtype.bits == 64)
        memcpy(element, &value, 8);
    else if (dtype.bits == 32)
        memcpy(element, &single, 4);
    else
        memcpy(element, &half, 2);
}

/* Puts the value of one word; `text` is where a string's bytes may go. Returns the bytes used there. */
static size_t put_element(DLDataType dtype, const char *word, char *element, char *text) {
    if (dtype.code == kDLOpaqueHandle) {
        size_t length = strlen(word) - 2;
        struct gasket_string string = {length ? text : NULL, length};
        memcpy(text, word + 1, length);
        memcpy(element, &string, sizeof string);
        return length;
    }
    if (dtype.code == kDLComplex) {
        DLDataType part = {kDLFloat, (uint8_t)(dtype.bits / 2), 1};
        const char *imaginary = strchr(word, ';');
        put_real(part, strtod(word, NULL), element);
        put_real(part, imaginary ? strtod(imaginary + 1, NULL) : 0.0, element + part.bits / 8);
    } else if (dtype.code == kDLFloat || dtype.code == kDLBfloat) {
        put_real(dtype, strtod(word, NULL), element);
    } else {
        uint64_t bits = word[0] == '-' ? (uint64_t)strtoll(word, NULL, 10) : strtoull(word, NULL, 10);
        memcpy(element, &bits, dtype_bytes(dtype)); /* little endian */
    }
    return 0;
}

struct filling {
    DLDataType dtype;
    char *elements, *text;
    size_t n;
};

static void put(struct filling *filling, const char *word) {
    size_t size = dtype_bytes(filling->dtype);
    filling->text += put_element(filling->dtype, word, filling->elements + filling->n++ * size, filling->text);
}

/* One word between commas: a value, a..b or value*times. */
static void put_word(struct filling *filling, char *word) {
    char *dots = strstr(word, ".."), *times = strrchr(word, '*');
    if (word[0] == '\'' || (!dots && !times)) {
        put(filling, word);
        return;
    }
    if (dots) {
        for (int64_t value = atoll(word); value <= atoll(dots + 2); value++) {
            char digits[24];
            snprintf(digits, sizeof digits, "%" PRId64, value);
            put(filling, digits);
        }
        return;
    }
    *times = 0;
    for (int64_t i = 0; i < atoll(times + 1); i++)
        put(filling, word);
}

static void fill_values(struct filling *filling, char *words) {
    for (char *word = words; word && *word;) {
        char *comma = strchr(word, ',');
        if (comma) *comma = 0;
        put_word(filling, word);
        word = comma ? comma + 1 : NULL;
    }
}

static char *put_hex_bytes(char *to, const char *hex, size_t digits) {
    for (size_t i = 0; i < digits; i += 2) {
        const char pair[3] = {hex[i], hex[i + 1], 0};
        *to++ = (char)strtoul(pair, NULL, 16);
    }
    return to;
}

static void fill_hex(struct filling *filling, const char *hex, size_t n) {
    if (filling->dtype.code != kDLOpaqueHandle) {
        filling->n = strlen(hex) / 2 / dtype_bytes(filling->dtype);
        put_hex_bytes(filling->elements, hex, strlen(hex));
        return;
    }
    for (; filling->n < n; filling->n++) {
        size_t digits = strcspn(hex, ".");
        struct gasket_string string = {digits ? filling->text : NULL, digits / 2};
        filling->text = put_hex_bytes(filling->text, hex, digits);
        memcpy(filling->elements + filling->n * sizeof string, &string, sizeof string);
        hex += digits + (hex[digits] == '.');
    }
}

/* ---- Tensors ---- */

static const char *read_list(const char *text, int64_t *values, int *n) {
    for (*n = 0; *text != ']' && *text != '}';) {
        char *end;
        values[(*n)++] = strtoll(text, &end, 10);
        text = *end == ',' ? end + 1 : end;
    }
    return text + 1;
}

/* Lays the parsed values into guarded memory of their own size, when the buffer is not just the compact elements. */
static void resize(struct tensor *tensor, const struct filling *filling, enum side side) {
    size_t bytes = filling->n * dtype_bytes(filling->dtype);
    if (bytes != tensor->bytes) tensor_memory(tensor, bytes, side);
    if (bytes) memcpy(tensor->data, filling->elements, bytes);
    tensor->view.data = bytes ? tensor->data : NULL;
}

void tensor_parse(struct tensor *tensor, const char *text, enum side side) {
    char *copy = strdup(text), name[32] = "";
    int64_t shape[GASKET_MAX_RANK], strides[GASKET_MAX_RANK];
    int ndim = 0, n_strides = 0;
    if (copy == NULL || sscanf(text, "%31[a-z0-9_]", name) != 1 || text[strlen(name)] != '[') give_up(text);
    const char *rest = read_list(text + strlen(name) + 1, shape, &ndim);
    tensor_make(tensor, dtype_named(name), ndim, shape, side);
    if (*rest == '{') {
        rest = read_list(rest + 1, strides, &n_strides);
        memcpy(tensor->strides, strides, sizeof strides[0] * (size_t)n_strides);
        tensor->view.strides = tensor->strides;
    }
    if (*rest == '@') tensor->view.byte_offset = strtoull(rest + 1, (char **)&rest, 10);
    if (*rest != 0) {
        enum { ROOM = 1 << 20 };
        tensor->text = malloc(strlen(text) + 1);
        struct filling filling = {tensor->view.dtype, malloc(ROOM), tensor->text, 0};
        char *elements = filling.elements, *body = copy + (rest - text) + 1;
        if (*rest == '=') fill_values(&filling, body);
        if (*rest == ':') fill_hex(&filling, body, (size_t)product(shape, ndim));
        int shared = tensor->view.dtype.bits < 8 || tensor->view.strides != NULL || tensor->view.byte_offset != 0;
        if (!shared && (int64_t)filling.n != product(shape, ndim)) give_up(text);
        resize(tensor, &filling, side);
        free(elements);
    }
    free(copy);
}
