/* A caller of the operations that Gasket has, in C11 and in C++17 (plain.cpp includes this file). */
#include <gasket/gasket.h>
#include <gasket/operations.h>
#include <stdio.h>
#include <string.h>

static int run(gasket_context *context) {
    static float rows[] = {1, 2, 3, 4, 5, 6};
    static int64_t picks[] = {1, 1, 0};
    static const float want[] = {2, 2, 1, 4, 4, 3, 6, 6, 5};
    float got[9] = {0};
    int64_t params_shape[] = {3, 2}, pick_shape[] = {3}, out_shape[] = {3, 3};
    DLTensor params = {rows, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, params_shape, NULL, 0};
    DLTensor indices = {picks, {kDLCPU, 0}, 1, {kDLInt, 64, 1}, pick_shape, NULL, 0};
    DLTensor out = {got, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, out_shape, NULL, 0};
    struct gasket_gather_options options;
    memset(&options, 0, sizeof options);
    options.has_axis = 1;
    options.axis = -1;
    if (gasket_gather(context, &params, &indices, &out, &options) != GASKET_OK) {
        printf("gather: %s\n", gasket_message(context));
        return 1;
    }
    return memcmp(got, want, sizeof want) != 0;
}

int main(void) {
    gasket_context *context = NULL;
    if (gasket_context_create(NULL, &context) != GASKET_OK) return 1;
    int failed = run(context);
    gasket_context_destroy(context);
    printf("%s: %s\n", gasket_version(), failed ? "wrong" : "right");
    return failed;
}
