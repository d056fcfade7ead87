#!/bin/sh
# Builds everything as CI does (preset ci: optimised, warnings are errors) and runs every test:
#   sh installer/test.sh
# Works from any folder, as root or with sudo, repeatedly.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/installer/steps.sh"

install_packages "$root/installer/packages.txt" "$root/installer/packages-test.txt"
build ci

say "Testing"
# The last command: its last lines are the result, its exit code is the exit code of this script.
ctest --preset ci --parallel "$(nproc)"
