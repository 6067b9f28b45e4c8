# Every header that is installed compiles alone, without a warning: the public ones as C11 and C++17, what kernels
# include as C11.
set -u
failed=0
passed=0
warnings="-Wall -Wextra -Wconversion -Wshadow -Werror -pedantic"
folders="-Iinclude -Igenerated -Iruntime"
# The folder of dlpack.h, where the compiler does not look by itself.
if test -n "${DLPACK_INCLUDE_DIR:-}" && test "$DLPACK_INCLUDE_DIR" != /usr/include; then
    folders="$folders -isystem $DLPACK_INCLUDE_DIR"
fi

# try NAME COMMAND...: the command compiles what it reads.
try() {
    name=$1
    shift
    if "$@" -fsyntax-only $warnings $folders "$TEST_DIR/alone.${name##*.}" >"$TEST_DIR/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$header does not compile alone with: $*"
        cat "$TEST_DIR/said"
    fi
}

for header in include/gasket/*.h generated/gasket/*.h runtime/abi/*.h generated/*.h; do
    test -f "$header" || continue
    name=${header#include/}
    name=${name#generated/}
    name=${name#runtime/}
    # Some are words for either target and stand behind those of one; some are for CUDA's compilers alone.
    case $name in
    abi/number.h | abi/nest_point.h) echo '#include "abi/vector.h"' ;;
    abi/device.h | abi/atomic.h) continue ;;
    esac >"$TEST_DIR/alone.c"
    echo "#include \"$name\"" >>"$TEST_DIR/alone.c"
    # Twice: guards.
    echo "#include \"$name\"" >>"$TEST_DIR/alone.c"
    echo "int main(void) { return 0; }" >>"$TEST_DIR/alone.c"
    cp "$TEST_DIR/alone.c" "$TEST_DIR/alone.cc"
    case $name in
    gasket/*)
        try header.c "$CC" -std=c11 -Wstrict-prototypes
        if command -v c++ >/dev/null; then
            try header.cc c++ -std=c++17
        else
            echo "no C++ compiler: $header is not tried as C++17"
        fi
        ;;
    *) try header.c "$CC" -std=gnu11 -Wno-pedantic ;;
    esac
done
echo "$passed passed, $failed failed"
test "$failed" -eq 0
