# SPDX-License-Identifier: GPL-2.0-only
#
# For scripts that source it: fetches ns-3.37, which Debian 12's source package holds, into $tree.
# What is kept between runs lies in ${XDG_CACHE_HOME:-~/.cache}.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/wormhole-ci
tree=$cache/ns-3.37
source_package=$cache/ns3_3.37.orig.tar.bz2

say() {
    printf '== %s (%d s)\n' "$*" "$SECONDS"
}

. tools/fail.sh

# apt-get with package lists of its own, which name Debian's sources whether the machine's do or
# not. That needs no root.
private_apt() {
    local apt=$cache/apt
    mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache/archives/partial"
    if [ -e /etc/apt/sources.list.d/debian.sources ]; then
        sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources \
            >"$apt/parts/debian.sources"
    elif [ -e /etc/apt/sources.list ]; then
        sed -nE 's/^deb(-src)? /deb-src /p' /etc/apt/sources.list | sort -u >"$apt/parts/debian.list"
    fi
    apt-get -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/parts" \
        -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" \
        -o APT::Sandbox::User="$(id -un)" "$@"
}

fetch_tree() {
    mkdir -p "$cache"
    if [ ! -e "$source_package" ]; then
        say "fetching ns-3.37"
        command -v apt-get >/dev/null || fail "no apt-get, so no source package of ns-3.37"
        private_apt update
        (cd "$cache" && private_apt source --download-only ns3) >"$cache/fetch.log" 2>&1 ||
            fail "can't fetch the source package of ns3: $(tail -n 1 "$cache/fetch.log")"
        [ -e "$source_package" ] || fail "this Debian's source package of ns3 is not 3.37"
    fi
    if [ ! -e "$tree/test.py" ]; then
        rm -rf "$tree.new"
        mkdir "$tree.new"
        tar -xf "$source_package" -C "$tree.new" --strip-components=2 --wildcards '*/ns-3.37/*'
        mv "$tree.new" "$tree"
    fi
}
