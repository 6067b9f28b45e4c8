/* gasket-fuzz: draws problems, runs every variant that applies, compares with the interpreter bit for bit. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "corpus.h"
#include "cuda/nvrtc.h"
#include "draw.h"
#include "jit/code.h"
#include "jit/plugin.h"
#include "line.h"
#include "workers.h"

static struct fuzz_case drawn;
static struct fuzz_call laid;

static int misuse(const char *what, const char *value) {
    fprintf(stderr, "gasket-fuzz: %s '%s'; --help says what there is\n", what, value);
    return 2;
}

static int set_tier(struct fuzz_campaign *campaign, const char *name) {
    campaign->runner.tier = GK_TIER_ANY;
    campaign->runner.emulates = name && strcmp(name, "cuda-emulated") == 0;
    for (int tier = GK_TIER_EXACT; name && tier < GK_TIERS; tier++)
        if (strcmp(name, gk_tier_names[tier]) == 0) campaign->runner.tier = (enum gk_tier)tier;
    return name && !campaign->runner.emulates && campaign->runner.tier == GK_TIER_ANY ? misuse("there is no tier", name)
                                                                                      : 0;
}

/* Of the call-time tier, one case of so many is of operations without ahead-of-time kernels. */
enum { OTHER_EVERY = 3, SKIPPED = 77 };

/* Loaded before there are workers: each has it then. */
static int find_compiler(void) {
    struct gk_error error;
    enum gasket_status status = gk_code_possible(&error);
    if (!status) status = gk_plugin_open(&error);
    if (status) printf("SKIP: no call-time kernels: %s\n", error.text);
    return status ? SKIPPED : 0;
}

/* Loaded before there are workers, as above. */
static int find_nvrtc(void) {
    const struct gk_nvrtc *nvrtc;
    struct gk_error error;
    enum gasket_status status = gk_nvrtc_load(&nvrtc, &error);
    if (status) printf("SKIP: no kernels for a GPU are compiled: %s\n", error.text);
    return status ? SKIPPED : 0;
}

static int open_campaign(struct fuzz_campaign *campaign, struct fuzz_options *options) {
    campaign->options = options;
    campaign->c = &drawn;
    campaign->call = &laid;
    fuzz_pool_make(&drawn.pool);
    fuzz_pool_make(&laid.pool);
    campaign->shared = mmap(NULL, sizeof *campaign->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (campaign->shared == MAP_FAILED) return misuse("no memory for", "workers");
    fuzz_runner_make(&campaign->runner);
    const struct gk_catalog *catalog = fuzz_runner_catalog(&campaign->runner);
    struct gk_error error;
    if (options->operation && !gk_catalog_operation(catalog, options->operation, &error))
        return misuse(error.text, options->operation);
    fuzz_goals_make(&campaign->goals, catalog, options->operation, options->variant);
    if (options->variant && campaign->goals.n_kernels == 0)
        return misuse("no kernel of this machine matches", options->variant);
    fuzz_coverage_make(&campaign->coverage, &campaign->goals);
    campaign->runner.coverage = &campaign->coverage;
    campaign->runner.pattern = options->variant;
    campaign->runner.real_threads = options->real_threads;
    campaign->runner.jit_share = options->jit_share;
    campaign->runner.nvrtc_share = options->nvrtc_share;
    campaign->runner.note = &campaign->shared->trial;
    int result = set_tier(campaign, options->tier);
    if (campaign->runner.tier == GK_TIER_JIT || campaign->runner.emulates) campaign->goals.other_every = OTHER_EVERY;
    const int needs_compiler = campaign->runner.tier == GK_TIER_JIT || options->jit_share > 0 || options->formulas > 0;
    campaign->runner.has_compiler = needs_compiler;
    if (result == 0 && options->nvrtc_share > 0) result = find_nvrtc();
    return result == 0 && needs_compiler ? find_compiler() : result;
}

static void close_campaign(struct fuzz_campaign *campaign) {
    fuzz_coverage_free(&campaign->coverage);
    fuzz_goals_free(&campaign->goals);
    fuzz_runner_close(&campaign->runner);
    fuzz_runner_free(&campaign->runner);
    munmap(campaign->shared, sizeof *campaign->shared);
    fuzz_pool_free(&drawn.pool);
    fuzz_pool_free(&laid.pool);
}

/* ---- Failures ---- */

static void print_failure(const struct fuzz_campaign *campaign, const struct fuzz_failure *failure) {
    char variant[FUZZ_VARIANT_TEXT];
    printf("  %s\n  by %s\n  replay: --replay '", failure->text, fuzz_variant_text(variant, &failure->variant));
    fuzz_line_write(stdout, campaign->call, &failure->variant);
    puts("'");
    fflush(stdout);
}

static void report(struct fuzz_campaign *campaign, struct fuzz_failure *failure, uint64_t number) {
    const struct fuzz_options *options = campaign->options;
    printf("FAILED: case %" PRIu64 " of seed %" PRIu64 "%s\n", number, options->seed,
           options->shrinks ? ", made smaller:" : "");
    fflush(stdout);
    if (options->shrinks && !fuzz_shrink(&campaign->runner, failure, campaign->call))
        puts("  it did not come again when it was run alone; as it was drawn:");
    if (fuzz_settle(campaign->c) == 0 && fuzz_lay(campaign->c, campaign->call) == 0) print_failure(campaign, failure);
    if (options->corpus && options->shrinks) fuzz_corpus_keep(campaign, options->corpus, failure);
}

/* ---- The summary ---- */

/* How much of what was asked of the call-time tier it served, and why it did not serve the rest. */
static void print_jit(const struct fuzz_campaign *campaign) {
    const uint64_t served = fuzz_noted(&campaign->coverage, "served", "in all");
    const uint64_t refused = fuzz_noted(&campaign->coverage, "refused", NULL), all = served + refused;
    if (campaign->options->formulas > 0)
        printf("formulas: %" PRIu64 ", of which the library refuses %" PRIu64 "\n",
               atomic_load(&campaign->shared->formulas), atomic_load(&campaign->shared->formulas_refused));
    if (all == 0) return;
    printf("call-time tier: %" PRIu64 " runs, of which it served %.1f %%\n", all, 100.0 * (double)served / (double)all);
    fuzz_noted_write(&campaign->coverage, "refused", stdout);
}

static void print_text(const struct fuzz_campaign *campaign, const struct fuzz_covered *covered) {
    uint64_t checks = fuzz_checks(campaign);
    printf("seed %" PRIu64 ": %" PRIu64 " cases (%" PRIu64 " refused alike by all, %" PRIu64 " not drawn), %" PRIu64
           " checks in %.1f s, %.0f a second\n",
           campaign->options->seed, atomic_load(&campaign->shared->cases), atomic_load(&campaign->shared->refused),
           atomic_load(&campaign->shared->undrawn), checks, campaign->seconds, (double)checks / campaign->seconds);
    printf("coverage, at least %" PRIu64
           " times: combinations %zu of %zu, kernels %zu of %zu, splits %zu of %zu; "
           "pairs of traits %zu of %zu; the rarest ran %u times\n",
           campaign->options->gate > 0 ? campaign->options->gate : 1, covered->combinations, covered->combinations_all,
           covered->kernels, covered->kernels_all, covered->splits, covered->splits_all, covered->pairs,
           covered->pairs_all, covered->least == UINT32_MAX ? 0 : covered->least);
    printf("corpus lines replayed: %" PRIu64 "\n", campaign->replayed);
    print_jit(campaign);
}

static void print_json(const struct fuzz_campaign *campaign, const struct fuzz_covered *covered) {
    printf("{\"seed\": %" PRIu64 ", \"cases\": %" PRIu64 ", \"refused\": %" PRIu64 ", \"undrawn\": %" PRIu64
           ", \"checks\": %" PRIu64 ", \"seconds\": %.3f, \"failures\": %" PRIu64 ", \"replayed\": %" PRIu64,
           campaign->options->seed, atomic_load(&campaign->shared->cases), atomic_load(&campaign->shared->refused),
           atomic_load(&campaign->shared->undrawn), fuzz_checks(campaign), campaign->seconds, campaign->failures,
           campaign->replayed);
    printf(
        ", \"combinations\": [%zu, %zu], \"kernels\": [%zu, %zu], \"splits\": [%zu, %zu], \"pairs\": [%zu, %zu], "
        "\"rarest\": %u}\n",
        covered->combinations, covered->combinations_all, covered->kernels, covered->kernels_all, covered->splits,
        covered->splits_all, covered->pairs, covered->pairs_all, covered->least == UINT32_MAX ? 0 : covered->least);
}

static int write_coverage(const struct fuzz_campaign *campaign) {
    FILE *file = fopen(campaign->options->coverage, "w");
    if (!file) return misuse("can not write", campaign->options->coverage);
    fuzz_coverage_write(&campaign->coverage, file);
    return fclose(file) == 0 ? 0 : misuse("can not write", campaign->options->coverage);
}

static int summarise(const struct fuzz_campaign *campaign) {
    enum { GAPS = 40 };
    const struct fuzz_options *options = campaign->options;
    uint32_t gate = options->gate < UINT32_MAX ? (uint32_t)options->gate : UINT32_MAX;
    struct fuzz_covered covered = fuzz_coverage_sum(&campaign->coverage, gate, 1);
    int gaps = gate > 0 && covered.least < gate;
    (options->json ? print_json : print_text)(campaign, &covered);
    if (gate > 0) fuzz_coverage_gaps(&campaign->coverage, gate, GAPS, stderr);
    if (!options->json)
        printf("%" PRIu64 " passed, %" PRIu64 " failed\n", fuzz_checks(campaign), campaign->failures + (uint64_t)gaps);
    return campaign->failures > 0 || gaps;
}

/* ---- What the program does ---- */

static int replay(struct fuzz_campaign *campaign) {
    struct fuzz_failure failure = {.c = NULL};
    fuzz_runner_open(&campaign->runner);
    int result = fuzz_replay(campaign, campaign->options->replay, 0, failure.text, sizeof failure.text);
    if (result == 2) return misuse(failure.text, campaign->options->replay);
    failure.variant = campaign->runner.note->variant;
    if (result == 1) print_failure(campaign, &failure);
    printf("%d passed, %d failed\n", !result, result);
    return result;
}

/* Readers of a dump need not know slabs. */
static int has_slabs(const struct fuzz_call *call) {
    for (int t = 0; t < FUZZ_TENSORS; t++)
        if (call->tensors[t].is_given && call->tensors[t].far > 0) return 1;
    return 0;
}

/* One line for each case: the problem, and what the interpreter makes of it. */
static int dump(struct fuzz_campaign *campaign) {
    fuzz_runner_open(&campaign->runner);
    for (uint64_t i = 0; i < campaign->options->cases; i++) {
        struct gk_error error;
        if (fuzz_campaign_draw(campaign, i) != 0 || has_slabs(campaign->call)) continue;
        enum gasket_status status = fuzz_interpret(&campaign->runner, campaign->call, &error);
        const struct fuzz_buffer *out = &campaign->call->tensors[campaign->call->out];
        fuzz_line_write(stdout, campaign->call, NULL);
        if (status)
            printf(" => %s: %s\n", gasket_status_name(status), error.text);
        else {
            fputs(" => out=", stdout);
            fuzz_line_write_compact(stdout, out, campaign->runner.expected + out->at);
            fputc('\n', stdout);
        }
    }
    return fflush(stdout) == 0 ? 0 : 2;
}

static int fuzz(struct fuzz_campaign *campaign) {
    const struct fuzz_options *options = campaign->options;
    fuzz_runner_open(&campaign->runner);
    int failed = options->corpus ? fuzz_corpus_replay(campaign, options->corpus) : 0;
    if (failed < 0) return misuse("can not read", options->corpus);
    campaign->failures += (uint64_t)failed;
    fuzz_work(campaign, report);
    int result = summarise(campaign), written = options->coverage ? write_coverage(campaign) : 0;
    return written ? written : result;
}

/* OpenMP's threads would spin beside the other jobs while they wait. It reads its settings before main begins, so the
 * program starts once more. */
static void start_without_spinning(char **argv) {
    if (getenv("OMP_WAIT_POLICY")) return;
    setenv("OMP_WAIT_POLICY", "passive", 1);
    execv("/proc/self/exe", argv); /* where that fails, it spins */
}

int main(int argc, char **argv) {
    static struct fuzz_campaign campaign;
    start_without_spinning(argv);
    struct fuzz_options options;
    int result = fuzz_options_read(&options, argc, argv);
    if (result != FUZZ_GO_ON) return result == FUZZ_HELPED ? 0 : 2;
    if (!options.has_seed && !options.dumps) options.seed = (uint64_t)time(NULL) << 16 ^ (uint64_t)getpid();
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (options.jobs == 0) options.jobs = processors > 0 ? (int)processors : 1;
    if (options.jobs > FUZZ_JOBS) options.jobs = FUZZ_JOBS;
    result = open_campaign(&campaign, &options);
    if (result != 0) return result;
    result = options.replay ? replay(&campaign) : options.dumps ? dump(&campaign) : fuzz(&campaign);
    close_campaign(&campaign);
    return result;
}
