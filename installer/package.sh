#!/bin/sh
# Builds Highwater's packages in build/packages:
#   sh installer/package.sh             the Debian package; then: apt install ./build/packages/highwater_*.deb
#   sh installer/package.sh windows     the installer and the portable .zip for Windows, with mingw-w64. The first time
#                                       also builds Qt for Windows: about 20 minutes (installer/windows/build_qt.sh),
#                                       unless HIGHWATER_WINDOWS_QT names a folder that has it
# Works from any folder, as root or with sudo, repeatedly.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/installer/steps.sh"
packages=$root/build/packages

# Runs CPack on a build folder.
pack() {
    say "Packaging"
    cpack --config "$1/CPackConfig.cmake" -B "$packages" || fail "Could not create the package (see above)."
    rm -rf "$packages/_CPack_Packages"
    say "Packages in $packages:"
    ls -l "$packages"
}

case ${1-debian} in
debian)
    install_packages "$root/installer/packages.txt" "$root/installer/packages-installers.txt"
    build linux-release highwater highwater-cli changelog manual
    pack "$root/build/linux-release"
    ;;
windows)
    install_packages "$root/installer/packages.txt" "$root/installer/packages-windows.txt" \
        "$root/installer/packages-installers.txt"
    qt=${HIGHWATER_WINDOWS_QT-}
    [ -n "$qt" ] || qt=$(sh "$root/installer/windows/build_qt.sh") || exit 2
    export HIGHWATER_WINDOWS_QT="$qt" # the preset reads it
    build windows-cross highwater highwater-cli
    pack "$root/build/windows-cross"
    ;;
*)
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    [ "$1" = --help ] || [ "$1" = -h ] || exit 1
    ;;
esac
