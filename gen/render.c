/* render: see render.h. */
#include "gen/render.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "gen/files.h"
#include "gen/reflow.h"

enum { MAX_RENDERED = 1 << 20 };

struct compiler {
    struct gk_lua *lua;
    const char *path;
    int line;
    struct gk_text code;
};

/* A Lua string literal that has no line break in it. */
static void add_literal(struct gk_text *code, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c == '"' || c == '\\') {
            gk_text_format(code, "\\%03u", (unsigned)c);
        } else {
            gk_text_add(code, text + i, 1);
        }
    }
}

static void add_text(struct gk_text *code, const char *text, size_t length, const char *end) {
    if (length > 0 || *end != '\0') {
        gk_text_format(code, "write_text(\"");
        add_literal(code, text, length);
        gk_text_format(code, "%s\");", end);
    }
}

/* The `}` that closes a placeholder, or NULL; knows Lua's quotes and inner braces. */
static const char *closing_brace(const char *at, const char *end) {
    int open = 1;
    char quote = '\0';
    for (; at < end; at++) {
        if (quote != '\0') {
            at += *at == '\\';
            quote = at < end && *at == quote ? '\0' : quote;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else {
            open += (*at == '{') - (*at == '}');
        }
        if (open == 0) {
            return at;
        }
    }
    return NULL;
}

/* Whether `expression` stands alone as one, so that it can not close what the generated code opens around it. */
static int check_expression(const struct compiler *compiler, const char *expression, size_t length) {
    lua_State *L = compiler->lua->L;
    char *code = gk_printed("return (%.*s)", (int)length, expression);
    int status = luaL_loadbufferx(L, code, strlen(code), "=", "t");
    lua_pop(L, 1);
    free(code);
    if (status != LUA_OK) {
        return gk_complain("%s:%d: '${%.*s}' holds no Lua expression", compiler->path, compiler->line, (int)length,
                           expression);
    }
    return 0;
}

static int add_placeholder(struct compiler *compiler, const char *expression, size_t length) {
    if (check_expression(compiler, expression, length) != 0) {
        return -1;
    }
    gk_text_format(&compiler->code, "write_value((%.*s),\"", (int)length, expression);
    add_literal(&compiler->code, expression, length);
    gk_text_format(&compiler->code, "\");");
    return 0;
}

static int add_text_line(struct compiler *compiler, const char *at, const char *end) {
    for (const char *c = at; c + 1 < end; c++) {
        if (c[0] == '$' && c[1] == '{') {
            const char *close = closing_brace(c + 2, end);
            if (close == NULL) {
                return gk_complain("%s:%d: '${' is not closed on its line", compiler->path, compiler->line);
            }
            add_text(&compiler->code, at, (size_t)(c - at), "");
            if (add_placeholder(compiler, c + 2, (size_t)(close - c - 2)) != 0) {
                return -1;
            }
            at = close + 1;
            c = close;
        }
    }
    add_text(&compiler->code, at, (size_t)(end - at), "\\n");
    return 0;
}

static int add_line(struct compiler *compiler, const char *line, const char *end) {
    const char *first = line + strspn(line, " \t");
    int result = 0;
    if (first < end && *first == '@') {
        gk_text_format(&compiler->code, "%.*s", (int)(end - first - 1), first + 1);
    } else {
        result = add_text_line(compiler, line, end);
    }
    gk_text_format(&compiler->code, "\n");
    compiler->line++;
    return result;
}

int gk_template_load(struct gk_lua *lua, const char *path, const struct gk_text *source) {
    struct compiler compiler = {.lua = lua, .path = path, .line = 1};
    int result = 0;
    if (memchr(source->data, '\0', source->length) != NULL) {
        return gk_complain("%s: is no text: it holds a zero byte", path);
    }
    gk_text_format(&compiler.code, "local write_text, write_value, v, f, symbol = ...; ");
    for (const char *at = source->data; result == 0 && *at != '\0';) {
        size_t length = strcspn(at, "\n");
        size_t shown = length > 0 && at[length - 1] == '\r' ? length - 1 : length;
        result = add_line(&compiler, at, at + shown);
        at += length + (at[length] == '\n');
    }
    if (result == 0) {
        result = gk_lua_load(lua, path, compiler.code.data, compiler.code.length);
    }
    gk_text_free(&compiler.code);
    return result;
}

/* ---- Writing ---- */

static struct gk_text *target(lua_State *L) {
    struct gk_text *text = lua_touserdata(L, lua_upvalueindex(1));
    if (text->length > MAX_RENDERED) {
        luaL_error(L, "the template writes more than %d bytes", MAX_RENDERED);
    }
    return text;
}

static int write_text(lua_State *L) {
    size_t length;
    const char *text = luaL_checklstring(L, 1, &length);
    gk_text_add(target(L), text, length);
    return 0;
}

static int refuse_value(lua_State *L) {
    const char *expression = lua_tostring(L, 2);
    if (lua_type(L, 1) == LUA_TNUMBER) {
        return luaL_error(L, "the placeholder '${%s}' is a number that is not whole", expression);
    }
    return luaL_error(L, "the placeholder '${%s}' is %s%s", expression, lua_isnil(L, 1) ? "" : "a ",
                      luaL_typename(L, 1));
}

static int write_value(lua_State *L) {
    size_t length;
    if (lua_type(L, 1) != LUA_TSTRING && !lua_isinteger(L, 1)) {
        return refuse_value(L);
    }
    const char *text = lua_tolstring(L, 1, &length);
    if (strlen(text) != length) {
        return luaL_error(L, "the placeholder '${%s}' holds a zero byte", lua_tostring(L, 2));
    }
    gk_text_add(target(L), text, length);
    return 0;
}

static void push_writer(lua_State *L, lua_CFunction writer, struct gk_text *text) {
    lua_pushlightuserdata(L, text);
    lua_pushcclosure(L, writer, 1);
    lua_insert(L, -4);
}

static void add_tidy(struct gk_text *text, const char *raw) {
    int n_empty = text->length == 0;
    while (*raw != '\0') {
        size_t length = strcspn(raw, "\n"), shown = length;
        while (shown > 0 && (raw[shown - 1] == ' ' || raw[shown - 1] == '\t')) {
            shown--;
        }
        n_empty = shown == 0 ? n_empty + 1 : 0;
        if (n_empty <= 1) {
            gk_text_add(text, raw, shown);
            gk_text_add(text, "\n", 1);
        }
        raw += length + (raw[length] == '\n');
    }
}

int gk_render(struct gk_lua *lua, struct gk_text *text) {
    struct gk_text raw = {0}, tidy = {0};
    push_writer(lua->L, write_text, &raw);
    push_writer(lua->L, write_value, &raw);
    int result = gk_lua_call(lua, 5, 0);
    if (result == 0 && raw.length > 0) {
        add_tidy(&tidy, raw.data);
        gk_reflow(text, tidy.data);
    }
    gk_text_free(&tidy);
    gk_text_free(&raw);
    return result;
}
