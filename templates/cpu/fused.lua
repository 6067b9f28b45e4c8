-- Looks up and gathers small rows in one loop: each index is compared and used in a register. Beats resolving first when
-- a run is longer than a block.
local cost = { base = 0.40, avx2 = 0.39 }
local large = 16 * 1024 * 1024
return strategy {
    name = "fused",
    kind = "fused",
    isas = { "base", "avx2" },
    knobs = {
        { "index", { "i32", "i64" } },
        { "row", { 1, 2, 4, 8, 16 } },
        { "form", { "mark", "raw" } },
        { "store", { "cached", "stream" } },
    },
    where = function(v) return v.store == "cached" or v.row >= 4 end, -- smaller ones are bound by their loads
    fields = function(v) return { index = v.index, depth = 1, form = v.form, row = v.row } end,
    how = function(v) return v.form .. (v.store == "stream" and "_nt" or "") end,
    rule = function(v)
        local streams = v.store == "stream"
        return {
            row_min = v.row, row_max = v.row, packed_tuples = true, packed_rows = true, count_min = 513, exact = true,
            alignment = streams and v.row or 1, bytes_min = streams and large or 0,
            cost = cost[v.isa] * (streams and 0.8 or 1.0),
        }
    end,
}
