#!/bin/sh
# Builds the Debian package of Highwater:
#   sh installer/package.sh
# It lies in build/packages then; install it with: apt install ./build/packages/highwater_*.deb
# Works from any folder, as root or with sudo, as often as wanted.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/installer/steps.sh"

if [ $# -gt 0 ]; then
    sed -n '2,5s/^# \{0,1\}//p' "$0"
    [ "$1" = --help ] || [ "$1" = -h ] || exit 1
    exit 0
fi

install_packages "$root/installer/packages.txt" "$root/installer/packages-installers.txt"
build linux-release highwater highwater-cli changelog

say "Packing"
packages=$root/build/packages
cpack --config "$root/build/linux-release/CPackConfig.cmake" -B "$packages" ||
    fail "The package could not be made (see above)."
rm -rf "$packages/_CPack_Packages"
say "It is in $packages:"
ls -l "$packages"
