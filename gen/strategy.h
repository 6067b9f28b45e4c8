/* strategy: a pair <name>.lua and <name>.c.in -> the kernels that it makes, each with its rule and its text; or, of
 * kind "nest", the texts that are compiled when they are called. */
#ifndef GK_GEN_STRATEGY_H
#define GK_GEN_STRATEGY_H

#include "abi/kernel.h"
#include "formula/structure.h"
#include "gen/lua_state.h"
#include "gen/needs.h"
#include "gen/text.h"

struct gk_variant {
    struct gasket_kernel kernel; /* without name, strategy and function */
    char name[GK_TEXT];
    struct gk_text text; /* of the C function */
};

struct gk_strategy {
    char *name, *rule_path, *text_path;
    int is_call_time; /* then it has no kind, no variants and no place in the table */
    enum gasket_kernel_kind kind;
    struct gk_variant *variants; /* by instruction set, then in the order of the knobs */
    size_t count;
    struct gk_texts call_time; /* named by the values of the knobs */
};
struct gk_strategies {
    struct gk_strategy *items; /* by name */
    size_t count;
};

/* What is to be rendered. */
struct gk_wanted {
    const char *set; /* begins the names of the C functions */
    const struct gk_needs *needs;
    int call_time; /* the texts for call time too */
};

/* Reads all pairs of `folder`/cpu, and renders what is wanted. */
int gk_strategies_read(struct gk_strategies *strategies, const char *folder, const struct gk_wanted *wanted);
void gk_strategies_free(struct gk_strategies *strategies);

#endif
