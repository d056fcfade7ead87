#!/bin/sh
# Makes highwater.ico (the icon of the Windows programs) from highwater.svg, which is beside it. Run it by hand after
# the picture has changed; needs rsvg-convert (librsvg2-bin) and icotool (icoutils).
set -eu
cd -- "$(dirname -- "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for size in 16 24 32 48 64 256; do
    rsvg-convert --width "$size" --height "$size" highwater.svg --output "$work/$size.png"
done
# The large one stays a PNG inside: every Windows since Vista reads it, and it is a tenth of the size.
icotool --create --output highwater.ico \
    "$work/16.png" "$work/24.png" "$work/32.png" "$work/48.png" "$work/64.png" --raw "$work/256.png"
