/* value: one value of a literal: finding its end, and storing it. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "types.h"

/* ---- Scanning ---- */

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}
static int is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static const char *past_digits(const char *p) {
    while (is_digit(*p)) {
        p++;
    }
    return p;
}

/* "12", "1.5", ".5", "1e-3": NULL where there is no digit. */
static const char *scan_decimal(const char *p, int *is_whole) {
    const char *end = past_digits(p);
    size_t digits = (size_t)(end - p);
    if (*end == '.') {
        const char *after = past_digits(end + 1);
        digits += (size_t)(after - end - 1);
        end = after;
        *is_whole = 0;
    }
    if (digits > 0 && (*end == 'e' || *end == 'E')) {
        const char *exponent = end + 1 + (end[1] == '+' || end[1] == '-');
        if (is_digit(*exponent)) {
            end = past_digits(exponent);
            *is_whole = 0;
        }
    }
    return digits > 0 ? end : NULL;
}

/* A real number with an optional sign. */
static const char *scan_real(const char *p, int *is_whole) {
    p += *p == '+' || *p == '-';
    *is_whole = 1;
    if (strncmp(p, "nan", 3) == 0 || strncmp(p, "inf", 3) == 0) {
        *is_whole = 0;
        return p + 3;
    }
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && is_hex(p[2])) {
        for (p += 3; is_hex(*p); p++) {
        }
        return p;
    }
    return scan_decimal(p, is_whole);
}

/* A real number, "2j" or "1+2j". */
static const char *scan_number(const char *text, struct tool_value *value) {
    int is_whole, ignored;
    const char *end = scan_real(text, &is_whole);
    if (!end) {
        return NULL;
    }
    if (*end == 'j') {
        value->kind = TOOL_VALUE_COMPLEX;
        value->imaginary = text;
        return end + 1;
    }
    value->kind = is_whole ? TOOL_VALUE_WHOLE : TOOL_VALUE_REAL;
    value->real = text;
    const char *second = *end == '+' || *end == '-' ? scan_real(end, &ignored) : NULL;
    if (second && *second == 'j') {
        value->kind = TOOL_VALUE_COMPLEX;
        value->imaginary = end;
        end = second + 1;
    }
    return end;
}

static const char *scan_text(const char *text) {
    const char *p = text + 1;
    while (*p && *p != *text) {
        p += *p == '\\' && p[1] ? 2 : 1;
    }
    return *p ? p + 1 : NULL;
}

const char *tool_value_scan(const char *text, struct tool_value *value) {
    const char *end;
    memset(value, 0, sizeof *value);
    if (*text == '"' || *text == '\'') {
        value->kind = TOOL_VALUE_TEXT;
        end = scan_text(text);
    } else if (strncmp(text, "true", 4) == 0 || strncmp(text, "false", 5) == 0) {
        value->kind = TOOL_VALUE_BOOL;
        end = text + (*text == 't' ? 4 : 5);
    } else {
        end = scan_number(text, value);
    }
    value->begin = text;
    value->end = end;
    return end;
}

static int hex_value(char c) {
    return is_digit(c) ? c - '0' : (c | 32) - 'a' + 10;
}

int64_t tool_value_decode(const struct tool_value *value, char *bytes) {
    static const char letters[] = "\\\"'ntr", meanings[] = "\\\"'\n\t\r";
    char *out = bytes;
    for (const char *p = value->begin + 1; p < value->end - 1; p++) {
        if (*p != '\\') {
            *out++ = *p;
            continue;
        }
        const char *letter = strchr(letters, *++p);
        if (letter && *letter) {
            *out++ = meanings[letter - letters];
        } else if (*p == 'x' && is_hex(p[1]) && is_hex(p[2])) {
            *out++ = (char)(hex_value(p[1]) << 4 | hex_value(p[2]));
            p += 2;
        } else {
            return -1;
        }
    }
    return out - bytes;
}

/* ---- Storing ---- */

/* A value with the place that it goes to. */
struct target {
    const struct tool_value *value;
    const struct tool_type *type;
    const char *type_name;
    char *data;
    int64_t i;
    struct tool_failure *failure;
};

static int refuse(const struct target *t, const char *why) {
    int length = (int)(t->value->end - t->value->begin);
    return tool_misuse(t->failure, "%.*s %s (%s)", length < 60 ? length : 60, t->value->begin, why, t->type_name);
}

/* The low bytes of `bits`, in the machine's order. */
static void put_bits(const struct target *t, uint64_t bits) {
    uint8_t b8 = (uint8_t)bits;
    uint16_t b16 = (uint16_t)bits;
    uint32_t b32 = (uint32_t)bits;
    char *at = t->data + t->i * (t->type->bits / 8);
    switch (t->type->bits) {
        case 4: {
            int shift = t->i % 2 ? 4 : 0;
            at = t->data + t->i / 2;
            *at = (char)((*at & ~(15 << shift)) | (b8 & 15) << shift);
            break;
        }
        case 8:
            memcpy(at, &b8, sizeof b8);
            break;
        case 16:
            memcpy(at, &b16, sizeof b16);
            break;
        case 32:
            memcpy(at, &b32, sizeof b32);
            break;
        default:
            memcpy(at, &bits, sizeof bits);
            break;
    }
}

static int store_whole(const struct target *t) {
    char why[80];
    const char *digits = t->value->begin + (*t->value->begin == '-' || *t->value->begin == '+');
    int is_signed = t->type->form == TOOL_FORM_SIGNED, is_negative = *t->value->begin == '-';
    uint64_t most = UINT64_MAX >> (64 - t->type->bits + is_signed), least = is_signed ? most + 1 : 0;
    if (t->value->kind != TOOL_VALUE_WHOLE) {
        return refuse(t, "is not a whole number");
    }
    errno = 0;
    uint64_t magnitude = strtoull(digits, NULL, digits[0] == '0' && (digits[1] | 32) == 'x' ? 16 : 10);
    if (errno == ERANGE || magnitude > (is_negative ? least : most)) {
        snprintf(why, sizeof why, "is out of range: %s%" PRIu64 " to %" PRIu64 " are values", least ? "-" : "", least,
                 most);
        return refuse(t, why);
    }
    put_bits(t, is_negative ? 0 - magnitude : magnitude);
    return TOOL_DONE;
}

static int store_bits(const struct target *t) {
    if (t->value->kind != TOOL_VALUE_WHOLE || (t->value->begin[1] | 32) != 'x') {
        return refuse(t, "is not in hex: values of this type are written as their bits, such as 0x38");
    }
    return store_whole(t);
}

static int store_bool(const struct target *t) {
    int is_one = *t->value->begin == 't' || strtod(t->value->begin, NULL) == 1.0;
    if (t->value->kind != TOOL_VALUE_BOOL && t->value->kind != TOOL_VALUE_WHOLE) {
        return refuse(t, "is not true or false");
    }
    if (t->value->kind == TOOL_VALUE_WHOLE && !is_one && strtod(t->value->begin, NULL) != 0.0) {
        return refuse(t, "is not true, false, 1 or 0");
    }
    put_bits(t, (uint64_t)is_one);
    return TOOL_DONE;
}

/* Stores the number written at `text` (0 where NULL) as a float of `bits`; 0 where it is too large. */
static int put_real(const char *text, int bits, int is_bf16, char *at) {
    float single = text ? strtof(text, NULL) : 0.0f;
    double value = text ? strtod(text, NULL) : 0.0;
    uint16_t half = is_bf16 ? tool_bf16_of_double(value) : tool_f16_of_double(value);
    const char *letter = text ? text + (*text == '-' || *text == '+') : "0";
    double stored = bits == 64 ? value : single;
    if (bits == 16) {
        stored = is_bf16 ? tool_double_of_bf16(half) : tool_double_of_f16(half);
        memcpy(at, &half, sizeof half);
    } else if (bits == 32) {
        memcpy(at, &single, sizeof single);
    } else {
        memcpy(at, &value, sizeof value);
    }
    return !isinf(stored) || *letter == 'i';
}

static int store_float(const struct target *t) {
    enum { BFLOAT = 4 };
    if (t->value->kind != TOOL_VALUE_REAL && t->value->kind != TOOL_VALUE_WHOLE) {
        return refuse(t, "is not a real number");
    }
    char *at = t->data + t->i * (t->type->bits / 8);
    return put_real(t->value->real, t->type->bits, t->type->code == BFLOAT, at)
               ? TOOL_DONE
               : refuse(t, "is out of range: it would be infinite");
}

static int store_complex(const struct target *t) {
    int half = t->type->bits / 2;
    char *at = t->data + t->i * (t->type->bits / 8);
    if (t->value->kind > TOOL_VALUE_COMPLEX) {
        return refuse(t, "is not a number");
    }
    if (!put_real(t->value->real, half, 0, at) || !put_real(t->value->imaginary, half, 0, at + half / 8)) {
        return refuse(t, "is out of range: it would be infinite");
    }
    return TOOL_DONE;
}

static int store_string(const struct target *t) {
    return refuse(t, "is not a quoted text");
}

int tool_value_store(const struct tool_value *value, DLDataType type, void *data, int64_t i,
                     struct tool_failure *failure) {
    static int (*const stores[])(const struct target *) = {
        [TOOL_FORM_BOOL] = store_bool,     [TOOL_FORM_SIGNED] = store_whole,    [TOOL_FORM_UNSIGNED] = store_whole,
        [TOOL_FORM_FLOAT] = store_float,   [TOOL_FORM_COMPLEX] = store_complex, [TOOL_FORM_BITS] = store_bits,
        [TOOL_FORM_STRING] = store_string,
    };
    struct target t = {value, tool_type_of(type), gasket_type_name(type), data, i, failure};
    return stores[t.type->form](&t);
}
