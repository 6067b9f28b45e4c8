/* progress: a line on a terminal about work that takes over a second. */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>

struct tool_progress {
    const char *what;
    atomic_int done, total; /* total 0: only the time is shown */
    int is_running, is_over;
    double start;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t over;
};

/* Shows `what` on stderr from the first second on, if stderr is a terminal. */
void tool_progress_start(struct tool_progress *progress, const char *what, int total);
void tool_progress_stop(struct tool_progress *progress); /* and takes the line away */

/* Seconds of a clock that only goes forward. */
double tool_seconds(void);

#endif
