#!/bin/sh
# Builds Highwater and shows a trace:
#   sh installer/run.sh                 records Exercise 2's memory test program for half a minute, live
#   sh installer/run.sh TRACE.etl ...   these traces, opened together
# Without a display it saves a picture of the window and prints the leaks instead.
# Works from any folder, as root or with sudo, as often as wanted.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/installer/steps.sh"

case ${1-} in
-h | --help)
    sed -n '2,6s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac

# Traces are named relative to the caller's folder; look at them before the long part starts.
count=$#
while [ "$count" -gt 0 ]; do
    trace=$1
    shift
    case $trace in
    -*)
        printf 'highwater: %s is not an option here. Usage: sh installer/run.sh [TRACE.etl ...]\n' "$trace" >&2
        exit 1
        ;;
    /*) ;;
    *) trace=$PWD/$trace ;;
    esac
    [ -f "$trace" ] || fail "There is no trace file $trace"
    [ -r "$trace" ] || fail "You may not read $trace"
    set -- "$@" "$trace"
    count=$((count - 1))
done

install_packages "$root/installer/packages.txt"
build linux-release highwater highwater-cli highwater-example memory_test_app

# The file of a program that was just built, wherever its folder is.
program() { find "$root/build/linux-release" -type f -name "$1" -perm -u+x -print -quit; }

shown=$root/build/example
mkdir -p "$shown"

window=$(program highwater)
cli=$(program highwater-cli)
target=$(program memory_test_app)
example=$shown/exercise2.etl
"$(program highwater-example)" "$example"

if [ $# -eq 0 ]; then
    if [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ]; then
        say "Recording $target"
        exec "$window" --graph heap --leaks --record "$target"
    fi
    say "There is no display: recording $target into $shown/recorded.etl"
    if "$cli" record -o "$shown/recorded.etl" -- "$target"; then
        set -- "$shown/recorded.etl"
    else
        say "Nothing can be recorded here: showing the example trace $example"
        set -- "$example"
    fi
fi

if [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ]; then
    say "Opening $*"
    exec "$window" "$@"
fi

say "There is no display: taking a picture of the window instead"
picture=$shown/highwater.png
rm -f "$picture"
if command -v xvfb-run >/dev/null 2>&1; then
    xvfb-run -a -s '-screen 0 1400x900x24' "$window" --graph heap --leaks --screenshot "$picture" --size 1400x900 "$@"
else
    QT_QPA_PLATFORM=offscreen "$window" --graph heap --leaks --screenshot "$picture" --size 1400x900 "$@"
fi
[ -s "$picture" ] || fail "The window left no picture at $picture"

printf '\nStacks that keep memory, the most suspicious first\n\n'
"$cli" leaks "$@" --top 3
printf '\n'
say "The window is in $picture"
