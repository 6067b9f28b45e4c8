-- Gathers single elements to rows that touch: vectors of outputs are put together and stored whole, past the caches
-- when the output is large. With several outer rows the next one is fetched in order while this one is read at random.
local vector = { base = 16, avx2 = 32, avx512 = 64 }
local cost = { base = 0.75, avx2 = 0.7, avx512 = 0.65 }
local large = 16 * 1024 * 1024
return strategy {
    name = "elements",
    kind = "move",
    isas = { "base", "avx2", "avx512" },
    knobs = { { "row", { 1, 2, 4, 8 } }, { "store", { "cached", "stream" } } },
    where = function(v) return v.store == "cached" or v.row >= 4 end, -- smaller ones are bound by their loads
    fields = function(v) return { row = v.row } end,
    how = function(v) return v.store == "stream" and "elements_nt" or "elements" end,
    rule = function(v)
        local streams = v.store == "stream"
        return {
            row_min = v.row, row_max = v.row, packed_rows = true, exact = true,
            alignment = streams and v.row or 1, bytes_min = streams and large or 0,
            count_min = streams and 128 or 0, -- shorter runs have more edges than lines
            cost = cost[v.isa] * (streams and 0.8 or 1.0),
        }
    end,
}
