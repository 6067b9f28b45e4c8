return operation {
    name = "tensor_scatter",
    summary = "A tensor with slices stored or combined into it, each at a tuple of indices",
    formula = "out[indices[N, *], S] ?= updates[N, S] from tensor",
    combine = { "store", "add", "sub", "mul", "min", "max" },
    docs = {
        tensor = "What out starts as; may be the same memory as out",
        indices = "Tuples along the last dimension; k values address the first k dimensions of tensor",
        updates = "One slice for each tuple; slices with the same tuple act in the order of the tuples",
        out = "The tensor after all updates",
    },
}
