-- Combines single elements into the indexed ones. The base instruction set only: each is a load, an operation and a
-- store.
return strategy {
    name = "combine_one",
    kind = "combine",
    isas = { "base" },
    knobs = { { "value", combining }, { "op", { "add", "sub", "mul", "min", "max" } }, { "nan", { 0, 1 } } },
    where = function(v) return has_combiner(v.value, v.op, v.nan) end,
    fields = function(v)
        return { value = v.value, combine = v.op, nan = has_combiner(v.value, v.op, 1) and v.nan or nil }
    end,
    how = function() return "one" end,
    rule = function(v)
        local bytes = dtype[v.value].bits // 8
        return { row_min = bytes, row_max = bytes, exact = true, cost = 0.5 }
    end,
}
