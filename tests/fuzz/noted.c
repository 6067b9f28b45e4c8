/* noted: what the call-time tier served, what its kernels had, and what it refused and why. See coverage.h. */
#include <inttypes.h>
#include <string.h>

#include "coverage.h"
#include "nest.h"

static uint64_t hash_of(const char *kind, const char *text) {
    uint64_t hash = 14695981039346656037u;
    for (const char *at = kind; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    for (const char *at = text; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    return hash | 1;
}

/* Processes meet here: who claims a place writes its text; the parent reads it when they have ended. */
void fuzz_count_text(struct fuzz_coverage *coverage, const char *kind, const char *text) {
    const uint64_t hash = hash_of(kind, text);
    for (int i = 0; i < FUZZ_NOTED; i++) {
        struct fuzz_noted *noted = &coverage->noted[i];
        uint64_t found = 0;
        if (atomic_compare_exchange_strong(&noted->hash, &found, hash)) {
            snprintf(noted->kind, sizeof noted->kind, "%s", kind);
            snprintf(noted->text, sizeof noted->text, "%s", text);
            found = hash;
        }
        if (found != hash) continue;
        atomic_fetch_add_explicit(&noted->n, 1, memory_order_relaxed);
        return;
    }
}

static int is_nested(const struct gasket_nest *knobs) {
    for (int c = 0; c < GASKET_NEST_COORDINATES; c++)
        if (knobs->coordinates[c].access > knobs->n_factors) return 1;
    return 0;
}

static int has_sum(const struct gasket_nest *knobs, int64_t values) {
    for (int c = 0; c < GASKET_NEST_COORDINATES; c++)
        if (knobs->coordinates[c].access >= 0 && knobs->coordinates[c].is_sum &&
            knobs->coordinates[c].n_values == values)
            return 1;
    return 0;
}

static int is_led(const struct gasket_nest *knobs, int64_t access, int skips) {
    for (int c = 0; c < GASKET_NEST_COORDINATES; c++)
        if (knobs->coordinates[c].access == access && knobs->coordinates[c].skips == skips) return 1;
    return 0;
}

static int count_loops(const struct gasket_nest *knobs) {
    int n = GASKET_NEST_LOOPS;
    while (n > 1 && knobs->extents[n - 1] == 1)
        n--;
    return n;
}

void fuzz_count_nest(struct fuzz_coverage *coverage, const struct gk_nest *nest) {
    const struct gasket_nest *knobs = &nest->knobs;
    const struct {
        int is_there;
        const char *text;
    } traits[] = {
        {1, "in all"},
        {nest->is_shared, "loop 0 is shared"},
        {is_nested(knobs), "a lookup in a lookup"},
        {has_sum(knobs, 1), "a sum with one value"},
        {has_sum(knobs, 2), "a sum with two values"},
        {is_led(knobs, 0, 1), "a lookup on the left"},
        {is_led(knobs, 1, 0), "a factor that may be the fill value"},
        {knobs->n_factors > 1, "a product"},
        {knobs->nan_propagates != 0, "nan propagates"},
        {knobs->prefetch > 0, "a prefetch"},
        {knobs->streams != 0, "stores past the caches"},
    };
    char text[32];
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++)
        if (traits[i].is_there) fuzz_count_text(coverage, "served", traits[i].text);
    fuzz_count_text(coverage, "text", nest->template_name);
    snprintf(text, sizeof text, "%d", count_loops(knobs));
    fuzz_count_text(coverage, "loops", text);
    snprintf(text, sizeof text, "%d", nest->n_coordinates);
    fuzz_count_text(coverage, "lookups", text);
}

uint64_t fuzz_noted(const struct fuzz_coverage *coverage, const char *kind, const char *text) {
    uint64_t n = 0;
    for (int i = 0; i < FUZZ_NOTED; i++) {
        const struct fuzz_noted *noted = &coverage->noted[i];
        if (strcmp(noted->kind, kind) == 0 && (!text || strcmp(noted->text, text) == 0))
            n += fuzz_count_read(&noted->n);
    }
    return n;
}

void fuzz_noted_write(const struct fuzz_coverage *coverage, const char *kind, FILE *file) {
    for (int i = 0; i < FUZZ_NOTED; i++) {
        const struct fuzz_noted *noted = &coverage->noted[i];
        if (noted->text[0] && (!kind || strcmp(noted->kind, kind) == 0))
            fprintf(file, "%s\t%" PRIu32 "\t%s\n", noted->kind, fuzz_count_read(&noted->n), noted->text);
    }
}
