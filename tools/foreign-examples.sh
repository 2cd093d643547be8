#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tools/foreign-examples.sh NS3_TREE: puts a fabric under examples of ns-3's own, by changing nothing
# but their helper, and compares what their applications tell.
#
# The examples are read from NS3_TREE, the source of an ns-3, and changed by the sed expressions
# below in a folder that is thrown away. They are built with that tree if the module and all that
# the examples need are built in it, else with build/ of this repository and the ns-3 in .venv.
# Compared is what applications log and print, without the times, which depend on the network (one
# that measures how much goes in a time is given an amount instead). The last line is "N passed, M failed".
# OUTPUTS: a folder to leave the changed lines and both outputs in.
set -euo pipefail
cd "$(dirname "$0")/.."

. tools/fail.sh

[ $# -eq 1 ] || fail "usage: tools/foreign-examples.sh NS3_TREE"
tree=$(cd "$1" 2>/dev/null && pwd) || fail "there is no folder $1: name an ns-3's source"
[ -e "$tree/examples/tutorial/second.cc" ] || fail "$tree is no ns-3's source"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
outputs=${OUTPUTS:-$work/outputs}
mkdir -p "$outputs"

# What stands for a helper that is another one now; the rate is the fabric's, not of a channel or
# device.
csma='s/\<CsmaHelper\>/WormholeHelper/
    s/\<csma\.SetChannelAttribute("DataRate"/csma.SetFabricAttribute("DataRate"/
    /#include "ns3\/core-module.h"/a #include "ns3/wormhole-helper.h"'
point_to_point='s/\<PointToPointHelper\>/WormholeHelper/
    s/\<pointToPoint\.SetDeviceAttribute("DataRate"/pointToPoint.SetFabricAttribute("DataRate"/
    /#include "ns3\/core-module.h"/a #include "ns3/wormhole-helper.h"'

find_libraries() {
    local module
    if compgen -G "$tree/build/lib/libns3*-wormhole*" >/dev/null &&
        compgen -G "$tree/build/lib/libns3*-csma*" >/dev/null; then
        version=$(cat "$tree/VERSION")
        flags=(-I"$tree/build/include" -L"$tree/build/lib" -Wl,-rpath,"$tree/build/lib")
        for module in core network internet applications csma point-to-point; do
            libraries+=("$(compgen -G "$tree/build/lib/libns3*-$module-*.so" | head -n 1)")
        done
        libraries+=("$(compgen -G "$tree/build/lib/libns3*-wormhole-*.so" | grep -v test)")
        return
    fi
    local ns3
    ns3=$(compgen -G "$PWD/.venv/lib/python3*/site-packages/ns3" | head -n 1) ||
        fail "neither $tree nor .venv has an ns-3 that is built: run make build"
    [ -e build/lib/libwormhole.so ] || fail "build/ has no library: run make build"
    version=$(compgen -G "$ns3/lib64/libns3.*-core.so" | sed 's/.*libns\(.*\)-core.so/\1/')
    flags=(-I"$PWD/build/include" -isystem "$ns3/include" -DNS3_LOG_ENABLE -DNS3_ASSERT_ENABLE)
    flags+=(-Wl,-rpath-link,"$ns3/lib64" -Wl,-rpath,"$PWD/build/lib:$ns3/lib64")
    for module in core network internet applications csma point-to-point; do
        libraries+=("$ns3/lib64/libns$version-$module.so")
    done
    libraries+=("$PWD/build/lib/libwormhole.so")
}

standard() {
    local minor=${version#3.}
    minor=${minor%%[!0-9]*}
    [ "$minor" -lt 41 ] || { [ "$minor" -lt 46 ] && echo c++20 || echo c++23; return; }
    echo c++17
}

build() {
    local compiler=(g++)
    ! command -v ccache >/dev/null || compiler=(ccache g++)
    "${compiler[@]}" -std="$(standard)" -w "${flags[@]}" -c "$work/$1.cc" -o "$work/$1.o"
    g++ "$work/$1.o" -o "$work/$1" "${flags[@]}" -Wl,--no-as-needed "${libraries[@]}"
}

# run PROGRAM LOG [ARGUMENT]: what applications log and print, without times and pointers.
run() {
    (cd "$work" && NS_LOG=$2 "./$1" ${3:-} 2>&1) |
        sed -E 's/^\+?[0-9.]+s //; s/At time \+?[0-9.e-]+s/At its time/; s/^0x[0-9a-f]+ //' \
            >"$outputs/$1.txt"
}

# check EXAMPLE EXPRESSIONS LOG [ARGUMENT]
check() {
    local name
    name=$(basename "$1" .cc)
    cp "$tree/$1" "$work/$name.cc"
    sed "$2" "$tree/$1" >"$work/$name-wormhole.cc"
    diff "$work/$name.cc" "$work/$name-wormhole.cc" >"$outputs/$name.diff" || true
    if build "$name" && build "$name-wormhole" && run "$name" "$3" "${4:-}" &&
        run "$name-wormhole" "$3" "${4:-}" &&
        [ -s "$outputs/$name.txt" ] && diff "$outputs/$name.txt" "$outputs/$name-wormhole.txt"; then
        printf 'PASS %s: %d lines changed, %d lines of output are equal\n' "$1" \
            "$(grep -c '^>' "$outputs/$name.diff")" "$(wc -l <"$outputs/$name.txt")"
        passed=$((passed + 1))
    else
        printf 'FAIL %s\n' "$1"
        failed=$((failed + 1))
    fi
}

passed=0
failed=0
libraries=()
find_libraries
printf 'ns-3 %s, examples of %s\n' "$version" "$(cat "$tree/VERSION")"
check examples/tutorial/first.cc "$point_to_point" ""
check examples/tutorial/second.cc "$csma" ""
check examples/udp/udp-echo.cc "$csma" \
    UdpEchoClientApplication=level_info:UdpEchoServerApplication=level_info
check examples/tcp/tcp-bulk-send.cc "$point_to_point" "" --maxBytes=400000
check src/csma/examples/csma-broadcast.cc "$csma" PacketSink=level_info
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
