/* dtypes: the value types and the combining operators by name, for specs, strategies and the command line. */
#ifndef GK_GEN_DTYPES_H
#define GK_GEN_DTYPES_H

#include <lua.h>

#include "abi/operation.h"

struct gk_dtype_row {
    const char *name, *type, *constant; /* "f32", "float", "GASKET_F32" */
    int code, bits;
    enum gasket_class class;
};
extern const struct gk_dtype_row gk_dtype_rows[GASKET_DTYPES];
extern const char *const gk_class_names[GASKET_CLASSES];
/* By enum gasket_combine, gasket_bounds. */
extern const char *const gk_combine_names[GASKET_COMBINES];
extern const char *const gk_bounds_names[GASKET_BOUNDS_MODES];

/* A bit for each type of that name or class, 0 if it is neither; "all" is every type. */
uint32_t gk_dtype_set(const char *name);
uint32_t gk_integer_set(void);
/* The type of that name, or GASKET_DTYPES. */
enum gasket_dtype gk_dtype_number(const char *name);
/* The bits of the operators that exist for the type. */
unsigned gk_dtype_combines(enum gasket_dtype dtype);
/* A name near to one that gk_dtype_set does not know. */
const char *gk_dtype_nearest(const char *name);
/* The place of the name among n, or n. */
size_t gk_name_index(const char *name, const char *const *names, size_t n);

/* Sets the globals `dtypes`, `dtype` and `combines` that strategies and templates see. */
void gk_dtypes_open(lua_State *L);

#endif
