# The command gasket: what it prints, writes and refuses, and its exit status.
set -u
. tests/support/command.sh
start cli

# ---- The four operations, from literals ----
run 0 run gather params='[[1,2,3],[4,5,6]]' indices='[2,0]' axis=1
prints "i64 [2,2]
[[3, 1],
 [6, 4]]"
there ! -s err
run 0 run gather params='[[1.5,2],[3,4]]' indices='[[1],[0]]' axis=-1 batch_dims=1
prints "f32 [2,1]
[[2.0],
 [3.0]]"
run 0 run gather_nd params='[["a","b"],["c","d"]]' indices='[[1,0],[0,1]]:u8'
prints 'string [2]
["c", "b"]'
run 0 run scatter_nd indices='[[1],[0],[1]]' updates='[1.5,2,3]' shape=4
prints "f32 [4]
[2.0, 4.5, 0.0, 0.0]"
run 0 run scatter_nd indices='[[0]]' updates='[[1,2]]' shape='[2, 2]'
prints "i64 [2,2]
[[1, 2],
 [0, 0]]"
run 0 run scatter_nd indices='[[1],[0],[1]]' updates='["ab","c","d"]' shape=3
prints 'string [3]
["c"  , "abd", ""   ]'
run 0 run tensor_scatter tensor='[5,6,7]' indices='[[1],[0],[1]]' updates='[1,9,3]' combine=max
prints "i64 [3]
[9, 6, 7]"
run 0 run tensor_scatter tensor='[nan,1.5]' indices='[[0],[1]]' updates='[1.0,nan]' combine=max nan=propagate
prints "f32 [2]
[nan, nan]"
run 0 run scatter_nd indices='[[0],[0],[0]]' updates='[256,1,1]:bf16' shape=1
prints "bf16 [1]
[256.0]"
run 0 run scatter_nd indices='[[0],[0],[0]]' updates='[256,1,1]:bf16' shape=1 accumulate=f32
prints "bf16 [1]
[258.0]"

# ---- Bounds and fill ----
run 1 run gather params='[1,2]' indices='[0,5]'
has err 'indices[1] = 5'
run 0 run gather params='[1,2]' indices='[0,5]' bounds=fill
prints "i64 [2]
[1, 0]"
run 0 run gather params='[1,2]' indices='[0,5]' bounds=fill fill=-9
prints "i64 [2]
[ 1, -9]"
run 0 run gather params='[1.5]' indices='[3]' bounds=fill fill=0.25
prints "f32 [1]
[0.25]"
run 0 run gather params='[1+2j]:c128' indices='[3]' bounds=fill fill=1-2j
prints "c128 [1]
[1.0-2.0j]"
run 0 run gather params='["x"]' indices='[3]' bounds=fill fill=none
prints 'string [1]
["none"]'
run 0 run gather params='["x"]' indices='[3]' bounds=fill fill='"5"'
prints 'string [1]
["5"]'
run 0 run gather params='[true]' indices='[3]' bounds=fill fill=true
prints "bool [1]
[true]"
run 0 run gather params='[1]:u64' indices='[3]' bounds=fill fill=18446744073709551615
prints "u64 [1]
[18446744073709551615]"
run 0 run gather params='[0x38]:f8_e4m3fn' indices='[3]' bounds=fill fill=0x40
prints "f8_e4m3fn [1]
[0x40]"
run 0 run gather params='[1,2]' indices='[-1,9]' bounds=clip
prints "i64 [2]
[1, 2]"
run 0 run gather params='[1,2]' indices='[-1]' bounds=from_end
prints "i64 [1]
[2]"
run 0 run scatter_nd indices='[[9],[0]]' updates='[1,2]' shape=2 bounds=drop
prints "i64 [2]
[2, 0]"

# ---- Formulas of the command line ----
run 0 run --formula 'out[B, W] = x[B, i[B, W]]' x='[[1,2,3],[4,5,6]]' i='[[0,2],[1,1]]'
prints "i64 [2,2]
[[1, 3],
 [5, 5]]"
run 0 run --formula='out[O, N, S] = x[O, i[N], S]' --ranks 'O = 1, N = rank(i)' x='[[1,2,3],[4,5,6]]' i='[2,0]' --check
prints "i64 [2,2]
[[3, 1],
 [6, 4]]"
run 0 run --formula 'out[G] += t[i[G, L]] * w[G, L] from zeros' --ranks 'L = 1' t='[1.0,2,3]' i='[[0,1],[2,2]]' \
    w='[[1.0,2],[1,1]]'
prints "f32 [2]
[5.0, 6.0]"
run 0 run --formula 'out[i[N], S] max= u[N, S] from t' u='[[9],[4]]' i='[0,0]' t='[[5],[6]]' bounds=drop
prints "i64 [2,1]
[[9],
 [6]]"
run 0 explain --formula 'out[N] = x[i[N]]' x='[1,2]' i='[0]:i32'
has out "formula: out[N] = x[i[N]]"
run 0 run --formula 'out[N] = x[i[N]]' --help
has out "index tensor"
run 2 run --formula 'out[N] = x[i[N]' x='[1]' i='[0]'
has err "formula: expected ',', '+' or ']', found the end, column 16"
has err "                   ^"
run 2 run --formula 'out[O, N, S] = x[O, i[N], S]' x='[[1]]' i='[0]'
has err "how many dimensions 'O' has does not follow from the ranks of the inputs; give it as 'O = ...'"
run 2 run --formula 'out[N] = x[i[N]]' --ranks 'Q = 1' x='[1]' i='[0]'
has err "ranks: the formula has no group 'Q'"
run 2 run gather --formula 'out[N] = x[i[N]]' x='[1]' i='[0]'
has err "'gather' is not understood: --formula takes the place of the operation"
run 2 run gather --ranks 'O = 1' params='[1]' indices='[0]'
has err "there is none"
run 2 run --formula 'out[N] = x[i[N]]' x='[1]'
has err "formula needs i="
run 2 list --formula 'out[N] = x[i[N]]'

# ---- Files ----
run 0 run gather params='[[1,2],[3,4]]:i32' indices='[1,0]' -o o.npy
prints ""
there ! -s err
run 0 run gather params=o.npy indices=0
prints "i32 [2]
[3, 4]"
there "$(head -c 10 o.npy | od -An -tx1 | tr -d ' \n')" = 934e554d505901007600
there "$(wc -c <o.npy)" -eq 144
has o.npy "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }"

# stores TYPE TEXT: literals of the type are written so, and read back with FILE:TYPE.
stores() {
    run 0 run gather params="$3:$1" indices='[0]' -o t.npy
    has t.npy "$2"
    run 0 run gather params="t.npy:$1" indices=0
    has out "$4"
}
stores bool "'|b1'" '[[true,false]]' '[ true, false]'
stores i8 "'|i1'" '[[1,-2]]' '[ 1, -2]'
stores u64 "'<u8'" '[[1,2]]' '[1, 2]'
stores f16 "'<f2'" '[[1,2.5]]' '[1.0, 2.5]'
stores bf16 "'|V2'" '[[1,2.5]]' '[1.0, 2.5]'
stores f8_e5m2 "'|V1'" '[[0x38,0x40]]' '[0x38, 0x40]'
stores c64 "'<c8'" '[[1+2j,3]]' '[1.0+2.0j, 3.0+0.0j]'
stores c128 "'<c16'" '[[1+2j,3]]' '[1.0+2.0j, 3.0+0.0j]'
stores string "'|S3'" '[["abc",""]]' '["abc", ""   ]'
stores i4 "'|u1', 'fortran_order': False, 'shape': (1, 1)" '[[1,-2]]' '[ 1, -2]'
run 1 run gather params=t.npy:bf16 indices=0
has err 'params: t.npy: elements of type |u1 can not be taken as bf16: the width differs'
run 0 run gather params='[1]:bf16' indices=0 -o r.npy
run 1 run gather params=r.npy indices=0
has err 'say what they are, as in FILE:bf16'

# file NAME TYPE ORDER SHAPE BYTES: a file as other programs write them.
file() {
    printf '\223NUMPY\001\000\166\000%-117s\n' "{'descr': '$2', 'fortran_order': $3, 'shape': $4, }" >"$1"
    printf "$5" >>"$1"
}
file fortran.npy '<i2' True '(2, 3)' '\001\000\002\000\003\000\004\000\005\000\006\000'
run 0 run gather params=fortran.npy indices='[1,0]'
prints "i16 [2,3]
[[2, 4, 6],
 [1, 3, 5]]"
file big.npy '>i2' False '(3,)' '\000\001\001\000\377\377'
run 0 run gather params=big.npy indices='[2,1,0]'
prints "i16 [3]
[ -1, 256,   1]"
file cut.npy '<i8' False '(3,)' '\001'
run 1 run gather params=cut.npy indices=0
has err 'params: cut.npy: the file is cut short: the shape [3] of <i8 needs 24 bytes, 1 are there'
file objects.npy '|O' False '(1,)' '\200'
run 1 run gather params=objects.npy indices=0
has err 'Python objects'
cp o.npy 5
run 0 run gather params=./5 indices=0
cp o.npy name:i32
run 1 run gather params=name:i32 indices=0
has err 'name: No such file'
run 1 run gather params=none.npy indices=0
has err 'params: none.npy: No such file or directory'
mkfifo pipe
cat o.npy >pipe &
run 0 run gather params=pipe indices=0
prints "i32 [2]
[3, 4]"
run 0 run gather params='[7]' indices=0 -o /dev/stdout
has out "{'descr': '<i8'"

# ---- Nothing is written on a failure ----
echo old >keep.npy
run 1 run gather params='[1,2]' indices=7 -o keep.npy
run 1 run gather params='[1,2]' indices=7 -o new.npy
run 1 run gather params='[1,2]:i4' indices='[0]' -o new.npy
run 1 run gather params='[1,2]' indices=0 -o none/new.npy
run 2 run gather params='[1,2]' indices=0 -o
there "$(cat keep.npy)" = old
there ! -e new.npy
there -z "$(ls | grep part)"
if test -w /dev/full; then
    run 1 run gather params='[1,2]' indices=0 -o /dev/full
    has err 'No space left'
    "$GASKET" info >/dev/full 2>err
    there $? -eq 1
fi
run 0 run tensor_scatter tensor=o.npy indices='[[0]]' updates='[[9,9]]:i32' -o o.npy
run 0 run gather params=o.npy indices=0
prints "i32 [2]
[9, 9]"

# ---- Measuring and checking ----
run 0 run gather params='[1,2]' indices='[0,1]' --repeat 3 --check --threads 1
has err 'gather: params i64 [2], indices i64 [2] -> i64 [2]'
has err 'least of 3 runs'
has err 'check: equal to the interpreter, bit for bit'
prints "i64 [2]
[1, 2]"
run 0 run gather params='["a","b"]' indices='[0,1]' --check --verbose
run 0 run scatter_nd indices='[[0],[0]]' updates='["a","b"]' shape=2 --check --repeat 5
prints 'string [2]
["ab", ""  ]'
run 0 run gather params='[[1,2],[3,4]]:u8' indices='[0,1,1]' --json --repeat 2 --check --tier=interpreter --isa=base
for line in '"op": "gather",' '"shape": [3, 2],' '"dtype": "u8",' '"tier": "interpreter",' '"kernel": "' '"isa": "base",' \
    '"threads": 1,' '"repeat": 2,' '"seconds_median": ' '"seconds_min": ' '"output_bytes": 6,' '"checked": true'; do
    has out "$line"
done
there "$(grep -c '":' out)" -eq 12
run 0 run gather params='[1]' indices=0 --json -o j.npy
there "$(grep -c checked out)" -eq 0
there -f j.npy

# ---- The other verbs ----
run 0 explain gather params='[[1,2]]' indices='[0]:i32'
has out 'gather: out[B, O, N, S] = params[B, O, indices[B, N], S]'
has out 'tier: '
run 0 explain gather params='[[1,2]]' indices='[7]:i32'
run 0 explain gather params='[[1,2]]' indices='[0]' --json
has out '"text": "'
has out '"output_bytes": 16,'
run 1 explain gather params=5 indices=0 axis=0
run 2 explain gather params='[1]' indices=0 -o x.npy
has err "there is no option called '-o'"
run 0 explain gather params='f32[5,3]{8,2}@16' indices='u8[2,2]' axis=1 bounds=clip
has out 'call: gather params=f32[5,3]{8,2}@16 indices=u8[2,2] batch_dims=0 axis=1 bounds=clip'
has out 'params     f32 [5,3] strides [8,2]'
run 0 explain gather params='f32[5,3]' indices='u8[2,1]' out='f32[2,1,3]{3,7,-1}@8' bounds=from_end fill=7
has out 'call: gather out=f32[2,1,3]{3,0,-1}@8 params=f32[5,3] indices=u8[2,1] batch_dims=0 axis=0 bounds=from_end fill=0'
run 0 explain gather params='[[1,2]]:bf16' indices='i64[]' out='bf16[2]{1}'
has out 'call: gather params=bf16[1,2] indices=i64[] batch_dims=0 axis=0'
run 0 explain scatter_nd indices='i32[0,2]' updates='string[0]' shape=4,5
has out 'call: scatter_nd indices=i32[0,2] updates=string[0] shape=4,5'
run 0 explain window_gather params='[[1.5,2]]' start='[0]' window=2
has out 'start=i64[1] window=2'
run 0 explain tensor_scatter tensor='f16[4]' indices='i32[3,1]' updates='f16[3]' combine=max nan=propagate
has out 'combine=max nan=propagate'
run 0 explain --formula 'out[G] += t[i[G, L]] * w[G, L] from zeros' --ranks 'L = 2' t='f32[9]' i='i8[4,2,3]' w='f32[4,2,3]'
has out "call: --formula 'out[G] += t[i[G, L]] * w[G, L] from zeros' --ranks 'L = 2' t=f32[9] i=i8[4,2,3] w=f32[4,2,3]"
run 1 explain gather params='f32[5]{2}' indices='u8[2]' out='f32[3]'
run 2 explain gather params='f32[5' indices='u8[2]'
has err "params: 'f32[5' is not a tensor as in f32[8,4]: type[shape]{strides}@byte_offset"
for wrong in 'f32[5]{1,1}' 'f32[5]{1' 'f32[5]@' 'f32[5]@-4' 'f32[5]@99999999999999999999' 'f32[5]x' 'f32[,]' \
    'f32[99999999999999999999]'; do
    run 2 explain gather params="$wrong" indices='u8[2]'
done
run 1 explain gather params='f32[-5]' indices='u8[2]'
run 1 run gather params='f32[5]' indices='[1]'
has err 'params of shape [5] has elements, but its data is NULL'
run 2 run gather params='[1]' indices='[0]' out='i64[1]{2}'
has err 'out: a run makes its result itself'
run 0 info
has out 'gasket '
has out 'compiler of call-time kernels: '
has out '  directory  '
has out 'out[B, O, N, S] = params[B, O, indices[B, N], S]'
run 0 info --json --isa base
has out '"isa": "base",'
run 2 info gather
run 0 list
run 0 list gather value=f32 index=i64 bounds=error
if test -s out; then
    there -z "$(grep -vE '^gather +f32 +i64 +store .* error ' out)"
    all=$(wc -l <out)
    run 0 list gather value=f32 index=i64 bounds=error axis=inner
    there "$(wc -l <out)" -lt "$all"
    there -z "$(grep -v 'axis=inner' out)"
    run 0 list scatter_nd combine=add value=bf16 depth=2 --json
    has out '"op": "scatter_nd",'
    has out '"form": "depth=2'
    has out '"count": '
    run 0 list gather bodies=resolve_i32_d1
    there -z "$(grep -v 'resolve_i32_d1' out)"
fi
run 0 list gather value=string index=u8 bounds=drop
has err 'no combination matches'
run 2 list gather value=f33
run 2 list gather valeu=f32
has err "did you mean 'value'?"
run 2 list gathr
has err "did you mean 'gather'?"

# ---- Help and wrong usage ----
for verb in run explain jit warm cache list info; do
    run 0 $verb --help
    has out "usage: gasket $verb"
    there ! -s err
done
run 0 run scatter_nd --help
has out 'out[indices[N, *], S] += updates[N, S] from zeros'
has out 'shape '
run 0 --help
has out 'Exit status: 0 done, 1 failed'
run 0 --version
"$GASKET" >out 2>err
there $? -eq 2
has err 'usage: gasket VERB'
run 2 rnu gather
has err "there is no verb called 'rnu'; did you mean 'run'?"
run 2 run
has err 'which operation?'
run 2 run gatehr params='[1]' indices=0
has err "there is no operation called 'gatehr'; did you mean 'gather'?"
run 2 run gather parms='[1]' indices=0
has err "there is no argument of gather called 'parms'; did you mean 'params'?"
run 2 run gather params='[1]'
has err 'gather needs indices='
run 2 run gather params='[1]' indices=0 params='[2]'
has err 'params is given twice'
run 2 run gather params='[1]' indices=0 out=o.npy
has err 'out is the result of gather: -o FILE.npy'
run 2 run gather params='[1]' indices=0 more
has err "'more' is not understood"
run 2 run gather params='[1]' indices=0 --thread 2
has err "did you mean '--threads'?"
run 2 run gather params='[1]' indices=0 --threads many
has err '--threads takes a whole number from 0 to 4096'
run 2 run gather params='[1]' indices=0 --repeat 0
run 2 run gather params='[1]' indices=0 --repeat
has err '--repeat needs a value'
run 2 run gather params='[1]' indices=0 --check=yes
has err '--check takes no value'
run 2 run gather params='[1]' indices=0 --isa avx
has err "did you mean 'avx2'?"
run 2 run gather params='[1]' indices=0 --tier exat
has err "did you mean 'exact'?"
run 2 run gather params='[1]' indices=0 bounds=fil
has err "did you mean 'fill'?"
run 2 run gather params='[1]' indices=0 axis=x
has err "axis: 'x' is not a whole number"
run 2 run gather params='[1]' indices=0 axis=9223372036854775808
run 2 run scatter_nd indices='[[0]]' updates='[1]' shape=1,
run 2 run scatter_nd indices='[[0]]' updates='[1]' shape='[1'
has err "is not a list of at most 64 whole numbers"
run 2 run scatter_nd indices='[[0]]' updates='[1]' shape=1x
run 2 run gather params='[1,[2]]' indices=0
has err 'not nested alike'
run 1 run scatter_nd indices='[[0]]' updates='[1]' shape=4611686018427387904
run 1 run gather params='[1]' indices=0.5
has err indices
case $(uname -m) in
    x86_64) other=neon ;;
    *) other=avx2 ;;
esac
run 1 run gather params='[1]' indices=0 --isa $other
has err "instruction set $other can not be used here: "

# ---- Progress, on a terminal only ----
many=0
for i in 1 2 3 4 5 6; do many=$many,$many; done
long="run gather params=[1] indices=[$many] --tier interpreter --repeat 300000 --json"
ran='a long run'
"$GASKET" $long >out 2>err
there ! -s err
median=$(sed -n 's/.*"seconds_median": \(.*\),/\1/p' out)
if script -qec true /dev/null >/dev/null 2>&1 && test "$(echo "$median" | awk '{ print ($1 > 5e-6) }')" -eq 1; then
    script -qec "$GASKET $long" typed >/dev/null 2>&1
    has typed 'of 300000, '
else
    echo "not tried: progress on a terminal (no program 'script', no terminal device, or a run of $median s is too fast)"
fi

finish
