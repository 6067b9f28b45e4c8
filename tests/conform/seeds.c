/* seeds: every worked example, shape formula and statement about errors of the operations' documentation, on every
 * tier and instruction set. The comments above the tables quote the statement that they hold the library to. */
#include <stdio.h>
#include <string.h>

#include "support/support.h"

/* ---- gather_nd: the worked examples ---- */

static const struct sample gather_nd_examples[] = {
    {"simple indexing into a matrix", "gather_nd",
     "indices=i64[2,2]=0,0,1,1 params=string[2,2]='a','b','c','d' out=string[2]='a','d'"},
    {"slice indexing into a matrix", "gather_nd",
     "indices=i64[2,1]=1,0 params=string[2,2]='a','b','c','d' out=string[2,2]='c','d','a','b'"},
    {"indexing into a 3-tensor: slices of rank 2", "gather_nd",
     "indices=i64[1,1]=1 params=string[2,2,2]='a0','b0','c0','d0','a1','b1','c1','d1' "
     "out=string[1,2,2]='a1','b1','c1','d1'"},
    {"indexing into a 3-tensor: slices of rank 1", "gather_nd",
     "indices=i64[2,2]=0,1,1,0 params=string[2,2,2]='a0','b0','c0','d0','a1','b1','c1','d1' "
     "out=string[2,2]='c0','d0','a1','b1'"},
    {"indexing into a 3-tensor: elements", "gather_nd",
     "indices=i64[2,3]=0,0,1,1,0,1 params=string[2,2,2]='a0','b0','c0','d0','a1','b1','c1','d1' "
     "out=string[2]='b0','b1'"},
    {"batched indexing into a matrix: elements", "gather_nd",
     "indices=i64[2,1,2]=0,0,0,1 params=string[2,2]='a','b','c','d' out=string[2,1]='a','b'"},
    {"batched slice indexing into a matrix", "gather_nd",
     "indices=i64[2,1,1]=1,0 params=string[2,2]='a','b','c','d' out=string[2,1,2]='c','d','a','b'"},
    {"batched indexing into a 3-tensor: slices of rank 2", "gather_nd",
     "indices=i64[2,1,1]=1,0 params=string[2,2,2]='a0','b0','c0','d0','a1','b1','c1','d1' "
     "out=string[2,1,2,2]='a1','b1','c1','d1','a0','b0','c0','d0'"},
    {"batched indexing into a 3-tensor: slices of rank 1", "gather_nd",
     "indices=i64[2,2,2]=0,1,1,0,0,0,1,1 params=string[2,2,2]='a0','b0','c0','d0','a1','b1','c1','d1' "
     "out=string[2,2,2]='c0','d0','a1','b1','a0','b0','c1','d1'"},
    {"batched indexing into a 3-tensor: elements", "gather_nd",
     "indices=i64[2,2,3]=0,0,1,1,0,1,0,1,1,1,1,0 params=string[2,2,2]='a0','b0','c0','d0','a1','b1','c1','d1' "
     "out=string[2,2]='b0','b1','d0','c1'"},
};

/* indices.shape[-1] <= params.rank; output: indices.shape[:-1] + params.shape[indices.shape[-1]:]; on the CPU an index
 * out of bounds is an error. */
static const struct sample gather_nd_rules[] = {
    {"depth = rank", "gather_nd", "params=i32[2,3]=0..5 indices=i32[1,2]=1,2 out=i32[1]=5"},
    {"depth < rank", "gather_nd", "params=i32[2,3]=0..5 indices=i32[1,1]=1 out=i32[1,3]=3..5"},
    {"depth > rank", "gather_nd", "params=i32[2,3]=0..5 indices=i32[1,3]=0*3 error=INVALID_ARGUMENT"},
    {"shape", "gather_nd", "params=i8[2,1,3,2]=0..11 indices=i32[2,1,2]=1,0,0,0 out=i8[2,1,3,2]=6..11,0..5"},
    {"one tuple", "gather_nd", "params=i32[2,3]=0..5 indices=i32[2]=1,2 out=i32[]=5"},
    {"out of bounds", "gather_nd",
     "params=i32[2,3]=0..5 indices=i32[2,2]=0,0,0,3 error=OUT_OF_BOUNDS:indices[1]=[0,3]doesnotindexinto"},
    {"negative", "gather_nd", "params=string[2]='a','b' indices=i32[1,1]=-1 error=OUT_OF_BOUNDS:indices[0]=[-1]"},
};

/* ---- gather ---- */

/* output.shape = params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:]; scalar, vector and higher
 * rank indices; negative axis; the default axis is the first one that is not of the batch; int16, int32, int64. */
static const struct sample gather_rules[] = {
    {"scalar indices", "gather", "params=i32[2,3]=0..5 indices=i32[]=1 axis=0 out=i32[3]=3..5"},
    {"scalar indices, axis 1", "gather", "params=i32[2,3]=0..5 indices=i32[]=1 axis=1 out=i32[2]=1,4"},
    {"scalar of a vector", "gather", "params=i32[3]=7,8,9 indices=i32[]=2 axis=0 out=i32[]=9"},
    {"vector indices", "gather", "params=i32[3,2]=0..5 indices=i32[2]=2,0 axis=0 out=i32[2,2]=4,5,0,1"},
    {"vector indices, axis 1", "gather", "params=i32[2,3]=0..5 indices=i32[2]=2,0 axis=1 out=i32[2,2]=2,0,5,3"},
    {"middle axis", "gather", "params=i32[2,3,2]=0..11 indices=i32[2]=2,1 axis=1 out=i32[2,2,2]=4,5,2,3,10,11,8,9"},
    {"matrix of indices", "gather",
     "params=i32[2,3]=0..5 indices=i32[2,2]=2,0,1,1 axis=1 out=i32[2,2,2]=2,0,1,1,5,3,4,4"},
    {"default axis", "gather", "params=i32[3,2]=0..5 indices=i32[1]=1 out=i32[1,2]=2,3"},
    {"axis -1", "gather", "params=i32[2,3]=0..5 indices=i32[2]=2,0 axis=-1 out=i32[2,2]=2,0,5,3"},
    {"axis -2", "gather", "params=i32[2,3]=0..5 indices=i32[1]=1 axis=-2 out=i32[1,3]=3..5"},
    {"rank(params) < axis + 1", "gather", "params=i32[2,3]=0..5 indices=i32[1]=0 axis=2 error=INVALID_ARGUMENT"},
    {"batch_dims = 1, default axis", "gather",
     "params=i32[2,3]=0..5 indices=i32[2,2]=2,0,1,1 batch_dims=1 out=i32[2,2]=2,0,4,4"},
    {"batch_dims = 1 < axis", "gather",
     "params=i32[2,2,3]=0..11 indices=i32[2,1]=2,0 axis=2 batch_dims=1 out=i32[2,2,1]=2,5,6,9"},
    {"batch_dims = rank(indices)", "gather", "params=i32[2,3]=0..5 indices=i32[2]=2,0 batch_dims=1 out=i32[2]=2,3"},
    {"batch_dims = -1", "gather",
     "params=i32[2,3]=0..5 indices=i32[2,2]=2,0,1,1 axis=1 batch_dims=-1 out=i32[2,2]=2,0,4,4"},
    {"batch_dims = 2", "gather", "params=i32[1,2,3]=0..5 indices=i32[1,2,1]=2,1 batch_dims=2 out=i32[1,2,1]=2,4"},
    {"batch_dims > rank(indices)", "gather",
     "params=i32[2,3]=0..5 indices=i32[2]=2,0 axis=1 batch_dims=2 error=INVALID_ARGUMENT"},
    {"axis < batch_dims", "gather",
     "params=i32[2,3]=0..5 indices=i32[2,2]=0*4 axis=0 batch_dims=1 error=INVALID_ARGUMENT"},
    {"batch shapes differ", "gather",
     "params=i32[2,3]=0..5 indices=i32[3,1]=0*3 axis=1 batch_dims=1 error=INVALID_ARGUMENT"},
    {"int16", "gather", "params=f32[3]=1,2,3 indices=i16[2]=2,0 axis=0 out=f32[2]=3,1"},
    {"int64", "gather", "params=f32[3]=1,2,3 indices=i64[2]=2,0 axis=0 out=f32[2]=3,1"},
    {"strings", "gather", "params=string[3]='x','','zz' indices=i32[3]=2,0,1 axis=0 out=string[3]='zz','x',''"},
    {"out of bounds", "gather",
     "params=i32[2,4]=0..7 indices=i32[1,2]=0,5 axis=1 error=OUT_OF_BOUNDS:indices[0,1]=5isnotin[0,4)"},
    {"out of bounds, scalar", "gather",
     "params=i32[2,4]=0..7 indices=i32[]=4 axis=1 error=OUT_OF_BOUNDS:4isnotin[0,4)"},
    {"negative", "gather", "params=i32[4]=0..3 indices=i32[1]=-1 axis=0 error=OUT_OF_BOUNDS:indices[0]=-1isnotin[0,4)"},
};

/* ---- scatter_nd ---- */

#define FOUR_ROWS "5*4,6*4,7*4,8*4"

/* Zero for numbers, empty for strings; duplicates are summed; updates: indices.shape[:-1] + shape[indices.shape[-1]:];
 * indices.shape[-1] <= shape.rank; on the CPU an index out of bounds is an error. */
static const struct sample scatter_nd_rules[] = {
    {"single elements", "scatter_nd",
     "indices=i32[4,1]=4,3,1,7 updates=i32[4]=9..12 shape=8 out=i32[8]=0,11,0,10,9,0,0,12"},
    {"slices", "scatter_nd",
     "indices=i32[2,1]=0,2 updates=i32[2,4,4]=" FOUR_ROWS "," FOUR_ROWS " shape=4,4,4 "
     "out=i32[4,4,4]=" FOUR_ROWS ",0*16," FOUR_ROWS ",0*16"},
    {"duplicates are summed", "scatter_nd", "indices=i32[3,1]=1,1,0 updates=i32[3]=5,6,7 shape=3 out=i32[3]=7,11,0"},
    {"empty strings", "scatter_nd",
     "indices=i32[2,1]=2,0 updates=string[2]='b','a' shape=4 out=string[4]='a','','b',''"},
    {"depth = rank", "scatter_nd", "indices=i32[1,2]=1,0 updates=f32[1]=2.5 shape=2,2 out=f32[2,2]=0,0,2.5,0"},
    {"depth > rank", "scatter_nd", "indices=i32[1,2]=0,0 updates=i32[1]=1 shape=4 error=INVALID_ARGUMENT"},
    {"shape of updates", "scatter_nd", "indices=i32[2,1]=0,1 updates=i32[2,3]=0*6 shape=4,2 error=INVALID_ARGUMENT"},
    {"out of bounds", "scatter_nd",
     "indices=i32[2,1]=1,3 updates=i32[2]=1,2 shape=3 error=OUT_OF_BOUNDS:indices[1]=[3]doesnotindexinto"},
    {"negative", "scatter_nd", "indices=i32[1,1]=-1 updates=i32[1]=1 shape=3 error=OUT_OF_BOUNDS:indices[0]=[-1]"},
    /* scatter_nd(indices, updates, shape) = tensor_scatter add (zeros(shape), indices, updates) */
    {"the same by tensor_scatter", "tensor_scatter",
     "tensor=i32[8]=0*8 indices=i32[4,1]=4,3,1,7 updates=i32[4]=9..12 combine=add out=i32[8]=0,11,0,10,9,0,0,12"},
};

/* ---- scatter_nd is the inverse of gather_nd ---- */

static void check_inverse(const struct setting *setting) {
    struct tensor indices, updates, sparse, back;
    tensor_parse(&indices, "i32[3,2]=0,2,1,0,3,1", AT_END);
    tensor_parse(&updates, "i32[3,2]=1..6", AT_END);
    tensor_parse(&sparse, "i32[4,3,2]", AT_END);
    tensor_parse(&back, "i32[3,2]", AT_END);
    const int64_t shape[] = {4, 3, 2};
    enum gasket_status there = CALL(setting->context, "scatter_nd", gasket_tensor("indices", &indices.view),
                                    gasket_tensor("updates", &updates.view), gasket_integers("shape", shape, 3),
                                    gasket_tensor("out", &sparse.view));
    enum gasket_status again = CALL(setting->context, "gather_nd", gasket_tensor("params", &sparse.view),
                                    gasket_tensor("indices", &indices.view), gasket_tensor("out", &back.view));
    check(!there && !again && tensors_equal(&updates, &back), "%s: gather_nd of scatter_nd gives %s", setting->name,
          tensor_hex(&back));
    tensor_free(&indices);
    tensor_free(&updates);
    tensor_free(&sparse);
    tensor_free(&back);
}

int main(void) {
    static struct setting settings[MAX_SETTINGS];
    SAMPLES_CHECK(gather_nd_examples);
    SAMPLES_CHECK(gather_nd_rules);
    SAMPLES_CHECK(gather_rules);
    SAMPLES_CHECK(scatter_nd_rules);
    size_t n = settings_open(settings);
    for (size_t i = 0; i < n; i++)
        check_inverse(&settings[i]);
    settings_close(settings, n);
    return finish();
}
