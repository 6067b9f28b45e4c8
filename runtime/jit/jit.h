/* jit: the call-time kernels of a context. A kernel is looked for in memory, then on disk, then compiled: once for each
 * key, however many threads ask. What can not be compiled is remembered with the reason and costs nothing again.
 *
 * All functions are safe from any thread, except creation and destruction. */
#ifndef GK_JIT_H
#define GK_JIT_H

#include <stdatomic.h>

#include "abi/nest.h"
#include "error.h"
#include "jit/cache.h"
#include "jit/policy.h"
#include "jit/provider.h"

struct gk_jit_options {
    struct gk_cache_options cache;
    enum gasket_isa level;
    int is_host;         /* the level is the best of this machine: kernels may use all that the processor has */
    int64_t after_calls; /* asynchronous compilation starts after so many uses, */
    int64_t after_bytes; /* or after so many bytes were moved */
    int most_kernels;    /* that are kept in memory */
};

struct gk_jit;

/* Reads nothing, loads nothing and starts no thread yet. */
enum gasket_status gk_jit_create(struct gk_jit **jit, const struct gk_jit_options *options, struct gk_error *error);
/* Waits for a compilation that is running and drops those that wait. Kernels were released before. */
void gk_jit_destroy(struct gk_jit *jit);

struct gk_cache *gk_jit_cache(struct gk_jit *jit);

/* After entries came from elsewhere: where nothing is known of this machine's compiler, theirs is what is looked for.
 */
void gk_build_note_imported(struct gk_cache *cache);

/* ---- Kernels ---- */

enum gk_kernel_state { GK_COLD, GK_QUEUED, GK_WORKING, GK_READY, GK_FAILED };
enum gk_kernel_source { GK_FROM_NOWHERE, GK_FROM_DISK, GK_FROM_COMPILER };

/* A kernel that exists or may come to exist. run and check may be read once `state` was seen to be GK_READY, the rest
 * is read with gk_jit_describe. */
struct gk_kernel {
    _Atomic int state;
    gasket_nest_fn *run, *check;
    char name[48]; /* nest_e4__llvm_3f2a9c10 */
};

/* The kernel of these knobs, which stays until it is released, in whatever state; NULL without memory. */
struct gk_kernel *gk_jit_take(struct gk_jit *jit, const char *template_name, const struct gasket_nest *knobs);
void gk_jit_release(struct gk_jit *jit, struct gk_kernel *kernel);

/* Follows the policy for one use that moves so many bytes. Whether the kernel is ready. */
int gk_jit_use(struct gk_jit *jit, struct gk_kernel *kernel, enum gk_policy policy, int64_t bytes);

/* Makes the kernel ready now, or says why it can not be: UNAVAILABLE, OUT_OF_MEMORY, INTERNAL. With `compiles` 0 it is
 * only looked for. */
enum gasket_status gk_jit_prepare(struct gk_jit *jit, struct gk_kernel *kernel, int compiles, struct gk_error *error);

static inline int gk_kernel_is_ready(const struct gk_kernel *kernel) {
    return atomic_load_explicit(&kernel->state, memory_order_acquire) == GK_READY;
}

struct gk_kernel_description {
    enum gk_kernel_state state;
    enum gk_kernel_source source;
    double milliseconds; /* that the compiler, or reading and loading, took */
    size_t code_bytes;
    char key[GK_KEY_NAME], compiler[64], trouble[GK_ERROR_TEXT]; /* "" where not known */
};
void gk_jit_describe(struct gk_jit *jit, struct gk_kernel *kernel, struct gk_kernel_description *description);

/* A step of the compilation for reading; nothing is kept. */
enum gasket_status gk_jit_stage(struct gk_jit *jit, struct gk_kernel *kernel, enum gk_stage stage, gk_take_fn *take,
                                void *user, struct gk_error *error);

struct gk_jit_counts {
    uint64_t compiled, from_disk, failed, evicted;
    uint64_t compile_nanoseconds;
    uint64_t kernels, code_bytes; /* in memory now */
};
void gk_jit_count(struct gk_jit *jit, struct gk_jit_counts *counts);

#endif
