#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Counts exactly how many different values each of some groups has, on several threads.
///
/// Values are scattered over parts by their hash, then every part is counted alone in a table that fits into a cache.
/// What a thread has seen a moment ago it does not write down again. So that 100 million different values do not fill
/// the memory, the caller goes through them in rounds, each of which takes the values whose hash belongs to it:
///
///     while (!distinct.isDone()) { ... distinct.add(...) ...; finished = distinct.endRound(stop); }
class DistinctValues {
  public:
    /// expected: about how many values will be added.
    DistinctValues(unsigned workers, std::size_t groups, std::uint64_t expected);

    [[nodiscard]] bool isDone() const { return round_ == rounds_; }
    /// All values must be added in each round. A worker is one thread at a time.
    void add(unsigned worker, std::uint32_t group, std::uint64_t value);
    /// Not while values are added. False when stopped.
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
