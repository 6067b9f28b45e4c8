# The shared library shows gasket_* and nothing else; kernels need nothing but memcpy and memset.
set -u
failed=0
command -v nm >/dev/null || { echo "SKIP: no nm" && exit 77; }
library=$GASKET_BUILD/libgasket.so
exported=$(nm -D --defined-only "$library" | awk '{ print $NF }')
strangers=$(echo "$exported" | grep -v '^gasket_')
test -z "$strangers" || { echo "exported besides gasket_*:" $strangers && failed=$((failed + 1)); }
declared=$(sed -n 's/^GASKET_API .*[ *]\(gasket_[a-z_]*\)(.*/\1/p' include/gasket/gasket.h | LC_ALL=C sort)
test "$declared" = "$(echo "$exported" | LC_ALL=C sort)" || {
    echo "$declared" >"$TEST_DIR/declared"
    echo "declared (<) and exported (>) differ:"
    echo "$exported" | LC_ALL=C sort | diff "$TEST_DIR/declared" -
    failed=$((failed + 1))
}

if test -n "${GASKET_SANITIZE:-}"; then
    echo "SKIP: a sanitizer adds symbols of its own to kernels"
else
    objects=$(find "$GASKET_BUILD/CMakeFiles" -path '*/generated/cpu/*.o')
    test -n "$objects" || { echo "no kernel objects found" && failed=$((failed + 1)); }
    needed=$(nm -u $objects | awk '$1 == "U" { print $2 }' | LC_ALL=C sort -u | grep -vE '^(memcpy|memset|_GLOBAL_OFFSET_TABLE_)$')
    test -z "$needed" || { echo "kernels need:" $needed && failed=$((failed + 1)); }
    state=$(nm $objects | awk '$2 ~ /^[bBdDcC]$/ { print $3 }')
    test -z "$state" || { echo "kernels hold data that can change:" $state && failed=$((failed + 1)); }
fi
echo "$((5 - failed)) passed, $failed failed"
test "$failed" -eq 0
