/* lua_library: the functions that a spec, a strategy and a template may call. A name that is not listed here does not
 * exist for them. Left out on purpose: what reads or loads, pcall (it would catch the limits), metatables (their __gc
 * runs without limits), patterns (gsub replaces plain text) and table.move (they can run for ever inside C, where no
 * limit reaches). */
#include <lauxlib.h>
#include <lualib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gen/lua_state.h"

enum { MAX_REPEATED = GK_LUA_MAX_PIECE / 4 };

static int refuse_addresses(lua_State *L, int argument) {
    int type = lua_type(L, argument);
    if (type == LUA_TTABLE || type == LUA_TFUNCTION) {
        return luaL_error(L, "a %s has no text", lua_typename(L, type));
    }
    return 0;
}

static int plain_tostring(lua_State *L) {
    luaL_checkany(L, 1);
    refuse_addresses(L, 1);
    luaL_tolstring(L, 1, NULL);
    return 1;
}

/* string.format without what prints addresses; upvalue 1 is Lua's own. */
static int plain_format(lua_State *L) {
    const char *format = luaL_checkstring(L, 1);
    int n = lua_gettop(L);
    for (int i = 2; i <= n; i++) {
        refuse_addresses(L, i);
    }
    for (const char *at = strchr(format, '%'); at != NULL; at = strchr(at + 1, '%')) {
        at += 1 + strspn(at + 1, "-+ #0123456789.");
        if (*at == 'p') {
            return luaL_error(L, "'%%p' is not allowed");
        }
        if (*at == '\0') {
            break;
        }
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, n, 1);
    return 1;
}

/* string.gsub of plain text; upvalue 1 is Lua's own, which may compare all of the text at each place of the other. */
static int plain_gsub(lua_State *L) {
    const char *text = luaL_checkstring(L, 2);
    int n = lua_gettop(L);
    gk_lua_spend(L, lua_rawlen(L, 1) * lua_rawlen(L, 2));
    if (*text == '\0' || strpbrk(text, "^$()%.[]*+-?") != NULL) {
        return luaL_error(L, "string.gsub replaces plain text only, not the pattern '%s'", text);
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, n, 2);
    return 2;
}

static int bounded_rep(lua_State *L) {
    size_t length, separator_length;
    const char *text = luaL_checklstring(L, 1, &length);
    lua_Integer n = luaL_checkinteger(L, 2);
    const char *separator = luaL_optlstring(L, 3, "", &separator_length);
    if (n > MAX_REPEATED || length > MAX_REPEATED || separator_length > MAX_REPEATED ||
        (n > 0 && (length + separator_length) > (size_t)(MAX_REPEATED / n))) {
        return luaL_error(L, "string.rep would make more than %d bytes", MAX_REPEATED);
    }
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    for (lua_Integer i = 0; i < n; i++) {
        luaL_addlstring(&buffer, separator, i > 0 ? separator_length : 0);
        luaL_addlstring(&buffer, text, length);
    }
    luaL_pushresult(&buffer);
    return 1;
}

static int less(lua_State *L) {
    size_t left = lua_rawlen(L, 1), right = lua_rawlen(L, 2);
    gk_lua_spend(L, 1 + (left < right ? left : right));
    lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
    return 1;
}

/* table.sort; upvalue 1 is Lua's own, which compares in C where the code that calls it has no order of its own. */
static int counted_sort(lua_State *L) {
    if (lua_isnoneornil(L, 2)) {
        lua_settop(L, 1);
        lua_pushcfunction(L, less);
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 0);
    return 0;
}

/* Less-than of keys: numbers, then strings by their bytes. Only these two kinds reach it. */
static int key_less(lua_State *L) {
    int left = lua_type(L, 1), right = lua_type(L, 2);
    if (left == right) {
        return less(L);
    }
    gk_lua_spend(L, 1);
    lua_pushboolean(L, left == LUA_TNUMBER);
    return 1;
}

static void push_sorted_keys(lua_State *L, int table) {
    lua_Integer n = 0;
    lua_getfield(L, LUA_REGISTRYINDEX, "gasket.sort");
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TNUMBER && lua_type(L, -1) != LUA_TSTRING) {
            luaL_error(L, "pairs: a key is a %s; only numbers and strings have an order", luaL_typename(L, -1));
        }
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, ++n);
    }
    lua_pushvalue(L, -1);
    lua_insert(L, -3);
    lua_pushcfunction(L, key_less);
    lua_call(L, 2, 0);
}

/* Upvalues: the table, its sorted keys, how many were taken. */
static int next_sorted(lua_State *L) {
    lua_Integer taken = lua_tointeger(L, lua_upvalueindex(3)) + 1;
    lua_pushinteger(L, taken);
    lua_replace(L, lua_upvalueindex(3));
    lua_rawgeti(L, lua_upvalueindex(2), taken);
    lua_pushvalue(L, -1);
    lua_rawget(L, lua_upvalueindex(1));
    return 2;
}

static int sorted_pairs(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    push_sorted_keys(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_sorted, 3);
    return 1;
}

static const char *const base_names[] = {"assert", "error", "ipairs", "select", "tonumber", "type", NULL};
static const char *const long_base_names[] = {"select", "tonumber", NULL};
static const char *const string_names[] = {"byte", "char", "len", "lower", "reverse", "sub", "upper", NULL};
static const char *const own_string_names[] = {"format", "gsub", "rep", NULL};
static const char *const table_names[] = {"concat", "insert", "remove", "sort", "unpack", NULL};
static const char *const math_names[] = {"abs", "ceil",       "floor",     "fmod", "huge", "max", "maxinteger",
                                         "min", "mininteger", "tointeger", "type", "ult",  NULL};

/* The values on the stack, their bytes and members. */
static size_t stack_size(lua_State *L) {
    int n = lua_gettop(L);
    size_t size = (size_t)n;
    for (int i = 1; i <= n; i++) {
        size += lua_rawlen(L, i);
    }
    return size;
}

/* The function of upvalue 1, where all that it takes and gives counts as steps. */
static int counted(lua_State *L) {
    gk_lua_spend(L, stack_size(L));
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    gk_lua_spend(L, stack_size(L));
    return lua_gettop(L);
}

/* Has these members of the table on top counted. */
static void count_members(lua_State *L, const char *const *names) {
    for (; *names != NULL; names++) {
        lua_getfield(L, -1, *names);
        lua_pushcclosure(L, counted, 1);
        lua_setfield(L, -2, *names);
    }
}

/* Pushes a table of the listed members of the table below it. */
static void push_listed(lua_State *L, const char *const *names) {
    lua_newtable(L);
    for (; *names != NULL; names++) {
        lua_getfield(L, -2, *names);
        lua_setfield(L, -2, *names);
    }
}

static void open_string(lua_State *L) {
    luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 0);
    push_listed(L, string_names);
    lua_getfield(L, -2, "format");
    lua_pushcclosure(L, plain_format, 1);
    lua_setfield(L, -2, "format");
    lua_getfield(L, -2, "gsub");
    lua_pushcclosure(L, plain_gsub, 1);
    lua_setfield(L, -2, "gsub");
    lua_pushcfunction(L, bounded_rep);
    lua_setfield(L, -2, "rep");
    count_members(L, string_names);
    count_members(L, own_string_names);
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 2);
    lua_remove(L, -2);
}

static void open_listed(lua_State *L, const char *name, lua_CFunction open, const char *const *names) {
    luaL_requiref(L, name, open, 0);
    push_listed(L, names);
    lua_remove(L, -2);
}

void gk_lua_open_library(lua_State *L) {
    open_listed(L, LUA_GNAME, luaopen_base, base_names);
    count_members(L, long_base_names);
    lua_pushcfunction(L, plain_tostring);
    lua_setfield(L, -2, "tostring");
    lua_pushcfunction(L, sorted_pairs);
    lua_setfield(L, -2, "pairs");
    open_string(L);
    lua_setfield(L, -2, "string");
    open_listed(L, LUA_MATHLIBNAME, luaopen_math, math_names);
    lua_setfield(L, -2, "math");
    open_listed(L, LUA_TABLIBNAME, luaopen_table, table_names);
    lua_getfield(L, -1, "sort");
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "gasket.sort");
    lua_pushcclosure(L, counted_sort, 1);
    lua_setfield(L, -2, "sort");
    count_members(L, table_names);
    lua_setfield(L, -2, "table");
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}
