/* corpus: see corpus.h. */
#define _GNU_SOURCE
#include "corpus.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "line.h"

/* A line that begins with a formula is of an operation that the formula defines. */
static const struct gk_catalog *catalog_of(struct fuzz_campaign *campaign, const char *line) {
    const size_t length = strcspn(line, " \n");
    const int is_formula = memchr(line, '[', length) != NULL && length < sizeof campaign->definition;
    campaign->defined = 0;
    if (is_formula) snprintf(campaign->definition, sizeof campaign->definition, "%.*s", (int)length, line);
    fuzz_runner_define(&campaign->runner, is_formula ? campaign->definition : NULL);
    return fuzz_runner_catalog(&campaign->runner);
}

int fuzz_replay(struct fuzz_campaign *campaign, const char *line, int all, char *text, size_t size) {
    struct fuzz_variant variant;
    char error[FUZZ_VARIANT_TEXT];
    int read = fuzz_line_read(line, catalog_of(campaign, line), campaign->call, &variant, error);
    if (read == FUZZ_LINE_WRONG) {
        snprintf(text, size, "the line can not be read: %s", error);
        return 2;
    }
    const struct fuzz_variant *only = all || read == FUZZ_LINE_WITHOUT_VARIANT ? NULL : &variant;
    struct fuzz_note *note = campaign->runner.note;
    note->variant = variant;
    fflush(NULL);
    int process = fork();
    if (process == 0) _exit(fuzz_run(&campaign->runner, campaign->call, only) == FUZZ_DIFFERS ? FUZZ_EXIT_DIFFERS : 0);
    campaign->replayed++;
    if (process < 0) return 2;
    return fuzz_wait(process, FUZZ_PATIENCE, note, text, size);
}

static int replay_file(struct fuzz_campaign *campaign, const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL, text[sizeof campaign->runner.note->difference];
    size_t room = 0;
    int failed = 0;
    if (!file) return -1;
    while (getline(&line, &room, file) > 0) {
        if (line[0] == '#' || line[0] == '\n') continue;
        if (fuzz_replay(campaign, line, 1, text, sizeof text) == 0) continue;
        char variant[FUZZ_VARIANT_TEXT];
        fprintf(stderr, "FAILED again: %s: %s\n  by %s\n  %s", path, text,
                fuzz_variant_text(variant, &campaign->runner.note->variant), line);
        failed++;
    }
    free(line);
    fclose(file);
    return failed;
}

int fuzz_corpus_replay(struct fuzz_campaign *campaign, const char *folder) {
    struct dirent **names;
    int n = scandir(folder, &names, NULL, alphasort), failed = 0;
    if (n < 0) return -1;
    for (int i = 0; i < n; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        size_t length = strlen(names[i]->d_name);
        if (length > 4 && strcmp(names[i]->d_name + length - 4, ".txt") == 0) {
            int more = replay_file(campaign, path);
            failed += more < 0 ? 1 : more;
        }
        free(names[i]);
    }
    free(names);
    return failed;
}

void fuzz_corpus_keep(const struct fuzz_campaign *campaign, const char *folder, const struct fuzz_failure *failure) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%016" PRIx64 ".txt", folder, campaign->call->operation->name,
             campaign->call->seed);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "gasket-fuzz: can not write %s\n", path);
        return;
    }
    fprintf(file, "# %s\n", failure->text);
    fuzz_line_write(file, campaign->call, &failure->variant);
    fputc('\n', file);
    fclose(file);
    fprintf(stderr, "kept as %s\n", path);
}
