/* Call-time texts that compute with integers, against the meaning of random descriptions. */
#include "nest_reference.h"

#define gasket_nest_knobs (*nest_knobs)
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX logical
#include "generated/call_time/bool.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX i8
#include "generated/call_time/i8.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX i16
#include "generated/call_time/i16.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX i32
#include "generated/call_time/i32.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX i64
#include "generated/call_time/i64.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX u8
#include "generated/call_time/u8.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX u16
#include "generated/call_time/u16.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX u32
#include "generated/call_time/u32.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX u64
#include "generated/call_time/u64.c"
#undef NEST_SUFFIX

#define KIND(name, dtype, combines, moves) \
    { #name, dtype, combines, moves, gasket_nest_run_##name, gasket_nest_check_##name }
static const struct nest_kind kinds[] = {
    KIND(logical, GASKET_BOOL, GASKET_SUMS & ~GASKET_BIT(GASKET_SUB), 0),
    KIND(i8, GASKET_I8, GASKET_SUMS | GASKET_ORDERS, 0),
    KIND(i16, GASKET_I16, GASKET_SUMS | GASKET_ORDERS, 0),
    KIND(i32, GASKET_I32, GASKET_SUMS | GASKET_ORDERS, 0),
    KIND(i64, GASKET_I64, GASKET_SUMS | GASKET_ORDERS, 0),
    KIND(u8, GASKET_U8, GASKET_SUMS | GASKET_ORDERS, 0),
    KIND(u16, GASKET_U16, GASKET_SUMS | GASKET_ORDERS, 0),
    KIND(u32, GASKET_U32, GASKET_SUMS | GASKET_ORDERS, 0),
    KIND(u64, GASKET_U64, GASKET_SUMS | GASKET_ORDERS, 0),
};

Test(nest, integers) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        nest_try(&kinds[i], 1500);
}
