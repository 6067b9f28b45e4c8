#!/bin/sh
# ./setup.sh demo    installs what is missing, builds, and runs the four operations on the files in examples/data
# ./setup.sh test    installs what is missing, builds in every way that CI does, and runs all tests
# Both may be run again at any time, ask nothing, and write only to build/ (demo: and to where it says).
set -u
cd "$(dirname "$0")" || exit 1
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

for_demo="gcc libc6-dev cmake ninja-build pkg-config liblua5.4-dev libdlpack-dev libxxhash-dev"
for_test="g++ clang libomp-dev clang-format-14 libcriterion-dev"
# Without these a test says that it is skipped.
for_more="libclang-rt-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user python3-minimal python3-pip"

jobs=$(nproc 2>/dev/null || echo 2)
summary=""
failures=0
stages=0

usage() {
    sed -n '2,4s/^# //p' "$0"
    exit 2
}

missing() {
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || printf '%s ' "$package"
    done
}

as_root() {
    if test "$(id -u)" -eq 0; then
        "$@"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
    else
        echo "setup: this needs root: $*" >&2
        return 1
    fi
}

apt_install() {
    as_root apt-get -q -y -o Dpkg::Use-Pty=0 install --no-install-recommends "$@"
}

# install_packages NEEDED... -- WANTED...: the wanted ones may fail.
install_packages() {
    if ! command -v apt-get >/dev/null; then
        echo "setup: no apt-get here; what Debian calls these has to be there: $*"
        return 0
    fi
    needed=$(missing $1)
    wanted=$(missing $2)
    if test -z "$needed$wanted"; then
        echo "setup: nothing to install"
        return 0
    fi
    echo "setup: installs Debian packages: $needed$wanted"
    as_root apt-get -q update || echo "setup: apt-get update failed; going on with the lists that are there"
    if test -n "$needed"; then
        apt_install $needed || { echo "setup: could not install: $needed" >&2 && return 1; }
    fi
    for package in $wanted; do
        apt_install "$package" || echo "setup: $package could not be installed; its tests will be skipped"
    done
}

# The plug-in for call-time compilation is built against the headers of any LLVM from 15 on; the newest is as good as the
# one that is there. The demo does without, unless they are installed: they are large.
install_llvm() {
    command -v apt-get >/dev/null || return 0
    versions="21 20 19 18 17 16 15"
    for version in $versions; do
        test -n "$(missing "llvm-$version-dev")" || return 0
    done
    as_root apt-get -q update || echo "setup: apt-get update failed; going on with the lists that are there"
    for version in $versions; do
        apt-cache show "llvm-$version-dev" >/dev/null 2>&1 && apt_install "llvm-$version-dev" && return 0
    done
    echo "setup: no headers of LLVM could be installed; the tests of call-time compilation will be skipped"
}

# CUDA's compiler, which needs neither a GPU nor a driver: that of a toolkit, or the one that PyPI has.
install_nvrtc() {
    nvrtc=build/nvrtc/nvidia/cuda_nvrtc/lib/libnvrtc.so.12
    test -z "${GASKET_NVRTC:-}" || return 0
    ldconfig -p 2>/dev/null | grep -q 'libnvrtc\.so' && return 0
    ls /usr/local/cuda*/lib64/libnvrtc.so* >/dev/null 2>&1 && return 0
    if ! test -e $nvrtc; then
        mkdir -p build/nvrtc
        python3 -m pip download -q --no-deps -d build/nvrtc nvidia-cuda-nvrtc-cu12 &&
            python3 -m zipfile -e build/nvrtc/*.whl build/nvrtc && rm build/nvrtc/*.whl
    fi
    if test -e $nvrtc; then
        GASKET_NVRTC=$PWD/$nvrtc && export GASKET_NVRTC
    else
        echo "setup: no NVRTC could be installed; its tests will be skipped"
    fi
}

# stage NAME COMMAND...: runs it, and notes how it ended and how long it took.
stage() {
    name=$1
    shift
    echo
    echo "==== $name"
    began=$(date +%s)
    if "$@"; then result=ok; else result=FAILED && failures=$((failures + 1)); fi
    stages=$((stages + 1))
    took=$(($(date +%s) - began))
    echo "==== $name: $result, $took s"
    summary="$summary$(printf '%-44s %-7s %5d s' "$name" "$result" "$took")
"
    test "$result" = ok
}

report() {
    echo
    echo "$summary"
    echo "stages: $((stages - failures)) passed, $failures failed"
    test "$failures" -eq 0
}

build() {
    cmake --preset "$1" && cmake --build --preset "$1" -j "$jobs"
}

demo() {
    install_packages "$for_demo" "" || exit 1
    cmake --preset release -B build/demo -DGASKET_BUILD_TESTS=OFF && cmake --build build/demo -j "$jobs" || exit 1
    GASKET_BUILD=build/demo sh examples/demo.sh
}

# A build that fails leaves out its tests, and nothing else.
tests() {
    stage "install" install_packages "$for_demo $for_test" "$for_more" || { report && exit 1; }
    stage "install LLVM" install_llvm
    stage "install NVRTC" install_nvrtc
    for preset in dev clang asan ubsan tsan; do
        stage "$preset: build" build $preset && stage "$preset: tests" ctest --preset $preset -j "$jobs"
    done
    report
}

test $# -eq 1 || usage
case $1 in
demo) demo ;;
test) tests ;;
*) usage ;;
esac
