return operation {
    name = "gather",
    summary = "Slices of a tensor along one axis, picked by index",
    formula = "out[B, O, N, S] = params[B, O, indices[B, N], S]",
    attributes = {
        {
            name = "batch_dims",
            default = 0,
            minimum = "-rank(indices)",
            maximum = "rank(indices)",
            wrap = "rank(indices)",
            doc = "Leading dimensions that params and indices share; negative counts from the end of indices",
        },
        {
            name = "axis",
            default = "batch_dims",
            minimum = "-rank(params)",
            maximum = "rank(params) - 1",
            wrap = "rank(params)",
            doc = "The dimension that the indices address, not before batch_dims; negative counts from the end",
        },
    },
    ranks = { B = "batch_dims", O = "axis - batch_dims" },
    docs = {
        params = "The tensor that slices are taken from",
        indices = "Places along the axis",
        out = "params with the axis replaced by the dimensions of indices after the batch",
    },
}
