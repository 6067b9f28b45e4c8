# What the fuzz tester makes of a failure: a line that a person can read and that stands alone.
command -v python3 >/dev/null || { echo "SKIP: python3 is not installed" && exit 77; }
PYTHONDONTWRITEBYTECODE=1 exec python3 tests/faults/shrink.py batch-stride-dropped "$TEST_DIR"
