/* workers: see workers.h. */
#include "workers.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "draw.h"
#include "formula.h"

enum { CHUNK = 64, POLL_MS = 20, PROGRESS_SECONDS = 5 };

struct watched {
    int process; /* 0: has ended */
    uint64_t checks;
    double since; /* the checks changed last */
};

struct crew {
    struct fuzz_campaign *campaign;
    fuzz_report *report;
    struct watched workers[FUZZ_JOBS];
    double began, told;
};

double fuzz_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

uint64_t fuzz_checks(const struct fuzz_campaign *campaign) {
    uint64_t checks = 0;
    for (int i = 0; i < FUZZ_JOBS; i++)
        checks += atomic_load(&campaign->shared->slots[i].note.checks);
    return checks;
}

/* ---- Cases ---- */

/* Problems of one formula follow each other: it is defined once. Counts formulas with their first problem. */
static void define(struct fuzz_campaign *campaign, uint64_t formula, int is_first) {
    if (campaign->defined == formula + 1) return;
    enum { FORMULAS = 1 << 20 }; /* streams of problems have lower numbers */
    struct fuzz_random random = fuzz_random_make(campaign->options->seed, FORMULAS + formula);
    fuzz_draw_definition(&random, campaign->definition);
    campaign->is_defined = fuzz_runner_define(&campaign->runner, campaign->definition) == 0;
    campaign->defined = formula + 1;
    if (is_first) atomic_fetch_add(&campaign->shared->formulas, 1);
    if (is_first && !campaign->is_defined) atomic_fetch_add(&campaign->shared->formulas_refused, 1);
}

static void count_refusal(struct fuzz_campaign *campaign) {
    const char *why = gasket_message(fuzz_oracle(&campaign->runner.drawn, &campaign->runner.parts));
    char text[FUZZ_NOTED_TEXT];
    int quotes = 0; /* names are left out */
    size_t n = 0;
    for (; *why && strncmp(why, ", column", 8) != 0 && n + 1 < sizeof text; why++) {
        quotes += *why == '\'';
        if (quotes % 2 == 0) text[n++] = *why;
    }
    text[n] = 0;
    fuzz_count_text(&campaign->coverage, "unparsed", text);
}

int fuzz_campaign_draw(struct fuzz_campaign *campaign, uint64_t number) {
    const struct fuzz_seed seed = {campaign->options->seed, number};
    const int is_first = number % FUZZ_PROBLEMS == 0;
    struct gk_error error;
    if (campaign->options->formulas == 0) return fuzz_draw(campaign->c, campaign->call, &campaign->goals, seed);
    define(campaign, number / FUZZ_PROBLEMS, is_first);
    if (!campaign->is_defined) {
        if (is_first) count_refusal(campaign);
        return -1;
    }
    const struct gk_catalog *catalog = fuzz_runner_catalog(&campaign->runner);
    const struct fuzz_goals goals = fuzz_goals_of_one(catalog, gk_catalog_operation(catalog, FUZZ_DEFINED, &error));
    return fuzz_draw(campaign->c, campaign->call, &goals, seed);
}

/* ---- The worker ---- */

static void run_case(struct fuzz_campaign *campaign, struct fuzz_note *note) {
    struct fuzz_shared *shared = campaign->shared;
    int is_drawn = fuzz_campaign_draw(campaign, note->number) == 0;
    enum fuzz_result result = is_drawn ? fuzz_run(&campaign->runner, campaign->call, NULL) : FUZZ_EQUAL;
    if (result == FUZZ_DIFFERS) _exit(FUZZ_EXIT_DIFFERS);
    atomic_fetch_add(&shared->cases, (uint64_t)is_drawn);
    atomic_fetch_add(&shared->undrawn, (uint64_t)!is_drawn);
    atomic_fetch_add(&shared->refused, (uint64_t)(result == FUZZ_REFUSED));
}

/* Goes on behind the case that its predecessor failed on. */
static void work(struct fuzz_campaign *campaign, struct fuzz_slot *slot) {
    struct fuzz_shared *shared = campaign->shared;
    uint64_t cases = campaign->options->cases > 0 ? campaign->options->cases : UINT64_MAX;
    fuzz_runner_open(&campaign->runner);
    campaign->runner.note = &slot->note;
    for (;;) {
        for (; slot->note.number < slot->end; slot->note.number++) {
            if (atomic_load(&shared->stops)) return;
            run_case(campaign, &slot->note);
        }
        slot->note.number = atomic_fetch_add(&shared->next, CHUNK);
        slot->end = slot->note.number + CHUNK < cases ? slot->note.number + CHUNK : cases;
        if (slot->note.number >= cases) return;
    }
}

/* ---- The parent ---- */

static void start(struct crew *crew, int i) {
    struct watched *worker = &crew->workers[i];
    fflush(NULL);
    worker->since = fuzz_now();
    worker->process = fork();
    if (worker->process == 0) {
        work(crew->campaign, &crew->campaign->shared->slots[i]);
        fflush(NULL);
        _exit(0);
    }
    if (worker->process < 0) {
        perror("gasket-fuzz: fork");
        worker->process = 0;
    }
}

static void handle_failure(struct crew *crew, int i, struct fuzz_failure *failure) {
    struct fuzz_campaign *campaign = crew->campaign;
    struct fuzz_slot *slot = &campaign->shared->slots[i];
    failure->c = campaign->c;
    failure->variant = slot->note.variant;
    fuzz_campaign_draw(campaign, slot->note.number);
    campaign->failures++;
    crew->report(campaign, failure, slot->note.number);
    slot->note.number++;
    if (campaign->failures >= campaign->options->failures)
        atomic_store(&campaign->shared->stops, 1);
    else
        start(crew, i);
}

static void watch(struct crew *crew, int i) {
    struct watched *worker = &crew->workers[i];
    struct fuzz_note *note = &crew->campaign->shared->slots[i].note;
    struct fuzz_failure failure = {.c = NULL};
    uint64_t checks = atomic_load(&note->checks);
    int status, is_failure = 0;
    if (checks != worker->checks) worker->since = fuzz_now();
    worker->checks = checks;
    if (waitpid(worker->process, &status, WNOHANG) == worker->process) {
        worker->process = 0;
        is_failure = fuzz_ending(status, note, failure.text, sizeof failure.text);
    } else if (fuzz_now() - worker->since > FUZZ_PATIENCE) {
        kill(worker->process, SIGKILL);
        waitpid(worker->process, &status, 0);
        worker->process = 0;
        is_failure = 1;
        snprintf(failure.text, sizeof failure.text, "hang: no check ended for %d seconds", FUZZ_PATIENCE);
    }
    if (is_failure) handle_failure(crew, i, &failure);
}

static void tell(struct crew *crew) {
    const struct fuzz_campaign *campaign = crew->campaign;
    double seconds = fuzz_now() - crew->began;
    struct fuzz_covered covered = fuzz_coverage_sum(&campaign->coverage, 1, 0);
    uint64_t checks = fuzz_checks(campaign);
    fprintf(stderr,
            "%5.0f s: %" PRIu64 " cases, %" PRIu64
            " checks (%.0f/s), combinations %zu/%zu, kernels %zu/%zu, "
            "failures %" PRIu64 "\n",
            seconds, atomic_load(&campaign->shared->cases), checks, (double)checks / seconds, covered.combinations,
            covered.combinations_all, covered.kernels, covered.kernels_all, campaign->failures);
    crew->told = fuzz_now();
}

static int is_at_work(const struct crew *crew) {
    for (int i = 0; i < crew->campaign->options->jobs; i++)
        if (crew->workers[i].process != 0) return 1;
    return 0;
}

void fuzz_work(struct fuzz_campaign *campaign, fuzz_report *report) {
    struct crew crew = {.campaign = campaign, .report = report};
    crew.began = crew.told = fuzz_now();
    for (int i = 0; i < campaign->options->jobs; i++)
        start(&crew, i);
    while (is_at_work(&crew)) {
        nanosleep(&(struct timespec){0, POLL_MS * 1000 * 1000}, NULL);
        for (int i = 0; i < campaign->options->jobs; i++)
            if (crew.workers[i].process != 0) watch(&crew, i);
        double now = fuzz_now();
        if (campaign->options->seconds > 0 && now - crew.began > campaign->options->seconds)
            atomic_store(&campaign->shared->stops, 1);
        if (now - crew.told > PROGRESS_SECONDS) tell(&crew);
    }
    campaign->seconds = fuzz_now() - crew.began;
}
