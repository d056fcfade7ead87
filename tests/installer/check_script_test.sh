#!/bin/sh
# installer/check.sh reports a lane that failed, and continues with the others: check_script_test.sh SOURCE
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/installer"
cp "$1/installer/check.sh" "$1/installer/steps.sh" "$work/installer"

fail() {
    echo "FAILED: $*"
    cat "$work/said"
    exit 1
}

run() {
    status=0
    LANES=$1 sh "$work/installer/check.sh" 1 >"$work/said" 2>&1 || status=$?
}

run "true"
[ "$status" -eq 0 ] || fail "a clean lane ended with $status"
grep -q '^true  *ok  *no problems' "$work/said" || fail "a clean lane has no line"
grep -q 'all lanes are clean' "$work/said" || fail "there is no verdict"

run "false true"
[ "$status" -eq 1 ] || fail "a lane that failed ended with $status"
grep -q '^false  *FAILED  *a problem' "$work/said" || fail "the lane that failed has no line"
grep -q '^true  *ok' "$work/said" || fail "the lane behind it did not run"
grep -q 'FAILED: false\.' "$work/said" || fail "the verdict does not name it"
grep -q 'a problem' "$work/build/check/false.log" || fail "there is no log of it"

run "false_"
[ "$status" -eq 2 ] || fail "a lane that does not exist ended with $status"
