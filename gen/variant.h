/* variant: what a strategy says of one choice of its knobs, read from Lua. */
#ifndef GK_GEN_VARIANT_H
#define GK_GEN_VARIANT_H

#include "gen/strategy.h"

/* A strategy file that has run: the table that it described lies at `table` on the stack. */
struct gk_strategy_file {
    struct gk_lua *lua;
    struct gk_strategy *strategy;
    int table;
    int line; /* of the call of strategy() */
};

int gk_strategy_fail(const struct gk_strategy_file *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Refuses members of the table on top of the stack that are not among the n names. */
int gk_strategy_check_known(const struct gk_strategy_file *file, const char *what, const char *const *names, size_t n);

/* With the knobs on top of the stack, calls where, if there is one. Returns whether the choice is wanted; -1 after a
 * complaint. */
int gk_variant_wanted(const struct gk_strategy_file *file);

/* With the knobs on top of the stack, calls where, fields, how and rule. Returns 1 and leaves the fields on the stack
 * above the knobs if the choice is wanted and needed; 0 if it is not; -1 after a complaint. */
int gk_variant_read(const struct gk_strategy_file *file, const struct gk_needs *needs, enum gasket_isa isa,
                    struct gk_variant *variant);

#endif
