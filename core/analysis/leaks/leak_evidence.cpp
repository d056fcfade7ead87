#include "core/analysis/leaks/leak_evidence.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace highwater::analysis {
namespace {

/// Both are times in one trace, in order. The difference of distant times may overflow a signed number.
std::uint64_t distance(TraceTime from, TraceTime to) {
    return static_cast<std::uint64_t>(to.ns) - static_cast<std::uint64_t>(from.ns);
}

std::int64_t age(TraceTime from, TraceTime to) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(distance(from, to), kMost));
}

/// From the opening on, changed by each slice.
template <typename Change>
std::vector<double> levelsOf(const LeakEvidence& evidence, Change changeOf) {
    std::vector<double> levels;
    auto level = static_cast<std::uint64_t>(evidence.opening);
    const auto add = [&] { levels.push_back(static_cast<double>(static_cast<std::int64_t>(level))); };
    add();
    for (const auto& slice : evidence.slices) {
        level += changeOf(slice);
        add();
    }
    return levels;
}

} // namespace

std::size_t LeakPeriod::sliceOf(TraceTime time) const {
    const auto part = static_cast<double>(distance(start, time)) / static_cast<double>(distance(start, end));
    return std::min(static_cast<std::size_t>(part * kSlices), kSlices - 1);
}

TraceTime LeakPeriod::startOf(std::size_t slice) const {
    const auto step = distance(start, end) / kSlices;
    const auto rest = distance(start, end) % kSlices;
    const auto offset = step * slice + rest * slice / kSlices;
    return TraceTime{static_cast<std::int64_t>(static_cast<std::uint64_t>(start.ns) + offset)};
}

std::size_t Durations::bucketOf(std::int64_t nanoseconds) {
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(nanoseconds, 0));
    if (value < 4) return static_cast<std::size_t>(value);
    const auto exponent = static_cast<unsigned>(std::bit_width(value)) - 1;
    return exponent * 4 + ((value >> (exponent - 2)) & 3);
}

std::int64_t Durations::endOf(std::size_t bucket) {
    if (bucket < 8) return static_cast<std::int64_t>(std::min<std::size_t>(bucket, 3)); // 4 to 7 are unused
    const auto exponent = bucket / 4;
    const auto first = (std::uint64_t{4} + bucket % 4) << (exponent - 2);
    return static_cast<std::int64_t>(first + ((std::uint64_t{1} << (exponent - 2)) - 1));
}

Durations& Durations::operator+=(const Durations& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i)
        counts_[i] += other.counts_[i];
    return *this;
}

std::uint64_t Durations::count() const {
    std::uint64_t sum = 0;
    for (const auto count : counts_)
        sum += count;
    return sum;
}

std::int64_t Durations::quantile(double share) const {
    const auto all = static_cast<double>(count());
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        sum += counts_[i];
        if (sum > 0 && static_cast<double>(sum) >= share * all) return endOf(i);
    }
    return 0;
}

std::uint64_t Durations::countAbove(std::int64_t nanoseconds) const {
    std::uint64_t sum = 0;
    for (auto i = bucketOf(nanoseconds) + 1; i < counts_.size(); ++i)
        sum += counts_[i];
    return sum;
}

void LeakEvidence::add(const LeakRow& row, const LeakPeriod& period, const std::vector<TraceTime>& marks) {
    const bool isMade = row.begin >= period.start && row.begin < period.end;
    if (isMade) {
        auto& slice = slices[period.sliceOf(row.begin)];
        slice.made += row.size;
        ++slice.madeCount;
        ++madeCount;
        firstMade = std::min(firstMade, row.begin);
    } else {
        opening += row.outstandingAtStart;
    }
    if (row.end != kNever) {
        ++(row.isLost ? lostCount : freedCount);
        const bool isEarlier = !row.isLost && row.end < period.startOf(LeakPeriod::kSlices - 1);
        if (isEarlier)
            longestLife = std::max(longestLife, age(row.begin == kBeforeTrace ? period.start : row.begin, row.end));
        if (row.begin == kBeforeTrace) return;
        const auto lived = age(row.begin, row.end);
        (row.isLost ? lostLifetimes : lifetimes).add(lived);
        if (isEarlier) earlierLifetimes.add(lived);
        return;
    }
    outstanding += row.outstandingAtEnd;
    ++outstandingCount;
    if (!isMade) return;
    auto& slice = slices[period.sliceOf(row.begin)];
    ++slice.kept;
    slice.keptBytes += row.outstandingAtEnd;
    ++keptCount;
    keptBytes += row.outstandingAtEnd;
    firstKept = std::min(firstKept, row.begin);
    lastKept = std::max(lastKept, row.begin);
    keptAges.add(age(row.begin, period.end));
    keptByMarks.resize(marks.size() + 1);
    ++keptByMarks[static_cast<std::size_t>(marks.end() - std::upper_bound(marks.begin(), marks.end(), row.begin))];
}

void LeakEvidence::addRelease(TraceTime time, ByteCount bytes, const LeakPeriod& period) {
    if (time >= period.start && time < period.end) slices[period.sliceOf(time)].gone += bytes;
}

LeakEvidence& LeakEvidence::operator+=(const LeakEvidence& other) {
    for (std::size_t i = 0; i < slices.size(); ++i) {
        slices[i].made += other.slices[i].made;
        slices[i].madeCount += other.slices[i].madeCount;
        slices[i].gone += other.slices[i].gone;
        slices[i].kept += other.slices[i].kept;
        slices[i].keptBytes += other.slices[i].keptBytes;
    }
    opening += other.opening;
    outstanding += other.outstanding;
    outstandingCount += other.outstandingCount;
    madeCount += other.madeCount;
    keptCount += other.keptCount;
    keptBytes += other.keptBytes;
    freedCount += other.freedCount;
    lostCount += other.lostCount;
    firstMade = std::min(firstMade, other.firstMade);
    firstKept = std::min(firstKept, other.firstKept);
    lastKept = std::max(lastKept, other.lastKept);
    longestLife = std::max(longestLife, other.longestLife);
    lifetimes += other.lifetimes;
    earlierLifetimes += other.earlierLifetimes;
    lostLifetimes += other.lostLifetimes;
    keptAges += other.keptAges;
    keptByMarks.resize(std::max(keptByMarks.size(), other.keptByMarks.size()));
    for (std::size_t i = 0; i < other.keptByMarks.size(); ++i)
        keptByMarks[i] += other.keptByMarks[i];
    return *this;
}

std::vector<double> LeakEvidence::levels() const {
    return levelsOf(*this, [](const Slice& slice) { return slice.made - slice.gone; });
}

std::vector<double> LeakEvidence::lowPoints() const {
    return levelsOf(*this, [](const Slice& slice) { return slice.keptBytes; });
}

} // namespace highwater::analysis
