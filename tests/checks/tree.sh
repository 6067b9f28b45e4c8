# The tree names no machine, home or working folder, holds no build output and nothing large.
set -u
if git ls-files >"$TEST_DIR/files" 2>/dev/null && test -s "$TEST_DIR/files"; then
    :
else
    echo "SKIP: not a git checkout" && exit 77
fi

# expect_none WHAT: standard input must be empty.
expect_none() {
    cat >"$TEST_DIR/found"
    test -s "$TEST_DIR/found" || return 0
    echo "$1:" && head -n 20 "$TEST_DIR/found"
    echo "$1" >>"$TEST_DIR/offences" # a pipeline's end runs in a shell of its own: it can not count
}
: >"$TEST_DIR/offences"
while read -r file; do test -f "$file" && echo "$file"; done <"$TEST_DIR/files" >"$TEST_DIR/present"
tr '\n' '\0' <"$TEST_DIR/present" | xargs -0 grep -InE '/(home|work|root|tmp|farm)/' | expect_none "paths of one machine"
grep -E '^(runtime|formula|gen|tools|include|templates|generated|cmake|bench|examples)/' "$TEST_DIR/present" | tr '\n' '\0' |
    xargs -0 grep -InE '\b20[0-9][0-9]-[01][0-9]-[0-3][0-9]\b|__DATE__|__TIME__' | expect_none "dates"
grep -E '\.(o|a|so|pyc|exe|orig|rej|swp)$' "$TEST_DIR/present" | expect_none "build output and leftovers"
tr '\n' '\0' <"$TEST_DIR/present" | xargs -0 ls -l | awk '$5 > 2000000 { print $NF ": " $5 " bytes" }' | expect_none "large files"
failed=$(wc -l <"$TEST_DIR/offences")
echo "$((4 - failed)) passed, $failed failed"
test "$failed" -eq 0
