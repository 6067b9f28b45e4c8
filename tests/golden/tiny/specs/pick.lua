-- Every kind of field at least once.
return operation {
    name = "pick",
    summary = "Picks \"rows\"? Yes",
    formula = "out[B, N, S] = params[B, places[B, N, *], S]",
    attributes = {
        { name = "batch", minimum = 0, maximum = "rank(places) - 1", doc = "Leading dimensions of the batch" },
        { name = "again", default = "batch - 3", wrap = "rank(params)" },
    },
    ranks = { B = "batch" },
    values = { "f32", "logical" },
    indices = { "i32", "u8" },
    bounds = { "error", "clip" },
    docs = { params = "What is picked from", out = "What was picked" },
}
