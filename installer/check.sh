#!/bin/sh
# Runs all automated attacks on the program, and prints one line for each:
#   sh installer/check.sh [MINUTES]     all of them; MINUTES (60) are for the fuzz targets, builds and tests take extra time
#   sh installer/check.sh --short       only the tests labelled `check` or `kills` of the build of installer/test.sh (5 minutes)
# Works from any folder, as root or with sudo, repeatedly. LANES="asan fuzz" runs only those lanes.
# Logs, the corpus, and findings: build/check/. Exit codes: 0 no problems, 1 a lane failed, 2 it could not start.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/installer/steps.sh"

export PYTHONDONTWRITEBYTECODE=1
export HIGHWATER_LOG=off # the programs under attack do not write into the log of the user who runs this
KILLS=500
FILES=2000
check=$root/build/check
found=$check/found
traces=${HIGHWATER_SHARED_TRACES:-$root/../shared/traces}
lanes=${LANES:-asan tsan damage damage_asan crafted recorder_kills attach_kills fuzz}

usage() {
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

minutes=60
case ${1:-} in
--short)
    install_packages "$root/installer/packages.txt" "$root/installer/packages-test.txt"
    build ci
    cd "$root"
    exec ctest --preset ci --label-regex '^(check|kills)$'
    ;;
'') ;;
*[!0-9]*) usage ;;
*) minutes=$1 ;;
esac
[ $# -le 1 ] || usage

# The lanes. Each writes its output to its log; the last line of the log is the text of its result.

# CMake leaves tests that a sanitizer cannot run out of the sanitizer's build.
lane_asan() { python3 "$root/tests/sanitizers/sanitized_tests.py" "$root" linux-asan; }
lane_tsan() { python3 "$root/tests/sanitizers/sanitized_tests.py" "$root" linux-tsan; }

lane_damage() {
    build ci
    python3 "$root/tests/damage/damaged_files.py" "$root/build/ci" "$FILES" "$commit" --found "$found" --traces "$traces"
}

lane_damage_asan() {
    build linux-asan
    python3 "$root/tests/damage/damaged_files.py" "$root/build/linux-asan" "$FILES" "$commit" --found "$found" --traces "$traces"
}

lane_crafted() {
    build ci
    python3 "$root/tests/damage/crafted_files.py" "$root/build/ci" --found "$found"
}

lane_recorder_kills() {
    build ci
    python3 "$root/tests/kills/recorder_kills.py" "$root/build/ci" "$KILLS"
}

lane_attach_kills() {
    build ci
    outcome=0
    recorders=$(python3 "$root/tests/kills/attach_kills.py" "$root/build/ci" "$KILLS") || outcome=1
    loaders=$(python3 "$root/tests/kills/attach_kills.py" "$root/build/ci" "$KILLS" --loader) || outcome=1
    printf '%s\n%s\n' "$recorders" "$loaders"
    echo "$(printf '%s\n' "$recorders" | tail -n 1); $(printf '%s\n' "$loaders" | tail -n 1)"
    return "$outcome"
}

lane_fuzz() {
    build fuzz
    python3 "$root/tests/fuzz/run_fuzzers.py" "$root/build/fuzz" "$check" "$((minutes * 60))" --traces "$traces" --found "$found"
}

# Used by the test of this script.
lane_true() { echo "no problems"; }
lane_false() {
    echo "a problem"
    return 1
}

# Runs one lane, given by name. Prints one line, or one for each target in the case of fuzz targets.
run_lane() {
    begin=$(date +%s)
    verdict=ok
    ("lane_$1") >"$check/$1.log" 2>&1 || verdict=FAILED
    [ "$verdict" = ok ] || failed="$failed $1"
    if [ "$1" = fuzz ]; then
        sed -n '/_fuzz  *\(ok\|FAILED\) /p' "$check/$1.log"
    fi
    printf '%-20s %-7s %s  %s s\n' "$1" "$verdict" "$(tail -n 1 "$check/$1.log" | cut -c 1-300)" "$(($(date +%s) - begin))"
    [ "$verdict" = ok ] || printf '    see %s\n' "$check/$1.log"
}

for lane in $lanes; do
    case $lane in
    asan | tsan | damage | damage_asan | crafted | recorder_kills | attach_kills | fuzz | true | false) ;;
    *) fail "Unknown lane: $lane" ;;
    esac
done
mkdir -p "$check" || fail "Could not create the folder $check."
mkdir -p "$found"
commit=$(git -C "$root" rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
[ -z "$(git -C "$root" status --porcelain --untracked-files=no 2>/dev/null)" ] || commit=$commit-changed
case " $lanes " in
*" true "* | *" false "*) ;; # these need no build
*) install_packages "$root/installer/packages.txt" "$root/installer/packages-test.txt" ;;
esac

say "Checking $commit: $lanes"
failed=
for lane in $lanes; do
    run_lane "$lane"
done
if [ -n "$failed" ]; then
    say "Commit $commit: FAILED:$failed. Logs are in $check, inputs in $found."
    exit 1
fi
say "Commit $commit: all lanes are clean. Logs are in $check."
