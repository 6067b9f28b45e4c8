-- Loops over whole operands that a constant describes (abi/nest.h): compiled when they are called. One text for each
-- size of elements that are only moved, one for each type that is computed with.
local values = { "e1", "e2", "e4", "e8", "e16" }
for _, name in ipairs(combining) do values[#values + 1] = name end
return strategy {
    name = "nest",
    kind = "nest",
    knobs = { { "value", values } },
}
