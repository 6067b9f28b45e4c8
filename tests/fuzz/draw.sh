# The fuzz tester on the corpus and on the cases of one seed; how many, and how often each kernel has to run, comes from
# the build.
set -u
exec "$GASKET_BUILD/gasket-fuzz" --seed 1 --corpus tests/fuzz/corpus --coverage "$TEST_DIR/coverage.txt" \
    $GASKET_FUZZ_ARGUMENTS
