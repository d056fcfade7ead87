#!/bin/sh
# The work of run.sh and test.sh before they build: steps_test.sh SOURCE. apt-get and dpkg-query are programs of this
# test.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
echo "here
absent-one # what it is for
absent-two" >"$work/packages.txt"

fail() {
    echo "FAILED: $*"
    cat "$work/said"
    exit 1
}

program() {
    { echo '#!/bin/sh'; cat; } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

program dpkg-query <<'PROGRAM'
case $* in *absent-*) exit 1 ;; *) echo 'ii ' ;; esac
PROGRAM
program sudo <<'PROGRAM'
while case $1 in *=*) true ;; *) false ;; esac; do shift; done
exec "$@"
PROGRAM
# The first LOCKED calls find another apt at work; install ends with INSTALLED.
program apt-get <<'PROGRAM'
case $* in
*--print-uris*)
    echo "'http://here/absent-one.deb' absent-one.deb 10300000 MD5Sum:0"
    echo "'http://here/absent-two.deb' absent-two.deb 2000000 MD5Sum:0"
    exit 0
    ;;
esac
calls=$(($(cat "$WORK/calls") + 1))
echo "$calls" >"$WORK/calls"
if [ "$calls" -le "$LOCKED" ]; then
    echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)' >&2
    exit 100
fi
echo "$*" >>"$WORK/done"
case $* in *install*) exit "$INSTALLED" ;; esac
PROGRAM

run() {
    LOCKED=$1 INSTALLED=$2
    WORK=$work
    export LOCKED INSTALLED WORK
    echo 0 >"$work/calls"
    : >"$work/done"
    status=0
    PATH="$work/bin:$PATH" HIGHWATER_APT_PAUSE=0 sh -c 'root=$1; . "$1/installer/steps.sh"; install_packages "$2"' sh "$source" \
        "$work/packages.txt" >"$work/said" 2>&1 || status=$?
}

source=$1
run 0 0
[ "$status" -eq 0 ] || fail "it ended with $status"
grep -q '^==> Installing: absent-one absent-two' "$work/said" || fail "what is missing is not named"
grep -q '^    to download: 12.3 MB' "$work/said" || fail "its size is not named"
grep -q 'install -y --no-install-recommends absent-one absent-two' "$work/done" || fail "it is not installed"
! grep -q 'Waiting' "$work/said" || fail "it waited for nobody"

run 3 0
[ "$status" -eq 0 ] || fail "behind another apt it ended with $status"
[ "$(grep -c 'Waiting for another package manager to finish' "$work/said")" -eq 1 ] || fail "it does not say once that it waits"
[ "$(wc -l <"$work/done")" -eq 2 ] || fail "it did not go on"

run 0 100
[ "$status" -eq 2 ] || fail "where apt fails it ended with $status"
grep -q 'apt could not install the packages' "$work/said" || fail "it does not say that apt failed"
