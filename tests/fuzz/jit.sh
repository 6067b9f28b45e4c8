# The call-time tier against the interpreter: cases of the table, then formulas of the whole language. Under a sanitizer
# fewer: compiled kernels are not instrumented, and what they do wrong shows at the guard pages as well.
set -u
fuzz=$GASKET_BUILD/gasket-fuzz
cases=1500
formulas=150
case ${GASKET_SANITIZE:-} in *thread*)
    echo "SKIP: neither libLLVM nor what it compiles is instrumented for ThreadSanitizer" && exit 77 ;;
esac
test -n "${GASKET_SANITIZE:-}" && cases=150 && formulas=20
"$fuzz" --tier jit --seed 1 --corpus tests/fuzz/corpus --cases $cases || exit
exec "$fuzz" --seed 1 --formulas $formulas
