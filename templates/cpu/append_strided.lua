-- Adds boxes of strided strings to the end of the indexed ones: the general form.
return strategy {
    name = "append_strided",
    kind = "combine",
    isas = { "base" },
    knobs = {},
    fields = function() return { value = "string", combine = "add" } end,
    how = function() return "append_strided" end,
    rule = function() return { row_min = 16, row_max = 16, strided = true, cost = 4.0 } end,
}
