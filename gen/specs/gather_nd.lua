return operation {
    name = "gather_nd",
    summary = "Slices of a tensor, each picked by a tuple of indices",
    formula = "out[B, N, S] = params[B, indices[B, N, *], S]",
    attributes = {
        {
            name = "batch_dims",
            default = 0,
            minimum = 0,
            maximum = "rank(indices) - 1",
            doc = "Leading dimensions that params and indices share",
        },
    },
    ranks = { B = "batch_dims" },
    docs = {
        params = "The tensor that slices are taken from",
        indices = "Tuples along the last dimension; k values address k dimensions of params after the batch",
        out = "One slice for each tuple",
    },
}
