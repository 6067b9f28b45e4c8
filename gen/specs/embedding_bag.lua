return operation {
    name = "embedding_bag",
    summary = "Weighted sums of bags of rows of a table",
    formula = "out[G, S] += table[indices[G, L], S] * weights[G, L] from zeros",
    ranks = { L = 1 },
    values = { "logical", "integer", "float", "complex" },
    ahead_of_time = false,
    docs = {
        table = "The rows",
        indices = "The rows of each bag, along the last dimension",
        weights = "A factor for each index",
        out = "One sum for each bag",
    },
}
