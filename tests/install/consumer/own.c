/* An operation that Gasket does not have: registered, run by name and by its typed function, with generated kernels. */
#include <gasket/gasket.h>
#include <stdio.h>
#include <string.h>

#include "mine/operations.h"
#include "mine/table.h"

static int failed;

static void expect(int holds, const char *what) {
    if (!holds) {
        failed++;
        printf("not so: %s\n", what);
    }
}

static DLTensor tensor(void *data, uint8_t code, uint8_t bits, int64_t *shape, int ndim) {
    DLTensor t = {data, {kDLCPU, 0}, ndim, {code, bits, 1}, shape, NULL, 0};
    return t;
}

static void check_plan(gasket_context *context, const struct gasket_argument *arguments) {
    gasket_plan *plan = NULL;
    struct gasket_report report = {0};
    expect(gasket_plan_create(context, "pick_rows", arguments, 3, &plan) == GASKET_OK, "a plan is made");
    gasket_plan_report(plan, &report);
    expect(strcmp(report.tier, "interpreter") != 0, "a kernel serves pick_rows");
    printf("pick_rows: %s, %s\n", report.tier, report.kernel);
    gasket_plan_destroy(plan);
}

int main(void) {
    static float rows[] = {1, 2, 3, 4, 5, 6};
    static int32_t picks[] = {2, 0, 2, 1};
    static const float want[] = {5, 6, 1, 2, 5, 6, 3, 4};
    float got[8] = {0};
    int64_t table_shape[] = {3, 2}, pick_shape[] = {4}, out_shape[] = {4, 2};
    DLTensor table = tensor(rows, kDLFloat, 32, table_shape, 2);
    DLTensor pick = tensor(picks, kDLInt, 32, pick_shape, 1);
    DLTensor out = tensor(got, kDLFloat, 32, out_shape, 2);
    const struct gasket_argument arguments[] = {gasket_tensor("table", &table), gasket_tensor("rows", &pick),
                                                gasket_tensor("out", &out)};
    gasket_context *context = NULL;

    expect(gasket_context_create(NULL, &context) == GASKET_OK, "a context is made");
    expect(gasket_call(context, "pick_rows", arguments, 3) != GASKET_OK, "the operation is not there yet");
    expect(gasket_register(context, &mine_kernel_set) == GASKET_OK, "the set is taken");
    expect(gasket_call(context, "pick_rows", arguments, 3) == GASKET_OK, gasket_message(context));
    expect(memcmp(got, want, sizeof want) == 0, "the rows are right");
    memset(got, 0, sizeof got);
    expect(mine_pick_rows(context, &table, &pick, &out, NULL) == GASKET_OK, gasket_message(context));
    expect(memcmp(got, want, sizeof want) == 0, "the rows are right by the typed function");
    check_plan(context, arguments);
    gasket_context_destroy(context);
    printf("%d failed\n", failed);
    return failed != 0;
}
