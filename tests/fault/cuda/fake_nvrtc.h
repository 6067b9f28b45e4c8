/* fake_nvrtc: a compiler of CUDA that compiles nothing, does what a test tells it and writes down each call. What it
 * gives is an image that the fake driver takes: a head, and the text, in which kernels are found by their names. */
#ifndef FAKE_NVRTC_H
#define FAKE_NVRTC_H

#include "cuda/nvrtc.h"
#include "fake_record.h"

enum { FAKE_OPTIONS = 16, FAKE_OPTION = 64 };

struct fake_nvrtc {
    struct fake_record record;
    int major, minor;
    int archs[GK_NVRTC_ARCHS + 1], n_archs;
    const char *log;   /* what the compiler says, "" */
    int gives_nothing; /* an image of no bytes */
    int alive;         /* programs */
    int compiled;      /* so far */
    /* The last compilation. */
    char options[FAKE_OPTIONS][FAKE_OPTION], name[128];
    int n_options;
    /* While it is set a compilation does not end; how many run now. */
    _Atomic int held, inside;
};

/* A text with this word does not compile, and the log says so. */
#define FAKE_WRONG_TEXT "#error"

/* Exported beside the functions of NVRTC. */
typedef struct fake_nvrtc *fake_nvrtc_fn(void);
#define FAKE_NVRTC_SYMBOL "gasket_fake_nvrtc"

#endif
