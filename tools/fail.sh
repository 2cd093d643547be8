# SPDX-License-Identifier: GPL-2.0-only
#
# For scripts that source it in the repository's folder: ends them with a line on standard error.
fail() {
    printf 'wormhole: %s\n' "$*" >&2
    exit 1
}
