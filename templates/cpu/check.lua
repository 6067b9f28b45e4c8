-- Whether a tuple is out of bounds, and nothing else: what comes before the first store where a bad index is an error.
local cost = { base = 1.0, avx2 = 0.7, avx512 = 0.5 }
return strategy {
    name = "check",
    kind = "check",
    isas = { "base", "avx2", "avx512" },
    knobs = {
        { "index", { "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64" } },
        { "form", { "mark", "wrap" } },
    },
    fields = function(v) return { index = v.index, form = v.form } end,
    how = function(v) return v.form end,
    rule = function(v) return { exact = true, cost = cost[v.isa] } end,
}
