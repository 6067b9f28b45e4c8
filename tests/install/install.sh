# What cmake --install makes serves other people's builds: CMake with kernels of their own, pkg-config, C11 and C++17,
# from any folder.
set -u
failed=0
passed=0
home=$PWD
test -x "$GASKET_GEN" || { echo "SKIP: this build has no gasket-gen" && exit 77; }
rm -rf "$TEST_DIR"
mkdir -p "$TEST_DIR/prefix" "$TEST_DIR/moved"

# expect WHAT COMMAND...
expect() {
    what=$1
    shift
    if "$@" >"$TEST_DIR/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $what: $*"
        tail -n 30 "$TEST_DIR/said"
    fi
}

nothing_named() { ! grep -rIl -e "$home" -e "$GASKET_BUILD" "$TEST_DIR/prefix"; }

expect "install" cmake --install "$GASKET_BUILD" --prefix "$TEST_DIR/prefix"
expect "installed texts name neither the source nor the build folder" nothing_named
mv "$TEST_DIR/prefix" "$TEST_DIR/moved/prefix"
prefix=$TEST_DIR/moved/prefix
libraries=$(dirname "$(find "$prefix" -name libgasket.a)")
LD_LIBRARY_PATH=$libraries
export LD_LIBRARY_PATH
expect "the command runs" "$prefix/bin/gasket" info
expect "the generator runs" "$prefix/bin/gasket-gen" --help

if command -v c++ >/dev/null; then
    consumer=$TEST_DIR/build
    cp -R tests/install/consumer "$TEST_DIR/source"
    expect "a CMake project finds the package" cmake -S "$TEST_DIR/source" -B "$consumer" -G Ninja \
        -D CMAKE_C_COMPILER="$CC" -D CMAKE_PREFIX_PATH="$prefix" -D DLPACK_INCLUDE_DIR="$DLPACK_INCLUDE_DIR"
    expect "it builds" cmake --build "$consumer"
    for program in own_shared own_static plain plain_cpp; do
        expect "$program" "$consumer/$program"
    done
    expect "nothing is left to build" sh -c "cmake --build '$consumer' | grep 'no work to do'"
    sed 's/"The rows"/"All rows"/' tests/install/consumer/pick_rows.lua >"$TEST_DIR/source/pick_rows.lua"
    expect "a changed spec is generated anew" sh -c "cmake --build '$consumer' | grep 'Generating the kernels of mine'"
    expect "what it says arrives" grep -q "All rows" "$consumer/picks_kernels/mine/table.c"
    echo 'return operation { name = "pick_rows", formula = "out[N = rows[N]" }' >"$TEST_DIR/source/pick_rows.lua"
    expect "a wrong spec stops the build, by name and line" \
        sh -c "! cmake --build '$consumer' >'$TEST_DIR/stopped' 2>&1 && grep 'pick_rows.lua:1' '$TEST_DIR/stopped'"
else
    echo "no C++ compiler: the CMake consumer is left out"
fi

if command -v pkg-config >/dev/null; then
    PKG_CONFIG_PATH=$libraries/pkgconfig
    export PKG_CONFIG_PATH
    plain=tests/install/consumer/plain
    flags="-I$DLPACK_INCLUDE_DIR $(pkg-config --cflags gasket)"
    test "$DLPACK_INCLUDE_DIR" = /usr/include && flags=$(pkg-config --cflags gasket)
    expect "C11 by pkg-config" "$CC" -std=c11 $flags "$plain.c" $(pkg-config --libs gasket) -o "$TEST_DIR/plain"
    expect "it runs" "$TEST_DIR/plain"
    expect "C11, static, by pkg-config" "$CC" -std=c11 -DGASKET_STATIC $flags "$plain.c" "$libraries/libgasket.a" \
        $(pkg-config --libs --static gasket | tr ' ' '\n' | grep -v '^-lgasket$') -o "$TEST_DIR/plain_static"
    expect "it runs" env LD_LIBRARY_PATH= "$TEST_DIR/plain_static"
    if command -v c++ >/dev/null; then
        expect "C++17 by pkg-config" c++ -std=c++17 $flags "$plain.cpp" $(pkg-config --libs gasket) -o "$TEST_DIR/plain_cpp"
        expect "it runs" "$TEST_DIR/plain_cpp"
    fi
else
    echo "no pkg-config: its consumers are left out"
fi
test "$failed" -eq 0 && rm -rf "$TEST_DIR"
mkdir -p "$TEST_DIR"
echo "$passed passed, $failed failed"
test "$failed" -eq 0
