/* shrink: see shrink.h. */
#include "shrink.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "formula/formula.h"

enum { TRIES = 4000, TRY_SECONDS = 10, SINGLY = 24 /* elements that are cleared one by one */ };

struct shrinker {
    struct fuzz_runner *runner;
    struct fuzz_call *call;
    struct fuzz_case *best, *trial; /* each with a pool of its own */
    struct fuzz_variant variant;
    char *text;
    size_t text_size;
    int tries, is_better;
};

/* ---- One try ---- */

int fuzz_ending(int status, const struct fuzz_note *note, char *text, size_t size) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == FUZZ_EXIT_DIFFERS)
        snprintf(text, size, "%s", note->difference);
    else if (WIFSIGNALED(status))
        snprintf(text, size, "crash: signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(text, size, "ended with status %d; what a sanitizer says stands above", WEXITSTATUS(status));
    return 1;
}

int fuzz_wait(int process, int seconds, const struct fuzz_note *note, char *text, size_t size) {
    enum { STEP = 200 * 1000 };
    int status;
    for (int64_t waited = 0; waitpid(process, &status, WNOHANG) == 0; waited++) {
        nanosleep(&(struct timespec){0, STEP}, NULL);
        if (waited < (int64_t)seconds * 1000 * 1000 * 1000 / STEP) continue;
        kill(process, SIGKILL);
        waitpid(process, &status, 0);
        snprintf(text, size, "hang: no end after %d seconds", seconds);
        return 1;
    }
    return fuzz_ending(status, note, text, size);
}

/* An index that nobody checks has to stay in bounds. */
static int is_trusted(struct shrinker *s, struct fuzz_case *c) {
    struct gk_error error;
    if (c->bounds != GASKET_BOUNDS_UNCHECKED) return 1;
    c->bounds = GASKET_BOUNDS_ERROR;
    int is_laid = fuzz_lay(c, s->call) == 0;
    int is_good = is_laid && fuzz_interpret(s->runner, s->call, &error) != GASKET_OUT_OF_BOUNDS;
    c->bounds = GASKET_BOUNDS_UNCHECKED;
    return is_good;
}

static int fails(struct shrinker *s, struct fuzz_case *c) {
    if (fuzz_settle(c) != 0 || !is_trusted(s, c) || fuzz_lay(c, s->call) != 0) return 0;
    s->tries++;
    fflush(NULL);
    int process = fork();
    if (process == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL) _exit(0);
        _exit(fuzz_run(s->runner, s->call, &s->variant) == FUZZ_DIFFERS ? FUZZ_EXIT_DIFFERS : 0);
    }
    return process > 0 && fuzz_wait(process, TRY_SECONDS, s->runner->note, s->text, s->text_size);
}

/* The trial is kept when it fails as well. */
static int accept(struct shrinker *s) {
    if (s->tries >= TRIES || !fails(s, s->trial)) return 0;
    struct fuzz_case *better = s->trial;
    s->trial = s->best;
    s->best = better;
    s->is_better = 1;
    return 1;
}

static void start(struct shrinker *s) {
    fuzz_case_copy(s->trial, s->best);
}

/* ---- What is tried ---- */

/* Halves first, then single positions. */
static void try_extent(struct shrinker *s, struct fuzz_dimension dimension) {
    int64_t extent = *fuzz_extent(s->best, dimension);
    for (int64_t keep = 1; keep < extent; keep = keep < extent / 2 ? extent / 2 : keep + (extent - keep + 1) / 2) {
        for (int is_last = 0; is_last < 2; is_last++) {
            start(s);
            if (fuzz_keep(s->trial, dimension, is_last ? extent - keep : 0, keep) != 0) return;
            if (accept(s)) {
                extent = keep;
                keep = 0;
                break;
            }
        }
    }
}

static void try_extents(struct shrinker *s) {
    const struct gasket_formula *formula = &s->best->operation->formula;
    for (uint8_t g = 0; g < formula->n_groups; g++)
        for (uint8_t part = 0; part < s->best->group_rank[g]; part++)
            try_extent(s, (struct fuzz_dimension){FUZZ_OWNED_BY_GROUP, g, part});
    for (uint8_t i = 0; i < formula->n_subscripts; i++) {
        const struct gasket_term *term = &formula->terms[formula->subscripts[i].first_term];
        if (term->kind != GASKET_TERM_LOOKUP && formula->subscripts[i].n_terms == 1) continue;
        int64_t parts = term->kind == GASKET_TERM_LOOKUP ? s->best->depth[term->id] : 1;
        for (uint8_t part = 0; part < parts; part++)
            try_extent(s, (struct fuzz_dimension){FUZZ_OWNED_BY_SUBSCRIPT, i, part});
    }
}

static void try_ranks(struct shrinker *s) {
    const struct gasket_formula *formula = &s->best->operation->formula;
    for (uint8_t g = 0; g < formula->n_groups; g++)
        for (int part = s->best->group_rank[g] - 1; part >= 0; part--) {
            start(s);
            if (fuzz_flatten(s->trial, g, (uint8_t)part) == 0) accept(s);
        }
    for (uint8_t a = 0; a < formula->n_accesses; a++)
        for (int64_t i = s->best->depth[a] - 1; i >= 0; i--) {
            start(s);
            if (fuzz_shorten(s->trial, a, (uint8_t)i) == 0) accept(s);
        }
}

static void try_layouts(struct shrinker *s) {
    for (int t = 0; t < FUZZ_TENSORS; t++)
        for (int part = 0; part < FUZZ_LAYOUT_PARTS; part++) {
            start(s);
            if (fuzz_straighten(s->trial, t, (enum fuzz_layout_part)part) == 0) accept(s);
        }
}

static void try_values(struct shrinker *s) {
    for (int t = 0; t < FUZZ_TENSORS; t++) {
        if (!s->best->tensors[t].elements || !s->best->tensors[t].is_given) continue;
        int64_t n = fuzz_elements(&s->best->tensors[t]);
        start(s);
        if (fuzz_clear(s->trial, t, 0, n) == 0 && accept(s)) continue;
        for (int64_t i = 0; i < n && n <= SINGLY; i++) {
            start(s);
            if (fuzz_clear(s->trial, t, i, 1) == 0) accept(s);
        }
    }
}

static void try_modes(struct shrinker *s) {
    static const size_t flags[] = {offsetof(struct fuzz_case, nan_propagates),
                                   offsetof(struct fuzz_case, accumulates_wide), offsetof(struct fuzz_case, in_place),
                                   offsetof(struct fuzz_case, is_spoiled)};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        start(s);
        uint8_t *flag = (uint8_t *)s->trial + flags[i];
        if (*flag == 0) continue;
        *flag = 0;
        accept(s);
    }
    start(s);
    s->trial->tensors[FUZZ_FILL].is_given = 0;
    if (s->best->tensors[FUZZ_FILL].is_given) accept(s);
    for (int a = 0; a < s->best->operation->n_attributes; a++) {
        start(s);
        s->trial->is_wrapped[a] = 0;
        if (s->best->is_wrapped[a]) accept(s);
    }
}

/* The variant itself: fewer threads, no split, no prefetch. */
static void try_variants(struct shrinker *s) {
    struct fuzz_variant found = s->variant;
    for (int i = 0; i < 4; i++) {
        s->variant = found;
        if (i == 0) s->variant.split = GK_SPLIT_NOTHING;
        if (i == 1) s->variant.prefetch = 0;
        if (i == 3) s->variant.streams = 0;
        if (i == 2 && found.threads > 0) s->variant.threads = found.threads - 1;
        if (memcmp(&s->variant, &found, sizeof found) == 0) continue;
        start(s);
        if (accept(s)) found = s->variant;
    }
    s->variant = found;
}

int fuzz_shrink(struct fuzz_runner *runner, struct fuzz_failure *failure, struct fuzz_call *call) {
    static struct fuzz_case cases[2];
    static void (*const passes[])(struct shrinker *) = {try_variants, try_extents, try_ranks,
                                                        try_layouts,  try_modes,   try_values};
    struct shrinker s = {runner, call, &cases[0], &cases[1], failure->variant, failure->text, sizeof failure->text,
                         0,      1};
    for (int i = 0; i < 2; i++)
        fuzz_pool_make(&cases[i].pool);
    fuzz_case_copy(s.best, failure->c);
    int comes_again = fails(&s, s.best);
    while (comes_again && s.is_better && s.tries < TRIES) {
        s.is_better = 0;
        for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
            passes[i](&s);
    }
    if (comes_again) {
        fuzz_case_copy(failure->c, s.best);
        failure->variant = s.variant;
        fails(&s, failure->c); /* for its text, and its call */
    }
    for (int i = 0; i < 2; i++)
        fuzz_pool_free(&cases[i].pool);
    return comes_again;
}
