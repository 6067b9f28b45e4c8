# Which room may include what. A quoted name that is not listed must be a file beside the one that includes it.
set -u
failed=0
passed=0

# allow ROOM-OF-FILE INCLUDE: 0 if the room may.
allow() {
    case $1 in
    include/gasket/*) case $2 in '<stddef.h>' | '<stdint.h>' | '<dlpack/dlpack.h>' | '"gasket/'*) return 0 ;; esac ;;
    runtime/abi/*) case $2 in '<stddef.h>' | '<stdint.h>' | '"abi/'*) return 0 ;; esac ;;
    generated/gasket/*) case $2 in '"gasket/gasket.h"' | '<stddef.h>' | '<stdint.h>') return 0 ;; esac ;;
    generated/*) case $2 in '"abi/'* | '"cpu/kernels.h"' | '"table.h"') return 0 ;; esac ;;
    formula/*) case $2 in '"abi/'* | '"formula/'*) return 0 ;; *) ours_or_libc "$1" "$2" && return 0 ;; esac ;;
    gen/*)
        case $2 in
        '"abi/'* | '"formula/'* | '"gen/'* | '<lua.h>' | '<lualib.h>' | '<lauxlib.h>') return 0 ;;
        *) ours_or_libc "$1" "$2" && return 0 ;;
        esac ;;
    runtime/llvm/*)
        case $2 in
        # "templates.def" and "digest.h": what its build writes.
        '"gasket/gasket.h"' | '"abi/'* | '"jit/provider.h"' | '<llvm-c/'* | '"templates.def"' | '"digest.h"') return 0 ;;
        *) ours_or_libc "$1" "$2" && return 0 ;;
        esac ;;
    runtime/*)
        case $2 in
        '"llvm/'* | *'/llvm/'*) return 1 ;;
        '"jit/'* | '"cuda/'*) return 0 ;;
        '"gasket/gasket.h"' | '"abi/'* | '"formula/'* | '"generated/table.h"' | '"table.h"') return 0 ;;
        *) ours_or_libc "$1" "$2" && return 0 ;;
        esac ;;
    examples/custom_op/*)
        # "mine": what its build generates.
        case $2 in '"gasket/'* | '"mine/'*) return 0 ;; *) ours_or_libc "$1" "$2" && return 0 ;; esac ;;
    tools/* | bench/* | examples/*)
        case $2 in '"gasket/'*) return 0 ;; *) ours_or_libc "$1" "$2" && return 0 ;; esac ;;
    esac
    return 1
}

ours_or_libc() {
    case $2 in
    '<lua'* | '<lauxlib'* | '<llvm'* | '<cuda'* | '<nvrtc'* | '<dlpack'*) return 1 ;;
    '<'*) return 0 ;;
    *) name=${2#\"} && beside "$1" "${name%\"}" ;;
    esac
}

# beside FILE NAME: whether the name is that of a file beside it; jit and cuda also see the room they stand in.
beside() {
    case $1 in runtime/jit/* | runtime/cuda/*) test -f "runtime/$2" && return 0 ;; esac
    test -f "$(dirname "$1")/$2"
}

# check FILE INCLUDE
check() {
    if allow "$1" "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1 may not include $2 (docs/architecture.md, rooms)"
    fi
}

# The rules themselves refuse what they should.
for pair in 'include/gasket/a.h "abi/kernel.h"' 'runtime/abi/a.h <string.h>' 'generated/cpu/base/a.c <immintrin.h>' \
    'formula/a.c "problem.h"' 'gen/a.c "runtime/problem.h"' 'runtime/a.c <lua.h>' 'runtime/a.c "gen/spec.h"' \
    'runtime/a.c "llvm/a.h"' 'runtime/jit/a.c <llvm-c/Core.h>' 'runtime/jit/a.c "gen/spec.h"' 'runtime/jit/a.c <lua.h>' \
    'runtime/llvm/a.c "error.h"' 'runtime/llvm/a.c "jit/code.h"' 'runtime/llvm/a.c "formula/formula.h"' \
    'tools/a.c "abi/kernel.h"' 'examples/a.c "problem.h"'; do
    if allow ${pair% *} "${pair#* }"; then
        failed=$((failed + 1))
        echo "the rules let pass what they must refuse: $pair"
    else
        passed=$((passed + 1))
    fi
done

includes=${TEST_DIR}/includes
find include runtime generated formula gen tools bench examples \( -name '*.c' -o -name '*.h' -o -name '*.def' \) |
    LC_ALL=C sort | while read -r file; do
        sed -n "s|^ *# *include *\([<\"][^>\"]*[>\"]\).*|$file \1|p" "$file"
    done >"$includes"
while read -r file name; do
    check "$file" "$name"
done <"$includes"
echo "$passed passed, $failed failed"
test "$failed" -eq 0
