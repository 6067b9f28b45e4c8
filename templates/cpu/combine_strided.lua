-- Combines boxes of strided elements: the general combiner.
return strategy {
    name = "combine_strided",
    kind = "combine",
    isas = { "base" },
    knobs = { { "value", combining }, { "op", { "add", "sub", "mul", "min", "max" } }, { "nan", { 0, 1 } } },
    where = function(v) return has_combiner(v.value, v.op, v.nan) end,
    fields = function(v)
        return { value = v.value, combine = v.op, nan = has_combiner(v.value, v.op, 1) and v.nan or nil }
    end,
    how = function() return "strided" end,
    rule = function(v)
        local bytes = dtype[v.value].bits // 8
        return { row_min = bytes, row_max = bytes, strided = true, cost = 4.0 }
    end,
}
