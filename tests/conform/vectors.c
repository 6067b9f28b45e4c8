/* vectors: what TensorFlow answered (vectors/, made by make_vectors.py), on every setting, bit for bit.
 *
 *     vectors [FOLDER] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

#ifndef VECTORS_FOLDER
#define VECTORS_FOLDER "tests/conform/vectors"
#endif

static const char *const operations[] = {"gather", "gather_nd", "scatter_nd", "tensor_scatter"};

static size_t run_file(FILE *file, const char *operation, const struct setting *settings, size_t n_settings) {
    char *text = NULL, name[48];
    size_t room = 0, vectors = 0;
    for (int number = 1; getline(&text, &room, file) > 0; number++) {
        if (text[0] == '#') continue;
        struct line line;
        line_parse(&line, operation, text, number % 2 ? AT_BEGIN : AT_END);
        snprintf(name, sizeof name, "%s.txt:%d", operation, number);
        for (size_t i = 0; i < n_settings; i++)
            line_check(&line, &settings[i], name);
        line_free(&line);
        vectors++;
    }
    free(text);
    return vectors;
}

/* Every combination has kernels: the interpreter may only have run where it was asked for. */
static void check_tiers(const struct setting *setting) {
    struct gasket_counters counters;
    gasket_counters_read(setting->context, &counters);
    int interpreter = setting->tier && strcmp(setting->tier, "interpreter") == 0;
    check(interpreter ? !counters.exact && !counters.general && counters.interpreter : !counters.interpreter,
          "%s: %llu exact, %llu general, %llu interpreted", setting->name, (unsigned long long)counters.exact,
          (unsigned long long)counters.general, (unsigned long long)counters.interpreter);
    if (setting->tier && strcmp(setting->tier, "general") == 0)
        check(!counters.exact && counters.general, "%s: %llu exact", setting->name, (unsigned long long)counters.exact);
}

int main(int argc, char **argv) {
    static struct setting settings[MAX_SETTINGS];
    size_t n_settings = settings_open(settings), vectors = 0;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.txt", argc > 1 ? argv[1] : VECTORS_FOLDER, operations[i]);
        FILE *file = fopen(path, "r");
        if (file == NULL) give_up(path);
        vectors += run_file(file, operations[i], settings, n_settings);
        fclose(file);
    }
    check(vectors >= 1000, "only %zu vectors", vectors);
    for (size_t i = 0; i < n_settings; i++)
        check_tiers(&settings[i]);
    settings_close(settings, n_settings);
    printf("%zu vectors on %zu settings\n", vectors, n_settings);
    return finish();
}
