/* nest_text: the words of a call-time text under other names, so that one program can hold many texts. Before each
 * text: NEST_SUFFIX, gasket_nest_knobs as the name of the description it is to read, and abi/nest_point.h, which reads
 * it too, as if it had not been included. The words stay functions, so that a text whose description is no constant is
 * compiled in reasonable time. */
#ifndef UNIT_NEST_TEXT_H
#define UNIT_NEST_TEXT_H

#define GASKET_NEST_WORD static __attribute__((unused))
#include "abi/nest.h"
#include "abi/simd.h"

#define NEST_PASTE_(name, suffix) name##_##suffix
#define NEST_PASTE(name, suffix) NEST_PASTE_(name, suffix)
#define NEST_NAME(name) NEST_PASTE(name, NEST_SUFFIX)
#define gasket_nest_run NEST_NAME(gasket_nest_run)
#define gasket_nest_check NEST_NAME(gasket_nest_check)
#define gk_element NEST_NAME(gk_element)
#define gk_point NEST_NAME(gk_point)
#define gk_address NEST_NAME(gk_address)
#define gk_is_lost NEST_NAME(gk_is_lost)
#define gk_index_at NEST_NAME(gk_index_at)
#define gk_index NEST_NAME(gk_index)
#define gk_one NEST_NAME(gk_one)
#define gk_whole NEST_NAME(gk_whole)
#define gk_two NEST_NAME(gk_two)
#define gk_settle NEST_NAME(gk_settle)
#define gk_locate NEST_NAME(gk_locate)
#define gk_fetch_ahead NEST_NAME(gk_fetch_ahead)
#define gk_copy_known NEST_NAME(gk_copy_known)
#define gk_move NEST_NAME(gk_move)
#define gk_row NEST_NAME(gk_row)
#define gk_combined NEST_NAME(gk_combined)
#define gk_factor NEST_NAME(gk_factor)
#define gk_row_lost NEST_NAME(gk_row_lost)
#define gk_row_found NEST_NAME(gk_row_found)
#define gk_eight NEST_NAME(gk_eight)
#define gk_combine_eight NEST_NAME(gk_combine_eight)
#define gk_holding NEST_NAME(gk_holding)
#define gk_copy_row NEST_NAME(gk_copy_row)
#define gk_nest NEST_NAME(gk_nest)

#endif
