/* render: a template, which is C text with lines `@ <Lua statement>` and placeholders `${ <Lua expression> }`, becomes
 * a Lua function that writes the text. Line n of the template is line n of the Lua code, so errors name its lines. */
#ifndef GK_GEN_RENDER_H
#define GK_GEN_RENDER_H

#include "gen/lua_state.h"
#include "gen/text.h"

/* Pushes the function; its arguments are those that gk_render passes. Or complains and returns -1. */
int gk_template_load(struct gk_lua *lua, const char *path, const struct gk_text *source);

/* With the function and then `v`, `f` and `symbol` on top of the stack: calls it, pops all four, and appends what it
 * writes: without blanks at ends of lines, without more than one empty line together, and with long lines broken. */
int gk_render(struct gk_lua *lua, struct gk_text *text);

#endif
