/* Call-time texts of elements that are only moved, against the meaning of random descriptions. */
#include "nest_reference.h"

#define gasket_nest_knobs (*nest_knobs)
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX e1
#include "generated/call_time/e1.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX e2
#include "generated/call_time/e2.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX e4
#include "generated/call_time/e4.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX e8
#include "generated/call_time/e8.c"
#undef NEST_SUFFIX
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX e16
#include "generated/call_time/e16.c"
#undef NEST_SUFFIX

#define KIND(name, dtype, combines, moves) \
    { #name, dtype, combines, moves, gasket_nest_run_##name, gasket_nest_check_##name }
static const struct nest_kind kinds[] = {
    KIND(e1, GASKET_U8, GASKET_BIT(GASKET_STORE), 1),    KIND(e2, GASKET_U16, GASKET_BIT(GASKET_STORE), 1),
    KIND(e4, GASKET_U32, GASKET_BIT(GASKET_STORE), 1),   KIND(e8, GASKET_U64, GASKET_BIT(GASKET_STORE), 1),
    KIND(e16, GASKET_C128, GASKET_BIT(GASKET_STORE), 1),
};

Test(nest, moved) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        nest_try(&kinds[i], 4000);
}
