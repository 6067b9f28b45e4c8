return operation {
    name = "put",
    summary = "Combines rows into a tensor that is made",
    formula = "out[places[N], S] ?= rows[N, S] from zeros",
    attributes = { { name = "extents", type = "ints", doc = "Those of out" } },
    output_extents = "extents",
    combine = { "max", "store" },
    values = { "f16" },
    indices = { "i32" },
    ahead_of_time = false,
}
