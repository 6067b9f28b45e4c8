/* print: tensors for people. */
#ifndef TOOL_PRINT_H
#define TOOL_PRINT_H

#include <gasket/gasket.h>
#include <stdio.h>

/* The type and shape, then the values as nested lists; of more than 1000 only the first and last three of each
 * dimension. The tensor is compact. */
void tool_print_tensor(FILE *file, const DLTensor *tensor);

#endif
