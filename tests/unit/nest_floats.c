/* Call-time texts that compute with floats, against the meaning of random descriptions. */
#include "nest_reference.h"

#define gasket_nest_knobs (*nest_knobs)
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX bf16
#include "generated/call_time/bf16.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX f32
#include "generated/call_time/f32.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX f64
#include "generated/call_time/f64.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX c64
#include "generated/call_time/c64.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX c128
#include "generated/call_time/c128.c"
#undef NEST_SUFFIX

#define KIND(name, dtype, combines, moves) \
    { #name, dtype, combines, moves, gasket_nest_run_##name, gasket_nest_check_##name }
static const struct nest_kind kinds[] = {
    KIND(bf16, GASKET_BF16, GASKET_SUMS | GASKET_ORDERS, 0),
    KIND(f32, GASKET_F32, GASKET_SUMS | GASKET_ORDERS, 0),
    KIND(f64, GASKET_F64, GASKET_SUMS | GASKET_ORDERS, 0),
    KIND(c64, GASKET_C64, GASKET_SUMS, 0),
    KIND(c128, GASKET_C128, GASKET_SUMS, 0),
};

Test(nest, floats) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        nest_try(&kinds[i], 1500);
}
