# A tiny set of specs and strategies becomes, byte for byte, the text in tests/golden/tiny/expected.txt. After a change
# that is meant, write that file anew with
#     GASKET_BLESS=1 ctest --test-dir BUILD -R golden_tiny
# and read what changed in it.
set -u
test -x "$GASKET_GEN" || { echo "SKIP: this build has no gasket-gen" && exit 77; }
tiny=tests/golden/tiny
failed=0

# generate FOLDER LOCALE OPTIONS...
generate() {
    folder=$1
    locale=$2
    shift 2
    LC_ALL=$locale "$GASKET_GEN" --specs $tiny/specs --templates $tiny/templates --out "$folder" --set tiny --call-time "$@"
}

# As one text: each file below a line with its name.
join() {
    (cd "$1" && find . -type f | LC_ALL=C sort | while read -r file; do echo "==> $file" && cat "$file"; done)
}

rm -rf "$TEST_DIR/out" "$TEST_DIR/again"
generate "$TEST_DIR/out" C || failed=$((failed + 1))
join "$TEST_DIR/out" >"$TEST_DIR/made.txt"
if test "${GASKET_BLESS:-}" = 1; then
    cp "$TEST_DIR/made.txt" $tiny/expected.txt
fi
diff -u $tiny/expected.txt "$TEST_DIR/made.txt" || failed=$((failed + 1))

# A second run into the same folder writes nothing; one in another locale writes the same.
find "$TEST_DIR/out" -type f -exec touch -t 200001010000 {} +
generate "$TEST_DIR/out" C || failed=$((failed + 1))
test -z "$(find "$TEST_DIR/out" -type f -newer "$TEST_DIR/made.txt")" || {
    echo "a second run writes files that did not change" && failed=$((failed + 1))
}
for locale in C.UTF-8 $(locale -a 2>/dev/null | grep -i '^de_DE' | head -n 1); do
    rm -rf "$TEST_DIR/again"
    generate "$TEST_DIR/again" "$locale" && diff -r "$TEST_DIR/out" "$TEST_DIR/again" || failed=$((failed + 1))
done

# It is C, and the table holds what the specs say.
folders="-Iinclude -Iruntime -I$TEST_DIR/out"
cat >"$TEST_DIR/use.c" <<'END'
#include <stdio.h>
#include <string.h>
#include "abi/kernel.h"
#include "table.h"
int main(void) {
    const struct gasket_kernel_set *set = &tiny_kernel_set;
    const struct gasket_operation *pick = &set->operations[0], *put = &set->operations[1];
    size_t n_exact = 0;
    for (size_t i = 0; i < set->n_kernels; i++) {
        n_exact += set->kernels[i].rule.exact;
    }
    int right = set->abi_version == GASKET_ABI_VERSION && strcmp(set->name, "tiny") == 0 && set->n_operations == 2 &&
                strcmp(pick->name, "pick") == 0 && strcmp(pick->summary, "Picks \"rows\"? Yes") == 0 &&
                pick->n_attributes == 2 && !pick->attributes[0].has_default && pick->attributes[1].has_default &&
                pick->attributes[1].default_value.constant == -3 && pick->has_rank[0] && !pick->has_rank[1] &&
                pick->formula.accesses[pick->formula.left].tensor == 0 && pick->extents[0] == GASKET_NONE &&
                pick->output_extents == GASKET_NONE && put->output_extents == 0 &&
                put->default_combine == GASKET_MAX && put->combines == (GASKET_BIT(GASKET_MAX) | GASKET_BIT(GASKET_STORE)) &&
                put->values == GASKET_BIT(GASKET_F16) && put->indices == GASKET_BIT(GASKET_I32) && !put->ahead_of_time &&
                n_exact > 0 && n_exact < set->n_kernels;
    puts(right ? "the table is right" : "the table is wrong");
    return !right;
}
END
$CC -std=gnu11 -Wall -Wextra -Wconversion -Werror $folders "$TEST_DIR/use.c" "$TEST_DIR/out/table.c" \
    "$TEST_DIR"/out/cpu/*/*.c -o "$TEST_DIR/use" && "$TEST_DIR/use" || failed=$((failed + 1))
echo '#include "tiny/operations.h"' | $CC -std=c11 -x c -Wall -Wextra -Werror $folders -c - -o "$TEST_DIR/use.o" ||
    failed=$((failed + 1))
echo "$((7 - failed)) passed, $failed failed"
test "$failed" -eq 0
