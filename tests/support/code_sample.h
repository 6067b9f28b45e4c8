/* code_sample: what kernels may be made of: constants of several sizes, vectors of them, texts, a jump table, calls,
 * addresses of functions, and all three functions from outside. A test compiles it, loads the object, and compares what
 * that does with what these do. */
#ifndef CODE_SAMPLE_H
#define CODE_SAMPLE_H

#include <string.h>

/* To be included by a test, and by this text to be compiled. */
#define CODE_SAMPLE "#include \"tests/support/code_sample.h\"\n"

void work_scale(float *out, const float *in, int n);
double work_constant(int i);
int work_switch(int x, int y);
void work_bytes(char *out, const char *in, size_t n);
int (*work_pointer(void))(int, int);
const char *work_name(int i);

static const float weights[7] = {0.5f, 1.25f, -3, 8, 1e-3f, 7, 1024};
static const double wide[5] = {3.141592653589793, -1e8, 5e-324, 2, 17.5};

void work_scale(float *out, const float *in, int n) {
    for (int i = 0; i < n; i++)
        out[i] = in[i] * weights[i % 7] + 0.375f;
    for (int i = 0; i < n; i++)
        out[i] += in[i] * 2.5f;
}

double work_constant(int i) {
    return wide[i % 5] * 1.75;
}

__attribute__((noinline)) int work_switch(int x, int y) {
    switch (x) {
        case 0:
            return y * 3;
        case 1:
            return y / 5;
        case 2:
            return y ^ 0x1234;
        case 3:
            return (int)work_constant(y & 3) + 1;
        case 4:
            return y - 77;
        case 5:
            return y << 2 | 1;
        case 6:
            return work_switch(y & 3, x);
        case 7:
            return (int)weights[y & 3];
        default:
            return -1;
    }
}

void work_bytes(char *out, const char *in, size_t n) {
    memset(out, 0x5a, 3 * n);
    memcpy(out, in, n);
    memmove(out + 1, out, n);
}

int (*work_pointer(void))(int, int) {
    return work_switch;
}

const char *work_name(int i) {
    return i ? "a text of some length" : "another";
}

#endif
