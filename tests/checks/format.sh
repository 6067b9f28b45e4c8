# Hand-written C follows .clang-format.
set -u
for tool in clang-format-14 clang-format; do
    if command -v $tool >/dev/null && $tool --version | grep -q 'version 14\.'; then
        files=$(find include runtime formula gen tools bench examples tests \( -name '*.c' -o -name '*.h' \) | LC_ALL=C sort)
        $tool --dry-run -Werror $files 2>"$TEST_DIR/said"
        bad=$(sed -n 's/^\([^:]*\):.*clang-format-violations.*/\1/p' "$TEST_DIR/said" | sort -u)
        count=$(echo "$files" | wc -l)
        if test -z "$bad" && ! test -s "$TEST_DIR/said"; then
            echo "$count passed, 0 failed"
            exit 0
        fi
        head -n 20 "$TEST_DIR/said"
        echo "To mend: $tool -i" $bad
        failed=$(echo "$bad" | wc -l)
        echo "$((count - failed)) passed, $failed failed"
        exit 1
    fi
done
echo "SKIP: clang-format 14 is not installed"
exit 77
