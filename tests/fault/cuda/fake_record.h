/* fake_record: what both fake libraries of CUDA do with each call: write it down, fail it on purpose, and keep what was
 * wrong with it. */
#ifndef FAKE_RECORD_H
#define FAKE_RECORD_H

#include <string.h>

enum { FAKE_CALLS = 4096 };

struct fake_call {
    const char *name; /* "cuMemAlloc", without _v2 */
    int result;
};

struct fake_record {
    /* From now on the nth call, of all or of one function, fails with that result; a call that frees does so
     * nevertheless. 0: none does. */
    struct {
        const char *function; /* NULL: all */
        int nth, result;
        int stays; /* and all that follow */
    } fail;
    struct fake_call calls[FAKE_CALLS];
    int n_calls; /* so far; more than FAKE_CALLS are only counted */
    int n_faults;
    char fault[256]; /* the first wrong use */
};

void fake_lock(void);
void fake_unlock(void);
/* A call goes from enter, which locks, to leave. Gives what it must fail with, or 0. */
int fake_enter(struct fake_record *record, const char *name);
int fake_leave(struct fake_record *record, int result);
/* A wrong use; may be called between them. */
void fake_fault(struct fake_record *record, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For tests: the calls of one name so far, and forgetting all. */
static inline int fake_count(const struct fake_record *record, const char *name) {
    int n = 0;
    for (int i = 0; i < record->n_calls && i < FAKE_CALLS; i++)
        n += strcmp(record->calls[i].name, name) == 0;
    return n;
}

static inline void fake_forget(struct fake_record *record) {
    memset(record, 0, sizeof *record);
}

#endif
