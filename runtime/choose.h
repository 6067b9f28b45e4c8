/* choose: which kernels serve a folded problem. The rule of each kernel says when it applies and what it costs; the
 * cheapest that applies is taken, the wider instruction set on a tie. */
#ifndef GK_CHOOSE_H
#define GK_CHOOSE_H

#include "catalog.h"
#include "fold.h"

enum gk_tier { GK_TIER_ANY, GK_TIER_EXACT, GK_TIER_JIT, GK_TIER_GENERAL, GK_TIER_INTERPRETER, GK_TIERS };
extern const char *const gk_tier_names[GK_TIERS];

/* What is asked of one kernel. */
struct gk_need {
    struct gasket_kernel what; /* the fields of its identity */
    enum gasket_isa level;
    enum gk_tier tier;
    uint8_t depth;
    int64_t row, count, bytes; /* bytes of a row; tuples in a run; bytes that the call moves */
    int64_t alignment;         /* that all plain rows have, in bytes */
    int strided, packed_tuples, packed_rows;
};

struct gk_choice {
    const struct gasket_kernel *resolve, *rows;
    const struct gasket_kernel *unaligned; /* instead of rows when plain data is aligned less than its rule asks */
    const struct gasket_kernel *piece; /* rows of any length: when threads share the bytes of each row; may be NULL */
    const struct gasket_kernel *fused; /* instead of resolve and rows where nothing is filled; may be NULL */
    const struct gasket_kernel *check; /* for many tuples whose bounds are reported; may be NULL */
    enum gk_tier tier;
};

struct gk_limits {
    enum gasket_isa level;
    enum gk_tier tier; /* GK_TIER_ANY: the best */
};

struct gk_need gk_need_resolve(const struct gk_form *form, const struct gk_limits *limits);
struct gk_need gk_need_rows(const struct gk_form *form, const struct gk_problem *problem,
                            const struct gk_limits *limits);
struct gk_need gk_need_check(const struct gk_form *form, const struct gk_limits *limits);
struct gk_need gk_need_fused(const struct gk_form *form, const struct gk_limits *limits);

/* Whether one loop may resolve and gather: where nothing is filled and each tuple moves one row. */
int gk_may_fuse(const struct gk_form *form, const struct gk_problem *problem);

/* Why a kernel does not serve a need: static text, or NULL when it does. */
const char *gk_refusal(const struct gasket_kernel *kernel, const struct gk_need *need);
const struct gasket_kernel *gk_cheapest(const struct gk_catalog *catalog, const struct gk_need *need);

/* UNAVAILABLE when the limits leave no kernel. */
enum gasket_status gk_choose(struct gk_choice *choice, const struct gk_catalog *catalog, const struct gk_form *form,
                             const struct gk_problem *problem, const struct gk_limits *limits, struct gk_error *error);

#endif
