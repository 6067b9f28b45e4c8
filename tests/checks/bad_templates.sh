# Every strategy of bad_templates.txt is refused with its message and exit status 1, and nothing is written.
set -u
test -x "$GASKET_GEN" || { echo "SKIP: this build has no gasket-gen" && exit 77; }
rm -rf "$TEST_DIR/cases" "$TEST_DIR/out"
mkdir -p "$TEST_DIR/cases"
cat >"$TEST_DIR/good.lua" <<'END'
return strategy { name = "probe", kind = "move", isas = { "base" }, knobs = { { "row", { 4 } } },
    fields = function(v) return { row = v.row } end, how = function() return "x" end, rule = function() return {} end }
END
echo 'int ${symbol}(void);' >"$TEST_DIR/good.c.in"
awk -v folder="$TEST_DIR/cases" '
    /^=== / && !heading { n++; name = sprintf("%s/case%03d", folder, n) }
    /^=== / { print substr($0, 5) >(name ".said"); heading = 1; next }
    /^--- / { file = name "." substr($0, 5); heading = 0; next }
    n > 0 { print >file }' tests/checks/bad_templates.txt

failed=0
passed=0
# refuse CASE: runs it with the files in its folder.
refuse() {
    rm -f "$TEST_DIR/stdout" "$TEST_DIR/stderr"
    "$GASKET_GEN" --specs gen/specs/gather.lua --specs gen/specs/tensor_scatter.lua --templates "$1" \
        --call-time --out "$TEST_DIR/out" >"$TEST_DIR/stdout" 2>"$TEST_DIR/stderr"
    status=$?
    wrong=
    test "$status" -eq 1 || wrong="exit status $status"
    while IFS= read -r text; do
        case $text in
        RULE*) text="gasket-gen: $1/cpu/probe.lua${text#RULE}" ;;
        TEMPLATE*) text="gasket-gen: $1/cpu/probe.c.in${text#TEMPLATE}" ;;
        esac
        grep -qF -- "$text" "$TEST_DIR/stderr" || wrong="$wrong; not said: $text"
    done <"$1.said"
    if test -n "$wrong" || test -e "$TEST_DIR/out" || test -s "$TEST_DIR/stdout"; then
        failed=$((failed + 1))
        echo "$1: $wrong" && cat "$1"/cpu/probe* "$TEST_DIR/stderr" "$TEST_DIR/stdout"
    else
        passed=$((passed + 1))
    fi
}

for said in "$TEST_DIR"/cases/*.said; do
    case=${said%.said}
    mkdir -p "$case/cpu"
    for file in lua c.in; do
        cp "$TEST_DIR/good.$file" "$case/cpu/probe.$file"
        test ! -f "$case.$file" || cp "$case.$file" "$case/cpu/probe.$file"
    done
    refuse "$case"
done

# One file of a pair, a folder without any, and no folder.
mkdir -p "$TEST_DIR/cases/text/cpu" "$TEST_DIR/cases/rule/cpu" "$TEST_DIR/cases/none/cpu"
cp "$TEST_DIR/good.lua" "$TEST_DIR/cases/rule/cpu/probe.lua"
cp "$TEST_DIR/good.lua" "$TEST_DIR/cases/text/cpu/probe.lua"
cp "$TEST_DIR/good.c.in" "$TEST_DIR/cases/text/cpu/probe.c.in"
cp "$TEST_DIR/good.c.in" "$TEST_DIR/cases/text/cpu/lone.c.in"
echo "can not read" >"$TEST_DIR/cases/rule.said"
echo "has no 'lone.lua' beside it" >"$TEST_DIR/cases/text.said"
echo "no *.lua in" >"$TEST_DIR/cases/none.said"
echo "can not read the folder" >"$TEST_DIR/cases/nowhere.said"
refuse "$TEST_DIR/cases/rule"
refuse "$TEST_DIR/cases/text"
refuse "$TEST_DIR/cases/none"
refuse "$TEST_DIR/cases/nowhere"

# What the others were made from is accepted.
mkdir -p "$TEST_DIR/good/cpu"
cp "$TEST_DIR/good.lua" "$TEST_DIR/good/cpu/probe.lua"
cp "$TEST_DIR/good.c.in" "$TEST_DIR/good/cpu/probe.c.in"
if "$GASKET_GEN" --specs gen/specs --templates "$TEST_DIR/good" --out "$TEST_DIR/out" &&
    grep -qx 'int gasket_move_r4__base_x(void);' "$TEST_DIR/out/cpu/base/probe.c"; then
    passed=$((passed + 1))
else
    echo "the good strategy is refused" && failed=$((failed + 1))
fi
rm -rf "$TEST_DIR/out"
test "$passed" -gt 50 || { echo "only $passed were refused" && failed=$((failed + 1)); }
echo "$passed passed, $failed failed"
test "$failed" -eq 0
