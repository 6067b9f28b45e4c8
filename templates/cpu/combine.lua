-- Combines rows of any number of elements into the indexed rows, vector by vector. abi/number.h says what each operator
-- means, and what becomes of NaN.
local cost = { base = 1.0, avx2 = 0.8, avx512 = 0.7 }
return strategy {
    name = "combine",
    kind = "combine",
    isas = { "base", "avx2", "avx512" },
    knobs = { { "value", combining }, { "op", { "add", "sub", "mul", "min", "max" } }, { "nan", { 0, 1 } } },
    where = function(v) return has_combiner(v.value, v.op, v.nan) end,
    fields = function(v)
        return { value = v.value, combine = v.op, nan = has_combiner(v.value, v.op, 1) and v.nan or nil }
    end,
    how = function() return "rows" end,
    rule = function(v) return { cost = cost[v.isa] } end,
}
