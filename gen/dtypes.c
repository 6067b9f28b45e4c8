/* dtypes: see dtypes.h. */
#include "gen/dtypes.h"

#include <lauxlib.h>

enum { SIGNED_CODE = 0 };

const struct gk_dtype_row gk_dtype_rows[GASKET_DTYPES] = {
#define GASKET_DTYPE(ID, name, code, bits, type, class) {name, #type, "GASKET_" #ID, code, bits, GASKET_##class},
#include "abi/dtypes.def"
#undef GASKET_DTYPE
};
static const unsigned class_combines[GASKET_CLASSES] = GASKET_CLASS_COMBINES;

unsigned gk_dtype_combines(enum gasket_dtype dtype) {
    return class_combines[gk_dtype_rows[dtype].class];
}

/* has_combiner(value, op, nan): whether the type has the operator; with nan = 1, whether it may propagate NaN too. */
static int has_combiner(lua_State *L) {
    const char *name = luaL_checkstring(L, 1), *op = luaL_checkstring(L, 2);
    enum gasket_dtype dtype = gk_dtype_number(name);
    size_t combine = gk_name_index(op, gk_combine_names, GASKET_COMBINES);
    int may_propagate = (combine == GASKET_MIN || combine == GASKET_MAX) && dtype < GASKET_DTYPES &&
                        gk_dtype_rows[dtype].class == GASKET_FLOAT;
    if (dtype == GASKET_DTYPES || combine == GASKET_COMBINES) {
        return luaL_error(L, "has_combiner: no type '%s' or no operator '%s'", name, op);
    }
    lua_pushboolean(
        L, (gk_dtype_combines(dtype) & GASKET_BIT(combine)) != 0 && (luaL_optinteger(L, 3, 0) == 0 || may_propagate));
    return 1;
}

/* The names of the types that are computed with. */
static void push_combining(lua_State *L) {
    lua_Integer n = 0;
    lua_newtable(L);
    for (int i = 0; i < GASKET_DTYPES; i++) {
        enum gasket_class class = gk_dtype_rows[i].class;
        if (class != GASKET_MOVED && class != GASKET_TEXT) {
            lua_pushstring(L, gk_dtype_rows[i].name);
            lua_rawseti(L, -2, ++n);
        }
    }
}

static void push_dtype(lua_State *L, const struct gk_dtype_row *row) {
    lua_newtable(L);
    lua_pushstring(L, row->name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, row->type);
    lua_setfield(L, -2, "type");
    lua_pushstring(L, gk_class_names[row->class]);
    lua_setfield(L, -2, "class");
    lua_pushinteger(L, row->bits);
    lua_setfield(L, -2, "bits");
    lua_pushboolean(L, row->code == SIGNED_CODE);
    lua_setfield(L, -2, "signed");
}

void gk_dtypes_open(lua_State *L) {
    lua_newtable(L);
    lua_newtable(L);
    for (int i = 0; i < GASKET_DTYPES; i++) {
        push_dtype(L, &gk_dtype_rows[i]);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, i + 1);
        lua_setfield(L, -3, gk_dtype_rows[i].name);
    }
    lua_setglobal(L, "dtypes");
    lua_setglobal(L, "dtype");
    push_combining(L);
    lua_setglobal(L, "combining");
    lua_pushcfunction(L, has_combiner);
    lua_setglobal(L, "has_combiner");
}
