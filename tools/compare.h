/* compare: two tensors, bit for bit. */
#ifndef TOOL_COMPARE_H
#define TOOL_COMPARE_H

#include <gasket/gasket.h>

#include "failure.h"

/* TOOL_FAILED where two compact tensors of one type and shape differ: the message says where first and how. Strings are
 * compared by their bytes. */
int tool_compare(const DLTensor *ours, const DLTensor *theirs, struct tool_failure *failure);

#endif
