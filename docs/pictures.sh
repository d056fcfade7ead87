#!/bin/sh
# Makes the pictures of README.md and manual.md from the program itself: sh docs/pictures.sh [BUILD_FOLDER]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/linux-release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trace=$work/exercise2.etl
# Settings of its own: the pictures do not depend on who makes them.
export XDG_CONFIG_HOME="$work" XDG_RUNTIME_DIR="$work" QT_QPA_PLATFORM=offscreen
chmod 700 "$work"

picture() {
    name=$1
    shift
    "$build/app/highwater" "$trace" --screenshot "$root/docs/$name" --size 1400x900 "$@"
    echo "docs/$name"
}

"$build/tests/fixtures/highwater-example" "$trace"
# The whole trace: ten spikes, and the step in the middle selected.
picture window.png --theme light --select 16:18
# The step, opened down to who made it.
picture step.png --theme dark --range 16:18 --expand-hot-path
# Ten seconds of a leaking heap, from the function that allocates.
picture heap.png --theme light --graph heap --process MemoryTestApp.exe --range 12:22 --bottom-up --expand-hot-path
# What made memory grow, frame by frame.
picture flames.png --theme light --flames --graph heap
# Which stacks grew from build to build, over eight machines.
python3 "$root/docs/fleet_example.py" "$work/runs"
cli=$build/app/cli/highwater-cli
(
    cd "$work"
    "$cli" fleet init fleet.sqlite
    for run in runs/*.heaptrack; do
        name=$(basename "$run" .heaptrack)
        "$cli" fleet add fleet.sqlite "$run" --label build="${name%%-*}" --label machine="${name#*-}" \
            --label scenario=nightly 2> /dev/null
    done
    "$build/app/highwater" --fleet fleet.sqlite --screenshot "$root/docs/fleet.png" --size 1100x720 --theme light
)
echo docs/fleet.png
# Who keeps memory, and why.
picture leaks.png --theme light --graph heap --leaks
