# A few planted faults are found: that the fuzz tester finds faults at all. All of them: plant.py; see README.md.
set -u
for tool in python3 cmake ninja; do
    command -v $tool >/dev/null || { echo "SKIP: $tool is not installed" && exit 77; }
done
test -x "$GASKET_GEN" || { echo "SKIP: this build has no gasket-gen" && exit 77; }
export PYTHONDONTWRITEBYTECODE=1
python3 tests/faults/plant.py --check >"$TEST_DIR/said" || { cat "$TEST_DIR/said" && exit 1; }
exec python3 tests/faults/plant.py --handful --scratch "$TEST_DIR"
