# The command line of gasket-fuzz: what it refuses, that a seed means the same cases whatever the number of jobs, and that
# a line stands alone.
set -u
fuzz=$GASKET_BUILD/gasket-fuzz
passed=0
failed=0

# expect STATUS TEXT COMMAND...: the command ends so, and says so.
expect() {
    status=$1
    text=$2
    shift 2
    "$@" >"$TEST_DIR/said" 2>&1
    got=$?
    if test $got -eq "$status" && grep -qF -- "$text" "$TEST_DIR/said"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$*: status $got, not $status; or it does not say: $text"
        head -c 1000 "$TEST_DIR/said"
    fi
}

expect 0 'usage: gasket-fuzz' "$fuzz" --help
expect 2 '--case: no such option' "$fuzz" --case 3
expect 2 '--cases: needs a value' "$fuzz" --cases
expect 2 '--cases: needs a whole number' "$fuzz" --cases -3
expect 2 '--seed: needs a whole number' "$fuzz" --seed 1x
expect 2 '--seconds: needs a positive number' "$fuzz" --seconds 0
expect 2 "did you mean 'gather'" "$fuzz" --op gathr
expect 2 "no kernel of this machine matches 'nothing_*'" "$fuzz" --variant 'nothing_*'
expect 2 "there is no tier 'fast'" "$fuzz" --tier fast
expect 2 "can not read '$TEST_DIR/none'" "$fuzz" --cases 1 --corpus "$TEST_DIR/none"
expect 0 '0 failed' "$fuzz" --cases 300 --seed 3 --op gather_nd
expect 0 '0 failed' "$fuzz" --cases 300 --seed 3 --variant 'resolve_i64_*'
expect 0 '0 failed' "$fuzz" --cases 300 --seed 3 --tier interpreter
expect 0 '"failures": 0' "$fuzz" --cases 300 --seed 3 --json
expect 1 'gap: combination' "$fuzz" --cases 100 --seed 3 --gate 1

# Call-time kernels where there is no compiler; how a formula is replayed without one.
missing() { GASKET_PLUGIN="$TEST_DIR/none" "$fuzz" "$@"; }
expect 77 'SKIP: no call-time kernels: ' missing --tier jit --cases 1
expect 77 'SKIP: no call-time kernels: ' missing --jit-share 5 --cases 1
expect 77 'SKIP: no call-time kernels: ' missing --formulas 1
drawn='out[D]+=v0[D,C+i0[D]]~from~zeros;extents=C=extent_c extent_c=[2] out=i8[1]#1 v0=i8[1,2]:0102 i0=i16[1]:0000'
expect 0 '1 passed, 0 failed' missing --replay "$drawn"
expect 0 '1 passed, 0 failed' missing --replay "$drawn | via=call isa=base tier=any threads=3"
expect 2 'the library takes no such formula: out[D]=v0[E]' missing --replay 'out[D]=v0[E] out=i8[1]#1 v0=i8[1]:01'

# Replays: a line with a variant, one without, and lines that can not be read.
line='gather axis=1 out=i8[2,1]#2 params=i8[2,3]:010203040506 indices=i32[1]:02000000'
expect 0 '1 passed, 0 failed' "$fuzz" --replay "$line"
expect 0 '1 passed, 0 failed' "$fuzz" --replay "$line | seed=5 via=call isa=base tier=general threads=3"
expect 0 '1 passed, 0 failed' "$fuzz" --replay \
    "$line | via=force isa=base tier=any threads=1 resolve=resolve_i32_d1__base_mark rows=move_rn__base_rows split=nothing prefetch=7"
expect 2 'no such operation: gathr' "$fuzz" --replay "gathr $line"
expect 2 'not NAME=VALUE: x' "$fuzz" --replay "$line x"
expect 2 'a word that can not be read: indices' "$fuzz" --replay 'gather indices=i32[1]:0g'
expect 2 'a word that can not be read: rows' "$fuzz" --replay "$line | rows=move_r0"
expect 2 'something is missing' "$fuzz" --replay "$line | via=force isa=base tier=any threads=1"

# The same seed, the same cases; another seed, others.
for run in '1 2' '2 2' '3 5'; do
    "$fuzz" --dump --cases 400 --seed "${run#* }" >"$TEST_DIR/cases-${run%% *}"
done
if cmp -s "$TEST_DIR/cases-1" "$TEST_DIR/cases-2" && ! cmp -s "$TEST_DIR/cases-1" "$TEST_DIR/cases-3"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1)) && echo "seeds do not say which cases are drawn"
fi
checks() {
    "$fuzz" --cases 640 --seed 4 --json --jobs "$1" 2>/dev/null | sed 's/.*"checks": \([0-9]*\).*/\1/'
}
if test "$(checks 1)" = "$(checks 3)"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1)) && echo "the number of checks depends on the number of jobs"
fi

# A dumped line is read back as the same problem.
mkdir -p "$TEST_DIR/lines"
sed 's/ => .*//' "$TEST_DIR/cases-1" | grep -v string >"$TEST_DIR/lines/dumped.txt"
expect 0 "corpus lines replayed: $(wc -l <"$TEST_DIR/lines/dumped.txt")" "$fuzz" --cases 1 --corpus "$TEST_DIR/lines"
echo "$passed passed, $failed failed"
test "$failed" -eq 0
