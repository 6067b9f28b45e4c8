/* spec: see spec.h. */
#include "gen/spec.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "formula/operation.h"
#include "gen/files.h"
#include "gen/spec_fields.h"

enum { MAX_SPEC_BYTES = 1 << 18 };

/* operation { ... } in a spec: hands the table back and notes the line. Upvalue 1: the reader. */
static int declare(lua_State *L) {
    lua_Debug caller;
    struct gk_reader *reader = lua_touserdata(L, lua_upvalueindex(1));
    if (!lua_istable(L, 1) || lua_gettop(L) != 1) {
        return luaL_error(L, "operation takes one table: operation { name = ..., formula = ... }");
    }
    if (lua_getstack(L, 1, &caller) && lua_getinfo(L, "l", &caller)) {
        reader->line = caller.currentline;
    }
    lua_setfield(L, LUA_REGISTRYINDEX, "gasket.operation");
    lua_getfield(L, LUA_REGISTRYINDEX, "gasket.operation");
    return 1;
}

static int run(struct gk_reader *reader, const struct gk_text *source) {
    lua_State *L = reader->lua->L;
    lua_pushlightuserdata(L, reader);
    lua_pushcclosure(L, declare, 1);
    lua_setglobal(L, "operation");
    if (gk_lua_load(reader->lua, reader->spec->path, source->data, source->length) != 0 ||
        gk_lua_call(reader->lua, 0, 1) != 0) {
        return -1;
    }
    lua_getfield(L, LUA_REGISTRYINDEX, "gasket.operation");
    if (!lua_istable(L, -1) || !lua_rawequal(L, -1, -2)) {
        return gk_complain("%s:%d: a spec must be: return operation { name = ..., formula = ... }", reader->spec->path,
                           reader->line);
    }
    if (lua_getfield(L, -1, "name") == LUA_TSTRING) {
        gk_texts_add(&reader->spec->strings, lua_tostring(L, -1));
        reader->name = reader->spec->strings.items[0].name;
    }
    lua_pop(L, 1);
    return 0;
}

static int read_text(struct gk_spec *spec, const struct gk_text *source) {
    struct gk_lua lua;
    struct gk_reader reader = {.lua = &lua, .spec = spec, .source = source->data, .line = 1, .name = "operation"};
    int result = -1;
    if (gk_lua_open(&lua, spec->path) != NULL && run(&reader, source) == 0) {
        result = gk_reader_fields(&reader, gk_operation_fields);
    }
    if (result == 0) {
        result = gk_spec_complete(&reader);
    }
    gk_lua_close(&lua);
    return result;
}

int gk_specs_read_text(struct gk_specs *specs, const char *path, const struct gk_text *source) {
    specs->items = gk_grow(specs->items, specs->count + 1, sizeof *specs->items);
    struct gk_spec *spec = &specs->items[specs->count++];
    *spec = (struct gk_spec){.path = gk_copy(path)};
    gk_operation_start(&spec->operation);
    spec->operation.ahead_of_time = 1;
    return read_text(spec, source);
}

static int read_spec(struct gk_specs *specs, const char *path) {
    struct gk_text source = {0};
    int result = gk_file_read(path, MAX_SPEC_BYTES, &source);
    if (result == 0) {
        result = gk_specs_read_text(specs, path, &source);
    }
    gk_text_free(&source);
    return result;
}

int gk_specs_read(struct gk_specs *specs, const char *path) {
    struct gk_texts paths = {0};
    int result = 0;
    if (!gk_is_folder(path)) {
        gk_texts_add(&paths, path);
    } else if (gk_folder_list(path, ".lua", &paths) != 0) {
        result = -1;
    } else if (paths.count == 0) {
        result = gk_complain("no *.lua in '%s'", path);
    }
    for (size_t i = 0; result == 0 && i < paths.count; i++) {
        result = read_spec(specs, paths.items[i].name);
    }
    gk_texts_free(&paths);
    return result;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct gk_spec *)a)->operation.name, ((const struct gk_spec *)b)->operation.name);
}

/* What is left of a set; complains when that is nothing. */
static int narrow(const struct gk_spec *spec, uint32_t *set, uint32_t allowed, const char *what) {
    uint32_t left = *set & allowed;
    if (*set != 0 && left == 0) {
        return gk_complain("%s: %s takes none of the types that %s leaves", spec->path, spec->operation.name, what);
    }
    *set = left;
    return 0;
}

int gk_specs_finish(struct gk_specs *specs, uint32_t values, uint32_t indices) {
    int result = 0;
    if (specs->count > 1) {
        qsort(specs->items, specs->count, sizeof *specs->items, by_name);
    }
    for (size_t i = 0; result == 0 && i < specs->count; i++) {
        struct gk_spec *spec = &specs->items[i];
        if (i > 0 && by_name(spec, spec - 1) == 0) {
            result = gk_complain("%s: the operation '%s' is in '%s' already", spec->path, spec->operation.name,
                                 spec[-1].path);
        } else if (narrow(spec, &spec->operation.values, values, "--dtypes") != 0 ||
                   narrow(spec, &spec->operation.indices, indices, "--index") != 0) {
            result = -1;
        }
    }
    return result;
}

void gk_specs_free(struct gk_specs *specs) {
    for (size_t i = 0; i < specs->count; i++) {
        free(specs->items[i].path);
        gk_texts_free(&specs->items[i].strings);
    }
    free(specs->items);
    *specs = (struct gk_specs){0};
}
