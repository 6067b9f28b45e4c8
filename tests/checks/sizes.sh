# Hand-written files stay under 500 lines; functions under 80 lines, and half of them under 15.
set -u
files=$(find include runtime formula gen tools bench examples templates tests cmake -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.lua' -o -name '*.in' -o -name '*.sh' -o -name '*.cmake' -o -name '*.py' \) |
    LC_ALL=C sort)
long=$(wc -l $files CMakeLists.txt tests/CMakeLists.txt setup.sh | awk '$2 != "total" && $1 >= 500 { print $2 ": " $1 " lines" }')

# A function begins with a line in the first column that ends in "{" after its parameters, and ends with "}" there.
lengths=$TEST_DIR/lengths
awk '
    FNR == 1 { begin = 0 }
    begin == 0 && /^[A-Za-z_]/ && /\(/ && !/[;=]$/ && !/^#/ { candidate = FNR; head = $0 }
    begin == 0 && /\{$/ && candidate > 0 && !/=/ { begin = candidate }
    /^[A-Za-z_].*;$/ && begin == 0 { candidate = 0 }
    /^}/ {
        if (begin > 0)
            print FNR - begin + 1, FILENAME ":" begin ": " head
        begin = 0
        candidate = 0
    }' $(echo "$files" | grep '\.c$' | grep -v '^tests/') | sort -n >"$lengths"
functions=$(wc -l <"$lengths")
median=$(sed -n "$(((functions + 1) / 2))p" "$lengths" | cut -d' ' -f1)
tall=$(awk '$1 > 80' "$lengths")

failed=0
test -z "$long" || { echo "Files of 500 lines and more:" && echo "$long" && failed=$((failed + 1)); }
test -z "$tall" || { echo "Functions over 80 lines:" && echo "$tall" && failed=$((failed + 1)); }
test "$functions" -gt 100 || { echo "only $functions functions were found: the search is wrong" && failed=$((failed + 1)); }
test "${median:-99}" -lt 15 || { echo "the median function has $median lines" && failed=$((failed + 1)); }
echo "$functions functions, median $median lines, longest $(tail -n 1 "$lengths")"
echo "$((4 - failed)) passed, $failed failed"
test "$failed" -eq 0
