/* How the loops of a nest are shared out among the threads of a GPU: the second constant of such a kernel, beside its
 * gasket_nest. An item is one iteration of each loop that is not serial, for some elements of the row; items are
 * numbered with those of a row first, then those of the innermost loop. */
#ifndef GASKET_ABI_NEST_GRID_H
#define GASKET_ABI_NEST_GRID_H

#include "abi/nest.h"

struct gasket_nest_grid {
    int64_t serial[GASKET_NEST_LOOPS]; /* a thread takes all iterations of the loop, in order */
    int64_t vector;                    /* elements of a row that an item moves at once, aligned to their whole size */
};

/* Blocks are of this many threads. A thread has GK_BATCH items under way at once, all loads, then all stores; block b
 * takes items [b * GK_BATCH * GASKET_GRID_THREADS, ...). */
enum { GASKET_GRID_THREADS = 256 };

#endif
