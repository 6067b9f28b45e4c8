return operation {
    name = "pick_columns",
    summary = "Columns of a matrix, picked by index.",
    formula = "out[M, N] = matrix[M, columns[N]]",
    ranks = { M = "1" },
    docs = { matrix = "the matrix", columns = "which columns", out = "one column for each index" },
}
