/* variant: see variant.h. */
#include "gen/variant.h"

#include <lauxlib.h>
#include <stdarg.h>
#include <string.h>

#include "formula/nearest.h"
#include "gen/dtypes.h"
#include "gen/files.h"

enum { ROW_UNKNOWN = -1, MAX_DEPTH = 254 };

int gk_strategy_fail(const struct gk_strategy_file *file, const char *format, ...) {
    struct gk_text message = {0};
    va_list arguments;
    va_start(arguments, format);
    gk_text_format_list(&message, format, arguments);
    va_end(arguments);
    gk_complain("%s:%d: %s: %s", file->strategy->rule_path, file->line, file->strategy->name, message.data);
    gk_text_free(&message);
    return -1;
}

int gk_strategy_check_known(const struct gk_strategy_file *file, const char *what, const char *const *names, size_t n) {
    lua_State *L = file->lua->L;
    const char *unknown = NULL;
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING) {
            lua_pop(L, 2);
            return gk_strategy_fail(file, "%s takes fields with names only", what);
        }
        const char *name = lua_tostring(L, -2);
        if (gk_name_index(name, names, n) == n && (unknown == NULL || strcmp(name, unknown) < 0)) {
            unknown = name;
        }
    }
    if (unknown != NULL) {
        return gk_strategy_fail(file, "unknown field '%s' in %s (did you mean '%s'?)", unknown, what,
                                gk_nearest(unknown, names, n));
    }
    return 0;
}

/* Replaces nothing and pushes what the strategy's function says of the knobs on top. 0 when there is no such function.
 */
static int ask(const struct gk_strategy_file *file, const char *function, int type) {
    lua_State *L = file->lua->L;
    lua_getfield(L, file->table, function);
    lua_pushvalue(L, -2);
    if (gk_lua_call(file->lua, 1, 1) != 0) {
        return -1;
    }
    if (lua_type(L, -1) != type) {
        gk_strategy_fail(file, "%s(v) must give a %s, not a %s", function, lua_typename(L, type), luaL_typename(L, -1));
        lua_pop(L, 1);
        return -1;
    }
    return 0;
}

/* ---- Members of the tables that fields(v) and rule(v) give: each function reads one from the table on top ---- */

static int fail_member(const struct gk_strategy_file *file, const char *name, const char *wanted) {
    gk_strategy_fail(file, "%s must be %s, not a %s", name, wanted, luaL_typename(file->lua->L, -1));
    lua_pop(file->lua->L, 1);
    return -1;
}

static int read_whole(const struct gk_strategy_file *file, const char *name, int64_t minimum, int64_t maximum,
                      int64_t *value) {
    lua_State *L = file->lua->L;
    lua_getfield(L, -1, name);
    if (!lua_isnil(L, -1)) {
        if (!lua_isinteger(L, -1)) {
            return fail_member(file, name, "a whole number");
        }
        *value = lua_tointeger(L, -1);
    }
    lua_pop(L, 1);
    if (*value < minimum || *value > maximum) {
        return gk_strategy_fail(file, "%s = %lld is not in [%lld, %lld]", name, (long long)*value, (long long)minimum,
                                (long long)maximum);
    }
    return 0;
}

/* The place of a text among n names. */
static int read_choice(const struct gk_strategy_file *file, const char *name, const char *const *names, size_t n,
                       uint8_t *value) {
    lua_State *L = file->lua->L;
    int result = 0;
    lua_getfield(L, -1, name);
    if (!lua_isnil(L, -1)) {
        size_t place = lua_type(L, -1) == LUA_TSTRING ? gk_name_index(lua_tostring(L, -1), names, n) : n;
        if (lua_type(L, -1) != LUA_TSTRING) {
            return fail_member(file, name, "a text");
        }
        if (place == n) {
            result = gk_strategy_fail(file, "unknown %s '%s' (did you mean '%s'?)", name, lua_tostring(L, -1),
                                      gk_nearest(lua_tostring(L, -1), names, n));
        }
        *value = (uint8_t)place;
    }
    lua_pop(L, 1);
    return result;
}

static int read_flag(const struct gk_strategy_file *file, const char *name, uint8_t *value) {
    lua_State *L = file->lua->L;
    lua_getfield(L, -1, name);
    if (!lua_isnil(L, -1) && !lua_isboolean(L, -1)) {
        return fail_member(file, name, "true or false");
    }
    *value = (uint8_t)lua_toboolean(L, -1);
    lua_pop(L, 1);
    return 0;
}

static int read_cost(const struct gk_strategy_file *file, float *value) {
    lua_State *L = file->lua->L;
    lua_getfield(L, -1, "cost");
    if (!lua_isnil(L, -1) && lua_type(L, -1) != LUA_TNUMBER) {
        return fail_member(file, "cost", "a number");
    }
    *value = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (!(*value >= 0.0f && *value <= 1e9f)) {
        return gk_strategy_fail(file, "cost must be in [0, 1e9]");
    }
    return 0;
}

/* ---- fields(v) ---- */

static int read_fields(const struct gk_strategy_file *file, struct gasket_kernel *kernel, int64_t *row) {
    static const char *const known[] = {"index", "depth", "form", "value", "combine", "nan", "row"};
    static const char *const forms[] = {"mark", "clip", "wrap", "raw"};
    const char *dtypes[GASKET_DTYPES];
    int64_t depth = GASKET_ANY, nan = GASKET_ANY;
    for (int i = 0; i < GASKET_DTYPES; i++) {
        dtypes[i] = gk_dtype_rows[i].name;
    }
    if (gk_strategy_check_known(file, "fields(v)", known, sizeof known / sizeof *known) != 0 ||
        read_choice(file, "index", dtypes, GASKET_DTYPES, &kernel->index_dtype) != 0 ||
        read_choice(file, "value", dtypes, GASKET_DTYPES, &kernel->value_dtype) != 0 ||
        read_choice(file, "form", forms, 4, &kernel->form) != 0 ||
        read_choice(file, "combine", gk_combine_names, GASKET_COMBINES, &kernel->combine) != 0 ||
        read_whole(file, "depth", 0, GASKET_ANY, &depth) != 0 || read_whole(file, "nan", 0, GASKET_ANY, &nan) != 0 ||
        read_whole(file, "row", ROW_UNKNOWN, INT64_MAX, row) != 0) {
        return -1;
    }
    kernel->depth = (uint8_t)depth;
    kernel->nan_propagates = (uint8_t)nan;
    return 0;
}

/* Fields that a kind of kernel can not do without. */
static int check_fields(const struct gk_strategy_file *file, const struct gasket_kernel *kernel) {
    int resolves = kernel->kind == GASKET_RESOLVE || kernel->kind == GASKET_FUSED || kernel->kind == GASKET_CHECK;
    if (resolves && (kernel->index_dtype == GASKET_ANY || kernel->form == GASKET_ANY)) {
        return gk_strategy_fail(file, "fields(v) must name index and form");
    }
    if (kernel->kind == GASKET_REDUCE &&
        (kernel->value_dtype == GASKET_ANY || kernel->combine == GASKET_ANY || kernel->combine == GASKET_STORE)) {
        return gk_strategy_fail(file, "fields(v) must name value and combine (not store)");
    }
    return 0;
}

/* ---- rule(v) ---- */

static int read_rule(const struct gk_strategy_file *file, struct gasket_rule *rule) {
    static const char *const known[] = {"row_min",       "row_max",     "row_multiple", "count_min",
                                        "count_max",     "bytes_min",   "alignment",    "strided",
                                        "packed_tuples", "packed_rows", "exact",        "cost"};
    int64_t alignment = 1;
    *rule = (struct gasket_rule){.row_max = INT64_MAX, .row_multiple = 1, .count_max = INT64_MAX};
    if (gk_strategy_check_known(file, "rule(v)", known, sizeof known / sizeof *known) != 0 ||
        read_whole(file, "row_min", 0, INT64_MAX, &rule->row_min) != 0 ||
        read_whole(file, "row_max", rule->row_min, INT64_MAX, &rule->row_max) != 0 ||
        read_whole(file, "row_multiple", 1, INT64_MAX, &rule->row_multiple) != 0 ||
        read_whole(file, "count_min", 0, INT64_MAX, &rule->count_min) != 0 ||
        read_whole(file, "count_max", rule->count_min, INT64_MAX, &rule->count_max) != 0 ||
        read_whole(file, "bytes_min", 0, INT64_MAX, &rule->bytes_min) != 0 ||
        read_whole(file, "alignment", 1, 128, &alignment) != 0 || read_flag(file, "strided", &rule->strided) != 0 ||
        read_flag(file, "packed_tuples", &rule->packed_tuples) != 0 ||
        read_flag(file, "packed_rows", &rule->packed_rows) != 0 || read_flag(file, "exact", &rule->exact) != 0 ||
        read_cost(file, &rule->cost) != 0) {
        return -1;
    }
    rule->alignment = (uint8_t)alignment;
    return 0;
}

static int read_name(const struct gk_strategy_file *file, int64_t row, struct gk_variant *variant) {
    const char *how = lua_tostring(file->lua->L, -1);
    if (*how == '\0' || strspn(how, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(how) || strlen(how) > 64) {
        return gk_strategy_fail(file, "how(v) = '%s' can not be part of a name in C", how);
    }
    gk_kernel_name(variant->name, &variant->kernel, row, how);
    return 0;
}

int gk_variant_wanted(const struct gk_strategy_file *file) {
    lua_State *L = file->lua->L;
    int type = lua_getfield(L, file->table, "where");
    lua_pop(L, 1);
    if (type == LUA_TNIL) {
        return 1;
    }
    if (ask(file, "where", LUA_TBOOLEAN) != 0) {
        return -1;
    }
    int wanted = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return wanted;
}

/* Asks for how and rule; the fields, on top of the stack, stay there and the knobs are below them. */
static int read_how_and_rule(const struct gk_strategy_file *file, int64_t row, struct gk_variant *variant) {
    lua_State *L = file->lua->L;
    int top = lua_gettop(L);
    lua_pushvalue(L, top - 1);
    int result = ask(file, "how", LUA_TSTRING);
    if (result == 0) {
        result = read_name(file, row, variant);
        lua_settop(L, top + 1);
    }
    if (result == 0 && (result = ask(file, "rule", LUA_TTABLE)) == 0) {
        result = read_rule(file, &variant->kernel.rule);
    }
    lua_settop(L, top);
    return result;
}

int gk_variant_read(const struct gk_strategy_file *file, const struct gk_needs *needs, enum gasket_isa isa,
                    struct gk_variant *variant) {
    int64_t row = ROW_UNKNOWN;
    struct gasket_kernel *kernel = &variant->kernel;
    *variant = (struct gk_variant){.kernel = {.kind = (uint8_t)file->strategy->kind,
                                              .isa = (uint8_t)isa,
                                              .index_dtype = GASKET_ANY,
                                              .depth = GASKET_ANY,
                                              .form = GASKET_ANY,
                                              .value_dtype = GASKET_ANY,
                                              .combine = GASKET_ANY,
                                              .nan_propagates = GASKET_ANY}};
    int result = gk_variant_wanted(file);
    if (result <= 0) {
        return result;
    }
    if (ask(file, "fields", LUA_TTABLE) != 0) {
        return -1;
    }
    int failed = read_fields(file, kernel, &row) != 0 || check_fields(file, kernel) != 0;
    result = failed ? -1 : gk_needs_kernel(needs, kernel);
    if (result > 0 && read_how_and_rule(file, row, variant) != 0) {
        result = -1;
    }
    if (result <= 0) {
        lua_pop(file->lua->L, 1);
    }
    return result;
}
