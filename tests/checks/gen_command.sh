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
expect 2 "--cuda needs a value" --specs x --cuda
expect 2 "--cuda needs a value" --specs x --cuda
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

# Texts for CUDA: headers of abi stand in place of their includes.
expect 1 "can not read the folder '$tiny/templates/cuda'" "$@" --cuda "$TEST_DIR"
cp -R $tiny/templates "$TEST_DIR/templates"
cuda=$TEST_DIR/templates/cuda
abi=$TEST_DIR/headers/abi
mkdir -p "$cuda" "$abi"
set -- "$@" --templates "$TEST_DIR/templates" --cuda "$TEST_DIR/headers"
expect 1 "no *.cu in '$cuda'" "$@"
cat >"$abi/first.h" <<'END'
/* The first header,
 * in two lines. */
#ifndef FIRST_H
#define FIRST_H

#include <stdint.h>

#include "abi/second.h" /* before the rest */

int first;

#endif
END
cat >"$abi/second.h" <<'END'
#ifndef SECOND_H
#define SECOND
#include "abi/first.h"
 # include  "abi/list.def"
int second;
#endif
END
echo "ROW(1)" >"$abi/list.def"
echo "int alone;" >"$cuda/a.cu"
cat >"$cuda/b.cu" <<'END'
#include <stddef.h>
/* The text. */
#include "abi/first.h"
#include "abi/second.h"


#include "abi/list.def"
int last;
END
: >"$cuda/empty.cu"
cat >"$TEST_DIR/wanted.cu" <<'END'
/* Generated by gasket-gen from b.cu and abi/...; do not edit. */
/* The text. */

#ifndef SECOND_H
#define SECOND

ROW(1)

int second;
#endif

/* The first header,
 * in two lines. */
int first;

ROW(1)

int last;
END
expect 0 "" "$@" --depfile "$TEST_DIR/cuda.d"
holds "--cuda puts headers in place" diff "$TEST_DIR/wanted.cu" "$out/cuda/b.cu"
printf '%s\n' "/* Generated by gasket-gen from a.cu; do not edit. */" "int alone;" >"$TEST_DIR/wanted.cu"
holds "--cuda takes a text without headers" diff "$TEST_DIR/wanted.cu" "$out/cuda/a.cu"
holds "--cuda takes an empty text" test "$(wc -l <"$out/cuda/empty.cu")" -eq 1
holds "--cuda lists the texts" test "$(tail -n 4 "$out/sources.cmake" | tr -s '\n ' '  ')" = \
    "set(GASKET_GENERATED_CUDA cuda/a.cu cuda/b.cu cuda/empty.cu) "
holds "the depfile names each text and header once" test "$(grep -F "$TEST_DIR/" "$TEST_DIR/cuda.d" | grep -v 'cpu/' |
    sed "s|^ *$TEST_DIR/||" | tr '\\\n' '  ' | tr -s ' ')" = "cuda: templates/cuda/a.cu templates/cuda/b.cu \
headers/abi/first.h headers/abi/second.h headers/abi/list.def templates/cuda/empty.cu "
expect 0 "" "$@" --check
echo "ROW(2)" >>"$abi/list.def"
expect 1 "$out/cuda/b.cu:8: differs" "$@" --check
"$GASKET_GEN" "$@" || failed=$((failed + 1))

# second.h with a bad line after the first is an error, and leaves all as it was.
rm -rf "$TEST_DIR/before" && cp -R "$out" "$TEST_DIR/before"
while read -r text line; do
    printf '\n%s\n' "$line" >"$abi/second.h"
    expect 1 "$abi/second.h:2: $(echo "$text" | tr _ ' ')" "$@"
done <<END
it_is_included_here #include "abi/missing.h"
'abi/../first.h'_is_no_file_in_abi/ #include "abi/../first.h"
'../first.h'_is_no_file_in_abi/ #include "../first.h"
'abi/./first.h'_is_no_file_in_abi/ #include "abi/./first.h"
'abi//first.h'_is_no_file_in_abi/ #include "abi//first.h"
'abi/'_is_no_file_in_abi/ #include "abi/"
'cpu/first.h'_is_no_file_in_abi/ #include "cpu/first.h"
after_#include_must_stand_"abi/..."_or_<...> #include "abi/first.h
after_#include_must_stand_"abi/..."_or_<...> #include FIRST
after_#include_must_stand_"abi/..."_or_<...> #include
after_#include_must_stand_"abi/..."_or_<...> #include_next <first.h>
END
echo '#include "abi/list.def"' >"$abi/second.h"
echo '#include "abi/list.def"' >"$abi/list.def"
expect 1 "$abi/list.def:1: 'abi/list.def' is nested deeper than 16" "$@"
head -c 262145 /dev/zero | tr '\0' ' ' >"$abi/list.def"
expect 1 "'$abi/list.def' is longer than 262144 bytes" "$@"
holds "it says where that is included" grep -qxF "gasket-gen: $abi/second.h:1: it is included here" "$TEST_DIR/said"
head -c 200000 /dev/zero | tr '\0' 'a' >"$abi/list.def"
expect 1 "$abi/list.def:1: up to here the text has over 262144 bytes" "$@"
printf 'int a;\n\0int b;\n' >"$abi/list.def"
expect 1 "'$abi/list.def' is no text" "$@"
holds "errors of --cuda leave the folder as it was" diff -r "$TEST_DIR/before" "$out"
"$GASKET_GEN" --specs $tiny/specs --templates $tiny/templates --out "$out" --set tiny || failed=$((failed + 1))
holds "texts for CUDA go when they are not asked for" test ! -e "$out/cuda"

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
