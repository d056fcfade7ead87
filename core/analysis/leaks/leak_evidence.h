#pragma once

#include "core/base/units.h"

#include <array>
#include <cstdint>
#include <vector>

namespace highwater::analysis {

/// The examined period of one process: the part of the interval in which it lived, in equal slices. Not empty.
struct LeakPeriod {
    static constexpr std::size_t kSlices = 32;

    TraceTime start;
    TraceTime end;

    [[nodiscard]] double seconds() const { return static_cast<double>(end.ns - start.ns) / 1e9; }
    /// For a time inside.
    [[nodiscard]] std::size_t sliceOf(TraceTime time) const;
    /// Start of slice i; for kSlices, the end.
    [[nodiscard]] TraceTime startOf(std::size_t slice) const;
};

/// A histogram of durations, exact to a fifth.
class Durations {
  public:
    void add(std::int64_t nanoseconds) { ++counts_[bucketOf(nanoseconds)]; }
    Durations& operator+=(const Durations& other);
    [[nodiscard]] std::uint64_t count() const;
    /// The shortest duration, in ns, that is not exceeded by this share of all durations; 0 if empty.
    [[nodiscard]] std::int64_t quantile(double share) const;
    [[nodiscard]] std::uint64_t countAbove(std::int64_t nanoseconds) const;

  private:
    static std::size_t bucketOf(std::int64_t nanoseconds);
    /// The longest duration in the bucket.
    static std::int64_t endOf(std::size_t bucket);

    std::array<std::uint32_t, 256> counts_{};
};

/// The data of one row of a stack that the evidence uses.
struct LeakRow {
    TraceTime begin = kBeforeTrace;
    TraceTime end = kNever; ///< kNever: kept until the end of the period
    ByteCount size = 0;
    ByteCount outstandingAtStart = 0; ///< for rows that are older than the period
    ByteCount outstandingAtEnd = 0;
    bool isLost = false; ///< it ended because its address was reused: its free was lost
};

/// Statistics of the rows of one stack in one process. Kept rows were allocated in the period and are outstanding at
/// its end, completely or in part. Sums wrap because sizes come from files.
struct LeakEvidence {
    struct Slice {
        std::uint64_t made = 0;      ///< bytes allocated in it
        std::uint64_t madeCount = 0; ///< rows allocated in it
        std::uint64_t gone = 0;      ///< bytes freed in it
        std::uint64_t kept = 0;      ///< rows allocated in it that are kept
        std::uint64_t keptBytes = 0; ///< their bytes
    };
    std::array<Slice, LeakPeriod::kSlices> slices{};
    ByteCount opening = 0;     ///< outstanding at the start of the period
    ByteCount outstanding = 0; ///< outstanding at its end
    std::uint64_t outstandingCount = 0;
    std::uint64_t madeCount = 0;
    std::uint64_t keptCount = 0;
    ByteCount keptBytes = 0;
    std::uint64_t freedCount = 0; ///< rows of any age, except those with a lost free
    std::uint64_t lostCount = 0;
    TraceTime firstMade = kNever;
    TraceTime firstKept = kNever;
    TraceTime lastKept = kBeforeTrace;
    std::int64_t longestLife =
        0; ///< ns: for rows freed in the period before its last slice, since their start if known
    Durations lifetimes;                    ///< for rows freed in the period
    Durations earlierLifetimes;             ///< for rows freed in the period before its last slice
    Durations lostLifetimes;                ///< for rows with a lost free: until their addresses were reused
    Durations keptAges;                     ///< for kept rows, at the end of the period
    std::vector<std::uint64_t> keptByMarks; ///< [n] kept rows that were outstanding at n marks

    /// marks: in the period, ascending.
    void add(const LeakRow& row, const LeakPeriod& period, const std::vector<TraceTime>& marks);
    /// Adds the release of a part of a row. For rows that are released in parts, call it in addition to add().
    void addRelease(TraceTime time, ByteCount bytes, const LeakPeriod& period);
    LeakEvidence& operator+=(const LeakEvidence& other);
    /// Outstanding bytes at the start of each slice, and at the end.
    [[nodiscard]] std::vector<double> levels() const;
    /// The bytes of kept rows alone. For a stack that is filled and emptied again and again: the rise of its low
    /// points.
    [[nodiscard]] std::vector<double> lowPoints() const;
};

} // namespace highwater::analysis
