# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034,SC2154  # variables are shared with the caller
# What ./run and ./test share; sourced by both, from any folder.
#
#   setup_packages PACKAGE...           install what is missing (Debian) or say what is missing
#   setup_build FOLDER LOG OPTION...    configure FOLDER with meson if needed, then compile it
#   setup_logged LOG COMMAND...         run quietly; on failure show the end of LOG
#
# The caller sets `root`, the top folder of the project.

setup_run_packages="gcc pkg-config meson ninja-build libffi-dev libcglm-dev libsuitesparse-dev
    libjansson-dev libzstd-dev libxxhash-dev libpng-dev libhdf5-dev python3"
setup_test_packages="$setup_run_packages clang g++ python3-numpy dpkg-dev binutils"

setup_is_debian() {
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null
}

setup_logged() {
    log=$1
    shift
    "$@" >>"$log" 2>&1 </dev/null && return
    echo "failed: $*" >&2
    echo "the end of $log:" >&2
    tail -n 40 "$log" >&2
    return 1
}

setup_packages() {
    if setup_is_debian; then
        missing=$(setup_missing_packages "$@")
        # shellcheck disable=SC2086  # a list of words
        [ -z "$missing" ] || setup_install $missing
    else
        missing=$(setup_missing_tools "$@")
        [ -z "$missing" ] && return
        echo "Please install these first, they were not found:"
        echo "$missing"
        exit 2
    fi >&2
}

setup_missing_packages() {
    for package; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
            echo "$package"
    done
}

setup_install() {
    install="apt-get install -y --no-install-recommends $*"
    if [ "$(id -u)" -eq 0 ]; then
        as_root=
    elif command -v sudo >/dev/null; then
        as_root=sudo
    else
        echo "Some packages are missing. As root, run:"
        echo "    apt-get update && $install"
        exit 2
    fi
    echo "Installing: $*"
    mkdir -p "$root/.cache"
    log=$root/.cache/install.log
    # A failed update need not matter (an unrelated source may be down): the install decides.
    $as_root apt-get update >"$log" 2>&1 </dev/null || true
    # shellcheck disable=SC2086  # as_root may be empty, install is a list of words
    setup_logged "$log" $as_root env DEBIAN_FRONTEND=noninteractive $install || exit 2
}

# Elsewhere than on Debian we know packages by what they bring: a command, a pkg-config module or a
# header. One line for each that is not there.
setup_missing_tools() {
    for package; do
        case $package in
        gcc) setup_need_command cc "a C compiler" ;;
        g++) setup_need_command c++ "a C++ compiler" ;;
        ninja-build) setup_need_command ninja ninja ;;
        binutils) setup_need_command nm binutils ;;
        pkg-config | meson | clang | python3) setup_need_command "$package" "$package" ;;
        libffi-dev) setup_need_module libffi ;;
        libcglm-dev) setup_need_module cglm ;;
        libjansson-dev) setup_need_module jansson ;;
        libzstd-dev) setup_need_module libzstd ;;
        libxxhash-dev) setup_need_module libxxhash ;;
        libpng-dev) setup_need_module libpng ;;
        libhdf5-dev) command -v h5cc >/dev/null || setup_need_module hdf5 ;;
        libsuitesparse-dev) setup_need_cholmod ;;
        esac
    done
}

setup_need_command() {
    command -v "$1" >/dev/null || echo "    $2 (command $1)"
}

setup_need_module() {
    pkg-config --exists "$1" 2>/dev/null || echo "    $1 (pkg-config module)"
}

# Older SuiteSparse has no pkg-config module, so its header is looked for as well.
setup_need_cholmod() {
    pkg-config --exists CHOLMOD 2>/dev/null ||
        echo '#include <cholmod.h>' | cc -E -I/usr/include/suitesparse - >/dev/null 2>&1 ||
        echo "    SuiteSparse (cholmod.h)"
}

# A build folder is kept only while it was made from this place, with this compiler and these
# options, to the end; the stamp says so.
setup_build() {
    folder=$1
    log=$2
    shift 2
    stamp="$(cd "$root" && pwd) CC=${CC:-} $*"
    mkdir -p "$(dirname "$log")"
    : >"$log"
    if [ "$(cat "$folder/setup.stamp" 2>/dev/null)" != "$stamp" ]; then
        rm -rf "$folder"
        setup_logged "$log" meson setup "$folder" "$root" -Db_colorout=never "$@" || return
        echo "$stamp" >"$folder/setup.stamp"
    fi
    setup_logged "$log" meson compile -C "$folder"
}
