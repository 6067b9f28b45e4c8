return strategy {
    name = "turns",
    kind = "nest",
    knobs = { { "value", { "e1", "f32" } }, { "turns", { 1, 2, 3 } } },
    where = function(v) return v.turns ~= 2 end,
}
