/* The words that kernels are written in. Compiler builtins and vector extensions only (gcc >= 10, clang >= 13), no
 * header of the system's beyond the integer types. */
#ifndef GASKET_ABI_SIMD_H
#define GASKET_ABI_SIMD_H

#include "abi/vector.h" /* before the others */

#include "abi/box.h"
#include "abi/kernel.h"
#include "abi/lanes.h"
#include "abi/lookup.h"
#include "abi/number.h"

#endif
