# gasket cache: what it tells, verifies, removes, exports and imports, and caches that can not be used.
set -u
. tests/support/command.sh
start cache
"$GASKET" info >out 2>err
if grep -q '^compiler of call-time kernels: none' out; then
    echo "SKIP:$(sed -n 's/^  jit  *no://p' out)"
    exit 77
fi
cat >calls <<'END'
embedding_bag table=f32[50,16] indices=i64[4,3] weights=f32[4,3]
embedding_bag table=f64[50,16] indices=i64[4,3] weights=f64[4,3]
take_along_axis params=i8[9,5] indices=i32[9,2]
END
entries=$GASKET_CACHE_DIR/v1
damaged() { printf '\377' | dd of="$1" bs=1 seek=100 conv=notrunc 2>/dev/null; }

# ---- Nothing yet ----
run 0 cache
has out "directory  $PWD/kernels"
has out 'entries    0'
has out 'size       0 B of 256.0 MiB'
there ! -e kernels
run 0 cache list
there ! -s out
run 0 cache verify
prints '0 entries, all sound'
run 0 cache clear
prints '0 entries removed'

# ---- Three entries ----
run 0 warm calls
prints '3 kernels: 3 compiled, 0 cached, 0 ahead of time, 0 failed'
run 0 cache stat
has out 'entries    3'
run 0 cache stat --json
has out '"entries": 3,'
has out '"limit": 268435456'
has out '"trouble": null,'
run 0 cache list
there "$(wc -l <out)" -eq 3
there "$(grep -c '^[0-9a-f]\{32\}\.kernel  \(f32\|f64\|e1\)  *[a-z0-9]* *[0-9.]* [KM]*i*B  ' out)" -eq 3
run 0 cache list --json
has out '"template": "f64",'
has out '"fault": null'
has out '"count": 3,'
run 0 cache verify
prints '3 entries, all sound'

# ---- To another machine and back ----
run 0 cache export bundle
prints '3 entries exported'
run 0 cache import bundle --cache other
prints '3 entries imported'
with GASKET_LLVM=/nowhere 0 warm calls --cache other
prints '3 kernels: 0 compiled, 3 cached, 0 ahead of time, 0 failed'
with GASKET_LLVM=/nowhere 0 jit take_along_axis params='i8[9,5]' indices='i32[9,2]' --cache other
has out 'cache   hit'
run 0 cache import bundle --json
has out '"imported": 3'
head -c 2000 bundle >cut
run 1 cache import cut --cache third
has err 'gasket: cut: '
run 1 cache import none
has err 'gasket: none: '
run 1 cache export none/bundle
has err 'gasket: none/bundle: can not be written'

# ---- Damage ----
file=$(ls "$entries" | grep kernel | head -n 1)
damaged "$entries/$file"
run 1 cache verify
has err "gasket: $file: "
has err "gasket: 1 of 3 entries damaged; 'gasket cache prune' removes them"
"$GASKET" cache verify --json >out 2>err
there $? -eq 1
has out '"damaged": 1'
run 0 cache list
has out 'damaged: '
run 0 cache export bundle
prints '2 entries exported'
run 0 cache prune
prints '1 entry removed'
run 0 cache verify
prints '2 entries, all sound'
run 0 warm calls
prints '3 kernels: 1 compiled, 2 cached, 0 ahead of time, 0 failed'
damaged "$entries/$file"
run 0 warm calls
prints '3 kernels: 1 compiled, 2 cached, 0 ahead of time, 0 failed'

# ---- Removing ----
run 0 cache prune --to 1000000
prints '0 entries removed'
run 0 cache prune --to=0
prints '3 entries removed'
run 0 warm calls
run 0 cache clear --json
has out '"removed": 3'

# ---- Wrong usage ----
run 2 cache lsit
has err "there is no action called 'lsit'; did you mean 'list'?"
run 2 cache list more
has err "'more' is one word too many: list takes no file"
run 2 cache export
has err 'export needs a file'
run 2 cache export a b
has err "'b' is one word too many"
run 2 cache list --to 5
has err '--to goes with prune'
for wrong in 5M -5 99999999999999999999 ' 5'; do
    run 2 cache prune --to "$wrong"
    has err '--to takes a number of bytes'
done
run 0 cache export 'a=b'

# ---- Caches that are not used: calls go on, and what is asked of the cache is refused with the reason ----
# unused SETTINGS REASON
unused() {
    with "$1" 0 cache
    has out 'trouble    '
    has out "$2"
    with "$1" 0 cache --json
    has out "$2"
    for action in list verify clear prune 'export bundle' 'import bundle'; do
        with "$1" 1 cache $action
        has err "gasket: the cache is not used: "
        has err "$2"
    done
    with "$1" 0 info
    has out "$2"
    with "$1" 0 run embedding_bag table='[[1.5]]' indices='[[0]]' weights='[[2.0]]' --jit sync --json
    has out '"tier": "jit",'
    with "$1" 0 jit take_along_axis params='i8[9,5]' indices='i32[9,2]'
    has out "not stored: "
    has out "$2"
}
run 0 cache import bundle
unused GASKET_CACHE_DIR= 'turned off: GASKET_CACHE_DIR is empty'
unused GASKET_CACHE_BYTES=5M "GASKET_CACHE_BYTES = '5M' is not a number of bytes"
echo text >file
unused "GASKET_CACHE_DIR=$PWD/file" "$PWD/file: is not a directory itself"
mkdir open && chmod 777 open
unused "GASKET_CACHE_DIR=$PWD/open" "$PWD/open: others may write to it (mode 0777)"
ln -s kernels link
unused "GASKET_CACHE_DIR=$PWD/link" "$PWD/link: is not a directory itself (links are not followed)"

# A directory on which nothing can be written is read all the same; root writes anywhere.
run 0 warm calls
chmod -R a-w kernels
if test -w kernels; then
    echo "not tried: a cache that can only be read (this user may write anywhere)"
else
    run 0 warm calls
    run 0 cache verify
    run 1 cache clear
    has err 'nothing can be written'
fi
chmod -R u+w kernels

# ---- Where it is ----
with "-u GASKET_CACHE_DIR XDG_CACHE_HOME=$PWD/xdg" 0 cache
has out "directory  $PWD/xdg/gasket"
with "-u GASKET_CACHE_DIR HOME=$PWD/house" 0 cache
has out "directory  $PWD/house/.cache/gasket"
with "-u GASKET_CACHE_DIR -u HOME" 0 cache
has out 'directory  '
with "-u GASKET_CACHE_DIR -u HOME" 0 info
with "GASKET_CACHE_DIR=else" 0 cache
has out "directory  $PWD/else"
with "GASKET_CACHE_DIR=else" 0 cache --cache first
has out "directory  $PWD/first"

finish
