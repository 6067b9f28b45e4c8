/* The call-time text of f16, compiled with the conversions of the processor where that is possible. */
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC target("avx2,f16c")
#define NEEDS_F16C 1
#endif
#include "nest_reference.h"

#define gasket_nest_knobs (*nest_knobs)
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX f16
#include "generated/call_time/f16.c"
#undef NEST_SUFFIX

#define KIND(name, dtype, combines, moves) \
    { #name, dtype, combines, moves, gasket_nest_run_##name, gasket_nest_check_##name }
static const struct nest_kind kinds[] = {
    KIND(f16, GASKET_F16, GASKET_SUMS | GASKET_ORDERS, 0),
};

Test(nest, f16) {
#if defined(NEEDS_F16C)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("f16c")) cr_skip_test("this machine has no f16c");
#endif
    nest_try(&kinds[0], 4000);
}
