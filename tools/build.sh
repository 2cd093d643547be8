#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Sets up what is missing, configures build/ where that is new or out of date, and builds what has
# changed on all cores. Arguments are passed to cmake when it configures.
# JOBS: number of compilers at a time. BUILD: another folder than build. TARGETS: what to build; the test
# suites are "wormhole-test" and not in "all".
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}

. tools/fail.sh

# Says in one line what CMake found wrong.
configure() {
    if ! cmake -S . -B "$build" "$@" >"$build/configure.log" 2>&1; then
        ! grep -q raw-sock-creator "$build/configure.log" ||
            fail "this ns-3's installation is not complete (Debian: ns3, besides libns3-dev)"
        fail "$(awk '/^CMake Error/ {on = 1; next} on && /^ / {sub(/^ +/, ""); line = line $0 " "}
            on && line && !/^ / && NF == 0 {exit} END {print line ? line : "cmake failed"}
            ' "$build/configure.log")"
    fi
    grep '^-- ns-3' "$build/configure.log"
}

command -v cmake >/dev/null || fail "cmake is missing (Debian: cmake)"
cmake_version=$(cmake --version | sed -n '1s/.*version //p')
[ "$(printf '3.16\n%s\n' "$cmake_version" | sort -V | head -n 1)" = 3.16 ] ||
    fail "cmake $cmake_version is too old, 3.16 is needed"

compiler=${CXX:-g++}
command -v "${compiler%% *}" >/dev/null || fail "$compiler is missing (Debian: g++)"
case $($compiler --version) in
*"Free Software Foundation"*)
    version=$($compiler -dumpversion)
    [ "${version%%.*}" -ge 11 ] || fail "$compiler $version is too old, 11 is needed"
    ;;
esac

tools/setup.sh ns3 toml

mkdir -p "$build"
want="$PWD $(command -v "${compiler%% *}") ${NS3_DIR:-${ns3_DIR:-$(echo .venv/lib/python3*)}}${*:+ $*}"
if [ "$(cat "$build/.configured" 2>/dev/null)" != "$want" ]; then
    rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
    CXX=$compiler configure "$@"
    printf '%s\n' "$want" >"$build/.configured"
fi

# The flags of a make that runs this are for that make.
unset MAKEFLAGS MFLAGS MAKELEVEL
cmake --build "$build" -j "${JOBS:-$(nproc 2>/dev/null || echo 2)}" --target ${TARGETS:-all}
