#!/bin/sh
# Builds Qt (qt6-base) for Windows with mingw-w64 from this Debian's source package, for the preset windows-cross:
#   sh installer/windows/build_qt.sh
# Takes about 20 minutes on two cores, once: the result stays in ~/.cache/highwater/qt6-mingw-VERSION, or below the
# folder HIGHWATER_CACHE. The last line of the output is its folder, for -DHIGHWATER_WINDOWS_QT=FOLDER.
# Qt's build tools come from Debian's packages and must have the same version, so the source comes from Debian as well.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$root/installer/steps.sh"

case ${1-} in
'') ;;
*)
    sed -n '2,6s/^# \{0,1\}//p' "$0"
    [ "$1" = --help ] || [ "$1" = -h ] || exit 1
    exit 0
    ;;
esac

{
    install_packages "$root/installer/packages.txt" "$root/installer/packages-windows.txt"

    package=$(dpkg-query -W -f '${source:Version}' qt6-base-dev) || fail "qt6-base-dev is not installed."
    version=${package%%+*}
    version=${version%%-*}
    cache=${HIGHWATER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/highwater}
    qt=$cache/qt6-mingw-$version
    work=$cache/build-qt6-mingw-$version
    if [ -e "$qt/lib/cmake/Qt6/Qt6Config.cmake" ]; then
        say "Qt $version for Windows is already built."
    else
        mkdir -p "$work"
        cd "$work"
        if [ ! -e source/CMakeLists.txt ]; then
            say "Downloading the source package qt6-base $package"
            # Most systems have no source lists: the lists of the system, for sources, in a folder of our own, without
            # changes to the system.
            rm -rf lists sources.d
            mkdir -p lists/partial sources.d
            cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
                sed -n 's/^deb\([[:space:]]\)/deb-src\1/p' >sources.d/system.list
            for list in /etc/apt/sources.list.d/*.sources; do
                [ ! -e "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"sources.d/${list##*/}"
            done
            apt_own() {
                apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/sources.d" \
                    -o Dir::State::Lists="$work/lists" -o APT::Sandbox::User=root "$@"
            }
            apt_own update || fail "Could not download the index of source packages (see above)."
            apt_own source "qt6-base=$package" || fail "Could not download the source package (see above)."
            mv "qt6-base-$version"* source.unpacked 2>/dev/null || mv qt6-base*/ source.unpacked
            mv source.unpacked source
        fi
        say "Configuring Qt $version"
        cmake -S source -B build -G Ninja \
            -DCMAKE_TOOLCHAIN_FILE="$root/cmake/mingw_w64.cmake" \
            -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$qt.part" \
            -DQT_HOST_PATH=/usr -DQT_HOST_PATH_CMAKE_DIR="/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/cmake" \
            -DQT_BUILD_EXAMPLES=OFF -DQT_BUILD_TESTS=OFF -DBUILD_WITH_PCH=OFF \
            -DFEATURE_system_zlib=OFF -DFEATURE_system_png=OFF -DFEATURE_system_jpeg=OFF \
            -DFEATURE_system_freetype=OFF -DFEATURE_system_harfbuzz=OFF -DFEATURE_system_pcre2=OFF \
            -DFEATURE_system_doubleconversion=OFF \
            -DFEATURE_sql=OFF -DFEATURE_dbus=OFF -DFEATURE_vulkan=OFF -DFEATURE_printsupport=OFF \
            -DFEATURE_tabletevent=OFF -DFEATURE_directwrite=OFF -DFEATURE_directwrite3=OFF -DFEATURE_direct2d=OFF \
            -DFEATURE_zstd=OFF -DINPUT_opengl=dynamic ||
            fail "Could not configure Qt (see above)."
        say "Building Qt $version"
        cmake --build build --parallel "$(nproc)" || fail "Could not build Qt (see above)."
        rm -rf "$qt.part"
        cmake --install build >"$work/install.log" || fail "Could not install Qt: see $work/install.log"
        mv "$qt.part" "$qt" # complete or not at all
        rm -rf "$work"
    fi
} >&2
printf '%s\n' "$qt"
