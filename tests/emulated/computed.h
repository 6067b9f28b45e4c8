/* computed: the kernels that compute with EMULATED_TYPE of class EMULATED_CLASS: alone, with the machine's atomic
 * operations where EMULATED_NATIVE names some, and by words of EMULATED_BITS that are swapped. */
#define GK_INSTANCE EMULATED_NAME(serial)
#define GK_VALUE EMULATED_TYPE
#define GK_COMBINE(there, update) EMULATED_COMBINE(EMULATED_CLASS, EMULATED_TYPE, there, update)
#define GK_MULTIPLY EMULATED_WORD(gk_mul, EMULATED_TYPE)
#include "emulated/instance.h"

#if defined(EMULATED_NATIVE)
#define GK_INSTANCE EMULATED_NAME(native)
#define GK_VALUE EMULATED_TYPE
#define GK_MULTIPLY EMULATED_WORD(gk_mul, EMULATED_TYPE)
#define GK_ATOMIC(at, update) EMULATED_ATOMIC(EMULATED_NATIVE, EMULATED_TYPE, at, update)
#include "emulated/instance.h"
#endif

#if defined(EMULATED_BITS)
#define GK_INSTANCE EMULATED_NAME(swap)
#define GK_VALUE EMULATED_TYPE
#define GK_COMBINE(there, update) EMULATED_COMBINE(EMULATED_CLASS, EMULATED_TYPE, there, update)
#define GK_MULTIPLY EMULATED_WORD(gk_mul, EMULATED_TYPE)
#define GK_ATOMIC_BITS EMULATED_BITS
#include "emulated/instance.h"
#endif

#undef EMULATED_TYPE
#undef EMULATED_CLASS
#undef EMULATED_NATIVE
#undef EMULATED_BITS
