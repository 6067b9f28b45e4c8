/* jit_foreign: builds of different kinds share a cache directory. Each finds its own kernels there and none of another
 * build's; the results of all are right. */
#include <stdlib.h>
#include <string.h>

#include "support/faked.h"

/* What a build changes of the plug-in or of its context. */
struct build {
    const char *name;
    void (*change)(struct fake *fake, struct gasket_options *options);
};

static void change_nothing(struct fake *fake, struct gasket_options *options) {
    (void)fake, (void)options;
}

static void change_templates(struct fake *fake, struct gasket_options *options) {
    (void)options;
    strcpy(fake->digest, "f00e");
}

/* Another version is another file: what is noted of the first one does not hold for it. */
static void change_compiler(struct fake *fake, struct gasket_options *options) {
    (void)options;
    strcpy(fake->version, "fake 2");
    strcpy(fake->library, "/proc/self/exe");
}

static void change_level(struct fake *fake, struct gasket_options *options) {
    (void)fake;
    options->isa = "base";
}

static void change_level_again(struct fake *fake, struct gasket_options *options) {
    (void)fake;
    options->isa = "avx2";
}

static const struct build builds[] = {
    {"the first build", change_nothing},
    {"other templates", change_templates},
    {"another compiler", change_compiler},
    {"another instruction set", change_level},
    {"a third instruction set", change_level_again},
};
enum { BUILDS = sizeof builds / sizeof *builds, KERNELS = 3 };
static const struct build *build;

/* ---- One process ---- */

static gasket_context *open_build(void) {
    struct gasket_options options = {.jit = "sync"};
    struct fake *fake = fake_load();
    build->change(fake, &options);
    gasket_context *context = context_open(&options);
    /* A kernel of no other build: now the compiler is loaded and its version known. */
    check(job_try(context, 100 + (int)(build - builds), NULL), "%s: a kernel of its own", build->name);
    return context;
}

static void use(uint64_t compiled, uint64_t from_disk) {
    gasket_context *context = open_build();
    const struct gasket_counters before = counters_of(context);
    for (int i = 1; i <= KERNELS; i++)
        check(job_try(context, i, NULL), "%s: kernel %d", build->name, i);
    const struct gasket_counters after = counters_of(context);
    check(after.jit_compiled - before.jit_compiled == compiled, "%s: %d compiled", build->name,
          (int)(after.jit_compiled - before.jit_compiled));
    check(after.jit_from_disk - before.jit_from_disk == from_disk, "%s: %d from disk", build->name,
          (int)(after.jit_from_disk - before.jit_from_disk));
    gasket_context_destroy(context);
    exit(finish());
}

static void use_first(void) {
    use(KERNELS, 0);
}

static void use_again(void) {
    use(0, KERNELS);
}

/* ---- The directory ---- */

static void share_directory(void) {
    gasket_context *context;
    const struct gasket_options third = {.size = sizeof third, .isa = "avx2"};
    const int n = gasket_context_create(&third, &context) ? BUILDS - 1 : BUILDS;
    if (n == BUILDS) gasket_context_destroy(context);
    for (int round = 0; round < 2; round++)
        for (int b = 0; b < n; b++) {
            build = &builds[b];
            check(child_status(round ? use_again : use_first) == 0, "%s, round %d", build->name, round);
        }
}

/* Kernels were compiled against other headers: the plug-in is not used at all, nor what an earlier one left. */
static void refuse_abi(void) {
    build = &builds[0];
    check(child_status(use_first) == 0, "%s", build->name);
    struct fake *fake = fake_load();
    fake->provider.kernel_abi = GASKET_ABI_VERSION + 1;
    gasket_context *context = context_of("sync");
    check(job_try(context, 1, NULL), "served by another tier");
    const struct gasket_counters counters = counters_of(context);
    check(counters.jit == 0 && counters.jit_from_disk == 0 && fake->opens == 0, "%d by kernels, %d from disk",
          (int)counters.jit, (int)counters.jit_from_disk);
    gasket_context_destroy(context);
}

int main(void) {
    scenario("builds that share a directory", share_directory);
    scenario("a plug-in for other headers", refuse_abi);
    return scenarios_finish();
}
