# A new operation is one Lua file. This one goes through the generator, the compiler, the runtime, the interpreter, the
# command and the fuzz tester, and nothing else in the tree knows it.
set -u
test -x "$GASKET_GEN" || { echo "SKIP: this build has no gasket-gen" && exit 77; }
failed=0
rm -rf "$TEST_DIR/set"
cat >"$TEST_DIR/pick_columns.lua" <<'END'
return operation {
    name = "pick_columns",
    summary = "Columns of each row of a table, picked by place",
    formula = "out[R, N, S] = table[R, places[N], S]",
    ranks = { R = 1 },
    docs = { table = "The rows", places = "Which columns", out = "The columns that were picked" },
}
END

# The default set, narrow, with the new operation in it, and a command that has this set in place of the usual one.
"$GASKET_GEN" --specs gen/specs --specs "$TEST_DIR/pick_columns.lua" --templates templates --out "$TEST_DIR/set" \
    --dtypes f32,i64 --index i32,i64 || exit 1
warnings="-Wall -Wextra -Wconversion -Wshadow -Werror"
folders="-Iinclude -Iruntime -I$TEST_DIR/set"
absent="-DGASKET_WITHOUT_AVX2 -DGASKET_WITHOUT_AVX512 -DGASKET_WITHOUT_NEON"
if test -n "${DLPACK_INCLUDE_DIR:-}" && test "$DLPACK_INCLUDE_DIR" != /usr/include; then
    folders="$folders -isystem $DLPACK_INCLUDE_DIR"
fi
sanitize=
test -z "${GASKET_SANITIZE:-}" || sanitize=-fsanitize=$GASKET_SANITIZE
openmp=-fopenmp
echo 'int main(void) { return 0; }' >"$TEST_DIR/empty.c"
$CC $openmp "$TEST_DIR/empty.c" -o "$TEST_DIR/empty" 2>"$TEST_DIR/said" || openmp=
rm -f "$TEST_DIR"/*.o
for file in "$TEST_DIR"/set/table.c "$TEST_DIR"/set/cpu/base/*.c; do
    $CC -std=gnu11 -O1 $warnings $sanitize $folders $absent -c "$file" -o "$TEST_DIR/$(basename "$file").o" || exit 1
done
$CC -std=gnu11 -O1 $sanitize -DGASKET_STATIC $folders tools/*.c "$TEST_DIR"/*.c.o "$GASKET_BUILD/libgasket.a" -lm \
    $openmp -o "$TEST_DIR/gasket" || exit 1
$CC -std=gnu11 -O1 -fno-strict-aliasing $sanitize -DGASKET_STATIC -I. -Itests $folders tests/fuzz/*.c tests/emulated/*.c \
    "$TEST_DIR"/*.c.o "$GASKET_BUILD/libgasket.a" -lm $openmp -o "$TEST_DIR/gasket-fuzz" || exit 1

# run WANTED ARGUMENTS...: the printed result, without blanks, must have WANTED in it.
run() {
    wanted=$1
    shift
    if "$TEST_DIR/gasket" "$@" >"$TEST_DIR/said" 2>&1 && tr -d ' \n' <"$TEST_DIR/said" | grep -qF "$wanted"; then
        return
    fi
    failed=$((failed + 1))
    echo "gasket $* did not print $wanted:" && cat "$TEST_DIR/said"
}
set -- pick_columns "table=[[1.5,2.5,3.5],[4.5,5.5,6.5]]:f32" "places=[2,0,2,2]:i32"
run "[[3.5,1.5,3.5,3.5],[6.5,4.5,6.5,6.5]]" run "$@"
run "[[3.5,1.5,3.5,3.5],[6.5,4.5,6.5,6.5]]" run "$@" --tier interpreter
run "[[3.5,1.5,3.5,3.5],[6.5,4.5,6.5,6.5]]" run "$@" --check
run "move_r4__base_" explain "$@"
run "pick_columns" list
run "pick_columns" list pick_columns
run "[[3,1]]" run pick_columns "table=[[1,2,3]]" "places=[-1,0]" bounds=from_end
if "$TEST_DIR/gasket" run pick_columns "table=[[1,2,3]]" "places=[0,3]" >"$TEST_DIR/said" 2>&1; then
    failed=$((failed + 1)) && echo "a place out of bounds is accepted"
fi
grep -q 'places' "$TEST_DIR/said" || { failed=$((failed + 1)) && echo "no such argument is named:" && cat "$TEST_DIR/said"; }
"$TEST_DIR/gasket-fuzz" --op pick_columns --cases 12000 --seed 1 --gate 10 >"$TEST_DIR/said" 2>&1 ||
    { failed=$((failed + 1)) && echo "the fuzz tester:" && cat "$TEST_DIR/said"; }
grep -rlw pick_columns include runtime formula gen templates generated tools && failed=$((failed + 1))
echo "$((11 - failed)) passed, $failed failed"
test "$failed" -eq 0
