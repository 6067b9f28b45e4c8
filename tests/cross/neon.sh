# The library for 64-bit ARM, with its NEON kernels, cross-compiled; the conformance tests run under qemu.
set -u
for tool in aarch64-linux-gnu-gcc qemu-aarch64 ninja; do
    command -v $tool >/dev/null || { echo "SKIP: $tool is not installed" && exit 77; }
done
build=$TEST_DIR/build
# Alone in a folder: the headers beside it are of the wrong machine.
mkdir -p "$TEST_DIR/include"
rm -f "$TEST_DIR/include/dlpack" "$TEST_DIR/include/xxhash.h"
ln -s "$DLPACK_INCLUDE_DIR/dlpack" "$TEST_DIR/include/dlpack"
ln -s "$XXHASH_INCLUDE_DIR/xxhash.h" "$TEST_DIR/include/xxhash.h"
cmake -S . -B "$build" -G Ninja -D CMAKE_TOOLCHAIN_FILE="$PWD/cmake/aarch64-linux-gnu.cmake" \
    -D CMAKE_BUILD_TYPE=Release -D GASKET_WERROR=ON -D GASKET_OPENMP=OFF -D GASKET_BUILD_EXTRAS=OFF \
    -D DLPACK_INCLUDE_DIR="$TEST_DIR/include" -D XXHASH_INCLUDE_DIR="$TEST_DIR/include" >"$TEST_DIR/configured" || exit 1
grep -q 'Kernels for neon: yes' "$TEST_DIR/configured" || grep -q 'GASKET_HAS_neon:INTERNAL=1' "$build/CMakeCache.txt" || exit 1
cmake --build "$build" --target tests_conform fault_code gasket-cli >"$TEST_DIR/built" || { tail -n 40 "$TEST_DIR/built" && exit 1; }
qemu-aarch64 -L /usr/aarch64-linux-gnu "$build/gasket" info || exit 1
ctest --test-dir "$build" -R "^conform_|^fault_code\$" --output-on-failure --no-tests=error
