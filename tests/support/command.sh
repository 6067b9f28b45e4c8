# Shared by the scripts that try the command gasket: a folder and a cache of its own, and what is said of a run.
passed=0
failed=0
settings=

# start NAME: a fresh folder; nothing of the user's is read or written.
start() {
    cd "$TEST_DIR" && rm -rf "$1" && mkdir "$1" && cd "$1" || exit 2
    unset GASKET_JIT GASKET_CACHE_BYTES GASKET_OBSERVER XDG_CACHE_HOME
    export GASKET_CACHE_DIR="$PWD/kernels"
}
finish() {
    echo "$passed passed, $failed failed"
    test $failed -eq 0
}

fail() {
    failed=$((failed + 1))
    echo "FAILED: $*"
    head -n 5 out err
}
pass() { passed=$((passed + 1)); }

# run STATUS ARGUMENTS...: the output is in `out` and `err`, the arguments in $ran.
run() {
    expected=$1
    shift
    ran="gasket $*"
    env $settings "$GASKET" "$@" >out 2>err
    status=$?
    if test $status -eq "$expected"; then pass; else fail "$ran: status $status, not $expected"; fi
    case $expected in
        0) ;;
        *) if grep -q '^gasket: ' err && ! test -s out; then pass; else fail "$ran: no message, or output"; fi ;;
    esac
}
# with SETTINGS STATUS ARGUMENTS...: the same in an environment that env changes.
with() {
    settings=$1
    shift
    run "$@"
    settings=
}
# has FILE TEXT: a line holds the text.
has() { if grep -qF -e "$2" "$1"; then pass; else fail "$ran: no '$2' in $1"; fi; }
# prints TEXT: the whole of standard output.
prints() { if test "$(cat out)" = "$1"; then pass; else fail "$ran: printed not '$1'"; fi; }
# there CONDITION...: as for test.
there() { if test "$@"; then pass; else fail "$ran: not so: $*"; fi; }
