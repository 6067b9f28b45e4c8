# The interpreter against a second reference, in Python, on drawn problems of every operation; and the reference itself
# against problems worked out by hand and the answers of TensorFlow. Of what is drawn, the small problems are taken.
set -u
command -v python3 >"$TEST_DIR/python" || { echo "SKIP: no python3" && exit 77; }
export PYTHONDONTWRITEBYTECODE=1
folder=tests/reference
python3 "$folder/vectors.py" tests/conform/vectors/*.txt >"$TEST_DIR/vectors.txt" || exit 1
set -- "$folder/lines.txt:149" "$TEST_DIR/vectors.txt:1867"
for operation in gather gather_nd scatter_nd tensor_scatter take_along_axis embedding_bag window_gather; do
    "$GASKET_BUILD/gasket-fuzz" --dump --op "$operation" --cases 3000 --seed 1 |
        awk 'length < 12000' >"$TEST_DIR/$operation.txt"
    set -- "$@" "$TEST_DIR/$operation.txt:1430" # 10,010 in all
done
exec python3 "$folder/reference.py" "$@"
