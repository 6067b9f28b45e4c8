/* definitions: see definitions.h. */
#include "support/definitions.h"

static const struct gasket_definition_attribute gather[] = {
    {.name = "batch_dims",
     .default_value = "0",
     .minimum = "-rank(indices)",
     .maximum = "rank(indices)",
     .wrap = "rank(indices)",
     .doc = "Leading dimensions that params and indices share; negative counts from the end of indices"},
    {.name = "axis",
     .type = "int",
     .default_value = "batch_dims",
     .minimum = "-rank(params)",
     .maximum = "rank(params) - 1",
     .wrap = "rank(params)",
     .doc = "The dimension that the indices address, not before batch_dims; negative counts from the end"},
};
static const struct gasket_definition_attribute gather_nd[] = {
    {.name = "batch_dims",
     .default_value = "0",
     .minimum = "0",
     .maximum = "rank(indices) - 1",
     .doc = "Leading dimensions that params and indices share"},
};
static const struct gasket_definition_attribute scatter_nd[] = {
    {.name = "shape", .type = "ints", .doc = "The extents of the output"},
};
static const struct gasket_definition_attribute take_along_axis[] = {
    {.name = "axis",
     .default_value = "-1",
     .minimum = "-rank(params)",
     .maximum = "rank(params) - 1",
     .wrap = "rank(params)",
     .doc = "The dimension that the indices address; negative counts from the end"},
};
static const struct gasket_definition_attribute window_gather[] = {
    {.name = "window", .type = "ints", .doc = "The extent of the windows, as a list of one number"},
};

#define ATTRIBUTES(list) .attributes = (list), .n_attributes = sizeof(list) / sizeof *(list)

const struct gasket_definition definitions[DEFINITIONS] = {
    {.size = sizeof(struct gasket_definition),
     .name = "my_embedding_bag",
     .formula = "out[G, S] += table[indices[G, L], S] * weights[G, L] from zeros",
     .summary = "Weighted sums of bags of rows of a table",
     .ranks = "L = 1",
     .values = "logical, integer, float, complex",
     .docs = "table: The rows\n"
             "indices: The rows of each bag, along the last dimension\n"
             "weights: A factor for each index\n"
             "out: One sum for each bag\n"},
    {.size = sizeof(struct gasket_definition),
     .name = "my_gather",
     .formula = "out[B, O, N, S] = params[B, O, indices[B, N], S]",
     .summary = "Slices of a tensor along one axis, picked by index",
     ATTRIBUTES(gather),
     .ranks = "B = batch_dims, O = axis - batch_dims",
     .docs = "params: The tensor that slices are taken from\n"
             "indices: Places along the axis\n"
             "out: params with the axis replaced by the dimensions of indices after the batch"},
    {.size = sizeof(struct gasket_definition),
     .name = "my_gather_nd",
     .formula = "out[B, N, S] = params[B, indices[B, N, *], S]",
     .summary = "Slices of a tensor, each picked by a tuple of indices",
     ATTRIBUTES(gather_nd),
     .ranks = "B = batch_dims",
     .indices = "all",
     .docs = "params: The tensor that slices are taken from\n"
             "indices: Tuples along the last dimension; k values address k dimensions of params after the batch\n"
             "out: One slice for each tuple"},
    {.size = sizeof(struct gasket_definition),
     .name = "my_scatter_nd",
     .formula = "out[indices[N, *], S] += updates[N, S] from zeros",
     .summary = "Slices added into a tensor of zeros, each at a tuple of indices",
     ATTRIBUTES(scatter_nd),
     .output_extents = "shape",
     .values = "logical,integer,float,complex,string",
     .docs = "indices: Tuples along the last dimension; k values address the first k dimensions of out\n"
             "updates: One slice for each tuple; slices with the same tuple add up in the order of the tuples\n"
             "out: Zeros (empty strings) where no tuple points"},
    {.size = sizeof(struct gasket_definition),
     .name = "my_take_along_axis",
     .formula = "out[P, N, S] = params[P, indices[P, N, S], S]",
     .summary = "Values along one axis, picked by an index tensor of the same rank",
     ATTRIBUTES(take_along_axis),
     .ranks = " P=axis ,N=1 ",
     .docs = "params: The tensor that values are taken from\n"
             "indices: As params, but of any extent along the axis\n"
             "out: As indices, with the values of params"},
    {.size = sizeof(struct gasket_definition),
     .name = "my_tensor_scatter",
     .formula = "out[indices[N, *], S] ?= updates[N, S] from tensor",
     .summary = "A tensor with slices stored or combined into it, each at a tuple of indices",
     .combine = "store, add, sub, mul, min, max",
     .docs = "tensor: What out starts as; may be the same memory as out\n"
             "indices: Tuples along the last dimension; k values address the first k dimensions of tensor\n"
             "updates: One slice for each tuple; slices with the same tuple act in the order of the tuples\n"
             "out: The tensor after all updates"},
    {.size = sizeof(struct gasket_definition),
     .name = "my_window_gather",
     .formula = "out[B, W, S] = params[B, start[B] + W, S]",
     .summary = "Windows of a tensor, each beginning at a place that is looked up",
     ATTRIBUTES(window_gather),
     .extents = "W = window",
     .bounds = "error, fill, clip, from_end, unchecked",
     .docs = "params: The tensor that windows are taken from\n"
             "start: Where the window of each batch begins\n"
             "out: One window for each batch"},
};
