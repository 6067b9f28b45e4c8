/* fake_driver: a driver library of CUDA without a device, which does what a test tells it, writes down each call and
 * finds wrong uses. Device memory is memory of the host; contexts, streams, modules and libraries are only names that
 * must be alive. */
#ifndef FAKE_DRIVER_H
#define FAKE_DRIVER_H

#include "cuda/driver.h"
#include "fake_record.h"

enum { FAKE_DEVICES = 4, FAKE_PARAMETERS = 8, FAKE_PARAMETER_BYTES = 4096 };
/* Threads of a block, and bytes of shared memory that it may have without being asked for or at all. */
enum { FAKE_THREADS = 1024, FAKE_SHARED = 48 << 10, FAKE_MOST_SHARED = 99 << 10 };

struct fake_device {
    int arch; /* 80 */
    int processors;
    int has_pools; /* for cuMemAllocAsync */
};

struct fake_launch {
    const char *kernel;
    int device;
    unsigned grid[3], block[3], shared;
    CUstream stream;
    int is_captured; /* then a device would not run it now */
    void **parameters;
};

struct fake_driver {
    struct fake_record record;

    /* What it is: to be set before the library looks. */
    int version; /* 12040 */
    int n_devices;
    struct fake_device devices[FAKE_DEVICES];

    /* What it lets pass. */
    int may_synchronise; /* else it is a fault to wait for a stream or to copy without one */
    /* Capture: that stream has that status. Loading, allocating and waiting spoil it, and are faults. */
    CUstream captured;
    CUstreamCaptureStatus capture;

    /* Called for each launch, without any lock. */
    void (*launch)(void *user, const struct fake_launch *launch);
    void *user;
    /* When the first is not 0: the bytes of each parameter, which every launch must be able to read. */
    size_t parameter_bytes[FAKE_PARAMETERS];

    /* What there is now. Contexts are those that are pushed, on all threads. */
    struct {
        int modules, libraries, streams, memory, pushed, retained;
        size_t bytes;
    } alive;

    /* An application's own contexts; they are not made current. The place of a destroyed one is used again. */
    CUcontext (*context_create)(int device);
    void (*context_destroy)(CUcontext context);
    /* All results that the driver's manual knows; the last one is 0. */
    const int *results;
};

/* Exported beside the functions of CUDA. */
typedef struct fake_driver *fake_driver_fn(void);
#define FAKE_DRIVER_SYMBOL "gasket_fake_driver"

#endif
