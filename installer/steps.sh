# shellcheck shell=sh
# Steps shared by run.sh, test.sh and others, which include this file with `.` and set
# root: the folder of the project.
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

# Prints the package names in the given lists that are not installed, on one line.
missing_packages() {
    sed -e 's/#.*//' "$@" | while read -r package; do
        [ -n "$package" ] || continue
        # dpkg-query prints several lines for a package that is installed for several architectures.
        dpkg-query -W -f '${db:Status-Abbrev}\n' "$package" 2>/dev/null | grep -q '^.i' || printf '%s ' "$package"
    done
}

# Runs apt-get, and waits while another apt runs; also for the lock of its package lists, which DPkg::Lock::Timeout does
# not cover.
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
        [ "$has_waited" = yes ] || say "Waiting for another package manager to finish, for up to 10 minutes."
        has_waited=yes
        sleep "${HIGHWATER_APT_PAUSE:-5}"
    done
}

# Installs missing packages of the given lists. Does not run apt if nothing is missing.
install_packages() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        say "This is not Debian: using the installed libraries. Required packages are listed in: $*"
        return 0
    fi
    missing=$(missing_packages "$@")
    if [ -z "$missing" ]; then
        say "All packages are installed."
        return 0
    fi
    say "Installing: $missing"
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
        fail "Packages are missing, and installing them requires root or sudo. Run as root: apt-get install $missing"
    fi
    # An unreachable source does not matter as long as the packages are found elsewhere.
    apt_get update ||
        say "Could not update the package index. Continuing with the existing one."
    # shellcheck disable=SC2086 # a list of names
    apt-get install -qq --print-uris --no-install-recommends $missing 2>/dev/null |
        awk '{ bytes += $3 } END { printf "    to download: %.1f MB\n", bytes / 1e6 }'
    # shellcheck disable=SC2086 # a list of names
    apt_get install -y --no-install-recommends $missing ||
        fail "apt could not install the packages (see above). Install them manually: apt-get install $missing"
}

# Configures and builds a preset: its name, then the targets (default: all).
build() {
    preset=$1
    shift
    if [ -e "$root/build" ] && [ ! -w "$root/build" ]; then
        fail "$root/build belongs to another user. Remove it, or run this as that user."
    fi
    cd "$root" || fail "Could not enter the folder $root."
    say "Configuring the preset $preset"
    cmake --preset "$preset" || fail "The build could not be configured (see above)."
    say "Building (some minutes the first time)"
    if [ $# -gt 0 ]; then
        set -- --target "$@"
    fi
    NINJA_STATUS='[%p, %f of %t, %e s] ' cmake --build --preset "$preset" --parallel "$(nproc)" "$@" || fail "The build failed (see above)."
}
