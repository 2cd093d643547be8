#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Reads the module's comments with Doxygen, into build/doc/doxygen/html, and prints what Doxygen
# warns of in the module's own files; the exit status is 1 if there is any. Headers of ns-3 are read
# too, since what overrides a function of theirs inherits its documentation.
set -eu
cd "$(dirname "$0")/.."
own_ns3=${NS3_DIR:-${ns3_DIR:-}}
log=build/doc/doxygen.log

. tools/fail.sh

command -v doxygen >/dev/null || fail "doxygen is missing (Debian: doxygen)"
tools/setup.sh ns3
include=$(echo "${own_ns3:-$PWD/.venv/lib/python3*/site-packages/ns3}"/include/ns3)
[ -e "$include/object.h" ] || include=$(echo $PWD/.venv/lib/python3*/site-packages/ns3/include/ns3)
[ -e "$include/object.h" ] || fail "no headers of ns-3 in $include"

bases=
for header in application attribute channel chunk event-impl header net-device object object-base test trace-helper \
    trace-source-accessor tag; do
    bases="$bases $include/$header.h"
done

mkdir -p build/doc
{
    cat doc/Doxyfile
    printf 'INPUT += %s\nWARN_LOGFILE = %s\n' "$bases" "$log"
    # Folders of private headers, which are for their readers alone.
    find model helper -mindepth 2 -type d ! -path model/routing/proof -printf 'EXCLUDE += %p\n'
} | doxygen - || fail "doxygen stopped: see $log"

if grep -F "$PWD/" "$log" | grep -vF "$include/" >"$log.own"; then
    sed "s|$PWD/||" "$log.own" >&2
    fail "doxygen warns of $(wc -l <"$log.own") places"
fi
echo 'build/doc/doxygen/html/index.html'
