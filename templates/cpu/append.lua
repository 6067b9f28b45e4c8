-- Adds strings to the end of the indexed ones; the caller's function owns the memory.
return strategy {
    name = "append",
    kind = "combine",
    isas = { "base" },
    knobs = {},
    fields = function() return { value = "string", combine = "add" } end,
    how = function() return "append" end,
    rule = function() return { cost = 1.0 } end,
}
