#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Counts the exact number of distinct values of each group, on several threads.
///
/// Values are distributed over parts by hash, and every part is counted separately in a table that fits into a cache. A
/// thread does not store values that it has just seen. To limit memory for 100 million distinct values, the caller adds
/// all values in several rounds, each of which uses the values whose hash belongs to it:
///
///     while (!distinct.isDone()) { ... distinct.add(...) ...; finished = distinct.endRound(stop); }
class DistinctValues {
  public:
    /// expected: approximate number of values.
    DistinctValues(unsigned workers, std::size_t groups, std::uint64_t expected);

    [[nodiscard]] bool isDone() const { return round_ == rounds_; }
    /// All values must be added in each round. One thread per worker at a time.
    void add(unsigned worker, std::uint32_t group, std::uint64_t value);
    /// Must not run while values are added. False: stopped.
    bool endRound(const std::stop_token& stop);

    /// By group, after the last round.
    [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }

  private:
    struct Entry {
        std::uint64_t value = 0;
        std::uint32_t group = kNoGroup;
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    struct Worker {
        std::vector<std::vector<Entry>> parts;
        std::vector<Entry> recent;
    };
    static constexpr std::uint32_t kNoGroup = 0xFFFFFFFFu;
    static std::uint64_t hashOf(const Entry& entry);
    void countPart(std::uint64_t part, std::vector<Entry>& table, std::vector<std::uint64_t>& counts);

    unsigned partShift_; ///< part = hash >> partShift_
    std::uint32_t rounds_;
    std::uint32_t round_ = 0;
    std::vector<Worker> workers_;
    std::vector<std::uint64_t> counts_;
};

} // namespace highwater::analysis
