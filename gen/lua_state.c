/* lua_state: see lua_state.h. */
#include "gen/lua_state.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/files.h"

/* Two hundred times what the largest of our own specs and templates needs, and few enough that the end comes soon even
 * where each step is as dear as it can be. */
enum { INSTRUCTIONS = 1000, MAX_STEPS = 1000000 };
static const size_t max_memory = (size_t)8 << 20;

/* Whether a limit forbids the memory, and which one. */
static int is_too_much(struct gk_lua *lua, size_t old, size_t wanted) {
    if (wanted <= old || (wanted <= GK_LUA_MAX_PIECE && lua->used - old + wanted <= max_memory)) {
        return 0;
    }
    lua->is_too_large = wanted > GK_LUA_MAX_PIECE;
    return 1;
}

static void *allocate(void *user, void *memory, size_t old_size, size_t new_size) {
    struct gk_lua *lua = user;
    size_t old = memory != NULL ? old_size : 0;
    if (new_size == 0) {
        free(memory);
        lua->used -= old;
        return NULL;
    }
    if (lua->is_limited && is_too_much(lua, old, new_size)) {
        return NULL;
    }
    void *moved = realloc(memory, new_size);
    if (moved != NULL) {
        lua->used += new_size - old;
    }
    return moved;
}

struct gk_lua *gk_lua_of(lua_State *L) {
    void *user;
    lua_getallocf(L, &user);
    return user;
}

static int panic(lua_State *L) {
    (void)L;
    gk_complain("out of memory");
    exit(1);
}

void gk_lua_spend(lua_State *L, size_t steps) {
    struct gk_lua *lua = gk_lua_of(L);
    if (steps > lua->steps) {
        luaL_error(L, "stopped after %d million steps", MAX_STEPS / 1000000);
    }
    lua->steps -= steps;
}

static void count(lua_State *L, lua_Debug *activation) {
    if (activation->event == LUA_HOOKLINE) {
        gk_lua_of(L)->line = activation->currentline;
    } else {
        gk_lua_spend(L, INSTRUCTIONS);
    }
}

lua_State *gk_lua_open(struct gk_lua *lua, const char *path) {
    *lua = (struct gk_lua){.path = path, .line = 1};
    lua->L = lua_newstate(allocate, lua);
    if (lua->L == NULL) {
        gk_complain("out of memory");
        return NULL;
    }
    lua_atpanic(lua->L, panic);
    lua_checkstack(lua->L, 100);
    gk_lua_open_library(lua->L);
    return lua->L;
}

void gk_lua_close(struct gk_lua *lua) {
    if (lua->L != NULL) {
        lua_close(lua->L);
    }
    lua->L = NULL;
}

/* Whether the message begins with "name:line:". */
static int has_position(const char *message) {
    size_t name = strcspn(message, ": /");
    size_t digits = message[name] == ':' ? strspn(message + name + 1, "0123456789") : 0;
    return name > 0 && digits > 0 && message[name + 1 + digits] == ':';
}

/* Lua shortens a chunk's name to 60 characters, so a chunk has the last part of its path as its name and the folder is
 * put before the message here. */
static int complain_of_top(struct gk_lua *lua, const char *path) {
    const char *message = lua_tostring(lua->L, -1);
    if (message == NULL) {
        gk_complain("%s:%d: the error is not a text but a %s", path, lua->line, luaL_typename(lua->L, -1));
    } else if (has_position(message)) {
        gk_complain("%.*s%s", (int)(gk_base_name(path) - path), path, message);
    } else {
        gk_complain("%s:%d: %s", path, lua->line, message);
    }
    lua_pop(lua->L, 1);
    return -1;
}

int gk_lua_load(struct gk_lua *lua, const char *path, const char *source, size_t length) {
    char *name = gk_printed("@%s", gk_base_name(path));
    int status = luaL_loadbufferx(lua->L, source, length, name, "t");
    free(name);
    return status == LUA_OK ? 0 : complain_of_top(lua, path);
}

static int complain_of_memory(const struct gk_lua *lua) {
    if (lua->is_too_large) {
        return gk_complain("%s:%d: needs more than %d KiB for one text, table or stack of calls", lua->path, lua->line,
                           GK_LUA_MAX_PIECE >> 10);
    }
    return gk_complain("%s:%d: needs more than %zu MiB of memory", lua->path, lua->line, max_memory >> 20);
}

int gk_lua_call(struct gk_lua *lua, int n_arguments, int n_results) {
    lua->steps = MAX_STEPS;
    lua->is_limited = 1;
    lua_sethook(lua->L, count, LUA_MASKCOUNT | LUA_MASKLINE, INSTRUCTIONS);
    int status = lua_pcall(lua->L, n_arguments, n_results, 0);
    lua_sethook(lua->L, NULL, 0, 0);
    lua->is_limited = 0;
    if (status == LUA_ERRMEM) {
        lua_pop(lua->L, 1);
        return complain_of_memory(lua);
    }
    return status == LUA_OK ? 0 : complain_of_top(lua, lua->path);
}
