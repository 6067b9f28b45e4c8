# GDB stops in loaded code by name and shows its frame, the caller's, and, where the object says so, lines and values.
set -u
program=$GASKET_BUILD/tests/fault_code
command -v gdb >/dev/null || { echo "SKIP: gdb is not installed" && exit 77; }
test -n "${CC:-}" && command -v "$CC" >/dev/null || { echo "SKIP: CC names no compiler" && exit 77; }
test -x "$program" || { echo "$program was not built" && exit 1; }
# Leaks can not be looked for in a program that is being debugged.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
passed=0
failed=0

cat >"$TEST_DIR/debugged.c" <<'TEXT'
static const int weights[] = {3, 5, 7, 11};
static __attribute__((noinline)) int gasket_inner(int place) {
    __asm__ volatile("" : "+r"(place));
    return weights[place & 3];
}
int gasket_debugged(int x) {
    int sum = x;
    for (int i = 0; i < x; i++)
        sum += gasket_inner(i);
    return sum + 1;
}
TEXT

# expect WHAT PATTERN: a line of what gdb said.
expect() {
    if grep -Eq -- "$2" "$TEST_DIR/said"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1: no line like '$2':" && tail -n 20 "$TEST_DIR/said"
    fi
}

# debug FLAGS: breaks in the inner function, prints all frames, goes on, and looks for the function when it is freed.
debug() {
    "$CC" $1 -fPIC -fno-stack-protector -c -o "$TEST_DIR/debugged.o" "$TEST_DIR/debugged.c" || exit 1
    gdb -nx -batch -ex 'set debuginfod enabled off' -ex 'set breakpoint pending on' -ex 'set confirm off' \
        -ex 'break gasket_inner' -ex run -ex backtrace -ex delete \
        -ex 'break all_is_freed' -ex continue -ex 'info address gasket_inner' -ex continue \
        --args "$program" debug "$TEST_DIR/debugged.o" >"$TEST_DIR/said" 2>&1 </dev/null
}

debug -O1
if grep -Eq 'ptrace|not permitted|Could not trace|During startup' "$TEST_DIR/said"; then
    echo "SKIP: gdb can not run programs here: $(grep -E -m 1 'ptrace|not permitted|Could not trace|During startup' "$TEST_DIR/said")"
    exit 77
fi
expect "by the symbol" '^#0 .* gasket_inner \(\)'
expect "its caller" '^#1 .* gasket_debugged \(\)'
expect "the program" '^#2 .* (debug|main) \('
expect "the end" '^result 151$'
expect "the function when it is freed" '^No symbol "gasket_inner" in current context'
debug "-O1 -g"
expect "with lines and values" '^#0 +gasket_inner \(place=.*0\) at .*debugged.c:[0-9]+'
expect "its caller" '^#1 .* gasket_debugged \(x=(x@entry=)?20\) at .*debugged.c:9'
expect "the program" '^#2 .* (debug|main) \('
expect "the end" '^result 151$'
expect "the function when it is freed" '^No symbol "gasket_inner" in current context'
echo "$passed passed, $failed failed"
test "$failed" -eq 0
