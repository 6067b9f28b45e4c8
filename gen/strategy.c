/* strategy: see strategy.h. */
#include "gen/strategy.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "formula/nearest.h"
#include "gen/dtypes.h"
#include "gen/files.h"
#include "gen/render.h"
#include "gen/variant.h"

enum { MAX_BYTES = 1 << 18, MAX_KNOBS = 8, MAX_VARIANTS = 10000 };

/* In the order of enum gasket_kernel_kind; behind them the kind of texts that are compiled at call time. */
static const char *const kind_names[] = {"resolve", "move", "place", "combine", "fused", "check", "nest"};
enum { NEST = GASKET_CHECK + 1, KINDS };
static const char *const isa_names[] = {GASKET_ISA_NAMES};

struct generator {
    struct gk_strategy_file file;
    const struct gk_wanted *wanted;
    uint32_t isas; /* that the strategy is for */
    int n_knobs;
    int sizes[MAX_KNOBS]; /* values of each */
    int template;         /* the place of the compiled template on the stack */
};

/* ---- The table that a strategy file gives ---- */

static int declare(lua_State *L) {
    lua_Debug caller;
    struct gk_strategy_file *file = lua_touserdata(L, lua_upvalueindex(1));
    if (!lua_istable(L, 1) || lua_gettop(L) != 1) {
        return luaL_error(L, "strategy takes one table: strategy { name = ..., kind = ... }");
    }
    if (lua_getstack(L, 1, &caller) && lua_getinfo(L, "l", &caller)) {
        file->line = caller.currentline;
    }
    return 1;
}

static int run_file(struct gk_strategy_file *file, const struct gk_text *source) {
    lua_State *L = file->lua->L;
    gk_dtypes_open(L);
    lua_pushlightuserdata(L, file);
    lua_pushcclosure(L, declare, 1);
    lua_setglobal(L, "strategy");
    if (gk_lua_load(file->lua, file->strategy->rule_path, source->data, source->length) != 0 ||
        gk_lua_call(file->lua, 0, 1) != 0) {
        return -1;
    }
    file->table = lua_gettop(L);
    if (!lua_istable(L, -1)) {
        return gk_strategy_fail(file, "the file must end with: return strategy { name = ..., kind = ... }");
    }
    return 0;
}

/* Pushes a member, which must be of that type. */
static int push_member(const struct gk_strategy_file *file, const char *name, int type) {
    lua_State *L = file->lua->L;
    lua_getfield(L, file->table, name);
    if (lua_type(L, -1) != type) {
        return gk_strategy_fail(file, "%s must be a %s, not %s", name, lua_typename(L, type), luaL_typename(L, -1));
    }
    return 0;
}

static int read_kind(const struct gk_strategy_file *file) {
    lua_State *L = file->lua->L;
    if (push_member(file, "name", LUA_TSTRING) != 0 || push_member(file, "kind", LUA_TSTRING) != 0) {
        return -1;
    }
    const char *name = lua_tostring(L, -2), *kind_name = lua_tostring(L, -1);
    size_t kind = gk_name_index(kind_name, kind_names, KINDS);
    if (strcmp(name, file->strategy->name) != 0) {
        return gk_strategy_fail(file, "name = '%s' is not the name of the file", name);
    }
    if (kind == KINDS) {
        return gk_strategy_fail(file, "unknown kind '%s' (did you mean '%s'?)", kind_name,
                                gk_nearest(kind_name, kind_names, KINDS));
    }
    file->strategy->is_call_time = kind == NEST;
    file->strategy->kind = (enum gasket_kernel_kind)kind;
    return 0;
}

static int read_isas(struct generator *generator) {
    const struct gk_strategy_file *file = &generator->file;
    lua_State *L = file->lua->L;
    if (push_member(file, "isas", LUA_TTABLE) != 0) {
        return -1;
    }
    for (int i = 1, n = (int)lua_rawlen(L, -1); i <= n; i++) {
        lua_rawgeti(L, -1, i);
        const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        size_t isa = gk_name_index(name, isa_names, GASKET_ISAS);
        if (isa == GASKET_ISAS) {
            return gk_strategy_fail(file, "unknown isa '%s' (did you mean '%s'?)", name,
                                    gk_nearest(name, isa_names, GASKET_ISAS));
        }
        generator->isas |= GASKET_BIT(isa);
        lua_pop(L, 1);
    }
    return 0;
}

/* Each knob is { name, { value, ... } }. */
static int read_knob(struct generator *generator, int place) {
    const struct gk_strategy_file *file = &generator->file;
    lua_State *L = file->lua->L;
    int top = lua_gettop(L);
    lua_rawgeti(L, -1, place + 1);
    if (!lua_istable(L, -1) || lua_rawgeti(L, -1, 1) != LUA_TSTRING || lua_rawgeti(L, -2, 2) != LUA_TTABLE) {
        return gk_strategy_fail(file, "knobs[%d] must be { \"name\", { values } }", place + 1);
    }
    generator->sizes[place] = (int)lua_rawlen(L, -1);
    if (generator->sizes[place] < 1 || generator->sizes[place] > MAX_VARIANTS) {
        return gk_strategy_fail(file, "knobs[%d] has no values", place + 1);
    }
    lua_settop(L, top);
    return 0;
}

static int read_knobs(struct generator *generator) {
    const struct gk_strategy_file *file = &generator->file;
    double product = 1;
    if (push_member(file, "knobs", LUA_TTABLE) != 0) {
        return -1;
    }
    generator->n_knobs = (int)lua_rawlen(file->lua->L, -1);
    if (generator->n_knobs > MAX_KNOBS) {
        return gk_strategy_fail(file, "more than %d knobs", MAX_KNOBS);
    }
    for (int i = 0; i < generator->n_knobs; i++) {
        if (read_knob(generator, i) != 0) {
            return -1;
        }
        product *= generator->sizes[i];
    }
    return product <= MAX_VARIANTS ? 0 : gk_strategy_fail(file, "the knobs have more than %d products", MAX_VARIANTS);
}

/* A text for call time has no rule, and its instruction sets are the compiler's business. */
static int read_nest(struct generator *generator) {
    static const char *const known[] = {"name", "kind", "knobs", "where"};
    if (gk_strategy_check_known(&generator->file, "a nest", known, sizeof known / sizeof *known) != 0) {
        return -1;
    }
    return read_knobs(generator);
}

static int read_declaration(struct generator *generator) {
    static const char *const known[] = {"name", "kind", "isas", "knobs", "where", "fields", "how", "rule"};
    const struct gk_strategy_file *file = &generator->file;
    lua_State *L = file->lua->L;
    int failed =
        gk_strategy_check_known(file, "strategy", known, sizeof known / sizeof *known) != 0 || read_kind(file) != 0;
    lua_settop(L, file->table);
    if (!failed && file->strategy->is_call_time) {
        failed = read_nest(generator) != 0;
    } else if (!failed) {
        failed = read_isas(generator) != 0 || read_knobs(generator) != 0 ||
                 push_member(file, "fields", LUA_TFUNCTION) != 0 || push_member(file, "how", LUA_TFUNCTION) != 0 ||
                 push_member(file, "rule", LUA_TFUNCTION) != 0;
    }
    lua_settop(L, file->table);
    return failed ? -1 : 0;
}

/* ---- The products of the knobs ---- */

/* Pushes { knob = value, ... }. */
static void push_product(const struct generator *generator, const int *at) {
    lua_State *L = generator->file.lua->L;
    lua_newtable(L);
    int v = lua_gettop(L);
    lua_getfield(L, generator->file.table, "knobs");
    for (int i = 0; i < generator->n_knobs; i++) {
        lua_rawgeti(L, -1, i + 1);
        lua_rawgeti(L, -1, 1);
        lua_rawgeti(L, -2, 2);
        lua_rawgeti(L, -1, at[i] + 1);
        lua_remove(L, -2);
        lua_rawset(L, v);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* The last knob turns fastest. 0 after the last product. */
static int next_product(const struct generator *generator, int *at) {
    for (int i = generator->n_knobs - 1; i >= 0; i--) {
        if (++at[i] < generator->sizes[i]) {
            return 1;
        }
        at[i] = 0;
    }
    return 0;
}

/* With v, f and symbol on top of the stack, which it pops. */
static int render(const struct generator *generator, struct gk_text *text) {
    lua_State *L = generator->file.lua->L;
    lua_pushvalue(L, generator->template);
    lua_insert(L, -4);
    generator->file.lua->path = generator->file.strategy->text_path;
    int result = gk_render(generator->file.lua, text);
    generator->file.lua->path = generator->file.strategy->rule_path;
    return result;
}

static int add_variant(const struct generator *generator, const int *at, enum gasket_isa isa) {
    struct gk_strategy *strategy = generator->file.strategy;
    lua_State *L = generator->file.lua->L;
    int top = lua_gettop(L);
    strategy->variants = gk_grow(strategy->variants, strategy->count + 1, sizeof *strategy->variants);
    struct gk_variant *variant = &strategy->variants[strategy->count];
    push_product(generator, at);
    lua_pushstring(L, isa_names[isa]);
    lua_setfield(L, -2, "isa");
    int result = gk_variant_read(&generator->file, generator->wanted->needs, isa, variant);
    if (result > 0) {
        strategy->count++;
        lua_pushfstring(L, "%s_%s", generator->wanted->set, variant->name);
        result = render(generator, &variant->text);
    }
    lua_settop(L, top);
    return result;
}

static int add_variants(const struct generator *generator) {
    for (int isa = 0; isa < GASKET_ISAS; isa++) {
        int at[MAX_KNOBS] = {0}, more = (generator->isas & generator->wanted->needs->isas & GASKET_BIT(isa)) != 0;
        while (more) {
            if (add_variant(generator, at, (enum gasket_isa)isa) != 0) {
                return -1;
            }
            more = next_product(generator, at);
        }
    }
    return 0;
}

/* The values of the knobs, with "_" between them; they are on top of the stack. */
static char *product_name(const struct generator *generator) {
    lua_State *L = generator->file.lua->L;
    struct gk_text name = {0};
    gk_text_add(&name, "", 0);
    lua_getfield(L, generator->file.table, "knobs");
    for (int i = 0; i < generator->n_knobs; i++) {
        lua_rawgeti(L, -1, i + 1);
        lua_rawgeti(L, -1, 1);
        lua_rawget(L, -4);
        const char *value = lua_type(L, -1) == LUA_TSTRING || lua_isinteger(L, -1) ? lua_tostring(L, -1) : "?";
        gk_text_format(&name, "%s%s", i > 0 ? "_" : "", value);
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
    return name.data;
}

static int add_call_time(const struct generator *generator, const int *at) {
    const struct gk_strategy_file *file = &generator->file;
    lua_State *L = file->lua->L;
    push_product(generator, at);
    int result = gk_variant_wanted(file);
    if (result > 0) {
        char *name = product_name(generator);
        if (*name == '\0' || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name)) {
            result = gk_strategy_fail(file, "the values of the knobs, '%s', can not name a file", name);
        } else {
            lua_pushnil(L);
            lua_pushnil(L);
            result = render(generator, gk_texts_add(&file->strategy->call_time, name));
        }
        free(name);
    }
    lua_settop(L, generator->template);
    return result;
}

static int add_call_times(const struct generator *generator) {
    int at[MAX_KNOBS] = {0}, result = 0, more = generator->wanted->call_time;
    while (result == 0 && more) {
        result = add_call_time(generator, at);
        more = next_product(generator, at);
    }
    return result;
}

/* ---- Files ---- */

static int read_pair(struct gk_strategy *strategy, const struct gk_wanted *wanted) {
    struct gk_lua lua;
    struct gk_text rule = {0}, text = {0};
    struct generator generator = {.file = {.lua = &lua, .strategy = strategy, .line = 1}, .wanted = wanted};
    int result = -1;
    if (gk_lua_open(&lua, strategy->rule_path) != NULL && gk_file_read(strategy->rule_path, MAX_BYTES, &rule) == 0 &&
        gk_file_read(strategy->text_path, MAX_BYTES, &text) == 0 && run_file(&generator.file, &rule) == 0 &&
        read_declaration(&generator) == 0) {
        result = gk_template_load(&lua, strategy->text_path, &text);
        generator.template = lua_gettop(lua.L);
    }
    if (result == 0) {
        result = strategy->is_call_time ? add_call_times(&generator) : add_variants(&generator);
    }
    gk_text_free(&text);
    gk_text_free(&rule);
    gk_lua_close(&lua);
    return result;
}

static struct gk_strategy *add_strategy(struct gk_strategies *strategies, const char *rule_path) {
    strategies->items = gk_grow(strategies->items, strategies->count + 1, sizeof *strategies->items);
    struct gk_strategy *strategy = &strategies->items[strategies->count++];
    int stem = (int)(strlen(rule_path) - strlen(".lua"));
    const char *base = gk_base_name(rule_path);
    *strategy = (struct gk_strategy){
        .name = gk_printed("%.*s", (int)(strlen(base) - strlen(".lua")), base),
        .rule_path = gk_copy(rule_path),
        .text_path = gk_printed("%.*s.c.in", stem, rule_path),
    };
    return strategy;
}

/* A template without a rule would be forgotten in silence. */
static int check_pairs(const char *folder, const struct gk_texts *rules) {
    struct gk_texts texts = {0};
    int result = gk_folder_list(folder, ".c.in", &texts);
    for (size_t i = 0; result == 0 && i < texts.count; i++) {
        const char *path = texts.items[i].name;
        char *rule = gk_printed("%.*s.lua", (int)(strlen(path) - strlen(".c.in")), path);
        if (gk_texts_find(rules, rule) == NULL) {
            result = gk_complain("'%s' has no '%s' beside it", path, gk_base_name(rule));
        }
        free(rule);
    }
    gk_texts_free(&texts);
    return result;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts the names; the first that is there twice, or NULL. */
static const char *twice(const char **names, size_t n) {
    if (n > 1) {
        qsort(names, n, sizeof *names, by_name);
    }
    for (size_t i = 1; i < n; i++) {
        if (strcmp(names[i - 1], names[i]) == 0) {
            return names[i];
        }
    }
    return NULL;
}

/* Two kernels of one name would be one C function, two texts for call time one file. */
static int check_names(const struct gk_strategies *strategies) {
    const char **kernels = NULL, **texts = NULL, *same;
    size_t n_kernels = 0, n_texts = 0;
    int result = 0;
    for (size_t i = 0; i < strategies->count; i++) {
        const struct gk_strategy *strategy = &strategies->items[i];
        kernels = gk_grow(kernels, n_kernels + strategy->count, sizeof *kernels);
        texts = gk_grow(texts, n_texts + strategy->call_time.count, sizeof *texts);
        for (size_t k = 0; k < strategy->count; k++) {
            kernels[n_kernels++] = strategy->variants[k].name;
        }
        for (size_t k = 0; k < strategy->call_time.count; k++) {
            texts[n_texts++] = strategy->call_time.items[k].name;
        }
    }
    if ((same = twice(kernels, n_kernels)) != NULL) {
        result = gk_complain("two kernels have the name '%s': how(v) must tell them apart", same);
    } else if ((same = twice(texts, n_texts)) != NULL) {
        result = gk_complain("two texts for call time have the name '%s': their knobs must tell them apart", same);
    }
    free(kernels);
    free(texts);
    return result;
}

int gk_strategies_read(struct gk_strategies *strategies, const char *folder, const struct gk_wanted *wanted) {
    struct gk_texts rules = {0};
    char *path = gk_printed("%s/cpu", folder);
    int result = gk_folder_list(path, ".lua", &rules);
    if (result == 0) {
        result = rules.count > 0 ? check_pairs(path, &rules) : gk_complain("no *.lua in '%s'", path);
    }
    for (size_t i = 0; result == 0 && i < rules.count; i++) {
        result = read_pair(add_strategy(strategies, rules.items[i].name), wanted);
    }
    if (result == 0) {
        result = check_names(strategies);
    }
    gk_texts_free(&rules);
    free(path);
    return result;
}

void gk_strategies_free(struct gk_strategies *strategies) {
    for (size_t i = 0; i < strategies->count; i++) {
        struct gk_strategy *strategy = &strategies->items[i];
        for (size_t k = 0; k < strategy->count; k++) {
            gk_text_free(&strategy->variants[k].text);
        }
        free(strategy->variants);
        gk_texts_free(&strategy->call_time);
        free(strategy->name);
        free(strategy->rule_path);
        free(strategy->text_path);
    }
    free(strategies->items);
    *strategies = (struct gk_strategies){0};
}
