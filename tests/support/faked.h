/* faked: contexts whose call-time compiler is the fake of tests/fault/provider, problems that each have a kernel of
 * their own, and processes to try it all in: a process has one compiler for good. */
#ifndef FAKED_H
#define FAKED_H

#include "fault/provider/fake.h"
#include "support/support.h"

/* ---- Processes ---- */

/* Runs it in a child with the fake as its plug-in, in an empty cache directory of its own (environment
 * GASKET_CACHE_DIR). It passes when the child's own checks do and the child ends as programs end. */
void scenario(const char *name, void (*run)(void));
/* "N passed, N failed", of the scenarios; the exit status of the program. */
int scenarios_finish(void);
/* The reason is printed; the scenario counts for nothing. */
_Noreturn void scenario_skip(const char *why);
/* The status that waitpid gave for a child that runs this and exits; hanging ends it. */
int child_status(void (*run)(void));

/* Of this process; also makes the library look for it there. */
struct fake *fake_load(void);
/* Until *number has that value. */
void wait_for(const _Atomic int *number, int value);
/* Sets *held to 0 on another thread, some milliseconds from now. */
void release_later(_Atomic int *held, int milliseconds);

/* Whether a build has sanitizers: "address", "thread", or NULL. */
const char *sanitizer(void);

/* ---- Contexts ---- */

/* One thread, the options given, and those that are needed to find fault when the rest is NULL or 0. */
gasket_context *context_open(const struct gasket_options *options);
/* By the words of option jit, otherwise usual. */
gasket_context *context_of(const char *jit);
struct gasket_counters counters_of(gasket_context *context);
/* Whether the text of an explanation holds the words. */
int explained(const gasket_plan *plan, const char *words);

/* ---- Jobs: gathers of strided rows, which no exact ahead-of-time kernel serves ---- */

enum { JOB_ROWS = 4, JOB_TUPLES = 3, JOB_WIDTH = 133, JOB_STRIDE = 360, JOBS = 10000 };

struct job {
    int number;
    int64_t table_shape[2], table_strides[2], indices_shape[1], out_shape[2];
    DLTensor table, indices, out;
    float table_data[JOB_ROWS * JOB_STRIDE], out_data[JOB_TUPLES * JOB_WIDTH];
    int32_t indices_data[JOB_TUPLES];
};

/* Jobs of one number share a kernel, others do not. A job stays where it is. */
void job_start(struct job *job, int number);
/* jit: the argument of the call, or NULL. */
enum gasket_status job_call(struct job *job, gasket_context *context, const char *jit);
enum gasket_status job_plan(struct job *job, gasket_context *context, const char *jit, gasket_plan **plan);
/* Whether the output is what it must be; it is poisoned then. */
int job_is_right(struct job *job);

/* A new job, called; 1 when it went well. Otherwise the reason is printed. */
int job_try(gasket_context *context, int number, const char *jit);
/* The same as a plan whose kernel is prepared first. */
int job_prepare(gasket_context *context, int number);

#endif
