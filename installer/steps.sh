# shellcheck shell=sh
# The steps that run.sh and test.sh share, which read this file with `.`
# root: the folder of the project. Set by them.
: "${root:?}"

say() { printf '==> %s\n' "$*"; }

fail() {
    printf 'highwater: %s\n' "$*" >&2
    exit 2
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

# The package names in the given lists that are not installed, on one line.
missing_packages() {
    sed -e 's/#.*//' "$@" | while read -r package; do
        [ -n "$package" ] || continue
        # Several lines come back when a package is installed for several architectures.
        dpkg-query -W -f '${db:Status-Abbrev}\n' "$package" 2>/dev/null | grep -q '^.i' || printf '%s ' "$package"
    done
}

# Runs apt-get, and waits where another apt is at work: for its own lists, too, which DPkg::Lock::Timeout is not about.
apt_get() {
    begin=$(date +%s)
    has_waited=no
    while :; do
        said=$(mktemp)
        status=0
        { as_root apt-get -q -o DPkg::Lock::Timeout=600 "$@" 2>&1 || echo "$?" >"$said.status"; } | tee "$said"
        [ ! -s "$said.status" ] || status=$(cat "$said.status")
        is_locked=no
        ! grep -q 'Could not get lock' "$said" || is_locked=yes
        rm -f "$said" "$said.status"
        if [ "$status" -eq 0 ] || [ "$is_locked" = no ] || [ $(($(date +%s) - begin)) -ge 600 ]; then
            return "$status"
        fi
        [ "$has_waited" = yes ] || say "Another program installs packages: waiting for it, for up to 10 minutes."
        has_waited=yes
        sleep "${HIGHWATER_APT_PAUSE:-5}"
    done
}

# Installs what is missing of the given lists. Asks apt nothing when nothing is missing.
install_packages() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        say "This is not Debian: going on with the libraries that are here ($* name what is needed)."
        return 0
    fi
    missing=$(missing_packages "$@")
    if [ -z "$missing" ]; then
        say "All packages are installed."
        return 0
    fi
    say "Installing: $missing"
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
        fail "Packages are missing and neither root nor sudo is at hand. As root: apt-get install $missing"
    fi
    # A source that cannot be reached does not matter as long as the packages are found elsewhere.
    apt_get update ||
        say "The package index could not be updated; trying with the one that is here."
    # shellcheck disable=SC2086 # a list of names
    apt-get install -qq --print-uris --no-install-recommends $missing 2>/dev/null |
        awk '{ bytes += $3 } END { printf "    to download: %.1f MB\n", bytes / 1e6 }'
    # shellcheck disable=SC2086 # a list of names
    apt_get install -y --no-install-recommends $missing ||
        fail "apt could not install the packages (see above). By hand: apt-get install $missing"
}

# Configures and builds a preset: its name, then the targets (none: all).
build() {
    preset=$1
    shift
    if [ -e "$root/build" ] && [ ! -w "$root/build" ]; then
        fail "$root/build belongs to another user. Remove it, or run this as that user."
    fi
    cd "$root" || fail "The folder $root cannot be entered."
    say "Configuring the preset $preset"
    cmake --preset "$preset" || fail "The build could not be configured (see above)."
    say "Building (some minutes the first time)"
    if [ $# -gt 0 ]; then
        set -- --target "$@"
    fi
    NINJA_STATUS='[%p, %f of %t, %e s] ' cmake --build --preset "$preset" --parallel "$(nproc)" "$@" || fail "The build failed (see above)."
}
