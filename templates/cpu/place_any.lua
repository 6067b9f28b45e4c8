-- Stores rows of any length: the general form.
local cost = { base = 2.0, avx2 = 1.9, avx512 = 1.8 }
return strategy {
    name = "place_any",
    kind = "place",
    isas = { "base", "avx2", "avx512" },
    knobs = {},
    fields = function() return {} end,
    how = function() return "rows" end,
    rule = function(v) return { cost = cost[v.isa] } end,
}
