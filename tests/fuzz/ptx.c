/* ptx: see ptx.h. */
#include "ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/nvrtc.h"
#include "cuda/source.h"

struct reading {
    const struct gk_nest *nest;
    const struct gk_grid *grid;
    char *wrong;
    int fails;
};

static void tell(struct reading *reading, const char *what) {
    if (!reading->fails) snprintf(reading->wrong, FUZZ_PTX_TEXT, "PTX: %s", what);
    reading->fails = 1;
}

/* How often one of the instructions stands there. */
static int count(const char *ptx, const char *instruction) {
    int n = 0;
    for (const char *at = ptx; (at = strstr(at, instruction)); at++)
        n++;
    return n;
}

/* An item is stored by one instruction, as wide as its piece, and loaded by one, unless all load the same. */
static void check_width(struct reading *reading, const char *ptx) {
    static const struct width {
        const char *load, *store;
    } widths[] = {[1] = {"ld.global.u8", "st.global.u8"},
                  [2] = {"ld.global.u16", "st.global.u16"},
                  [4] = {"ld.global.u32", "st.global.u32"},
                  [8] = {"ld.global.u64", "st.global.u64"},
                  [16] = {"ld.global.v2.u64", "st.global.v2.u64"}};
    const struct gk_grid *grid = reading->grid;
    if (!grid->moves) return;
    if (!strstr(ptx, widths[grid->piece].load)) tell(reading, "loads are not as wide as a piece");
    if (count(ptx, widths[grid->piece].store) != grid->batch) tell(reading, "stores are not as wide as a piece");
}

static void check_atomics(struct reading *reading, const char *ptx) {
    const int swaps = count(ptx, ".cas.b"), others = count(ptx, "\tatom.") + count(ptx, "\tred.") - swaps;
    const enum gk_sharing sharing = reading->grid->sharing;
    if ((sharing == GK_NATIVE) != (others > 0)) tell(reading, "atomic operations where none are due, or none");
    if ((sharing == GK_SWAPPED) != (swaps > 0)) tell(reading, "swaps where none are due, or none");
}

static void read_ptx(void *user, const void *bytes, size_t n) {
    struct reading *reading = user;
    const char *ptx = bytes;
    (void)n;
    if (!strstr(ptx, ".entry gasket_nest_run")) tell(reading, "no gasket_nest_run");
    if (!strstr(ptx, ".maxntid 256")) tell(reading, "no bound on the threads of a block");
    if (strstr(ptx, ".local")) tell(reading, "memory of a thread's own");
    if (strstr(ptx, "fma.")) tell(reading, "products and sums are contracted");
    check_width(reading, ptx);
    check_atomics(reading, ptx);
}

int fuzz_ptx_check(const struct gk_nest *nest, const struct gk_grid *grid, char wrong[FUZZ_PTX_TEXT]) {
    struct reading reading = {.nest = nest, .grid = grid, .wrong = wrong};
    const struct gk_nvrtc *nvrtc;
    struct gk_error error = {0};
    char *text = NULL;
    enum gasket_status status = gk_nvrtc_load(&nvrtc, &error);
    if (!status) status = gk_cuda_source_make(&text, nest, grid, &error);
    for (int i = 0; i < 2 && !status && !reading.fails; i++) {
        int oldest = 0;
        while (oldest + 1 < nvrtc->n_archs && nvrtc->archs[oldest] < grid->least_arch)
            oldest++;
        const int arch = nvrtc->archs[i ? nvrtc->n_archs - 1 : oldest];
        const struct gk_cuda_source source = {.text = text, .name = "/gasket/nest.cu", .arch = arch};
        error.text[0] = 0;
        status = gk_nvrtc_compile(&source, read_ptx, &reading, &error);
        if (!status && strstr(error.text, source.name)) tell(&reading, error.text); /* not: old archs are deprecated */
    }
    if (status) tell(&reading, error.text);
    free(text);
    return reading.fails ? -1 : 0;
}
