#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds dist/ns3_wormhole-*.whl, for all systems that the ns3 wheel is for: the tag is what auditwheel
# finds in the ns3 wheel, and auditwheel refuses what would not run there.
set -eu
cd "$(dirname "$0")/.."

. tools/fail.sh

tools/setup.sh ns3 toml wheel
python=$PWD/.venv/bin/python
PATH=$PWD/.venv/bin:$PATH
export PATH
platform=$(sed -n 's/^Tag: .*-\(manylinux.*\)$/\1/p' .venv/lib/python3*/site-packages/ns3-*.dist-info/WHEEL)
[ -n "$platform" ] || fail "the ns3 package in .venv has no manylinux tag"

log=build-wheel/wheel.log
rm -rf build-wheel/raw dist
mkdir -p build-wheel
# The ns3 and the tools of .venv, and a build folder as near as build/: what ccache knows, it keeps.
"$python" -m pip wheel . --no-deps --no-build-isolation --wheel-dir build-wheel/raw \
    --config-settings=build-dir=build-wheel >"$log" 2>&1 ||
    fail "the wheel can't be built: $(grep -m 1 -E 'error|Error' "$log" || tail -n 1 "$log")"
"$python" -m auditwheel repair --only-plat --plat "$platform" --exclude 'libns3*' --wheel-dir dist \
    build-wheel/raw/*.whl >>"$log" 2>&1 || fail "no $platform: $(tail -n 1 "$log")"
ls dist/*.whl
