# The command line of gasket-gen: usage, exit status, what it writes, keeps and removes, --check, --list, --depfile.
set -u
test -x "$GASKET_GEN" || { echo "SKIP: this build has no gasket-gen" && exit 77; }
failed=0
passed=0
tiny=tests/golden/tiny
out=$TEST_DIR/out
rm -rf "$TEST_DIR"/*

# expect STATUS TEXT ARGUMENTS...: TEXT, if any, must be in what is printed.
expect() {
    wanted=$1
    text=$2
    shift 2
    "$GASKET_GEN" "$@" >"$TEST_DIR/said" 2>&1
    status=$?
    if test $status -eq "$wanted" && { test -z "$text" || grep -qF -- "$text" "$TEST_DIR/said"; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "gasket-gen $*: exit status $status, not $wanted with '$text':" && head -n 20 "$TEST_DIR/said"
    fi
}
# holds WHAT COMMAND...: the command must succeed.
holds() {
    what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not so: $what"
    fi
}

expect 0 "Usage: gasket-gen" --help
expect 0 "Exit status" --specs nowhere --help
expect 2 "--specs is missing"
expect 2 "--templates is missing" --specs $tiny/specs
expect 2 "--out is missing" --specs $tiny/specs --templates $tiny/templates
expect 2 "unknown option '--spcs' (did you mean '--specs'?)" --spcs x
expect 2 "'x' does not belong to an option" x
expect 2 "--out needs a value" --specs x --out
expect 2 "--out needs a value" --specs x --out ""
expect 2 "unknown type 'f31'" --specs x --dtypes f32,f31
expect 2 "unknown type ''" --specs x --dtypes f32,
expect 2 "only integers can be indices" --specs x --index f32
expect 2 "unknown instruction set 'avx' (did you mean 'avx2'?)" --specs x --isas avx
expect 2 "--set: 'My set' is no name" --specs x --set "My set"
expect 2 "must end in .d" --specs x --depfile x
expect 2 "do not go together" --specs x --check --list
expect 2 "--depfile does not go with" --specs x --templates x --out x --check --depfile x.d
expect 1 "can not read 'nowhere'" --specs nowhere --list
expect 1 "no *.lua in '$TEST_DIR'" --specs "$TEST_DIR" --list
expect 1 "is in '$tiny/specs/pick.lua' already" --specs $tiny/specs --specs $tiny/specs/pick.lua --list
expect 1 "takes none of the types that --dtypes leaves" --specs $tiny/specs --dtypes f32 --list
expect 0 "pick f32 u8 store depth=2 batch=0 bounds=clip: resolve_u8_d2/clip + move_r*" --specs $tiny/specs --list
holds "--list has one line for each combination" test "$(wc -l <"$TEST_DIR/said")" -eq 96

set -- --specs $tiny/specs --templates $tiny/templates --out "$out" --set tiny
expect 1 "cpu/kernels.h: is missing" "$@" --check
holds "--check writes nothing" test ! -e "$out"
"$GASKET_GEN" "$@" || failed=$((failed + 1))
"$GASKET_GEN" "$@" --check || failed=$((failed + 1))

# Changed, missing, foreign and former files.
sed -i '2s/.*/changed/' "$out/sources.cmake"
rm "$out/table.h"
mkdir -p "$out/cpu/old" && cp "$out/cpu/base/rows.c" "$out/cpu/old/former.c"
echo "mine" >"$out/own.txt"
expect 1 "$out/sources.cmake:2: differs" "$@" --check
holds "--check shows both lines" grep -qx '    - changed' "$TEST_DIR/said"
holds "--check shows both lines" grep -qxF '    + set(GASKET_GENERATED_BASE' "$TEST_DIR/said"
holds "--check names a missing file" grep -qF "$out/table.h: is missing" "$TEST_DIR/said"
holds "--check names a former file" grep -qF "$out/cpu/old/former.c: would not be written" "$TEST_DIR/said"
holds "--check names a foreign file" grep -qF "$out/own.txt: would not be written" "$TEST_DIR/said"
holds "--check says how to fix it" grep -qF "4 files of '$out' differ; to fix it: $GASKET_GEN $*" "$TEST_DIR/said"
"$GASKET_GEN" "$@" || failed=$((failed + 1))
holds "former files go, with their folders" test ! -e "$out/cpu/old"
holds "files without the banner stay" test "$(cat "$out/own.txt")" = mine
rm "$out/own.txt"
"$GASKET_GEN" "$@" --check || failed=$((failed + 1))

# An error leaves all as it was.
cp -R "$out" "$TEST_DIR/before"
echo 'return operation { name = "broken" }' >"$TEST_DIR/broken.lua"
expect 1 "broken: the field 'summary' is missing" --specs "$TEST_DIR/broken.lua" "$@"
holds "an error leaves the folder as it was" diff -r "$TEST_DIR/before" "$out"
if test "$(id -u)" -ne 0; then
    mkdir "$TEST_DIR/closed" && chmod 500 "$TEST_DIR/closed"
    expect 1 "can not" --specs $tiny/specs --templates $tiny/templates --out "$TEST_DIR/closed/out"
fi
echo "a file" >"$TEST_DIR/file"
expect 1 "can not" --specs $tiny/specs --templates $tiny/templates --out "$TEST_DIR/file"

# Texts for call time are no part of a set.
holds "texts for call time must be asked for" test ! -e "$out/call_time"
expect 0 "" "$@" --call-time
holds "--call-time writes them" test "$(ls "$out/call_time" | tr '\n' ' ')" = "e1_1.c e1_3.c f32_1.c f32_3.c "
holds "--call-time lists them" grep -qxF '    call_time/f32_3.c)' "$out/sources.cmake"
holds "they stay out of the table" test "$(grep -c turns "$out/table.c" "$out/cpu/kernels.h" | tr '\n' ' ')" = \
    "$out/table.c:0 $out/cpu/kernels.h:0 "
expect 1 "call_time/e1_1.c: would not be written" "$@" --check
"$GASKET_GEN" "$@" || failed=$((failed + 1))
holds "they go when they are not asked for" test ! -e "$out/call_time"

# Narrowed sets.
expect 0 "" --specs $tiny/specs/pick.lua --templates $tiny/templates --out "$out" --set tiny --dtypes float --index u8 \
    --isas neon --depfile "$TEST_DIR/a folder/stamp.d"
holds "--index leaves out kernels" test "$(grep -c resolve_ "$out/cpu/kernels.h")" -eq 3
holds "--isas leaves out kernels" test ! -e "$out/cpu/avx2"
holds "--isas keeps base" test -f "$out/cpu/base/rows.c"
holds "--dtypes leaves out types" grep -q 'values=f32 indices=u8' "$out/manifest.txt"
cat >"$TEST_DIR/wanted.d" <<END
$TEST_DIR/a\\ folder/stamp: \\
  $tiny/specs/pick.lua \\
  $tiny/templates/cpu/resolve.lua \\
  $tiny/templates/cpu/resolve.c.in \\
  $tiny/templates/cpu/rows.lua \\
  $tiny/templates/cpu/rows.c.in \\
  $tiny/templates/cpu/turns.lua \\
  $tiny/templates/cpu/turns.c.in
END
holds "the depfile names what was read" diff "$TEST_DIR/wanted.d" "$TEST_DIR/a folder/stamp.d"
echo "$passed passed, $failed failed"
test "$failed" -eq 0
