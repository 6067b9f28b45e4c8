return operation {
    name = "take_along_axis",
    summary = "Values along one axis, picked by an index tensor of the same rank",
    formula = "out[P, N, S] = params[P, indices[P, N, S], S]",
    attributes = {
        {
            name = "axis",
            default = -1,
            minimum = "-rank(params)",
            maximum = "rank(params) - 1",
            wrap = "rank(params)",
            doc = "The dimension that the indices address; negative counts from the end",
        },
    },
    ranks = { P = "axis", N = 1 },
    ahead_of_time = false,
    docs = {
        params = "The tensor that values are taken from",
        indices = "As params, but of any extent along the axis",
        out = "As indices, with the values of params",
    },
}
