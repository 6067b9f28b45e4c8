return operation {
    name = "scatter_nd",
    summary = "Slices added into a tensor of zeros, each at a tuple of indices",
    formula = "out[indices[N, *], S] += updates[N, S] from zeros",
    attributes = {
        { name = "shape", type = "ints", doc = "The extents of the output" },
    },
    output_extents = "shape",
    values = { "logical", "integer", "float", "complex", "string" },
    docs = {
        indices = "Tuples along the last dimension; k values address the first k dimensions of out",
        updates = "One slice for each tuple; slices with the same tuple add up in the order of the tuples",
        out = "Zeros (empty strings) where no tuple points",
    },
}
