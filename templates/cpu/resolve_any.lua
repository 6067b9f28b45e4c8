-- Tuples of any depth to byte offsets: the general resolver.
return strategy {
    name = "resolve_any",
    kind = "resolve",
    isas = { "base" },
    knobs = {
        { "index", { "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64" } },
        { "form", { "mark", "clip", "wrap", "raw" } },
    },
    fields = function(v) return { index = v.index, form = v.form } end,
    how = function(v) return v.form end,
    rule = function() return { cost = 4.0 } end,
}
