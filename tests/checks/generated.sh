# generated/ is what the specs and templates make, file by file and byte by byte, and stays within its budget.
set -u
failed=0
test -x "$GASKET_GEN" || { echo "SKIP: this build has no gasket-gen" && exit 77; }
set -- --specs gen/specs --templates templates --call-time --cuda runtime
"$GASKET_GEN" --check "$@" --out generated || failed=$((failed + 1))

# A changed, a missing and a foreign file are noticed.
cp -R generated "$TEST_DIR/" || exit 1
first=$(find "$TEST_DIR/generated/cpu" -name '*.c' | LC_ALL=C sort | head -n 1)
echo "/* changed */" >>"$first"
if "$GASKET_GEN" --check "$@" --out "$TEST_DIR/generated" >"$TEST_DIR/said" 2>&1; then
    echo "a changed file is not noticed" && failed=$((failed + 1))
fi
rm "$first"
if "$GASKET_GEN" --check "$@" --out "$TEST_DIR/generated" >>"$TEST_DIR/said" 2>&1; then
    echo "a missing file is not noticed" && failed=$((failed + 1))
fi

# From nothing the same bytes come, whatever the folder and the locale.
rm -rf "$TEST_DIR/generated"
LC_ALL=C.UTF-8 "$GASKET_GEN" "$@" --out "$TEST_DIR/generated" >"$TEST_DIR/said" 2>&1
diff -r generated "$TEST_DIR/generated" | head -n 20 >"$TEST_DIR/differences"
test -s "$TEST_DIR/differences" && cat "$TEST_DIR/differences" && failed=$((failed + 1))

bytes=$(find generated -type f -exec cat {} + | wc -c)
test "$bytes" -lt 6000000 || { echo "generated/ has $bytes bytes; the budget is 6,000,000" && failed=$((failed + 1)); }
echo "generated/ has $bytes bytes"
rm -rf "$TEST_DIR/generated"
echo "$((5 - failed)) passed, $failed failed"
test "$failed" -eq 0
