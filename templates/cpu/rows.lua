-- Gathers rows of a length that is known when the kernel is compiled.
local cost = { base = 1.0, avx2 = 0.9, avx512 = 0.8 }
return strategy {
    name = "rows",
    kind = "move",
    isas = { "base", "avx2", "avx512" },
    knobs = { { "row", { 1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 192, 256, 384, 512, 1024 } } },
    where = function(v) return v.isa == "base" or v.row >= 24 end, -- below that a wider vector has nothing to copy
    fields = function(v) return { row = v.row } end,
    how = function() return "rows" end,
    rule = function(v) return { row_min = v.row, row_max = v.row, exact = true, cost = cost[v.isa] } end,
}
