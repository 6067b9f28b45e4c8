/* jit_failures: compilers that fail, lie or are not there, caches with wrong contents, and systems that allow no code:
 * a lower tier serves, the reason can be read, and nothing is tried in vain again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jit/hash.h"
#include "support/cached.h"
#include "support/faked.h"
#include "support/refused.h"

static struct fake *fake;

static gasket_plan *plan_of(gasket_context *context, struct job *job, int number, const char *jit) {
    gasket_plan *plan;
    job_start(job, number);
    if (job_plan(job, context, jit, &plan)) give_up(gasket_message(context));
    return plan;
}

/* The kernel can not be had, and why; calls go on. */
static void check_without(gasket_context *context, int number, const char *reason) {
    struct job job;
    gasket_plan *plan = plan_of(context, &job, number, "async");
    const enum gasket_status status = gasket_plan_prepare(plan);
    check(status != GASKET_OK && strstr(gasket_message(context), reason), "job %d, prepare: %s: %s, not %s", number,
          gasket_status_name(status), gasket_message(context), reason);
    check(gasket_plan_run(plan, NULL, 0) == GASKET_OK && job_is_right(&job), "job %d: the plan", number);
    gasket_plan_destroy(plan);
    check(job_try(context, number, "sync") && job_try(context, number, "async"), "job %d: calls", number);
    const enum gasket_status required = job_call(&job, context, "require");
    check(required == GASKET_UNAVAILABLE && strstr(gasket_message(context), "require") &&
              strstr(gasket_message(context), reason),
          "job %d, require: %s: %s", number, gasket_status_name(required), gasket_message(context));
}

static void check_tier(int number, const char *reason) {
    gasket_context *context = context_open(&(struct gasket_options){.tier = "jit"});
    struct job job;
    job_start(&job, number);
    const enum gasket_status status = job_call(&job, context, NULL);
    check(status == GASKET_UNAVAILABLE && strstr(gasket_message(context), "tier 'jit'") &&
              strstr(gasket_message(context), reason),
          "tier jit: %s: %s", gasket_status_name(status), gasket_message(context));
    gasket_context_destroy(context);
}

/* ---- Compilers that fail ---- */

static void fail_for_good(void) {
    fake = fake_load();
    fake->status = GASKET_INTERNAL;
    gasket_context *context = context_of(NULL);
    struct job job;
    gasket_plan *plan = plan_of(context, &job, 1, "async");
    for (int i = 0; i < 10; i++)
        check_without(context, 1, FAKE_TROUBLE);
    check(fake->compiles == 1, "%d compilations", fake->compiles);
    check(explained(plan, "can not be compiled") && explained(plan, FAKE_TROUBLE), "it is not explained");
    const struct gasket_counters counters = counters_of(context);
    check(counters.jit_failed == 1 && counters.jit_compiled == 0 && counters.jit == 0 && counters.general == 30,
          "%d failed, %d compiled, %d calls", (int)counters.jit_failed, (int)counters.jit_compiled,
          (int)counters.general);
    fake->status = GASKET_OK;
    check_without(context, 1, FAKE_TROUBLE);
    check(job_try(context, 2, "sync") && counters_of(context).jit == 1, "another kernel");
    gasket_plan_destroy(plan);
    gasket_context_destroy(context);
    fake->status = GASKET_INTERNAL;
    check_tier(1, FAKE_TROUBLE);
}

static void fail_without_memory(void) {
    fake = fake_load();
    fake->status = GASKET_OUT_OF_MEMORY;
    gasket_context *context = context_of(NULL);
    struct job job;
    gasket_plan *plan = plan_of(context, &job, 1, "async");
    for (int i = 1; i <= 3; i++) {
        check(gasket_plan_prepare(plan) == GASKET_OUT_OF_MEMORY && strstr(gasket_message(context), FAKE_TROUBLE),
              "prepare: %s", gasket_message(context));
        check(job_try(context, 1, "sync"), "a call");
        check(fake->compiles == 2 * i, "%d compilations after %d tries", fake->compiles, 2 * i);
    }
    check(explained(plan, "not compiled yet") && explained(plan, FAKE_TROUBLE), "it is not explained");
    check(counters_of(context).jit_failed == 6, "%d failed", (int)counters_of(context).jit_failed);
    fake->status = GASKET_OK;
    check(gasket_plan_prepare(plan) == GASKET_OK && job_try(context, 1, "require"), "memory is there again: %s",
          gasket_message(context));
    char text[16384];
    check(gasket_plan_explain(plan, text, sizeof text, NULL) == GASKET_OK && !strstr(text, FAKE_TROUBLE),
          "an old trouble is explained");
    gasket_plan_destroy(plan);
    gasket_context_destroy(context);
}

/* What failed in the background does not stand in the way of who waits. */
static void fail_in_background(void) {
    fake = fake_load();
    fake->status = GASKET_OUT_OF_MEMORY;
    gasket_context *context = context_of("async");
    check(job_try(context, 1, NULL), "a call");
    while (counters_of(context).jit_failed == 0)
        usleep(1000);
    fake->status = GASKET_OK;
    check(job_prepare(context, 1), "prepare after memory is there again");
    gasket_context_destroy(context);
}

static void fail_to_open(void) {
    fake = fake_load();
    fake->open_status = GASKET_OUT_OF_MEMORY;
    gasket_context *context = context_of(NULL);
    check(job_try(context, 1, "sync") && counters_of(context).jit == 0, "without memory");
    fake->open_status = GASKET_OK;
    check(job_prepare(context, 1), "memory is there again");
    gasket_context_destroy(context);
}

static void fail_to_open_for_good(void) {
    fake = fake_load();
    fake->open_status = GASKET_UNAVAILABLE;
    gasket_context *context = context_of(NULL);
    check_without(context, 1, FAKE_TROUBLE);
    check_without(context, 2, FAKE_TROUBLE);
    check(fake->opens == 1 && fake->compiles == 0, "opened %d times", fake->opens);
    gasket_context_destroy(context);
}

/* ---- Compilers that lie ---- */

static void give_wrong(void) {
    static const char *const reasons[FAKE_ANSWERS] = {
        [FAKE_GARBAGE] = "object",   [FAKE_EMPTY] = "object",    [FAKE_NOTHING] = "gave nothing",
        [FAKE_CUT] = "object",       [FAKE_FOREIGN] = "machine", [FAKE_WITHOUT_CHECK] = "lacks a function",
        [FAKE_WITH_CALLS] = "system"};
    fake = fake_load();
    gasket_context *context = context_of(NULL);
    for (int answer = 0; answer < FAKE_ANSWERS; answer++) {
        struct job job;
        if (!reasons[answer]) continue;
        fake->answer = answer;
        fake->compiles = 0;
        check_without(context, answer, reasons[answer]);
        check(fake->compiles == 1, "answer %d: %d compilations", answer, fake->compiles);
        gasket_plan *plan = plan_of(context, &job, answer, NULL);
        const enum gasket_status status = gasket_plan_prepare(plan);
        check(status == GASKET_INTERNAL, "answer %d: %s", answer, gasket_status_name(status));
        gasket_plan_destroy(plan);
    }
    struct gasket_cache_info info;
    gasket_cache_describe(context, &info);
    check(info.entries == 0 && info.stored == 0, "%d wrong objects are in the cache", (int)info.entries);
    check(counters_of(context).jit == 0, "a wrong object was run");
    fake->answer = FAKE_TWICE;
    check(job_prepare(context, 50), "given twice");
    gasket_context_destroy(context);
}

/* ---- Caches with wrong contents ---- */

/* Puts something else, with a checksum that is right, under the key of every entry. */
struct spoiler {
    struct gk_cache *cache;
    const unsigned char *bytes; /* NULL: the entry's own, altered */
    size_t size;
    int n;
};

static int spoil(void *state, const struct gk_cache_entry *entry) {
    struct spoiler *spoiler = state;
    static struct gk_key key;
    static unsigned char bytes[1 << 19];
    if (entry->fault || entry->size > sizeof bytes) give_up("an entry is not sound");
    memcpy(bytes, entry->payload, entry->size);
    bytes[18] = 0x16; /* the machine that it is for */
    memcpy(key.record, entry->key, entry->key_length);
    key.length = entry->key_length;
    gk_key_finish(&key);
    spoiler->n += gk_cache_put(spoiler->cache, &key, spoiler->bytes ? spoiler->bytes : bytes,
                               spoiler->bytes ? spoiler->size : entry->size);
    return 0;
}

static void check_spoiled(const unsigned char *bytes, size_t size) {
    struct gk_cache *cache = cache_at(getenv("GASKET_CACHE_DIR"), 0);
    struct spoiler spoiler = {cache, bytes, size, 0};
    gk_cache_walk(cache, spoil, &spoiler);
    check(spoiler.n > 0, "nothing was spoiled");
    gk_cache_close(cache);
    fake->compiles = 0;
    gasket_context *context = context_of(NULL);
    struct job job;
    job_start(&job, 1);
    check(job_call(&job, context, "require") == GASKET_UNAVAILABLE, "%zu wrong bytes were taken", size);
    check(job_try(context, 1, "sync"), "a call");
    const struct gasket_counters counters = counters_of(context);
    check(fake->compiles == 1 && counters.jit_from_disk == 0 && counters.jit == 1, "%d compilations, %d from disk",
          fake->compiles, (int)counters.jit_from_disk);
    gasket_context_destroy(context);
    context = context_of(NULL);
    check(job_try(context, 1, "require") && counters_of(context).jit_from_disk == 1, "it was not put right");
    gasket_context_destroy(context);
}

static void keep_wrong(void) {
    fake = fake_load();
    gasket_context *context = context_of(NULL);
    check(job_prepare(context, 1), "prepare");
    gasket_context_destroy(context);
    check_spoiled(NULL, 0);
    check_spoiled((const unsigned char *)"\177ELF", 4);
    check_spoiled((const unsigned char *)"", 0);
    static unsigned char zeros[40000];
    check_spoiled(zeros, sizeof zeros);
}

/* ---- Plug-ins that are not there ---- */

static void check_plugin(const char *path, const char *reason) {
    setenv("GASKET_PLUGIN", path, 1);
    gasket_context *context = context_of(NULL);
    check_without(context, 1, reason);
    check_without(context, 2, reason);
    check(counters_of(context).general == 6, "%d calls", (int)counters_of(context).general);
    gasket_context_destroy(context);
    check_tier(1, reason);
}

static void missing(void) {
    check_plugin("/nonexistent/gasket_llvm.so", "/nonexistent/gasket_llvm.so");
}

static void no_library(void) {
    const char *path = path_of("%s/text.so", getenv("GASKET_CACHE_DIR"));
    file_write(path, "no library", 10, 0600);
    check_plugin(path, path);
}

static void no_symbol(void) {
    check_plugin("libm.so.6", "libm.so.6 does not export " GK_PROVIDER_SYMBOL);
}

static void other_version(void) {
    fake = fake_load();
    fake->provider.abi_version++;
    check_plugin(getenv("GASKET_FAKE"), "of another version");
    check(fake->opens == 0 && fake->compiles == 0, "it was used");
}

static void other_kernels(void) {
    fake = fake_load();
    fake->provider.kernel_abi++;
    check_plugin(getenv("GASKET_FAKE"), "of another version");
    check(fake->opens == 0 && fake->compiles == 0, "it was used");
}

static const char *real_plugin(void) {
    const char *path = path_of("%s/gasket_llvm.so", getenv("GASKET_BUILD") ? getenv("GASKET_BUILD") : ".");
    if (access(path, R_OK) != 0) scenario_skip("this build has no gasket_llvm.so");
    return path;
}

static void no_compiler(void) {
    setenv("GASKET_LLVM", "/nonexistent/libLLVM.so", 1);
    check_plugin(real_plugin(), "/nonexistent/libLLVM.so");
}

static void other_compiler(void) {
    setenv("GASKET_LLVM", "libm.so.6", 1);
    check_plugin(real_plugin(), "of a version that is not known");
}

/* ---- Systems that allow no code ---- */

static void check_refused(int error) {
    fake = fake_load();
    if (!refuse_protection(PROT_EXEC, (uint32_t)error)) scenario_skip("no filters of system calls here");
    gasket_context *context = context_of(NULL);
    check_without(context, 1, strerror(error));
    check(fake->compiles == 0, "it was compiled in vain");
    check(counters_of(context).general == 3, "%d calls", (int)counters_of(context).general);
    gasket_context_destroy(context);
    check_tier(2, strerror(error));
}

static void refused_eperm(void) {
    check_refused(EPERM);
}
static void refused_eacces(void) {
    check_refused(EACCES);
}

int main(void) {
    scenario("a compiler that fails", fail_for_good);
    scenario("a compiler without memory", fail_without_memory);
    scenario("a compiler without memory in the background", fail_in_background);
    scenario("a compiler that opens when there is memory", fail_to_open);
    scenario("a compiler that does not open", fail_to_open_for_good);
    scenario("a compiler that gives wrong objects", give_wrong);
    scenario("a cache with wrong objects", keep_wrong);
    scenario("a plug-in that is missing", missing);
    scenario("a plug-in that is no library", no_library);
    scenario("a plug-in without the symbol", no_symbol);
    scenario("a plug-in of another version", other_version);
    scenario("a plug-in for other kernels", other_kernels);
    scenario("no libLLVM", no_compiler);
    scenario("a libLLVM of an unknown version", other_compiler);
    scenario("executable memory refused with EPERM", refused_eperm);
    scenario("executable memory refused with EACCES", refused_eacces);
    return scenarios_finish();
}
