#include "core/analysis/rows/marked_times.h"

#include <fmt/format.h>

#include <algorithm>

namespace highwater::analysis {
namespace {

constexpr std::uint64_t kOlder = 0;
constexpr std::uint64_t kBeforeMarks = 1;
constexpr std::uint64_t kFirstTime = 2;
constexpr TraceTime kEarliest{kBeforeTrace.ns + 1};
constexpr TraceTime kLatest{kNever.ns - 1};

/// Keys in the order of times, starting at kFirstTime.
std::uint64_t keyOf(TraceTime time) {
    return static_cast<std::uint64_t>(time.ns) - static_cast<std::uint64_t>(kEarliest.ns) + kFirstTime;
}
TraceTime timeOf(std::uint64_t key) {
    return TraceTime{static_cast<std::int64_t>(key - kFirstTime + static_cast<std::uint64_t>(kEarliest.ns))};
}

} // namespace

MarkedTimes::MarkedTimes(const SharedMarks& marks, TimeRange within) {
    if (!marks) return;
    for (const auto& mark : *marks) {
        marks_.push_back(mark);
        marks_.back().time = std::clamp(mark.time, kEarliest, kLatest);
        if (within.contains(mark.time)) within_.push_back(mark.time);
    }
    std::sort(marks_.begin(), marks_.end(), [](const Mark& a, const Mark& b) { return comesBefore(b, a); });
    const auto isSameTime = [](const Mark& a, const Mark& b) { return a.time == b.time; };
    marks_.erase(std::unique(marks_.begin(), marks_.end(), isSameTime), marks_.end());
    std::reverse(marks_.begin(), marks_.end());
    std::sort(within_.begin(), within_.end());
}

std::size_t MarkedTimes::countUpTo(TraceTime time) const {
    const auto later = std::upper_bound(marks_.begin(), marks_.end(), time,
                                        [](TraceTime wanted, const Mark& mark) { return wanted < mark.time; });
    return static_cast<std::size_t>(later - marks_.begin());
}

std::uint64_t MarkedTimes::generation(TraceTime begin) const {
    if (begin == kBeforeTrace) return kOlder;
    const auto before = countUpTo(begin);
    return before == 0 ? kBeforeMarks : keyOf(marks_[before - 1].time);
}

std::string MarkedTimes::words(std::size_t before) const {
    if (marks_.empty()) return "the whole trace";
    if (before == 0) return "before " + marks_.front().name;
    const auto& first = marks_[before - 1].name;
    return before == marks_.size() ? "after " + first : first + " to " + marks_[before].name;
}

std::string MarkedTimes::text(std::uint64_t generation) const {
    const auto width = fmt::formatted_size("{}", marks_.size() + 1);
    if (generation == kOlder) return fmt::format("{:0{}}. before the trace", 0, width);
    std::size_t before = 0;
    if (generation >= kFirstTime) before = countUpTo(timeOf(generation));
    return fmt::format("{:0{}}. {}", before + 1, width, words(before));
}

std::uint64_t MarkedTimes::survived(TraceTime begin, TraceTime end) const {
    const auto upTo = [&](TraceTime time) { return std::upper_bound(within_.begin(), within_.end(), time); };
    return end <= begin ? 0 : static_cast<std::uint64_t>(upTo(end) - upTo(begin));
}

} // namespace highwater::analysis
