#include "core/formats/report/report_style.h"

#include <fmt/format.h>

namespace highwater::formats {
namespace {

constexpr auto kStyle = R"css(
:root { color-scheme: light dark; --ground: #ffffff; --text: #1b1f24; --quiet: #59636e; --line: #d1d9e0;
  --over: #f0f3f6; --warn: #fff4d6; --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #aa4499; --c4: #8a6d00;
  --c5: #2a7f9e; --c6: #882255; --c7: #59636e; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14181d; --text: #e6edf3; --quiet: #9aa4af; --line: #3d444d; --over: #212830; --warn: #4a3b12;
    --c0: #56b4e9; --c1: #ff8a4c; --c2: #2fd0a0; --c3: #e08fd0; --c4: #f0d050; --c5: #7fd4e8; --c6: #f58fb0;
    --c7: #9aa4af; }
}
body { margin: 2em auto; max-width: 80em; padding: 0 1em; background: var(--ground); color: var(--text);
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5em; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15em; margin: 1.6em 0 .4em; }
h3 { font-size: 1em; margin: 1.2em 0 .2em; overflow-wrap: anywhere; }
p, li { overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.losses { background: var(--warn); padding: .6em 1em .6em 2.2em; border-radius: 4px; margin: 1em 0; }
pre { background: var(--over); padding: .8em; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--quiet); font-size: 12px; }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg path { fill: none; stroke-width: 1.5; }
.legend { list-style: none; padding: 0; margin: .4em 0; display: flex; flex-wrap: wrap; gap: .2em 1.4em; }
.legend i { display: inline-block; width: .9em; height: .9em; margin-right: .4em; border-radius: 2px;
  vertical-align: -.1em; }
.row { display: grid; align-items: baseline; padding: .1em .3em; border-bottom: 1px solid var(--line); }
.row > * { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.row > :first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; }
.head { font-weight: 600; position: sticky; top: 0; background: var(--ground); }
.total { font-weight: 600; }
.amounts { border-collapse: collapse; margin: .6em 0; }
.amounts th, .amounts td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap;
  padding: .1em .3em .1em 1.6em; border-bottom: 1px solid var(--line); }
.amounts tr > :first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; padding-left: .3em; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary > :first-child::before { content: "\25B8"; display: inline-block; width: 1.1em; color: var(--quiet); }
details[open] > summary > :first-child::before { content: "\25BE"; }
.leaf > :first-child { padding-left: 1.1em; }
summary:hover, .leaf:hover { background: var(--over); }
.below { margin-left: 1.1em; }
.calls { margin: 0 0 .2em 1.5em; padding-left: .8em; border-left: 2px solid var(--line); color: var(--quiet);
  overflow-wrap: anywhere; }
@media print {
  :root { --ground: #ffffff; --text: #000000; --quiet: #444444; --line: #bbbbbb; --over: #f4f4f4; --warn: #f4f4f4;
    --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #aa4499; --c4: #8a6d00; --c5: #2a7f9e; --c6: #882255;
    --c7: #59636e; }
  body { margin: 0; max-width: none; font-size: 9pt; }
  .head { position: static; }
  .row, .calls, .amounts tr { break-inside: avoid; }
  details::details-content { content-visibility: visible; display: block; block-size: auto; }
}
)css";

} // namespace

std::string reportStyle(std::size_t columns) {
    auto style = std::string(kStyle);
    style += fmt::format(".row {{ grid-template-columns: minmax(12em, 1fr) repeat({}, 9em); }}\n", columns);
    for (std::size_t i = 0; i < kReportColors; ++i)
        style += fmt::format(".c{0} {{ stroke: var(--c{0}); }} .legend .c{0} {{ background: var(--c{0}); }}\n", i);
    return style;
}

} // namespace highwater::formats
