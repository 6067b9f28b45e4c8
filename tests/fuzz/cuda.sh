# Kernels for a GPU against the interpreter, run by the emulation of one; then some of them by NVRTC, whose code is read.
set -u
fuzz=$GASKET_BUILD/gasket-fuzz
cases=60000
compiled=800
case ${GASKET_SANITIZE:-} in
*thread*) cases=5000 && compiled=0 ;;
?*) cases=30000 && compiled=0 ;;
esac
"$fuzz" --tier cuda-emulated --seed 1 --corpus tests/fuzz/corpus --cases $cases || exit
test $compiled -gt 0 || exit 0
"$fuzz" --tier cuda-emulated --seed 2 --nvrtc-share 100 --cases $compiled
status=$?
# The emulation has passed: without NVRTC only the second part is left out.
test $status -ne 77 || exit 0
exit $status
