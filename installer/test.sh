#!/bin/sh
# Builds everything as CI does (preset ci: optimised, warnings are errors) and runs every test:
#   sh installer/test.sh
# Works from any folder, as root or with sudo, as often as wanted.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/installer/steps.sh"

install_packages "$root/installer/packages.txt" "$root/installer/packages-test.txt"
build ci

say "Testing"
# The last command: its closing lines are the verdict, its exit code is ours.
ctest --preset ci --parallel "$(nproc)"
