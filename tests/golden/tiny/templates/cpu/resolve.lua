return strategy {
    name = "resolve",
    kind = "resolve",
    isas = { "base" },
    knobs = { { "index", { "u8", "i16", "i32" } }, { "depth", { 1, "n" } }, { "form", { "mark", "clip", "raw" } } },
    where = function(v) return v.depth == 1 or v.form == "clip" end,
    fields = function(v)
        return { index = v.index, form = v.form, depth = v.depth ~= "n" and v.depth or nil }
    end,
    how = function(v) return v.form end,
    rule = function(v) return { exact = v.depth == 1, packed_tuples = true, cost = 1 / 3 } end,
}
