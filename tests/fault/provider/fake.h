/* fake: a plug-in for call-time compilation without a compiler, which does what a test tells it. */
#ifndef FAKE_H
#define FAKE_H

#include <stdatomic.h>

#include "jit/provider.h"

/* What it gives for an object. */
enum fake_answer {
    FAKE_RIGHT,
    FAKE_GARBAGE,       /* bytes that are no object */
    FAKE_EMPTY,         /* no bytes */
    FAKE_NOTHING,       /* OK, without giving anything */
    FAKE_TWICE,         /* the object, two times */
    FAKE_CUT,           /* half of the object */
    FAKE_FOREIGN,       /* an object for another machine */
    FAKE_WITHOUT_CHECK, /* one that lacks a function */
    FAKE_WITH_CALLS,    /* one that calls what is not there */
    FAKE_ANSWERS
};

struct fake {
    struct gk_provider provider; /* as the library sees it: to be changed before it looks */
    char digest[65], version[64], library[512];
    _Atomic int opens, compiles;     /* so far */
    _Atomic int open_held, held;     /* while they are set, opening and compilations do not end */
    _Atomic int opening, inside;     /* of them, that run now */
    _Atomic int open_status, status; /* what they end with; enum gasket_status */
    _Atomic int answer;              /* enum fake_answer */
};

/* Exported beside the provider. */
typedef struct fake *fake_fn(void);
#define FAKE_SYMBOL "gasket_fake"
#define FAKE_TROUBLE "the fake compiler fails on purpose"

#endif
