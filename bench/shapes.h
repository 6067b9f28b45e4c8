/* shapes: unusual problems that call-time kernels are measured with. */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include "gasket/gasket.h"

/* Served by general kernels without call-time compilation. */
static const char *const shapes[] = {
    /* rows of odd lengths */
    "gather params=u8[4096,7] indices=i32[50000]<4096",
    "gather params=f16[4096,5] indices=i32[50000]<4096",
    "gather params=f32[4096,7] indices=i64[50000]<4096",
    "gather params=f32[4096,9] indices=i32[50000]<4096",
    "gather params=f16[4096,25] indices=i32[50000]<4096",
    "gather params=f32[4096,25] indices=i64[50000]<4096",
    "gather params=bf16[2048,80] indices=i32[20000]<2048",
    "gather params=f64[1024,25] indices=i32[20000]<1024",
    "gather params=f32[1024,75] indices=i32[10000]<1024",
    "gather params=u8[256,1000] indices=i32[5000]<256",
    "gather params=f8_e4m3fn[4096,13] indices=i32[50000]<4096",
    "gather params=i4[4096,26] indices=i32[50000]<4096",
    "gather params=f32[2000000,25] indices=i32[50000]<2000000",
    /* rows that do not fold */
    "gather params=f32[4096,8]{16,2} indices=i32[20000]<4096",
    "gather params=f32[2048,4,8]{64,16,1} indices=i32[20000]<2048",
    "gather params=f32[2000,3,5]{64,20,4} indices=i32[20000]<2000",
    "gather params=f32[4096,6]{1,4096} indices=i32[20000]<4096",
    "gather params=u8[1024,4,6,3]{512,128,20,6} indices=i32[10000]<1024",
    /* deep tuples */
    "gather_nd params=f32[6,7,5,4,9] indices=i32[20000,5]<6,7,5,4,9",
    "gather_nd params=f32[4,5,6,7,3,8] indices=i64[20000,6]<4,5,6,7,3,8",
    "gather_nd params=f32[6,7,5,4,9,3] indices=i32[20000,5]<6,7,5,4,9",
    /* modes, batches, axes */
    "gather params=f32[4096,9] indices=i16[50000]<5000 bounds=clip",
    "gather params=f32[4096,7] indices=i32[50000]<4096 bounds=from_end",
    "gather params=f32[64,200,9] indices=i32[64,300]<200 batch_dims=1",
    "gather params=f32[64,100,7] indices=i32[50]<100 axis=1",
    /* scatters */
    "tensor_scatter tensor=f32[4096,7] indices=i32[20000,1]<4096 updates=f32[20000,7]",
    "tensor_scatter tensor=f32[4096,3] indices=i32[20000,1]<4096 updates=f32[20000,3] combine=add",
    "tensor_scatter tensor=f16[4096,7] indices=i32[20000,1]<4096 updates=f16[20000,7] combine=add",
    "tensor_scatter tensor=f64[4096,3] indices=i64[20000,1]<4096 updates=f64[20000,3] combine=max",
    "tensor_scatter tensor=f32[6,7,5,4,9] indices=i32[20000,5]<6,7,5,4,9 updates=f32[20000] combine=add",
    "tensor_scatter tensor=f32[2048,4,6] indices=i32[10000,1]<2048 updates=f32[10000,4,6]{48,12,2} combine=add",
};
/* Without it served by the interpreter alone. */
static const char *const interpreted[] = {
    "take_along_axis params=f32[500,60] indices=i32[500,40]<60",
    "take_along_axis params=f64[200,30,8] indices=i64[200,30,8]<30 axis=1",
    "embedding_bag table=f32[1000,32] indices=i32[64,100]<1000 weights=f32[64,100]",
    "embedding_bag table=f16[1000,24] indices=i32[64,50]<1000 weights=f16[64,50]",
    "window_gather params=f32[64,500,4] start=i32[64]<400 window=[50]",
    "blend a=f32[200,64] b=f32[300,64] i=i32[400]<200 j=i32[400]<300 w=f32[400]",
};
enum { SHAPES = sizeof shapes / sizeof *shapes, INTERPRETED = sizeof interpreted / sizeof *interpreted };

/* A formula of a user's. */
static const struct gasket_definition blend = {
    .size = sizeof blend,
    .name = "blend",
    .formula = "out[N, S] = a[i[N], S] * b[j[N], S] * w[N]",
    .ranks = "N = 1",
};

#endif
