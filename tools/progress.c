/* progress: the line is written by a thread of its own, so that the work need not know of it. */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

double tool_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void show(const struct tool_progress *p) {
    double seconds = tool_seconds() - p->start;
    int total = p->total;
    if (total > 0) {
        fprintf(stderr, "\r%s: %d of %d, %.0f s ", p->what, (int)p->done, total, seconds);
    } else {
        fprintf(stderr, "\r%s: %.0f s ", p->what, seconds);
    }
}

static void *watch(void *state) {
    struct tool_progress *p = state;
    struct timespec until;
    int shown = 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    pthread_mutex_lock(&p->lock);
    while (!p->is_over) {
        until.tv_sec++;
        while (!p->is_over && pthread_cond_timedwait(&p->over, &p->lock, &until) == 0) {
        }
        if (!p->is_over) {
            show(p);
            shown = 1;
        }
    }
    pthread_mutex_unlock(&p->lock);
    if (shown) {
        fputs("\r\033[K", stderr);
    }
    return NULL;
}

void tool_progress_start(struct tool_progress *p, const char *what, int total) {
    pthread_condattr_t clock;
    p->what = what;
    p->done = 0;
    p->total = total;
    p->is_over = p->is_running = 0;
    p->start = tool_seconds();
    if (!isatty(STDERR_FILENO)) {
        return;
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&p->over, &clock);
    pthread_condattr_destroy(&clock);
    p->is_running = pthread_create(&p->thread, NULL, watch, p) == 0;
}

void tool_progress_stop(struct tool_progress *p) {
    if (!p->is_running) {
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->is_over = 1;
    pthread_cond_signal(&p->over);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->over);
    pthread_mutex_destroy(&p->lock);
    p->is_running = 0;
}
