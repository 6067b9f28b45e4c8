# What the fuzz tester makes of a failure: a line that a person can read and that stands alone.
set -u
for tool in python3 cmake ninja; do
    command -v $tool >/dev/null || { echo "SKIP: $tool is not installed" && exit 77; }
done
test -x "$GASKET_GEN" || { echo "SKIP: this build has no gasket-gen" && exit 77; }
export PYTHONDONTWRITEBYTECODE=1
exec python3 tests/faults/shrink.py batch-stride-dropped "$TEST_DIR"
