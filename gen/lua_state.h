/* lua_state: Lua 5.4 closed off. What runs in it is a pure function of its text: no files, clock, random numbers or
 * addresses, tables are walked in the order of their keys, and steps and memory are limited. A step is an instruction
 * of Lua, or a byte or member of what a function of the library takes, gives or compares. */
#ifndef GK_GEN_LUA_STATE_H
#define GK_GEN_LUA_STATE_H

#include <lua.h>
#include <stddef.h>

/* Bytes of one text, table or stack: one instruction of Lua may touch them all. */
enum { GK_LUA_MAX_PIECE = 1 << 18 };

struct gk_lua {
    lua_State *L;
    const char *path; /* of the file that errors are reported for; borrowed */
    size_t used;      /* bytes */
    int is_limited;   /* whether the limits of memory hold: only while Lua code runs */
    int is_too_large; /* whether the last memory that was refused was too much for one piece */
    size_t steps;     /* left to the code that runs */
    int line;         /* that ran last */
};

/* The state, or NULL with a complaint. The struct must stay where it is until it is closed. */
lua_State *gk_lua_open(struct gk_lua *lua, const char *path);
void gk_lua_close(struct gk_lua *lua);

/* Pushes the compiled text, whose lines are reported as lines of `path`; or complains and returns -1. */
int gk_lua_load(struct gk_lua *lua, const char *path, const char *source, size_t length);
/* lua_pcall with the limits; on an error complains with file:line, pops it and returns -1. */
int gk_lua_call(struct gk_lua *lua, int n_arguments, int n_results);
/* The state that runs a C function which Lua called. */
struct gk_lua *gk_lua_of(lua_State *L);

/* Takes steps from those that are left; where there are not as many, an error ends the code that runs. */
void gk_lua_spend(lua_State *L, size_t steps);

/* Replaces a name of base, string... by a function that is as pure as the rest (lua_library.c). */
void gk_lua_open_library(lua_State *L);

#endif
