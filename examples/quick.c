/* quick: the README's ten lines as a program, and the same work as a plan that runs again and again. */
#include <stdio.h>

#include "gasket/gasket.h"
#include "gasket/operations.h"

static int report(gasket_context *context, enum gasket_status status) {
    if (status) fprintf(stderr, "%s: %s\n", gasket_status_name(status), gasket_message(context));
    return status != GASKET_OK;
}

int main(void) {
    int64_t rows[] = {3, 2}, picks[] = {4}, picked[] = {4, 2};
    float table[] = {1, 2, 3, 4, 5, 6}, result[8];
    int32_t index[] = {2, 0, 0, 1};
    DLTensor params = {table, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, rows, NULL, 0};
    DLTensor indices = {index, {kDLCPU, 0}, 1, {kDLInt, 32, 1}, picks, NULL, 0};
    DLTensor out = {result, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, picked, NULL, 0};

    gasket_context *context;
    if (gasket_context_create(NULL, &context)) return 1;
    int failed = report(context, gasket_gather(context, &params, &indices, &out, NULL));
    for (int i = 0; !failed && i < 8; i++)
        printf("%g%c", (double)result[i], i % 2 ? '\n' : ' ');

    struct gasket_argument arguments[] = {gasket_tensor("params", &params), gasket_tensor("indices", &indices),
                                          gasket_tensor("out", &out)};
    gasket_plan *plan = NULL;
    failed = failed || report(context, gasket_plan_create(context, "gather", arguments, 3, &plan));
    for (int32_t step = 0; !failed && step < 3; step++) {
        index[0] = step;
        failed = report(context, gasket_plan_run(plan, NULL, 0));
        printf("first row: %g %g\n", (double)result[0], (double)result[1]);
    }
    index[0] = 7; /* a bad index: nothing is written, and the message says where */
    failed = failed || gasket_plan_run(plan, NULL, 0) != GASKET_OUT_OF_BOUNDS;
    printf("as expected: %s\n", gasket_message(context));
    gasket_plan_destroy(plan);
    gasket_context_destroy(context);
    return failed;
}
