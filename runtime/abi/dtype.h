/* Numbers of the value types, their classes, and which operators combine which class. */
#ifndef GASKET_ABI_DTYPE_H
#define GASKET_ABI_DTYPE_H

#include <stddef.h>
#include <stdint.h>

struct gasket_complex64 {
    float re, im;
};
struct gasket_complex128 {
    double re, im;
};
/* Same layout as gasket_string of the public header. */
struct gasket_string_view {
    const char *data;
    size_t length;
};

enum gasket_dtype {
#define GASKET_DTYPE(ID, name, code, bits, type, class) GASKET_##ID,
#include "abi/dtypes.def"
#undef GASKET_DTYPE
    GASKET_DTYPES
};

enum gasket_class {
    GASKET_LOGICAL,
    GASKET_INTEGER,
    GASKET_FLOAT,
    GASKET_COMPLEX,
    GASKET_MOVED, /* bytes are copied, never computed with */
    GASKET_TEXT,  /* strings */
    GASKET_CLASSES
};

enum gasket_combine {
    GASKET_STORE,
    GASKET_ADD,
    GASKET_SUB,
    GASKET_MUL,
    GASKET_MIN,
    GASKET_MAX,
    GASKET_COMBINES,
    GASKET_CHOSEN = GASKET_COMBINES /* the sign ?=: an attribute of the call chooses */
};

/* Names in the order of enum gasket_combine. */
#define GASKET_COMBINE_NAMES "store", "add", "sub", "mul", "min", "max"

#define GASKET_BIT(n) (1u << (n))
#define GASKET_SUMS \
    (GASKET_BIT(GASKET_STORE) | GASKET_BIT(GASKET_ADD) | GASKET_BIT(GASKET_SUB) | GASKET_BIT(GASKET_MUL))
#define GASKET_ORDERS (GASKET_BIT(GASKET_MIN) | GASKET_BIT(GASKET_MAX))
/* Indexed by class: a bit for each operator that the class has. */
#define GASKET_CLASS_COMBINES                                                                                         \
    {                                                                                                                 \
        GASKET_SUMS & ~GASKET_BIT(GASKET_SUB), GASKET_SUMS | GASKET_ORDERS, GASKET_SUMS | GASKET_ORDERS, GASKET_SUMS, \
            GASKET_BIT(GASKET_STORE), GASKET_BIT(GASKET_STORE) | GASKET_BIT(GASKET_ADD)                               \
    }

#endif
