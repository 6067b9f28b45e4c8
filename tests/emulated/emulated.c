/* emulated: see emulated.h. */
#include "emulated/words.h"

#include "abi/atomic.h"
#include "abi/device.h"
#include "emulated/emulated.h"
#include "fuzz/random.h"

_Thread_local struct emulated emulated;

/* ---- Kernels ---- */

#define EMULATED_PASTE_(a, b) a##_##b
#define EMULATED_PASTE(a, b) EMULATED_PASTE_(a, b)
#define EMULATED_NAME(kind) EMULATED_PASTE(EMULATED_TYPE, kind)
#define EMULATED_WORD(word, type) EMULATED_PASTE(word, type)

/* What the operator of the call makes of two elements. */
#define EMULATED_IS(op) (emulated.nest->combine == GASKET_##op)
#define EMULATED_COMBINE(class, type, there, update) EMULATED_PASTE(EMULATED, class)(type, there, update)
#define EMULATED_LOGICAL(type, there, update)                        \
    (EMULATED_IS(ADD)   ? EMULATED_WORD(gk_add, type)(there, update) \
     : EMULATED_IS(MUL) ? EMULATED_WORD(gk_mul, type)(there, update) \
                        : (update))
#define EMULATED_COMPLEX(type, there, update) \
    (EMULATED_IS(SUB) ? EMULATED_WORD(gk_sub, type)(there, update) : EMULATED_LOGICAL(type, there, update))
#define EMULATED_INTEGER(type, there, update)                        \
    (EMULATED_IS(MIN)   ? EMULATED_WORD(gk_min, type)(there, update) \
     : EMULATED_IS(MAX) ? EMULATED_WORD(gk_max, type)(there, update) \
                        : EMULATED_COMPLEX(type, there, update))
#define EMULATED_FLOAT(type, there, update)                                \
    (EMULATED_IS(MIN) && emulated.nest->nan_propagates                     \
         ? EMULATED_PASTE(gk_min, EMULATED_WORD(type, nan))(there, update) \
     : EMULATED_IS(MAX) && emulated.nest->nan_propagates                   \
         ? EMULATED_PASTE(gk_max, EMULATED_WORD(type, nan))(there, update) \
         : EMULATED_INTEGER(type, there, update))
#define EMULATED_ATOMIC(class, type, at, update) EMULATED_PASTE(EMULATED_BY, class)(type, at, update)
#define EMULATED_BY_SUMS(type, at, update) \
    (EMULATED_IS(ADD) ? EMULATED_WORD(gk_atomic_add, type)(at, update) : EMULATED_WORD(gk_atomic_sub, type)(at, update))
#define EMULATED_BY_WHOLE(type, at, update)                              \
    (EMULATED_IS(MIN)   ? EMULATED_WORD(gk_atomic_min, type)(at, update) \
     : EMULATED_IS(MAX) ? EMULATED_WORD(gk_atomic_max, type)(at, update) \
                        : EMULATED_BY_SUMS(type, at, update))

#define EMULATED_TYPE bool
#define EMULATED_CLASS LOGICAL
#define EMULATED_BITS 32
#include "emulated/computed.h"

#define EMULATED_TYPE i8
#define EMULATED_CLASS INTEGER
#define EMULATED_BITS 32
#include "emulated/computed.h"

#define EMULATED_TYPE i16
#define EMULATED_CLASS INTEGER
#define EMULATED_BITS 32
#include "emulated/computed.h"

#define EMULATED_TYPE i32
#define EMULATED_CLASS INTEGER
#define EMULATED_NATIVE WHOLE
#define EMULATED_BITS 32
#include "emulated/computed.h"

#define EMULATED_TYPE i64
#define EMULATED_CLASS INTEGER
#define EMULATED_NATIVE WHOLE
#define EMULATED_BITS 64
#include "emulated/computed.h"

#define EMULATED_TYPE u8
#define EMULATED_CLASS INTEGER
#define EMULATED_BITS 32
#include "emulated/computed.h"

#define EMULATED_TYPE u16
#define EMULATED_CLASS INTEGER
#define EMULATED_BITS 32
#include "emulated/computed.h"

#define EMULATED_TYPE u32
#define EMULATED_CLASS INTEGER
#define EMULATED_NATIVE WHOLE
#define EMULATED_BITS 32
#include "emulated/computed.h"

#define EMULATED_TYPE u64
#define EMULATED_CLASS INTEGER
#define EMULATED_NATIVE WHOLE
#define EMULATED_BITS 64
#include "emulated/computed.h"

#define EMULATED_TYPE f16
#define EMULATED_CLASS FLOAT
#define EMULATED_BITS 32
#include "emulated/computed.h"

#define EMULATED_TYPE bf16
#define EMULATED_CLASS FLOAT
#define EMULATED_BITS 32
#include "emulated/computed.h"

#define EMULATED_TYPE f32
#define EMULATED_CLASS FLOAT
#define EMULATED_NATIVE SUMS
#define EMULATED_BITS 32
#include "emulated/computed.h"

#define EMULATED_TYPE f64
#define EMULATED_CLASS FLOAT
#define EMULATED_NATIVE SUMS
#define EMULATED_BITS 64
#include "emulated/computed.h"

#define EMULATED_TYPE c64
#define EMULATED_CLASS COMPLEX
#define EMULATED_NATIVE SUMS
#define EMULATED_BITS 64
#include "emulated/computed.h"

#define EMULATED_TYPE c128
#define EMULATED_CLASS COMPLEX
#define EMULATED_NATIVE SUMS
#include "emulated/computed.h"

/* Elements that are only moved: one by one, in order, and by pieces. */
#define GK_INSTANCE e1_serial
#define GK_VALUE u8
#define GK_COMBINE(there, update) (update)
#include "emulated/instance.h"
#define GK_INSTANCE e1_by_1
#define GK_VALUE u8
#define GK_PIECE u8
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e1_by_2
#define GK_VALUE u8
#define GK_PIECE u16
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e1_by_4
#define GK_VALUE u8
#define GK_PIECE u32
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e1_by_8
#define GK_VALUE u8
#define GK_PIECE u64
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e1_by_16
#define GK_VALUE u8
#define GK_PIECE v16
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e2_serial
#define GK_VALUE u16
#define GK_COMBINE(there, update) (update)
#include "emulated/instance.h"
#define GK_INSTANCE e2_by_2
#define GK_VALUE u16
#define GK_PIECE u16
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e2_by_4
#define GK_VALUE u16
#define GK_PIECE u32
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e2_by_8
#define GK_VALUE u16
#define GK_PIECE u64
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e2_by_16
#define GK_VALUE u16
#define GK_PIECE v16
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e4_serial
#define GK_VALUE u32
#define GK_COMBINE(there, update) (update)
#include "emulated/instance.h"
#define GK_INSTANCE e4_by_4
#define GK_VALUE u32
#define GK_PIECE u32
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e4_by_8
#define GK_VALUE u32
#define GK_PIECE u64
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e4_by_16
#define GK_VALUE u32
#define GK_PIECE v16
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e8_serial
#define GK_VALUE u64
#define GK_COMBINE(there, update) (update)
#include "emulated/instance.h"
#define GK_INSTANCE e8_by_8
#define GK_VALUE u64
#define GK_PIECE u64
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e8_by_16
#define GK_VALUE u64
#define GK_PIECE v16
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"
#define GK_INSTANCE e16_serial
#define GK_VALUE v16
#define GK_COMBINE(there, update) (update)
#include "emulated/instance.h"
#define GK_INSTANCE e16_by_16
#define GK_VALUE v16
#define GK_PIECE v16
#define GK_BATCH EMULATED_BATCH
#include "emulated/instance.h"

struct instance {
    const char *name, *kind;
    emulated_kernel *kernel;
};
static const struct instance instances[] = {
    {"bool", "serial", gasket_nest_run_bool_serial},
    {"bool", "swap", gasket_nest_run_bool_swap},
    {"i8", "serial", gasket_nest_run_i8_serial},
    {"i8", "swap", gasket_nest_run_i8_swap},
    {"i16", "serial", gasket_nest_run_i16_serial},
    {"i16", "swap", gasket_nest_run_i16_swap},
    {"i32", "serial", gasket_nest_run_i32_serial},
    {"i32", "native", gasket_nest_run_i32_native},
    {"i32", "swap", gasket_nest_run_i32_swap},
    {"i64", "serial", gasket_nest_run_i64_serial},
    {"i64", "native", gasket_nest_run_i64_native},
    {"i64", "swap", gasket_nest_run_i64_swap},
    {"u8", "serial", gasket_nest_run_u8_serial},
    {"u8", "swap", gasket_nest_run_u8_swap},
    {"u16", "serial", gasket_nest_run_u16_serial},
    {"u16", "swap", gasket_nest_run_u16_swap},
    {"u32", "serial", gasket_nest_run_u32_serial},
    {"u32", "native", gasket_nest_run_u32_native},
    {"u32", "swap", gasket_nest_run_u32_swap},
    {"u64", "serial", gasket_nest_run_u64_serial},
    {"u64", "native", gasket_nest_run_u64_native},
    {"u64", "swap", gasket_nest_run_u64_swap},
    {"f16", "serial", gasket_nest_run_f16_serial},
    {"f16", "swap", gasket_nest_run_f16_swap},
    {"bf16", "serial", gasket_nest_run_bf16_serial},
    {"bf16", "swap", gasket_nest_run_bf16_swap},
    {"f32", "serial", gasket_nest_run_f32_serial},
    {"f32", "native", gasket_nest_run_f32_native},
    {"f32", "swap", gasket_nest_run_f32_swap},
    {"f64", "serial", gasket_nest_run_f64_serial},
    {"f64", "native", gasket_nest_run_f64_native},
    {"f64", "swap", gasket_nest_run_f64_swap},
    {"c64", "serial", gasket_nest_run_c64_serial},
    {"c64", "native", gasket_nest_run_c64_native},
    {"c64", "swap", gasket_nest_run_c64_swap},
    {"c128", "serial", gasket_nest_run_c128_serial},
    {"c128", "native", gasket_nest_run_c128_native},
    {"e1", "serial", gasket_nest_run_e1_serial},
    {"e1", "1", gasket_nest_run_e1_by_1},
    {"e1", "2", gasket_nest_run_e1_by_2},
    {"e1", "4", gasket_nest_run_e1_by_4},
    {"e1", "8", gasket_nest_run_e1_by_8},
    {"e1", "16", gasket_nest_run_e1_by_16},
    {"e2", "serial", gasket_nest_run_e2_serial},
    {"e2", "2", gasket_nest_run_e2_by_2},
    {"e2", "4", gasket_nest_run_e2_by_4},
    {"e2", "8", gasket_nest_run_e2_by_8},
    {"e2", "16", gasket_nest_run_e2_by_16},
    {"e4", "serial", gasket_nest_run_e4_serial},
    {"e4", "4", gasket_nest_run_e4_by_4},
    {"e4", "8", gasket_nest_run_e4_by_8},
    {"e4", "16", gasket_nest_run_e4_by_16},
    {"e8", "serial", gasket_nest_run_e8_serial},
    {"e8", "8", gasket_nest_run_e8_by_8},
    {"e8", "16", gasket_nest_run_e8_by_16},
    {"e16", "serial", gasket_nest_run_e16_serial},
    {"e16", "16", gasket_nest_run_e16_by_16},
};

static emulated_kernel *find(const char *name, const char *kind) {
    for (size_t i = 0; i < sizeof instances / sizeof *instances; i++)
        if (strcmp(instances[i].name, name) == 0 && strcmp(instances[i].kind, kind) == 0) return instances[i].kernel;
    return NULL;
}

static emulated_kernel *choose(const struct gk_nest *nest, const struct gk_grid *grid, int is_swapping) {
    static const char *const pieces[] = {[1] = "1", [2] = "2", [4] = "4", [8] = "8", [16] = "16"};
    if (grid->moves) return find(nest->template_name, pieces[grid->piece]);
    if (grid->sharing == GK_ALONE || grid->sharing == GK_STORED) return find(nest->template_name, "serial");
    const int swaps = grid->sharing == GK_SWAPPED || (is_swapping && grid->swapped_bits);
    return find(nest->template_name, swaps ? "swap" : "native");
}

/* ---- Order ---- */

static int64_t common_divisor(int64_t a, int64_t b) {
    return b ? common_divisor(b, a % b) : a;
}

/* All numbers below n once: number i is (first + i * step) % n. */
struct order {
    int64_t first, step;
};

static struct order draw_order(int64_t n, struct fuzz_random *random) {
    struct order order = {fuzz_below(random, n), 1};
    do
        order.step = fuzz_between(random, 1, n);
    while (common_divisor(order.step, n) != 1);
    return order;
}

static int64_t number(const struct order *order, int64_t i, int64_t n) {
    return (int64_t)(((unsigned __int128)i * (uint64_t)order->step + (uint64_t)order->first) % (uint64_t)n);
}

int emulated_run(const struct gk_nest *nest, const struct gk_grid *grid, char *const data[GASKET_MAX_TENSORS],
                 uint64_t seed, int is_swapping) {
    emulated_kernel *kernel = choose(nest, grid, is_swapping);
    struct gasket_nest_call call;
    if (!kernel) return -1;
    gk_nest_call(&call, nest, data);
    emulated.nest = &nest->knobs;
    emulated.grid = &grid->knobs;
    struct fuzz_random random = fuzz_random_make(seed, 29);
    const struct order blocks = draw_order(grid->blocks, &random);
    for (int64_t b = 0; b < grid->blocks; b++) {
        const struct order threads = draw_order(GASKET_GRID_THREADS, &random);
        emulated.block = number(&blocks, b, grid->blocks);
        for (int64_t t = 0; t < GASKET_GRID_THREADS; t++) {
            emulated.thread = number(&threads, t, GASKET_GRID_THREADS);
            kernel(call, nest->count, grid->items);
        }
    }
    return 0;
}
