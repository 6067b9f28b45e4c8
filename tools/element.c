/* element: values of a tensor as text. */
#include "element.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "types.h"
#include "utf8.h"

/* One element: its type and where it lies. */
struct place {
    const struct tool_type *type;
    const char *at; /* of 4-bit types the byte of the pair */
    int is_upper;   /* half of the byte */
};

static uint64_t bits_at(const struct place *p) {
    uint64_t b64;
    uint32_t b32;
    uint16_t b16;
    switch (p->type->bits) {
        case 4:
            return (uint8_t)*p->at >> (p->is_upper ? 4 : 0) & 15;
        case 8:
            return (uint8_t)*p->at;
        case 16:
            memcpy(&b16, p->at, sizeof b16);
            return b16;
        case 32:
            memcpy(&b32, p->at, sizeof b32);
            return b32;
        default:
            memcpy(&b64, p->at, sizeof b64);
            return b64;
    }
}

/* ---- Numbers ---- */

static void show_bool(char *text, const struct place *p) {
    snprintf(text, TOOL_ELEMENT_TEXT, "%s", bits_at(p) ? "true" : "false");
}

static void show_signed(char *text, const struct place *p) {
    uint64_t sign = (uint64_t)1 << (p->type->bits - 1);
    snprintf(text, TOOL_ELEMENT_TEXT, "%" PRId64, (int64_t)((bits_at(p) ^ sign) - sign));
}

static void show_unsigned(char *text, const struct place *p) {
    snprintf(text, TOOL_ELEMENT_TEXT, "%" PRIu64, bits_at(p));
}

static void show_bits(char *text, const struct place *p) {
    snprintf(text, TOOL_ELEMENT_TEXT, "0x%0*" PRIx64, p->type->bits == 4 ? 1 : 2, bits_at(p));
}

enum precision { HALF, BRAIN, SINGLE, DOUBLE };

/* Whether `text` is read back as the value. */
static int reads_back(const char *text, double value, enum precision precision) {
    switch (precision) {
        case HALF:
            return tool_double_of_f16(tool_f16_of_double(strtod(text, NULL))) == value;
        case BRAIN:
            return tool_double_of_bf16(tool_bf16_of_double(strtod(text, NULL))) == value;
        case SINGLE:
            return strtof(text, NULL) == (float)value;
        default:
            return strtod(text, NULL) == value;
    }
}

/* The fewest digits that are read back as the value; always with a point, an exponent, or as nan or inf. */
static int show_real(char *text, size_t capacity, double value, enum precision precision) {
    double size = fabs(value);
    int is_plain = size == 0 || (size >= 1e-4 && size < 1e16);
    if (isnan(value)) {
        return snprintf(text, capacity, "nan");
    }
    if (isinf(value)) {
        return snprintf(text, capacity, value < 0 ? "-inf" : "inf");
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, capacity, "%.*g", digits, value);
        if (reads_back(text, value, precision) && !(is_plain && strchr(text, 'e'))) {
            break;
        }
    }
    int length = (int)strlen(text);
    return strpbrk(text, ".e") ? length : length + snprintf(text + length, capacity - (size_t)length, ".0");
}

static double real_at(const char *at, enum precision precision) {
    uint16_t half;
    float single;
    double value;
    switch (precision) {
        case HALF:
            memcpy(&half, at, sizeof half);
            return tool_double_of_f16(half);
        case BRAIN:
            memcpy(&half, at, sizeof half);
            return tool_double_of_bf16(half);
        case SINGLE:
            memcpy(&single, at, sizeof single);
            return single;
        default:
            memcpy(&value, at, sizeof value);
            return value;
    }
}

static void show_float(char *text, const struct place *p) {
    enum { BFLOAT = 4 };
    enum precision small = p->type->code == BFLOAT ? BRAIN : HALF, large = p->type->bits == 32 ? SINGLE : DOUBLE;
    enum precision precision = p->type->bits == 16 ? small : large;
    show_real(text, TOOL_ELEMENT_TEXT, real_at(p->at, precision), precision);
}

static void show_complex(char *text, const struct place *p) {
    char imaginary[40];
    enum precision precision = p->type->bits == 64 ? SINGLE : DOUBLE;
    int n = show_real(text, 40, real_at(p->at, precision), precision);
    show_real(imaginary, sizeof imaginary, real_at(p->at + p->type->bits / 16, precision), precision);
    snprintf(text + n, (size_t)(TOOL_ELEMENT_TEXT - n), "%s%sj", *imaginary == '-' ? "" : "+", imaginary);
}

/* ---- Strings ---- */

enum { LONGEST_SHOWN = 64 };

/* One character, or one byte that is none, and returns how many bytes it was. */
static size_t show_character(char **text, const char *at, size_t left) {
    static const char meanings[] = "\\\"\n\t\r", letters[] = "\\\"ntr";
    size_t length = tool_utf8_length(at, left);
    const char *special = *at ? strchr(meanings, *at) : NULL;
    if (special) {
        *text += sprintf(*text, "\\%c", letters[special - meanings]);
        return 1;
    }
    if (length == 0 || (unsigned char)*at < ' ' || *at == 0x7f || (length == 2 && (unsigned char)*at == 0xc2)) {
        *text += sprintf(*text, "\\x%02x", (unsigned char)*at);
        return 1;
    }
    memcpy(*text, at, length);
    *text += length;
    return length;
}

static void show_string(char *text, const struct place *p) {
    struct gasket_string string;
    size_t used = 0;
    memcpy(&string, p->at, sizeof string);
    *text++ = '"';
    while (used < string.length && used < LONGEST_SHOWN) {
        used += show_character(&text, string.data + used, string.length - used);
    }
    *text++ = '"';
    *text = 0;
    if (used < string.length) {
        sprintf(text, "...(%zu bytes)", string.length);
    }
}

const char *tool_element_text(char text[TOOL_ELEMENT_TEXT], DLDataType type, const void *data, int64_t i) {
    static void (*const shows[])(char *, const struct place *) = {
        [TOOL_FORM_BOOL] = show_bool,     [TOOL_FORM_SIGNED] = show_signed,   [TOOL_FORM_UNSIGNED] = show_unsigned,
        [TOOL_FORM_FLOAT] = show_float,   [TOOL_FORM_COMPLEX] = show_complex, [TOOL_FORM_BITS] = show_bits,
        [TOOL_FORM_STRING] = show_string,
    };
    const struct tool_type *known = tool_type_of(type);
    struct place p = {known, data, type.bits == 4 && i % 2 != 0};
    p.at += type.bits == 4 ? i / 2 : i * (type.bits / 8);
    shows[known->form](text, &p);
    return text;
}
