/* spec_reader: see spec_reader.h. */
#include "gen/spec_reader.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/nearest.h"
#include "formula/words.h"
#include "gen/files.h"

enum { MAX_FIELDS = 24, MAX_LIST = 64 };

void gk_reader_enter(struct gk_reader *reader, const char *name, int place) {
    reader->keys[reader->n_keys++] = (struct gk_key){name, place};
}

void gk_reader_leave(struct gk_reader *reader) {
    reader->n_keys--;
}

/* "attributes[2].minimum: " */
static void describe_place(const struct gk_reader *reader, struct gk_text *text) {
    for (int i = 0; i < reader->n_keys; i++) {
        if (reader->keys[i].name == NULL) {
            gk_text_format(text, "[%d]", reader->keys[i].place);
        } else {
            gk_text_format(text, "%s%s", i > 0 ? "." : "", reader->keys[i].name);
        }
    }
    gk_text_format(text, "%s", reader->n_keys > 0 ? ": " : "");
}

static int fail(const struct gk_reader *reader, const struct gk_key *keys, int n_keys, const char *message) {
    struct gk_text place = {0};
    describe_place(reader, &place);
    int line = gk_locate(reader->source, reader->line, keys, n_keys);
    gk_complain("%s:%d: %s: %s%s", reader->spec->path, line, reader->name, place.data, message);
    gk_text_free(&place);
    return -1;
}

int gk_reader_fail(const struct gk_reader *reader, const char *format, ...) {
    struct gk_text message = {0};
    va_list arguments;
    va_start(arguments, format);
    gk_text_format_list(&message, format, arguments);
    va_end(arguments);
    fail(reader, reader->keys, reader->n_keys, message.data);
    gk_text_free(&message);
    return -1;
}

int gk_reader_fail_at(const struct gk_reader *reader, const char *text, const struct gk_formula_error *error) {
    return gk_reader_fail(reader, "%s\n    %s\n    %*s^", error->text, text, error->column, "");
}

static unsigned type_on_top(lua_State *L) {
    switch (lua_type(L, -1)) {
        case LUA_TSTRING:
            return GK_FIELD_TEXT;
        case LUA_TNUMBER:
            return lua_isinteger(L, -1) ? GK_FIELD_WHOLE : 0;
        case LUA_TTABLE:
            return GK_FIELD_TABLE;
        case LUA_TBOOLEAN:
            return GK_FIELD_BOOLEAN;
        default:
            return 0;
    }
}

/* A text without a zero byte: C sees all of it. */
static int is_text(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TSTRING && strlen(lua_tostring(L, index)) == lua_rawlen(L, index);
}

static int check_type(const struct gk_reader *reader, unsigned types) {
    static const char *const names[] = {"a text", "a whole number", "a table", "true or false"};
    char wanted[80] = "";
    unsigned type = type_on_top(reader->lua->L);
    if ((type & types) == GK_FIELD_TEXT && !is_text(reader->lua->L, -1)) {
        return gk_reader_fail(reader, "must not hold a zero byte");
    }
    if ((type & types) != 0) {
        return 0;
    }
    for (unsigned i = 0; i < 4; i++) {
        if ((types & GASKET_BIT(i)) != 0) {
            size_t length = strlen(wanted);
            snprintf(wanted + length, sizeof wanted - length, "%s%s", length > 0 ? " or " : "", names[i]);
        }
    }
    const char *got = lua_isstring(reader->lua->L, -1) ? "text" : luaL_typename(reader->lua->L, -1);
    got = lua_type(reader->lua->L, -1) == LUA_TNUMBER ? "number" : got;
    return gk_reader_fail(reader, "must be %s, not a %s", wanted, got);
}

static int check_known(struct gk_reader *reader, const struct gk_field *fields) {
    lua_State *L = reader->lua->L;
    const char *names[MAX_FIELDS], *unknown = NULL;
    size_t n = 0;
    for (; fields[n].name != NULL; n++) {
        names[n] = fields[n].name;
    }
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (!is_text(L, -2)) {
            lua_pop(L, 2);
            return gk_reader_fail(reader, "takes fields with names only, such as '%s = ...'", fields[0].name);
        }
        const char *name = lua_tostring(L, -2);
        if (gk_name_index(name, names, n) == n && (unknown == NULL || strcmp(name, unknown) < 0)) {
            unknown = name;
        }
    }
    if (unknown == NULL) {
        return 0;
    }
    struct gk_key keys[GK_MAX_KEYS + 1];
    memcpy(keys, reader->keys, sizeof reader->keys);
    keys[reader->n_keys].name = unknown;
    char *message = gk_printed("unknown field '%s' (did you mean '%s'?)", unknown, gk_nearest(unknown, names, n));
    fail(reader, keys, reader->n_keys + 1, message);
    free(message);
    return -1;
}

static int read_field(struct gk_reader *reader, const struct gk_field *field) {
    lua_State *L = reader->lua->L;
    int result = 0;
    lua_getfield(L, -1, field->name);
    if (!lua_isnil(L, -1)) {
        gk_reader_enter(reader, field->name, 0);
        result = check_type(reader, field->types) != 0 ? -1 : field->read(reader);
        gk_reader_leave(reader);
    } else if (field->is_required) {
        result = gk_reader_fail(reader, "the field '%s' is missing", field->name);
    }
    lua_pop(L, 1);
    return result;
}

int gk_reader_fields(struct gk_reader *reader, const struct gk_field *fields) {
    int result = check_known(reader, fields);
    for (; result == 0 && fields->name != NULL; fields++) {
        result = read_field(reader, fields);
    }
    return result;
}

static lua_Integer count_members(lua_State *L) {
    lua_Integer n = 0;
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        n++;
    }
    return n;
}

int gk_reader_list(struct gk_reader *reader, unsigned types, int (*each)(struct gk_reader *reader, void *user),
                   void *user) {
    lua_State *L = reader->lua->L;
    int n = (int)lua_rawlen(L, -1), result = 0;
    if (n == 0 || n > MAX_LIST || count_members(L) != n) {
        return gk_reader_fail(reader, n > MAX_LIST ? "the list is too long" : "must be a list { a, b, ... }");
    }
    for (int i = 1; result == 0 && i <= n; i++) {
        lua_rawgeti(L, -1, i);
        gk_reader_enter(reader, NULL, i);
        result = check_type(reader, types) != 0 ? -1 : each(reader, user);
        gk_reader_leave(reader);
        lua_pop(L, 1);
    }
    return result;
}

/* The keys of the table on top, sorted; -1 after a complaint about one that is no text. */
static int sorted_keys(struct gk_reader *reader, struct gk_texts *keys) {
    lua_State *L = reader->lua->L;
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (!is_text(L, -2)) {
            lua_pop(L, 2);
            return gk_reader_fail(reader, "must be a table of 'name = value'");
        }
        gk_texts_add(keys, lua_tostring(L, -2));
    }
    gk_texts_sort(keys);
    return 0;
}

int gk_reader_map(struct gk_reader *reader, unsigned types,
                  int (*each)(struct gk_reader *reader, const char *key, void *user), void *user) {
    struct gk_texts keys = {0};
    int result = sorted_keys(reader, &keys);
    for (size_t i = 0; result == 0 && i < keys.count; i++) {
        lua_getfield(reader->lua->L, -1, keys.items[i].name);
        gk_reader_enter(reader, keys.items[i].name, 0);
        result = check_type(reader, types) != 0 ? -1 : each(reader, keys.items[i].name, user);
        gk_reader_leave(reader);
        lua_pop(reader->lua->L, 1);
    }
    gk_texts_free(&keys);
    return result;
}

static const char *keep(struct gk_spec *spec, const char *text) {
    gk_texts_add(&spec->strings, text);
    return spec->strings.items[spec->strings.count - 1].name;
}

const char *gk_reader_text(struct gk_reader *reader) {
    size_t length;
    const char *text = lua_tolstring(reader->lua->L, -1, &length);
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f) {
            gk_reader_fail(reader, "must be one line without control characters");
            return NULL;
        }
    }
    if (length == 0 || strstr(text, "*/") != NULL || strstr(text, "/*") != NULL) {
        gk_reader_fail(reader, length == 0 ? "must not be empty" : "must not hold the mark of a C comment");
        return NULL;
    }
    return keep(reader->spec, text);
}

/* Words that a name in the generated header would clash with: those of C and C++, and the header's own. */
static const char taken[] =
    " accumulate alignas alignof and and_eq arguments asm auto bitand bitor bool bounds break case catch char class "
    "combine compl concept const consteval constexpr constinit const_cast context continue count decltype default "
    "delete do double dynamic_cast else enum explicit export extern false fill float for friend goto if "
    "inline int int64_t linux long mutable namespace nan new noexcept not not_eq nullptr operator options or or_eq "
    "private "
    "protected public register reinterpret_cast requires restrict return short signed size_t sizeof "
    "static static_assert static_cast struct switch template this thread_local throw true try typedef typeid "
    "typename union unix unsigned using virtual void volatile wchar_t while xor xor_eq ";

int gk_reader_check_taken(const struct gk_reader *reader, const char *name) {
    char *word = gk_printed(" %s ", name);
    int found = strstr(taken, word) != NULL || strncmp(name, "gasket_", 7) == 0;
    free(word);
    return found ? gk_reader_fail(reader, "the name '%s' is taken by C, C++ or the generated header", name) : 0;
}
