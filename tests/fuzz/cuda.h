/* cuda: kernels for a GPU, run by the emulation of one. */
#ifndef FUZZ_CUDA_H
#define FUZZ_CUDA_H

#include "session.h"

/* One grid, drawn. Bad indices that other tiers report are filled or dropped. */
enum fuzz_result fuzz_cuda_run(struct fuzz_session *s);

#endif
