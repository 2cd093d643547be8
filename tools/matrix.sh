#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tools/matrix.sh [TREE]...: builds the module inside ns-3 trees and runs its suites, in rows of a matrix
# of compilers and build profiles. TREE: folders of ns-3's source, ns-3.37 and newer; without any, ns-3.37
# (tools/fetch-tree.sh), and where they are beside it ns-3.44, ns-3.48 and ns-3-dev. The table is printed
# at the end, and in matrix.md of that cache. A row takes some 15 minutes of CPU the first time.
# ROWS: an extended regular expression of rows; without it, each tree with each compiler once, with the
# profiles in turn. FULLNESS: of the suites, default QUICK. Rows with "all modules" have the tests with
# IP, ConfigStore and MPI, too.
set -euo pipefail
cd "$(dirname "$0")/.."
clone=$PWD
. tools/fetch-tree.sh
table=$cache/matrix.md
# Of each row: name, CMake's build type, other settings.
checks="-DNS3_ASSERT=ON -DNS3_LOG=ON"
modules='wormhole;internet;applications;csma;point-to-point;flow-monitor;traffic-control;config-store;mpi'
all="-DNS3_MPI=ON -DNS3_ENABLED_MODULES=$modules;bridge;olsr"
profiles=(
    "debug:debug:$checks"
    "default:default:$checks"
    "optimized:release:-DNS3_NATIVE_OPTIMIZATIONS=ON"
    "release with asserts and logs, all modules:release:$checks $all"
    "default without precompiled headers:default:$checks -DNS3_PRECOMPILE_HEADERS=OFF"
)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# Builds and runs a row; prints what came out. Arguments: tree, its build folder, compiler, type, settings.
try() {
    local log=$2.log
    mkdir -p "$2"
    # shellcheck disable=SC2086
    cmake -S "$1" -B "$2" -DCMAKE_CXX_COMPILER="$3" -DCMAKE_BUILD_TYPE="$4" -DNS3_TESTS=ON \
        -DNS3_EXAMPLES=ON -DNS3_ENABLED_MODULES=wormhole -DNS3_OUTPUT_DIRECTORY="$2/out" \
        -DNS3_FILTER_MODULE_EXAMPLES_AND_TESTS=wormhole -DWORMHOLE_UNITE=ON $5 >"$log" 2>&1 ||
        { echo "configure failed: $log" && return 1; }
    cmake --build "$2" -j "$(nproc)" >>"$log" 2>&1 || { echo "build failed: $log" && return 1; }
    local runner
    runner=$(compgen -G "$2/out/utils/*test-runner*" | head -n 1)
    # Builds do not lie in the trees, so neither data nor programs are found from there.
    local program
    program=$(compgen -G "$2/out/contrib/wormhole/examples/*distributed-fabrics*" | head -n 1) || true
    (cd "$2" && WORMHOLE_DATA=$clone/data WORMHOLE_DISTRIBUTED=$program "$clone/tools/run-tests.py" \
        --fullness="${FULLNESS:-QUICK}" "$runner") >>"$log" 2>&1 || true
    tail -n 1 "$log"
    tail -n 1 "$log" | grep -q ' 0 failed$'
}

trees=("$@")
if [ $# -eq 0 ]; then
    fetch_tree
    trees=("$tree" "$cache/ns-3.44" "$cache/ns-3.48" "$cache/ns-3-dev")
fi
printf '| ns-3 | compiler | profile | suites |\n| --- | --- | --- | --- |\n' >"$table"
bad=0
t=-1
clang=$(compgen -c clang++ | sort -V | tail -n 1) || true
for tree in "${trees[@]}"; do
    name=$(basename "$tree")
    t=$((t + 1))
    if [ ! -e "$tree/VERSION" ]; then
        printf '| %s | | | skipped: there is no %s |\n' "$name" "$tree" >>"$table"
        continue
    fi
    tree=$(cd "$tree" && pwd)
    ln -sfn "$clone" "$tree/contrib/wormhole"
    c=-1
    for compiler in g++ "${clang:-clang++}"; do
        c=$((c + 1))
        for p in "${!profiles[@]}"; do
            IFS=: read -r words type settings <<<"${profiles[p]}"
            row="$name | $compiler | $words"
            if [ -n "${ROWS:-}" ]; then
                [[ $row =~ $ROWS ]] || continue
            else
                [ $(((t + c) % ${#profiles[@]})) -eq $p ] || continue
            fi
            say "$row"
            found="skipped: there is no $compiler"
            ! command -v "$compiler" >/dev/null ||
                found=$(try "$tree" "$cache/matrix/${row//[^a-z0-9.+-]/-}" "$compiler" "$type" "$settings") ||
                bad=1
            printf '| %s | %s |\n' "$row" "$found" >>"$table"
        done
    done
done
cat "$table"
exit $bad
