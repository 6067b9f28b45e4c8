-- Tuples of a known depth to byte offsets. Packed tuples whose coordinates and strides fit 31 bits take a loop that
-- compilers turn into vectors; everything else takes one of 64 bits and run-time strides.
local cost = { base = 1.0, avx2 = 0.7, avx512 = 0.5 }
return strategy {
    name = "resolve",
    kind = "resolve",
    isas = { "base", "avx2", "avx512" },
    knobs = {
        { "index", { "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64" } },
        { "depth", { 1, 2, 3, 4 } },
        { "form", { "mark", "clip", "wrap", "raw" } },
    },
    fields = function(v) return { index = v.index, depth = v.depth, form = v.form } end,
    how = function(v) return v.form end,
    rule = function(v) return { exact = true, cost = cost[v.isa] } end,
}
