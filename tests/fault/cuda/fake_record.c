/* fake_record: see fake_record.h. */
#include "fake_record.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int chosen_failure(struct fake_record *record, const char *name) {
    if (record->fail.nth == 0 || (record->fail.function && strcmp(record->fail.function, name) != 0)) return 0;
    if (record->fail.nth > 1) {
        record->fail.nth--;
        return 0;
    }
    record->fail.nth = record->fail.stays;
    return record->fail.result;
}

void fake_lock(void) {
    pthread_mutex_lock(&lock);
}

void fake_unlock(void) {
    pthread_mutex_unlock(&lock);
}

int fake_enter(struct fake_record *record, const char *name) {
    fake_lock();
    if (record->n_calls < FAKE_CALLS) record->calls[record->n_calls] = (struct fake_call){name, 0};
    record->n_calls++;
    return chosen_failure(record, name);
}

int fake_leave(struct fake_record *record, int result) {
    if (record->n_calls <= FAKE_CALLS && record->n_calls > 0) record->calls[record->n_calls - 1].result = result;
    fake_unlock();
    return result;
}

void fake_fault(struct fake_record *record, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (record->n_faults == 0) vsnprintf(record->fault, sizeof record->fault, format, arguments);
    va_end(arguments);
    record->n_faults++;
}
