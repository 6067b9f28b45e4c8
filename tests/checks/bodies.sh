# Every body that the manifest names is in the table of generated/, at the baseline: whatever the machine, no combination
# lacks a kernel.
set -u
test -x "$GASKET_GEN" || { echo "SKIP: this build has no gasket-gen" && exit 77; }
"$GASKET_GEN" --specs gen/specs --list >"$TEST_DIR/list" || exit 1

# "resolve_i32_d1/mark", "move_rn", "combine_f32_add": what each baseline kernel is, resolvers with their form.
awk '
    /\.name = "/ { split($0, part, "\""); split(part[2], half, "__"); what = half[1] }
    /\.isa = GASKET_BASE,/ {
        form = $0
        sub(/.*\.form = GASKET_/, "", form)
        sub(/,.*/, "", form)
        print what ~ /^resolve_/ ? what "/" tolower(form) : what
    }' generated/table.c | LC_ALL=C sort -u >"$TEST_DIR/there"

# A row that is known only at the call needs the kernel of any row.
sed 's/^.*: //; s/ + /\n/g' "$TEST_DIR/list" | sed 's/_r\*$/_rn/' | LC_ALL=C sort -u >"$TEST_DIR/needed"
LC_ALL=C comm -13 "$TEST_DIR/there" "$TEST_DIR/needed" >"$TEST_DIR/missing"
failed=0
test ! -s "$TEST_DIR/missing" || { echo "Bodies without a kernel:" && cat "$TEST_DIR/missing" && failed=1; }
combinations=$(wc -l <"$TEST_DIR/list")
bodies=$(wc -l <"$TEST_DIR/needed")
test "$combinations" -gt 40000 || { echo "only $combinations combinations" && failed=$((failed + 1)); }
test "$bodies" -gt 150 || { echo "only $bodies bodies" && failed=$((failed + 1)); }
echo "$combinations combinations, $bodies bodies"
echo "$((3 - failed)) passed, $failed failed"
test "$failed" -eq 0
