/* dtypes: the value types as C has them, and what strategies and templates see of types. */
#ifndef GK_GEN_DTYPES_H
#define GK_GEN_DTYPES_H

#include <lua.h>

#include "formula/words.h"

struct gk_dtype_row {
    const char *name, *type, *constant; /* "f32", "float", "GASKET_F32" */
    int code, bits;
    enum gasket_class class;
};
extern const struct gk_dtype_row gk_dtype_rows[GASKET_DTYPES];

/* The bits of the operators that exist for the type. */
unsigned gk_dtype_combines(enum gasket_dtype dtype);

/* Sets the globals `dtypes`, `dtype` and `combines` that strategies and templates see. */
void gk_dtypes_open(lua_State *L);

#endif
