# fuzz.sh PROGRAM PARSER RUNS FOLDER...: the seeds in the folders, then changes of them. What it learns and what it finds
# goes to TEST_DIR. The changes are the same ones each time (use_cmp would take words from comparisons of addresses), but
# for those of specs, where Lua walks tables in an order of its own. The limits of time and memory are for an input that
# has no end.
set -u
program=$1
dictionary=tests/parsers/seeds/$2.dict
wanted=$3
shift 3
rm -rf "$TEST_DIR/learned" "$TEST_DIR/found"
mkdir -p "$TEST_DIR/learned" "$TEST_DIR/found"
"$program" -seed=1 -use_cmp=0 -runs="$wanted" -max_len=4096 -timeout=200 -rss_limit_mb=1024 -print_final_stats=1 \
    -dict="$dictionary" -artifact_prefix="$TEST_DIR/found/" "$TEST_DIR/learned" "$@" >"$TEST_DIR/said" 2>&1
status=$?
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$TEST_DIR/said")
if test "$status" -ne 0 || test "${runs:-0}" -lt "$wanted"; then
    tail -n 60 "$TEST_DIR/said"
    for input in "$TEST_DIR"/found/*; do
        test -f "$input" && echo "$input:" && od -c "$input" | head -n 40
    done
    echo "${runs:-0} passed, 1 failed"
    exit 1
fi
echo "$runs passed, 0 failed"
