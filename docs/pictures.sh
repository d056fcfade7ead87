#!/bin/sh
# Makes the pictures of README.md from the program itself: sh docs/pictures.sh [BUILD_FOLDER]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/linux-release}
trace=$(mktemp -d)/exercise2.etl
trap 'rm -rf "$(dirname "$trace")"' EXIT
"$build/tests/fixtures/highwater-example" "$trace"
QT_QPA_PLATFORM=offscreen "$build/app/highwater" "$trace" --screenshot "$root/docs/window.png" --size 1200x640
echo "docs/window.png"
