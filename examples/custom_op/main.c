/* An operation of our own: one formula in pick_columns.lua, kernels made by gasket_add_kernels, called by its function.
 */
#include <stdio.h>

#include "gasket/gasket.h"
#include "mine/operations.h"
#include "mine/table.h"

int main(void) {
    int64_t rows[] = {2, 4}, picks[] = {3}, picked[] = {2, 3};
    float matrix[] = {0, 1, 2, 3, 10, 11, 12, 13}, result[6];
    int32_t index[] = {3, 0, 3};
    DLTensor params = {matrix, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, rows, NULL, 0};
    DLTensor columns = {index, {kDLCPU, 0}, 1, {kDLInt, 32, 1}, picks, NULL, 0};
    DLTensor out = {result, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, picked, NULL, 0};

    gasket_context *context;
    if (gasket_context_create(NULL, &context)) return 1;
    int failed = (int)gasket_register(context, &mine_kernel_set) ||
                 (int)mine_pick_columns(context, &params, &columns, &out, NULL);
    if (failed) fprintf(stderr, "%s\n", gasket_message(context));
    for (int i = 0; !failed && i < 6; i++)
        printf("%g%c", (double)result[i], i % 3 == 2 ? '\n' : ' ');
    gasket_context_destroy(context);
    return failed;
}
