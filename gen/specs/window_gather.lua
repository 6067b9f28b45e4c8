return operation {
    name = "window_gather",
    summary = "Windows of a tensor, each beginning at a place that is looked up",
    formula = "out[B, W, S] = params[B, start[B] + W, S]",
    attributes = {
        { name = "window", type = "ints", doc = "The extent of the windows, as a list of one number" },
    },
    extents = { W = "window" },
    ahead_of_time = false,
    docs = {
        params = "The tensor that windows are taken from",
        start = "Where the window of each batch begins",
        out = "One window for each batch",
    },
}
