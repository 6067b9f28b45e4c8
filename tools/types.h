/* types: how the value types look in .npy files, in literals and on the screen. */
#ifndef TOOL_TYPES_H
#define TOOL_TYPES_H

#include <gasket/gasket.h>

enum tool_form {
    TOOL_FORM_BOOL,
    TOOL_FORM_SIGNED,
    TOOL_FORM_UNSIGNED,
    TOOL_FORM_FLOAT,
    TOOL_FORM_COMPLEX,
    TOOL_FORM_BITS, /* shown as their bits in hex */
    TOOL_FORM_STRING
};

struct tool_type {
    uint8_t code, bits;
    enum tool_form form;
    char npy; /* the letter of NumPy's type; types of 4 bits are kept as pairs in 'u' of one byte */
};

/* NULL for a type that is not one of Gasket's. */
const struct tool_type *tool_type_of(DLDataType type);
/* The type of an element of a .npy file, or NULL: 'f' of 4 bytes is f32. Raw bytes (V) have none. */
const struct tool_type *tool_type_of_npy(char letter, int64_t bytes);
DLDataType tool_type_dlpack(const struct tool_type *type);

static inline int tool_type_is_half_byte(DLDataType type) {
    return type.bits == 4;
}
/* The bytes that `n` elements of the type take; n is small enough. */
static inline int64_t tool_type_bytes(DLDataType type, int64_t n) {
    return type.bits == 4 ? (n + 1) / 2 : n * (type.bits / 8);
}

#endif
