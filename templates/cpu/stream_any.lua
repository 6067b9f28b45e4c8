-- Gathers long rows of any number of whole vectors to a large output, past the caches.
local vector = { base = 16, avx2 = 32, avx512 = 64 }
local cost = { base = 1.62, avx2 = 1.6, avx512 = 1.58 }
return strategy {
    name = "stream_any",
    kind = "move",
    isas = { "base", "avx2", "avx512" },
    knobs = {},
    fields = function() return {} end,
    how = function() return "nt" end,
    rule = function(v)
        return {
            row_min = 128, row_multiple = vector[v.isa], alignment = vector[v.isa], bytes_min = 16 * 1024 * 1024,
            cost = cost[v.isa],
        }
    end,
}
