-- What a strategy defines, its template may use.
function shown(text, n)
    return text:rep(n, ", ")
end

return strategy {
    name = "rows",
    kind = "move",
    isas = { "base", "avx2", "neon" },
    knobs = { { "row", { 4, 16 } }, { "turns", { 1, 2 } } },
    where = function(v) return v.isa ~= "neon" or v.row == 16 end,
    fields = function(v) return { row = v.row } end,
    how = function(v) return "rows_x" .. v.turns end,
    rule = function(v)
        return {
            row_min = v.row, row_max = v.row, row_multiple = 4, count_min = 8, count_max = 1 << 40, bytes_min = 64,
            alignment = v.row, packed_rows = true, strided = true, exact = true, cost = 0.1 * v.turns,
        }
    end,
}
