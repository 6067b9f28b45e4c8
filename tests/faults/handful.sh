# A few planted faults are found: that the fuzz tester finds faults at all. All of them: plant.py; see README.md.
set -u
command -v python3 >/dev/null || { echo "SKIP: python3 is not installed" && exit 77; }
export PYTHONDONTWRITEBYTECODE=1
python3 tests/faults/plant.py --check >"$TEST_DIR/said" || { cat "$TEST_DIR/said" && exit 1; }
exec python3 tests/faults/plant.py --handful --scratch "$TEST_DIR"
