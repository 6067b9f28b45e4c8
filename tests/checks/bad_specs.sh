# Every spec of bad_specs.txt is refused with its message and exit status 1, and nothing is written.
set -u
test -x "$GASKET_GEN" || { echo "SKIP: this build has no gasket-gen" && exit 77; }
rm -rf "$TEST_DIR/specs" "$TEST_DIR/out"
mkdir -p "$TEST_DIR/specs"
awk -v folder="$TEST_DIR/specs" '
    /^=== / && !heading { n++; name = sprintf("%s/case%03d", folder, n) }
    /^=== / { print substr($0, 5) >(name ".said"); heading = 1; next }
    n > 0 { print >(name ".lua"); heading = 0 }' tests/checks/bad_specs.txt
printf '\033Lua' >"$TEST_DIR/specs/binary.lua"
echo "attempt to load a binary chunk" >"$TEST_DIR/specs/binary.said"

failed=0
passed=0
for spec in "$TEST_DIR"/specs/*.lua; do
    "$GASKET_GEN" --specs "$spec" --templates templates --out "$TEST_DIR/out" >"$TEST_DIR/stdout" 2>"$TEST_DIR/stderr"
    status=$?
    wrong=
    test "$status" -eq 1 || wrong="exit status $status"
    while IFS= read -r text; do
        case $text in FILE*) text="gasket-gen: $spec${text#FILE}" ;; esac
        grep -qF -- "$text" "$TEST_DIR/stderr" || wrong="$wrong; not said: $text"
    done <"${spec%.lua}.said"
    if test -n "$wrong" || test -e "$TEST_DIR/out" || test -s "$TEST_DIR/stdout"; then
        failed=$((failed + 1))
        echo "$spec: $wrong" && cat "$spec" "$TEST_DIR/stderr" "$TEST_DIR/stdout"
    else
        passed=$((passed + 1))
    fi
done
test "$passed" -gt 80 || { echo "only $passed specs were refused" && failed=$((failed + 1)); }
echo "$passed passed, $failed failed"
test "$failed" -eq 0
