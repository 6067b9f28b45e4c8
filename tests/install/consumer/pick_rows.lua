return operation {
    name = "pick_rows",
    summary = "Rows of a table, picked by number",
    formula = "out[N, S] = table[rows[N], S]",
    docs = { table = "The rows", rows = "Which rows", out = "The rows that were picked" },
}
