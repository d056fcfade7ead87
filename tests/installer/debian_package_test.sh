#!/bin/sh
# Packages the build, installs the package below a folder, uses it there, removes it, and looks for leftovers:
#   debian_package_test.sh BUILD_FOLDER
set -eu
umask 077 # the package must not inherit the permissions of the user who builds it

build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() {
    printf 'skipped: %s\n' "$*"
    exit 77
}
fail() {
    printf 'FAILED: %s\n' "$*"
    exit 1
}
step() { printf '== %s\n' "$*"; }

for tool in cpack dpkg dpkg-deb dpkg-shlibdeps; do
    command -v "$tool" >/dev/null 2>&1 || skip "there is no $tool (installer/packages-test.txt names the package)"
done

step "The package is made"
cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work/packages" >"$work/cpack.log" 2>&1 ||
    { cat "$work/cpack.log"; fail "cpack"; }
package=$(ls "$work"/packages/highwater_*.deb)
ls -l "$package"

step "It holds what it has to, with the usual rights"
dpkg-deb --contents "$package" >"$work/contents"
for file in bin/highwater bin/highwater-cli lib/highwater/agent/libhighwater-agent.so lib/highwater/agent/highwater-attach \
    share/applications/highwater.desktop share/icons/hicolor/scalable/apps/highwater.svg share/icons/hicolor/256x256/apps/highwater.png \
    share/mime/packages/highwater.xml share/doc/highwater/copyright share/doc/highwater/changelog.gz \
    share/man/man1/highwater.1.gz share/man/man1/highwater-cli.1.gz share/bash-completion/completions/highwater-cli; do
    grep -q " \./usr/$file\$" "$work/contents" || fail "/usr/$file is not in the package"
done
if grep -v -e '^drwxr-xr-x root/root ' -e '^-rw[xr-]r-[xr-]r-[x-] root/root ' "$work/contents"; then
    fail "these have unusual rights or owners"
fi
if grep '\./usr/[^ ]*test' "$work/contents"; then fail "tests are in the package"; fi

step "It says of traces and of sessions that it opens them"
dpkg-deb --extract "$package" "$work/extracted"
for pair in 'application/x-windows-event-trace *.etl' 'application/x-highwater-session *.highwater'; do
    type=${pair% *}
    sed -n "\\|mime-type type=\"$type\"|,\\|</mime-type>|p" "$work/extracted/usr/share/mime/packages/highwater.xml" |
        grep -qF "<glob pattern=\"${pair#* }\"/>" || fail "no file is of $type by its name, ${pair#* }"
    grep '^MimeType=' "$work/extracted/usr/share/applications/highwater.desktop" | grep -qF "$type;" ||
        fail "the program does not open $type"
done

step "It names the libraries that its programs load, and it offers to open .etl without making itself the one that does"
dpkg-deb --field "$package"
dpkg-deb --field "$package" Depends | grep -q 'libqt6widgets6' || fail "libqt6widgets6 is not among its dependencies"
dpkg-deb --control "$package" "$work/control"
for script in preinst postinst prerm postrm; do # nothing runs at installation: no default is changed
    [ ! -e "$work/control/$script" ] || fail "the package runs a $script"
done

if command -v lintian >/dev/null 2>&1; then
    step "lintian finds no errors"
    lintian --fail-on error --allow-root --no-cfg --tag-display-limit 0 "$package" || fail "lintian"
else
    step "lintian is not installed: not asked"
fi

[ "$(id -u)" -eq 0 ] || skip "only root can install packages; what the package holds was checked"

step "It is installed"
target=$work/root
mkdir -p "$target/var/lib/dpkg/info" "$target/var/lib/dpkg/updates" "$target/var/lib/dpkg/triggers"
: >"$target/var/lib/dpkg/status"
: >"$target/var/lib/dpkg/available"
install_log=$work/dpkg.log
# Its dependencies are libraries of the system, which are not registered in this folder.
dpkg --root="$target" --log="$install_log" --force-depends --install "$package" >"$work/install.log" 2>&1 ||
    { cat "$work/install.log"; fail "dpkg --install"; }

step "Its programs run"
cli=$target/usr/bin/highwater-cli
"$cli" --version | grep -q "^highwater-cli [0-9]" || fail "highwater-cli --version"
trace=$work/recorded.etl
"$cli" record -o "$trace" -- sh -c 'sort /etc/passwd >/dev/null' || fail "recording"
"$cli" info "$trace" --json >"$work/info.json" || fail "highwater-cli info"
grep -Eq '"name": *"[a-z]*sh"' "$work/info.json" || # /bin/sh is a link to the shell of the system
    fail "the recorded process is not in the trace: $(cat "$work/info.json")"
QT_QPA_PLATFORM=offscreen HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work/data \
    "$target/usr/bin/highwater" "$trace" --screenshot "$work/window.png" --size 1000x700 || fail "highwater"
[ -s "$work/window.png" ] || fail "the window left no picture"

step "It is removed"
dpkg --root="$target" --log="$install_log" --purge highwater >"$work/remove.log" 2>&1 ||
    { cat "$work/remove.log"; fail "dpkg --purge"; }
left=$(find "$target" -mindepth 1 -path "$target/var" -prune -o -print)
[ -z "$left" ] || fail "this was left behind: $left"
if grep -q '^Package: highwater' "$target/var/lib/dpkg/status"; then fail "dpkg still knows the package"; fi
printf 'All well.\n'
