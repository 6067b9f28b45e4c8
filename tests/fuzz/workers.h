/* workers: processes that take cases by their numbers, and the parent that watches them. One that crashes or hangs
 * costs a process; its note says on what. */
#ifndef FUZZ_WORKERS_H
#define FUZZ_WORKERS_H

#include "definition.h"
#include "options.h"
#include "run.h"
#include "shrink.h"

enum { FUZZ_JOBS = 64 };

struct fuzz_slot {
    struct fuzz_note note;
    uint64_t end; /* of the numbers it took */
};

struct fuzz_shared {
    _Atomic uint64_t next, cases, refused, undrawn, formulas, formulas_refused;
    _Atomic int stops;
    struct fuzz_slot slots[FUZZ_JOBS];
    struct fuzz_note trial; /* of the shrinker and of replays */
};

struct fuzz_campaign {
    const struct fuzz_options *options;
    struct fuzz_goals goals;
    struct fuzz_coverage coverage;
    struct fuzz_runner runner;
    struct fuzz_shared *shared;
    struct fuzz_case *c;
    struct fuzz_call *call;
    char definition[FUZZ_DEFINITION]; /* of the formula that the runner is set to */
    uint64_t defined;                 /* its number + 1; 0: none */
    int is_defined;                   /* the library took it */
    uint64_t failures, replayed;
    double seconds; /* that it took */
};

/* Called by the parent for each failure; the case is drawn again and `failure->text` says what was wrong. */
typedef void fuzz_report(struct fuzz_campaign *campaign, struct fuzz_failure *failure, uint64_t number);

/* Draws case `number` of the campaign: of the table, or of a formula. -1 when there is none. */
int fuzz_campaign_draw(struct fuzz_campaign *campaign, uint64_t number);

void fuzz_work(struct fuzz_campaign *campaign, fuzz_report *report);
uint64_t fuzz_checks(const struct fuzz_campaign *campaign);
double fuzz_now(void); /* seconds */

#endif
