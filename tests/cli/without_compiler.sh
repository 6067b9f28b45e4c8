# Call-time compilation where there is no plug-in: all calls are served as before, and the rest says why not.
set -u
. tests/support/command.sh
start without_compiler
export GASKET_PLUGIN="$PWD/none.so"
missing="the plug-in for call-time compilation was not found: $PWD/none.so: "
bag='embedding_bag table=f32[50,16] indices=i64[4,3] weights=f32[4,3]'

run 0 info
has out "  jit                    no: $missing"
has out 'compiler of call-time kernels: none'
run 0 info --json
has out '"compiler": null,'
for jit in off sync async; do
    run 0 run embedding_bag table='[[1.5]]' indices='[[0]]' weights='[[2.0]]' --jit $jit --json
    has out '"tier": "interpreter",'
done
run 0 run embedding_bag table='[[1.5]]' indices='[[0]]' weights='[[2.0]]' --repeat 200 --json
has out '"tier": "interpreter",'
run 1 run embedding_bag table='[[1.5]]' indices='[[0]]' weights='[[2.0]]' --jit require
has err "gasket: embedding_bag: jit = \"require\", and no kernel is ready: $missing"
run 0 run gather params='[1,2]' indices='[1]' --jit require
prints 'i64 [1]
[2]'
run 1 run gather params='[1,2]' indices='[1]' --tier jit
has err "gasket: gather: tier 'jit' does not serve this call: $missing"
run 0 run gather params='[1,2]' indices='[1]' --jit sync --check

run 0 explain $bag
has out "call: $bag"
has out ', can not be compiled (jit = async)'
has out "  because    $missing"
has out 'tier: interpreter'
run 0 explain $bag --json
has out '"tier": "interpreter",'
for stage in source ir optimised asm object; do
    run 1 explain --$stage $bag
    has err "gasket: $missing"
done
run 1 jit $bag
has err "gasket: $missing"
run 0 jit gather params='f32[9,4]' indices='i64[3]'
has out 'compiled ahead of time'
printf '%s\n' "$bag" 'gather params=f32[9,4] indices=i64[3]' >calls
run 1 warm calls
has err "gasket: calls:1: $missing"
has err 'gasket: 2 kernels: 0 compiled, 0 cached, 1 ahead of time, 1 failed'
run 0 cache
has out 'entries    0'
run 0 cache list
run 0 cache verify
there ! -e kernels

# A library that is no plug-in.
printf 'no library' >none.so
run 1 jit $bag
has err "$missing"

finish
