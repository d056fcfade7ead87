#!/bin/sh
# Makes the pictures of README.md and manual.md from the program itself:
#   sh docs/pictures.sh [BUILD_FOLDER [OUT_FOLDER]]
# Pages that no option of highwater opens are opened by their keys, in a window on a virtual screen. This needs the
# Debian packages xvfb, xdotool and imagemagick. If one is missing, these pictures are left as they are.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$root/build/linux-release}" && pwd)
mkdir -p "${2:-$root/docs}/pages"
out=$(cd "${2:-$root/docs}" && pwd)
work=${TMPDIR:-/tmp}/highwater # short, because some pages show it
mkdir -m 700 "$work"
trap 'rm -rf "$work"' EXIT
# Settings of its own: the pictures do not depend on the user's.
export HOME="$work" XDG_CONFIG_HOME="$work/config" XDG_CACHE_HOME="$work/cache" XDG_DATA_HOME="$work/data"
export XDG_STATE_HOME="$work/state" XDG_RUNTIME_DIR="$work" QT_QPA_PLATFORM=offscreen HIGHWATER_LOG=off
unset _NT_SYMBOL_PATH DEBUGINFOD_URLS
cd "$work"

# picture NAME OPTIONS...: what the window shows with these options.
picture() {
    name=$1
    shift
    "$build/app/highwater" --screenshot "$out/$name" --size 1400x900 "$@"
    echo "$name"
}

# On the screen of xvfb-run: starts highwater with the options, presses the keys, and saves the window.
# A key is one of xdotool, `type:TEXT`, `wait:SECONDS`, `click:X,Y` or `move:X,Y`.
cat > pressed.sh << 'EOF'
file=$1 keys=$2
shift 2
QT_QPA_PLATFORM=xcb "$HIGHWATER" "$@" &
program=$!
main=$(xdotool search --sync --onlyvisible --pid $program --name . | head -n 1)
xdotool windowfocus --sync "$main"
sleep 4
for key in $keys; do
    at=$(echo "${key#*:}" | tr , ' ')
    case $key in
    type:*) xdotool type "${key#type:}" ;;
    wait:*) sleep "${key#wait:}" ;;
    click:*) xdotool mousemove $at click 1 ;;
    move:*) xdotool mousemove $at ;;
    *) xdotool key "$key" ;;
    esac
    sleep 0.5
done
sleep 2
window=$main
# A dialog is a separate window.
[ "${DIALOG-}" ] && window=$(xdotool search --onlyvisible --pid $program --name . | grep -vx "$main" | tail -n 1)
import -window "$window" "$file"
kill $program
EOF

# pressed NAME KEYS OPTIONS...: what the window shows after these keys.
pressed() {
    name=$1
    if ! command -v xvfb-run > /dev/null || ! command -v xdotool > /dev/null || ! command -v import > /dev/null; then
        echo "$name is not made: xvfb, xdotool or imagemagick is missing" >&2
        return
    fi
    shift
    keys=$1
    shift
    HIGHWATER="$build/app/highwater" xvfb-run -a -s '-screen 0 1400x900x24' \
        sh pressed.sh "$out/$name" "$keys" --size 1400x900 --theme light "$@"
    echo "$name"
}

# The start page, before any trace was opened.
picture pages/start.png --theme light --size 1100x640

"$build/tests/fixtures/highwater-example" exercise2.etl
app="--process MemoryTestApp.exe"
# The whole trace: ten spikes, and the step in the middle selected.
picture window.png exercise2.etl --theme light --select 16:18
# The step, opened down to the function that made it.
picture step.png exercise2.etl --theme dark --range 16:18 --expand-hot-path
# Ten seconds of a leaking heap, from the function that allocates.
picture heap.png exercise2.etl --theme light --graph heap $app --range 12:22 --bottom-up --expand-hot-path
# The functions that made memory grow, frame by frame.
picture flames.png exercise2.etl --theme light --flames --graph heap
picture pages/flames.png exercise2.etl --theme light --flames --graph heap --bottom-up $app
# The stacks that keep memory, with reasons.
picture leaks.png exercise2.etl --theme light --graph heap --leaks
picture pages/leaks.png exercise2.etl --theme light --graph heap --leaks --range 4:30

# Three marks, each at the pointer.
pressed pages/generations.png "move:900,250 ctrl+m move:1050,250 ctrl+m move:1200,250 ctrl+m ctrl+shift+g move:700,880" \
    exercise2.etl --graph heap $app
pressed pages/histogram.png "ctrl+h" exercise2.etl --graph heap $app
pressed pages/heaps.png "ctrl+shift+h" exercise2.etl --graph heap
pressed pages/callers.png "ctrl+k wait:1 type:InnerLoopOperation Return" exercise2.etl --graph heap $app
pressed pages/address-map.png "ctrl+shift+p wait:1" exercise2.etl --graph virtualalloc $app

# A recorded service that has freed most of its memory, and the function that keeps the pages.
c++ -O1 -g -o service "$root/docs/service_example.cpp"
"$build/app/cli/highwater-cli" record --output service.etl -- ./service 900000 2> /dev/null
picture held.png service.etl --theme light --graph heap --preset "Held Pages by Stack" --expand-hot-path --size 1400x700
pressed pages/resident.png "ctrl+shift+r wait:2" service.etl --graph heap

# A server that keeps sessions and loses buffers, in a picture of memory.
c++ -O1 -g -o server "$root/docs/holders_example.cpp"
"$build/app/cli/highwater-cli" record --output server.etl --picture-every 5 -- ./server 2> /dev/null
pressed pages/held-by.png "ctrl+shift+b wait:2" server.etl --graph heap

# The page that asks for a program. The list of running processes, which would name those of this machine, is not shown.
mkdir bin
cp "$build/tests/memory_test_app/memory_test_app" bin/
PATH="$work/bin:$PATH" DIALOG=1 pressed pages/record.png "ctrl+r wait:1 type:memory_test_app Tab"

# The stacks that grew from build to build, over eight machines.
python3 "$root/docs/fleet_example.py" runs
cli=$build/app/cli/highwater-cli
"$cli" fleet init fleet.sqlite
for run in runs/*.heaptrack; do
    name=$(basename "$run" .heaptrack)
    "$cli" fleet add fleet.sqlite "$run" --label build="${name%%-*}" --label machine="${name#*-}" \
        --label scenario=nightly 2> /dev/null
done
picture fleet.png --fleet fleet.sqlite --size 1100x720 --theme light
picture pages/fleet.png --fleet fleet.sqlite --size 1100x720 --theme light
# Two builds of that program: Trace > Compare With… is the first entry of its menu.
pressed pages/compare.png "alt+t Return wait:1 type:$work/runs/8121-lab-01.heaptrack Return wait:2" \
    runs/8123-lab-01.heaptrack --graph heap
