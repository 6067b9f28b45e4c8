-- Combines boxes of strided elements: the general combiner.
local values = {}
for _, one in ipairs(dtypes) do
    if #combines(one.class) > 1 and one.class ~= "string" then
        values[#values + 1] = one.name
    end
end

local function has(class, op)
    for _, known in ipairs(combines(class)) do
        if known == op then
            return true
        end
    end
    return false
end

local function chooses_nan(v)
    return dtype[v.value].class == "float" and (v.op == "min" or v.op == "max")
end

return strategy {
    name = "combine_strided",
    kind = "combine",
    isas = { "base" },
    knobs = { { "value", values }, { "op", { "add", "sub", "mul", "min", "max" } }, { "nan", { 0, 1 } } },
    where = function(v) return has(dtype[v.value].class, v.op) and (v.nan == 0 or chooses_nan(v)) end,
    fields = function(v) return { value = v.value, combine = v.op, nan = chooses_nan(v) and v.nan or nil } end,
    how = function() return "strided" end,
    rule = function(v)
        local bytes = dtype[v.value].bits // 8
        return { row_min = bytes, row_max = bytes, strided = true, cost = 4.0 }
    end,
}
