/* support: checks that count, settings to try, memory for strings. */
#include "support/support.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long passed, failed;

int check(int ok, const char *format, ...) {
    enum { SHOWN = 40 };
    pthread_mutex_lock(&lock);
    ok ? passed++ : failed++;
    if (!ok && failed <= SHOWN) {
        va_list arguments;
        va_start(arguments, format);
        fputs("failed: ", stderr);
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
        va_end(arguments);
    }
    pthread_mutex_unlock(&lock);
    return ok;
}

int finish(void) {
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

void give_up(const char *what) {
    fprintf(stderr, "the test can not run: %s\n", what);
    exit(2);
}

/* ---- Memory for strings ---- */

struct piece {
    struct piece *next;
    char bytes[];
};
static struct piece *pieces;

void *strings_allocate(void *user, size_t bytes) {
    (void)user;
    struct piece *piece = malloc(sizeof *piece + bytes);
    if (piece == NULL) return NULL;
    pthread_mutex_lock(&lock);
    piece->next = pieces;
    pieces = piece;
    pthread_mutex_unlock(&lock);
    return piece->bytes;
}

void strings_release(void) {
    pthread_mutex_lock(&lock);
    while (pieces != NULL) {
        struct piece *next = pieces->next;
        free(pieces);
        pieces = next;
    }
    pthread_mutex_unlock(&lock);
}

/* ---- Settings ---- */

static void open_setting(struct setting *setting, const char *isa, const char *tier, int threads) {
    struct gasket_options options = {
        .size = sizeof options, .threads = threads, .isa = isa, .tier = tier, .allocate = strings_allocate};
    setting->isa = isa;
    setting->tier = tier;
    setting->threads = threads;
    snprintf(setting->name, sizeof setting->name, "%s, %s, %d thread%s", isa ? isa : "any isa",
             tier ? tier : "best tier", threads, threads == 1 ? "" : "s");
    if (gasket_context_create(&options, &setting->context) != GASKET_OK) give_up(setting->name);
}

size_t settings_open(struct setting settings[MAX_SETTINGS]) {
    static const char *const isas[] = {"base", "avx2", "avx512", "neon"};
    static const char *const tiers[] = {NULL, "general"};
    size_t n = 0;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++)
        for (size_t t = 0; gasket_isa_usable(isas[i], NULL) && t < 2; t++)
            for (int threads = 1; threads <= 2; threads++)
                open_setting(&settings[n++], isas[i], tiers[t], threads);
    open_setting(&settings[n++], NULL, "interpreter", 1);
    return n;
}

void settings_close(struct setting *settings, size_t n) {
    for (size_t i = 0; i < n; i++)
        gasket_context_destroy(settings[i].context);
    strings_release();
}
