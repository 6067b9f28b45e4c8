-- Gathers rows to a large output with stores that go past the caches: lines that nobody reads soon are not fetched
-- before they are written. Pays from about 16 MiB on and loses below.
local vector = { base = 16, avx2 = 32, avx512 = 64 }
local cost = { base = 0.62, avx2 = 0.6, avx512 = 0.58 }
return strategy {
    name = "stream",
    kind = "move",
    isas = { "base", "avx2", "avx512" },
    knobs = { { "row", { 16, 32, 48, 64, 96, 128, 192, 256, 512, 1024 } } },
    where = function(v) return v.row % vector[v.isa] == 0 end,
    fields = function(v) return { row = v.row } end,
    how = function() return "nt" end,
    rule = function(v)
        return {
            row_min = v.row, row_max = v.row, alignment = vector[v.isa], bytes_min = 16 * 1024 * 1024,
            packed_rows = v.row < 64, exact = true, cost = cost[v.isa],
        }
    end,
}
