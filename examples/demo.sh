#!/bin/sh
# The demo: the four operations on the files in examples/data, each checked against the interpreter. Called by setup.sh.
# GASKET_BUILD is the folder of the build; pictures go to its folder pictures.
set -eu
cd "$(dirname "$0")/.."
build=${GASKET_BUILD:-build/demo}
data=examples/data
out=$build/pictures
mkdir -p "$out"

say() {
    printf '\n---- %s\n' "$1"
}

# show FILE OPERATION NAME=VALUE... : runs it 50 times into FILE, checks it, and says why its kernels were chosen.
show() {
    file=$1
    shift
    "$build/gasket" run "$@" --repeat 50 --check -o "$file"
    "$build/gasket" explain "$@" >"$out/why.txt"
    grep -E 'normal form|tuples|outer  |row  |chosen|schedule|^tier' "$out/why.txt" | sed 's/^/    /'
}

picture() {
    "$build/examples/npy_to_bmp" "$1" "$2" "$3"
    echo "    picture: $2"
}

say "generate: specs and templates to kernels, compared with the committed ones"
"$build/gasket-gen" --specs gen/specs --templates templates --out generated --check

say "gather: a palette look-up turns 240 x 320 palette indices into a picture"
show "$out/picture.npy" gather params=$data/palette.npy indices=$data/picture.npy
picture "$out/picture.npy" "$out/picture.bmp" 2

say "gather again: the colour bin of each pixel, a pair of numbers"
show "$out/pixel_bins.npy" gather params=$data/bins.npy indices=$data/picture.npy

say "scatter_nd: a histogram over red and green; 76,800 ones are added into 32 x 32 bins, with duplicates in order"
show "$out/histogram.npy" scatter_nd indices="$out/pixel_bins.npy" updates=$data/ones.npy shape=32,32
picture "$out/histogram.npy" "$out/histogram.bmp" 12

say "gather_nd: 200 x 200 places of the picture, turned"
show "$out/turned.npy" gather_nd params="$out/picture.npy" indices=$data/turn.npy
picture "$out/turned.npy" "$out/turned.bmp" 2

say "tensor_scatter: a spiral drawn onto the picture; points outside are dropped"
show "$out/spiral.npy" tensor_scatter tensor="$out/picture.npy" indices=$data/places.npy updates=$data/colours.npy \
    combine=max bounds=drop
picture "$out/spiral.npy" "$out/spiral.bmp" 2

say "the same points without bounds=drop: an error that names the first bad one, and no file"
if "$build/gasket" run tensor_scatter tensor="$out/picture.npy" indices=$data/places.npy updates=$data/colours.npy \
    -o "$out/never.npy"; then
    echo "demo: this should have failed" >&2
    exit 1
fi
test ! -e "$out/never.npy"

say "pictures to open"
ls "$out"/*.bmp
