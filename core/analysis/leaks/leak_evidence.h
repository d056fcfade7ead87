#pragma once

#include "core/base/units.h"

#include <array>
#include <cstdint>
#include <vector>

namespace highwater::analysis {

/// What is looked at of one process: the part of the interval in which it lived, in equal slices. Not empty.
struct LeakPeriod {
    static constexpr std::size_t kSlices = 32;

    TraceTime start;
    TraceTime end;

    [[nodiscard]] double seconds() const { return static_cast<double>(end.ns - start.ns) / 1e9; }
    /// Of a time inside.
    [[nodiscard]] std::size_t sliceOf(TraceTime time) const;
    /// When slice i begins; of kSlices: the end.
    [[nodiscard]] TraceTime startOf(std::size_t slice) const;
};

/// How often durations occurred, to a fifth of each.
class Durations {
  public:
    void add(std::int64_t nanoseconds) { ++counts_[bucketOf(nanoseconds)]; }
    Durations& operator+=(const Durations& other);
    [[nodiscard]] std::uint64_t count() const;
    /// The shortest duration, in ns, that this share of all does not exceed; 0 without any.
    [[nodiscard]] std::int64_t quantile(double share) const;
    [[nodiscard]] std::uint64_t countAbove(std::int64_t nanoseconds) const;

  private:
    static std::size_t bucketOf(std::int64_t nanoseconds);
    /// The longest duration of the bucket.
    static std::int64_t endOf(std::size_t bucket);

    std::array<std::uint32_t, 256> counts_{};
};

/// One row of a stack, as far as it counts here.
struct LeakRow {
    TraceTime begin = kBeforeTrace;
    TraceTime end = kNever; ///< kNever: kept, as far as the period goes
    ByteCount size = 0;
    ByteCount outstandingAtStart = 0; ///< of rows that are older than the period
    ByteCount outstandingAtEnd = 0;
    bool isLost = false; ///< it ended because its address was given out again: its free was lost
};

/// What is known of the rows of one stack in one process. "Kept" are those that were allocated in the period and are
/// outstanding at its end, whole or in part. Sums wrap: sizes come from files.
struct LeakEvidence {
    struct Slice {
        std::uint64_t made = 0;      ///< bytes that were allocated in it
        std::uint64_t madeCount = 0; ///< and rows
        std::uint64_t gone = 0;      ///< bytes that were freed in it
        std::uint64_t kept = 0;      ///< rows allocated in it that are kept
    };
    std::array<Slice, LeakPeriod::kSlices> slices{};
    ByteCount opening = 0;     ///< outstanding when the period begins
    ByteCount outstanding = 0; ///< when it ends
    std::uint64_t outstandingCount = 0;
    std::uint64_t madeCount = 0;
    std::uint64_t keptCount = 0;
    ByteCount keptBytes = 0;
    std::uint64_t freedCount = 0; ///< of any age, without those whose free was lost
    std::uint64_t lostCount = 0;
    TraceTime firstMade = kNever;
    TraceTime firstKept = kNever;
    TraceTime lastKept = kBeforeTrace;
    Durations lifetimes;                    ///< of rows that were freed in the period
    Durations earlierLifetimes;             ///< and of those of them that were freed before the last slice
    Durations lostLifetimes;                ///< of rows whose free was lost: until their addresses were given out again
    Durations keptAges;                     ///< of kept rows, at the end of the period
    std::vector<std::uint64_t> keptByMarks; ///< [n] kept rows that were there at n marks

    /// marks: of the period, rising.
    void add(const LeakRow& row, const LeakPeriod& period, const std::vector<TraceTime>& marks);
    /// So many bytes of a row went at that time; all that add() does not do for rows that went in parts.
    void addRelease(TraceTime time, ByteCount bytes, const LeakPeriod& period);
    LeakEvidence& operator+=(const LeakEvidence& other);
    /// Outstanding bytes at the start of each slice, and at the end.
    [[nodiscard]] std::vector<double> levels() const;
};

} // namespace highwater::analysis
