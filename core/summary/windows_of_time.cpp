#include "core/summary/windows_of_time.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace highwater::summary {
namespace {

void addBetweenMarks(TimeRange whole, std::span<const Mark> marks, std::vector<Window>& windows) {
    std::vector<Mark> inside;
    std::copy_if(marks.begin(), marks.end(), std::back_inserter(inside),
                 [&](const Mark& mark) { return mark.time > whole.start && mark.time < whole.end; });
    if (inside.empty()) return;
    std::sort(inside.begin(), inside.end(), comesBefore);
    auto start = whole.start;
    std::string from = "Begin";
    const auto add = [&](TraceTime end, const std::string& to) {
        if (start < end)
            windows.push_back({WindowKind::BetweenMarks, fmt::format("{} to {}", from, to), start.ns, end.ns});
        start = end;
        from = to;
    };
    for (const auto& mark : inside)
        add(mark.time, mark.name);
    add(whole.end, "End");
}

void addSlices(TimeRange whole, std::int64_t length, std::vector<Window>& windows) {
    for (auto start = whole.start.ns; start < whole.end.ns;) {
        const auto end = whole.end.ns - start > length ? start + length : whole.end.ns;
        // The last one is named as if it were not truncated, so it has the same name as in longer runs and is
        // comparable.
        const auto nominal = start > INT64_MAX - length ? end : start + length;
        windows.push_back({WindowKind::Slice,
                           fmt::format("{} s to {} s", secondsText(TraceTime{start}), secondsText(TraceTime{nominal})),
                           start, end});
        start = end;
    }
}

void makeNamesUnique(std::vector<Window>& windows) {
    std::map<std::string, int> seen;
    for (auto& window : windows) {
        const auto times = ++seen[window.name];
        if (times > 1) window.name += fmt::format(" #{}", times);
    }
}

} // namespace

Result<std::vector<Window>> windowsOf(TimeRange whole, std::span<const Mark> marks, const WindowOptions& options) {
    std::vector<Window> windows{{WindowKind::Whole, "whole", whole.start.ns, whole.end.ns}};
    const auto length = whole.end.ns - whole.start.ns;
    const bool areTooMany =
        (options.sliceNs > 0 && static_cast<std::uint64_t>(length / options.sliceNs) >= kMostWindows) ||
        (options.betweenMarks && marks.size() >= kMostWindows);
    if (areTooMany)
        return Error{ErrorKind::Usage, fmt::format("There would be more than {} windows. Choose longer windows.",
                                                   thousands(kMostWindows))};
    if (options.betweenMarks) addBetweenMarks(whole, marks, windows);
    if (options.sliceNs > 0) addSlices(whole, options.sliceNs, windows);
    makeNamesUnique(windows);
    return windows;
}

} // namespace highwater::summary
