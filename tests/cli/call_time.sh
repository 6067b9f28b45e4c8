# Call-time compilation by the command: jit, warm, run --jit, explain and its stages.
set -u
. tests/support/command.sh
abi=$PWD/runtime
start call_time
"$GASKET" info >out 2>err
if grep -q '^compiler of call-time kernels: none' out; then
    echo "SKIP:$(sed -n 's/^  jit  *no://p' out)"
    exit 77
fi

# field NAME: its value in the output of jit or explain.
field() { sed -n "s/^ *$1  *//p" out; }
bag='embedding_bag table=f32[50,16] indices=i64[4,3] weights=f32[4,3]'

# ---- jit ----
run 0 jit $bag
there "$(field cache | cut -d, -f1)" = miss
key=$(field key)
there "$(echo "$key" | grep -c '^[0-9a-f]\{32\}$')" -eq 1
there "$(field code | cut -d' ' -f1)" -gt 0
run 0 jit $bag
there "$(field cache | cut -d, -f1)" = hit
there "$(field key)" = "$key"
run 0 jit $bag --json
for line in '"tier": "jit",' '"cached": true,' "\"key\": \"$key\"," '"milliseconds": ' '"code_bytes": '; do
    has out "$line"
done
run 0 jit embedding_bag table='f32[50,16]{32,1}' indices='i64[4,3]' weights='f32[4,3]'
there "$(field key)" != "$key"
run 0 jit $bag out='f32[4,16]{16,1}'
there "$(field key)" = "$key"
run 0 jit $bag 'out=f32[4,16]{1,4}'
there "$(field key)" != "$key"
run 0 jit gather params='f32[9,4]' indices='i64[3]'
has out 'compiled ahead of time; --tier jit compiles one for this call'
there -z "$(field key)"
run 0 jit gather params='f32[9,4]' indices='i64[3]' --tier jit
there -n "$(field key)"
with GASKET_JIT=off 0 jit $bag
there "$(field key)" = "$key"
run 1 jit scatter_nd indices='i64[2,1]' updates='string[2]' shape=4
has err 'strings are added by other tiers'
run 2 jit
has err 'which operation?'
run 2 jit $bag --jit sync
with GASKET_CACHE_DIR= 0 jit $bag
has out '; not stored: turned off: GASKET_CACHE_DIR is empty'
with GASKET_CACHE_DIR= 0 jit $bag --json
has out '"not_stored": "turned off'

# ---- run ----
data='table=[[1.5,2],[3,4]] indices=[[1,1],[0,1]] weights=[[2.0,1],[0.5,0]]'
run 0 run embedding_bag $data --verbose
has err '(interpreter tier'
run 0 run embedding_bag $data --verbose --jit off
has err '(interpreter tier'
run 1 run embedding_bag $data --jit require
has err 'jit = "require", and no kernel is ready'
run 0 run embedding_bag $data --jit sync --check
has err '(jit tier'
prints "f32 [2,2]
[[ 9.0, 12.0],
 [0.75,  1.0]]"
run 0 run embedding_bag $data --jit require --verbose
has err '(jit tier'
with GASKET_JIT=sync 0 run embedding_bag $data --json
has out '"tier": "jit",'
with GASKET_JIT=nonsense 0 run embedding_bag $data --json
run 0 run gather params='[[1,2],[3,4]]' indices='[1,0]' --tier jit --check
has err '(jit tier'
run 0 run --formula 'out[B, W] = x[B, i[B, W]]' x='[[1,2,3],[4,5,6]]' i='[[0,2],[1,1]]' --tier jit --check --repeat 3
has err 'kernel: nest_e8__llvm_'
run 2 run embedding_bag $data --jit now

# ---- explain: the kernel is compiled before it is shown, unless jit = off ----
run 0 explain $bag
has out "call: $bag"
for line in 'call-time kernel: nest_f32__llvm_' ', ready (jit = async)' '  loops      4' '; a row of 16 elements of 4 bytes' \
    '  place      table + 64 * (indices[+0]); extent 50, found in loop 1; outside, nothing is stored' \
    "  key        $key" '  compiler   ' '  cache      hit, read in ' '  code       ' 'tier: jit (compiled for this very call)'; do
    has out "$line"
done
run 0 explain $bag --json
has out "\"key\": \"$key\","
run 0 explain $bag --jit off
has out 'call-time kernel: none, jit = off'
has out 'tier: interpreter (the operation has no ahead-of-time kernels)'
run 0 explain gather params='f32[9,4]' indices='i64[3]'
has out 'call-time kernel: none, an exact ahead-of-time kernel serves the call'
run 0 explain gather params='f32[9,4]' indices='i64[3]' --tier general
has out 'call-time kernel: none, another tier was asked for'
with GASKET_JIT=require 1 explain embedding_bag table='f32[51,17]' indices='i64[4,3]' weights='f32[4,3]'

# ---- Stages ----
run 0 explain --source $bag
cp out kernel.c
has kernel.c 'gasket_nest_run'
if command -v "${CC:-}" >/dev/null; then
    ran='the C text'
    if "$CC" -std=gnu11 -O1 -c -I "$abi" kernel.c -o kernel.o 2>err; then pass; else fail "$ran does not compile"; fi
fi
for stage in ir optimised asm; do
    run 0 explain --$stage $bag
    has out gasket_nest_run
    has out gasket_nest_check
done
run 0 explain --object $bag
there "$(head -c 4 out | od -An -tx1 | tr -d ' ')" = 7f454c46
with GASKET_JIT=off 0 explain --asm $bag
run 1 explain --asm gather params='f32[9,4]' indices='i64[3]'
has err 'an exact ahead-of-time kernel serves the call; --tier jit compiles one instead'
run 0 explain --asm gather params='f32[9,4]' indices='i64[3]' --tier jit
run 1 explain --asm $bag --jit off
if script -qec true /dev/null >/dev/null 2>&1; then
    ran='an object on a terminal'
    script -qec "$GASKET explain --object $bag" typed >/dev/null 2>&1
    has typed 'an object file is nothing for a terminal'
else
    echo "not tried: an object on a terminal (no program 'script', or no terminal device)"
fi

# ---- What explain prints, jit reads: the same kernel ----
again() {
    run 0 explain "$@"
    line=$(sed -n 's/^call: //p' out)
    key=$(field key)
    printf '%s\n' "$line" >>calls
    printf '%s' "$line" | xargs "$GASKET" jit --json ${tier:-} >out 2>err
    ran="jit $line"
    there -n "$key"
    has out "\"key\": \"$key\","
}
again $bag
again embedding_bag table='bf16[50,16]{1,50}@4' indices='u8[4,3]{0,1}' weights='bf16[4,3]' bounds=clip
again take_along_axis params='i8[4,9,5]' indices='i32[4,2,5]' axis=-2 bounds=from_end
again take_along_axis params='i8[4,9,5]' indices='i32[4,2,5]' axis=-2 bounds=from_end fill=3
again window_gather params='c64[2,90]' start='u16[2]' window=7
again --formula 'out[i[N], S] max= u[N, S] from t' u='f16[2,3]' i='i64[2]' t='f16[6,3]' bounds=drop nan=propagate --ranks 'S = 1' \
    --tier jit
tier='--tier jit'
again tensor_scatter tensor='f64[4,4,4]' indices='i8[5,2]' updates='f64[5,4]' combine=mul --tier jit
again gather_nd params='string[3,4]' indices='i64[5,2]' --tier jit
tier=

# ---- warm ----
rm -rf kernels
cat >list <<END
# a comment

call: $bag
  $bag # no comment, a word too many
gather params=f32[9,4] indices=i64[3]
--formula 'out[G] += t[i[G, L]] * w[G, L] from zeros' --ranks 'L = 1' t=f32[9] i=i64[2,2] w=f32[2,2]
$bag
gather params=f32[9,4 indices=i64[3]
bogus params=f32[9,4]
gather 'params=f32[9,4]
scatter_nd indices=i64[2,1] updates=string[2] shape=4
$bag --cache elsewhere
END
run 1 warm list
has err 'gasket: list:4: '
has err "gasket: list:8: params: 'f32[9,4' is not a tensor"
has err "gasket: list:9: there is no operation called 'bogus'"
has err 'gasket: list:10: a quote is not closed'
has err 'gasket: list:11: scatter_nd: no call-time kernel serves this: strings are added by other tiers'
has err "gasket: list:12: there is no option called '--cache'"
has err 'gasket: 10 kernels: 2 compiled, 1 cached, 1 ahead of time, 6 failed'
there ! -e elsewhere
head -n 3 list >short
run 0 warm short
prints '1 kernel: 0 compiled, 1 cached, 0 ahead of time, 0 failed'
run 0 warm short --json
has out '"cached": 1,'
"$GASKET" warm - <short >out 2>err
prints '1 kernel: 0 compiled, 1 cached, 0 ahead of time, 0 failed'
: >empty
run 0 warm empty
prints '0 kernels: 0 compiled, 0 cached, 0 ahead of time, 0 failed'
printf '%s' "$bag" >unended
run 0 warm unended
printf '%s\r\n' "$bag" >lines
run 0 warm lines
printf 'a\0b' >zero
run 1 warm zero
has err 'zero: a zero byte: this is no text'
run 1 warm none
has err 'none: No such file or directory'
run 1 warm .
run 2 warm
has err "which file? '-' is standard input"
run 2 warm list more
run 0 warm calls --tier jit
with GASKET_CACHE_DIR= 1 warm short
has err 'gasket: short:3: compiled, but not stored: turned off: GASKET_CACHE_DIR is empty'

finish
