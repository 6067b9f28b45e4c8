/* number: arithmetic on one element of a value type, written out from the types' definitions and shared with no kernel.
 */
#ifndef GK_NUMBER_H
#define GK_NUMBER_H

#include "abi/dtype.h"

/* Exact one way, rounded to nearest even the other way. A NaN keeps its sign and the upper bits of its payload and
 * becomes quiet. */
float gk_f16_to_f32(uint16_t bits);
float gk_bf16_to_f32(uint16_t bits);
uint16_t gk_f32_to_f16(float value);
uint16_t gk_f32_to_bf16(float value);

/* An element of f16 or bf16 as an f32, and back. */
float gk_number_widen(enum gasket_dtype dtype, const void *element);
void gk_number_narrow(enum gasket_dtype dtype, float value, void *element);

/* *current = *current combine *update, for elements of `dtype` at any alignment. The class of the dtype must have the
 * operator, and it must not be the addition of strings. `nan_propagates` is for min and max: a NaN that is there stays,
 * else one in the update is stored; otherwise a NaN update is ignored. Elsewhere a NaN result is the current value made
 * quiet if that is a NaN, else so the update, else the negative quiet NaN without payload. */
void gk_number_combine(enum gasket_dtype dtype, enum gasket_combine combine, int nan_propagates, void *current,
                       const void *update);

#endif
