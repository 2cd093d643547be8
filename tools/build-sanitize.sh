#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds library, tests, examples and fuzzer into build-sanitize/, with AddressSanitizer and
# UndefinedBehaviorSanitizer. The ns-3 that it links is as it is.
# CXX: the compiler, clang++ if it is there: it compiles such code in two thirds of GCC's time, and
# has libFuzzer, which GCC lacks.
set -eu
cd "$(dirname "$0")/.."

if [ -z "${CXX:-}" ]; then
    for CXX in clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14 g++; do
        ! command -v "$CXX" >/dev/null || break
    done
    export CXX
fi
BUILD=build-sanitize TARGETS='all wormhole-test' exec tools/build.sh -DWORMHOLE_SANITIZE=ON
