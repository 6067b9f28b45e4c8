-- Gathers boxes of strided elements, of any rank: the general form.
return strategy {
    name = "strided",
    kind = "move",
    isas = { "base" },
    knobs = { { "element", { 1, 2, 4, 8, 16 } } },
    fields = function() return {} end,
    how = function(v) return "strided_e" .. v.element end,
    rule = function(v) return { row_min = v.element, row_max = v.element, strided = true, cost = 4.0 } end,
}
