/* cases_bounds: public bug reports on indices out of bounds (tests/cases.md, section A), on every setting. */
#include <stdio.h>

#include "support/support.h"

static const struct sample samples[] = {
    {"B01", "gather_nd", "params=f32[5,5,5]=1*125 indices=i32[1,3]=6,6,6 error=OUT_OF_BOUNDS:indices[0]=[6,6,6]"},
    {"B02", "gather", "params=f32[2,1]=0.1,0.2 indices=i32[1,1]=3 axis=0 error=OUT_OF_BOUNDS:indices[0,0]=3"},
    {"B04 scatter", "tensor_scatter",
     "tensor=f32[3,10,4]=0*120 indices=i32[1,2]=0,10 updates=f32[1,4]=1*4 error=OUT_OF_BOUNDS:indices[0]=[0,10]"},
    {"B04 past the row", "gather_nd", "params=i32[2,3]=0..5 indices=i32[1,2]=0,3 error=OUT_OF_BOUNDS:indices[0]=[0,3]"},
    {"B04 before the row", "gather_nd",
     "params=i32[2,3]=0..5 indices=i32[1,2]=1,-1 error=OUT_OF_BOUNDS:indices[0]=[1,-1]"},
    {"B04 filled", "gather_nd", "params=i32[2,3]=0..5 indices=i32[3,2]=0,3,1,-1,1,1 bounds=fill out=i32[3]=0,0,4"},
    {"B04 dropped", "tensor_scatter",
     "tensor=f32[3,10,4]=0*120 indices=i32[1,2]=0,10 updates=f32[1,4]=1*4 bounds=drop out=f32[3,10,4]=0*120"},
    {"B05 f32", "scatter_nd",
     "indices=i32[3,1]=-1,1,2 updates=f32[3]=10,11,12 shape=5 error=OUT_OF_BOUNDS:indices[0]=[-1]"},
    {"B05 i32", "scatter_nd",
     "indices=i32[3,1]=-1,1,2 updates=i32[3]=10,11,12 shape=5 error=OUT_OF_BOUNDS:indices[0]=[-1]"},
    {"B05 f32 dropped", "scatter_nd",
     "indices=i32[3,1]=-1,1,2 updates=f32[3]=10,11,12 shape=5 bounds=drop out=f32[5]=0,11,12,0,0"},
    {"B05 i32 dropped", "scatter_nd",
     "indices=i32[3,1]=-1,1,2 updates=i32[3]=10,11,12 shape=5 bounds=drop out=i32[5]=0,11,12,0,0"},
    {"B07", "gather_nd",
     "params=f32[9,4]=0..35 indices=i32[9,2]=0,1,1,1,2,1,3,1,4,1,5,1,6,1,7,1,8,-1 "
     "error=OUT_OF_BOUNDS:indices[8]=[8,-1]"},
    {"B07 shape", "gather_nd", "params=f32[9,4]=0..35 indices=i32[1,2]=8,-1 error=OUT_OF_BOUNDS:[9,4]"},
    {"B10 near", "tensor_scatter",
     "tensor=f32[10,2]=0..19 indices=i32[1,1]=20 updates=f32[1,2]=1,2 error=OUT_OF_BOUNDS:indices[0]=[20]"},
    {"B10 far", "tensor_scatter",
     "tensor=f32[10,2]=0..19 indices=i32[1,1]=999999 updates=f32[1,2]=1,2 error=OUT_OF_BOUNDS:indices[0]=[999999]"},
    {"B11", "scatter_nd", "indices=i32[1,1]=-1 updates=i32[1]=9 shape=4 error=OUT_OF_BOUNDS:indices[0]=[-1]"},
    {"B11 dropped", "scatter_nd", "indices=i32[1,1]=-1 updates=i32[1]=9 shape=4 bounds=drop out=i32[4]=0*4"},
    {"B11 single row", "gather", "params=i32[4,3]=0..11 indices=i32[1]=-1 axis=0 error=OUT_OF_BOUNDS:indices[0]=-1"},
    {"B11 neighbours", "gather", "params=i32[4,3]=0..11 indices=i32[3]=2,3,4 axis=0 error=OUT_OF_BOUNDS:indices[2]=4"},
    {"B13 write above", "scatter_nd",
     "indices=i32[1,1]=1000000 updates=f32[1]=1 shape=3 error=OUT_OF_BOUNDS:indices[0]=[1000000]"},
    {"B13 write below", "scatter_nd", "indices=i32[1,1]=-5 updates=f32[1]=1 shape=3 error=OUT_OF_BOUNDS:[-5]"},
    {"B13 read", "gather", "params=f32[4]=0..3 indices=i32[1]=-1 axis=0 error=OUT_OF_BOUNDS:indices[0]=-1"},
    {"B14", "gather", "params=i32[3]=10,20,30 indices=i32[3]=0,1,7 axis=0 error=OUT_OF_BOUNDS:indices[2]=7"},
    {"first of several", "gather",
     "params=i32[4]=0..3 indices=i32[2,3]=0,1,2,3,9,-7 axis=0 error=OUT_OF_BOUNDS:indices[1,1]=9"},
    {"rows of no bytes are checked", "gather",
     "params=f32[2,0] indices=i32[1]=5 axis=0 error=OUT_OF_BOUNDS:indices[0]=5isnotin[0,2)"},
    {"rows of no bytes, in range", "gather", "params=f32[2,0] indices=i32[1]=1 axis=0 out=f32[1,0]"},
    {"no outer rows: indices are checked all the same", "gather",
     "params=f32[0,3] indices=i32[1]=3 axis=1 error=OUT_OF_BOUNDS:indices[0]=3"},
    {"u64 above i64", "gather",
     "params=i8[2]=1,2 indices=u64[1]=18446744073709551615 axis=0 error=OUT_OF_BOUNDS:indices[0]="},
    {"u8 at 255", "gather", "params=i8[2]=1,2 indices=u8[2]=1,255 axis=0 error=OUT_OF_BOUNDS:indices[1]=255"},
    {"i64, low half in range", "gather",
     "params=i8[2]=1,2 indices=i64[1]=4294967297 axis=0 error=OUT_OF_BOUNDS:indices[0]=4294967297"},
    {"empty dimension", "gather", "params=f32[0]= indices=i32[1]=0 axis=0 error=OUT_OF_BOUNDS:isnotin[0,0)"},

    /* bounds modes */
    {"fill with an integer", "gather",
     "params=i32[3]=1,2,3 indices=i32[4]=2,3,-1,0 axis=0 bounds=fill fill=-7 out=i32[4]=3,-7,-7,1"},
    {"fill with a real", "gather",
     "params=f16[3]=1,2,3 indices=i32[3]=3,-1,0 axis=0 bounds=fill fill=0.5 out=f16[3]=0.5,0.5,1"},
    {"fill rows", "gather",
     "params=f64[2,3]=1..6 indices=i32[2]=2,1 axis=0 bounds=fill fill=1.5 out=f64[2,3]=1.5*3,4..6"},
    {"fill with a text", "gather",
     "params=string[2]='a','b' indices=i32[3]=9,1,-1 axis=0 bounds=fill fill='none' out=string[3]='none','b','none'"},
    {"fill with a tensor", "gather",
     "params=c64[2]=1;2,3;4 indices=i32[2]=1,2 axis=0 bounds=fill fill=c64[]=5;-6 out=c64[2]=3;4,5;-6"},
    {"fill along the last axis", "gather",
     "params=i16[2,3]=1..6 indices=i32[2]=3,0 axis=1 bounds=fill fill=9 out=i16[2,2]=9,1,9,4"},
    {"clip", "gather", "params=i32[3]=1,2,3 indices=i32[4]=-9,3,1,100 axis=0 bounds=clip out=i32[4]=1,3,2,3"},
    {"clip tuples", "gather_nd", "params=i32[2,3]=0..5 indices=i32[2,2]=-1,5,1,1 bounds=clip out=i32[2]=2,4"},
    {"clip, scatter", "scatter_nd",
     "indices=i32[3,1]=-5,1,7 updates=i32[3]=1,2,4 shape=3 bounds=clip out=i32[3]=1,2,4"},
    {"from_end", "gather", "params=i32[3]=1,2,3 indices=i32[3]=-1,-3,2 axis=0 bounds=from_end out=i32[3]=3,1,3"},
    {"from_end wraps once", "gather",
     "params=i32[3]=1,2,3 indices=i32[2]=0,-4 axis=0 bounds=from_end error=OUT_OF_BOUNDS:indices[1]=-4"},
    {"from_end, too high", "gather",
     "params=i32[3]=1,2,3 indices=i32[2]=0,3 axis=0 bounds=from_end error=OUT_OF_BOUNDS:indices[1]=3"},
    {"from_end with a fill value", "gather",
     "params=i32[3]=1,2,3 indices=i32[3]=-1,-4,3 axis=0 bounds=from_end fill=8 out=i32[3]=3,8,8"},
    {"from_end, scatter", "scatter_nd",
     "indices=i32[2,1]=-1,0 updates=i32[2]=5,6 shape=3 bounds=from_end out=i32[3]=6,0,5"},
    {"unchecked", "gather", "params=i32[3]=1,2,3 indices=i32[3]=2,0,1 axis=0 bounds=unchecked out=i32[3]=3,1,2"},
    {"unchecked, scatter", "scatter_nd",
     "indices=i32[2,1]=2,0 updates=i32[2]=5,6 shape=3 bounds=unchecked out=i32[3]=6,0,5"},
    {"no drop for gather", "gather", "params=i32[3]=1,2,3 indices=i32[1]=0 axis=0 bounds=drop error=INVALID_ARGUMENT"},
    {"no fill for scatter", "scatter_nd",
     "indices=i32[1,1]=0 updates=i32[1]=5 shape=3 bounds=fill error=INVALID_ARGUMENT"},
    {"no such mode", "gather", "params=i32[3]=1,2,3 indices=i32[1]=0 axis=0 bounds=wrap error=INVALID_ARGUMENT"},
};

/* B08: the last row, and the one after it, for every dtype, index type, and row size. */
static void check_last_row(const struct setting *settings, size_t n, const char *dtype, const char *index, int width) {
    char texts[2][160], name[96];
    snprintf(name, sizeof name, "B08 %s, %s, width %d", dtype, index, width);
    snprintf(texts[0], sizeof texts[0], "params=%s[3,%d]=0*%d,1*%d indices=%s[1]=2 axis=0 out=%s[1,%d]=1*%d", dtype,
             width, 2 * width, width, index, dtype, width, width);
    snprintf(texts[1], sizeof texts[1], "params=%s[3,%d]=0*%d indices=%s[1]=3 axis=0 error=OUT_OF_BOUNDS:indices[0]=3",
             dtype, width, 3 * width, index);
    for (int past = 0; past < 2; past++) {
        struct line line;
        line_parse(&line, "gather", texts[past], AT_END);
        for (size_t i = 0; i < n; i++)
            line_check(&line, &settings[i], name);
        line_free(&line);
    }
}

int main(void) {
    static const char *const dtypes[] = {"bool", "i16", "f32", "f64", "c128"};
    static const char *const indices[] = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"};
    static const int widths[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 32};
    static struct setting settings[MAX_SETTINGS];
    SAMPLES_CHECK(samples);
    size_t n = settings_open(settings);
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
        for (size_t i = 0; i < sizeof indices / sizeof *indices; i++)
            for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
                check_last_row(settings, n, dtypes[d], indices[i], widths[w]);
    settings_close(settings, n);
    return finish();
}
