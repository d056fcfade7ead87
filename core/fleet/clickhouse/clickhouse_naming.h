#pragma once

#include "core/fleet/clickhouse/clickhouse_rows.h"
#include "core/fleet/questions/stack_naming.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace highwater::fleet {

/// Computes the new stacks and samples of ClickHouse when functions get names. Sends no requests. One thread.
class ClickHouseNaming {
  public:
    /// Both arguments must outlive the object.
    ClickHouseNaming(const std::vector<NamedFrame>& frames, const PlumbingTest& isPlumbing);

    /// A run to be rewritten, and its changes.
    struct Run {
        std::uint64_t load = 0;
        std::uint64_t newLoad = 0;
        std::uint64_t sampleCount = 0;
        std::uint64_t framesUnnamed = 0;
    };
    struct Sample {
        summary::StackKey stack;
        std::uint8_t table = 0;
        std::uint64_t process = 0, window = 0, load = 0;
        SampleNumbers numbers;
    };

    /// Adds a stack with unnamed functions, and the loads of the runs that contain it.
    void addStack(const summary::StackKey& key, const CalledStack& stack, std::span<const std::uint64_t> loads);
    /// Called before each pass over the runs.
    void forgetLoads() { loads_.clear(); }
    /// Loads of runs that contain renamed stacks.
    [[nodiscard]] const std::set<std::uint64_t>& loads() const { return loads_; }
    /// Number of renamed stacks.
    [[nodiscard]] std::size_t stackCount() const { return renamed_.size(); }
    void addNames(NewNames& names) const;

    /// Replaces stacks and loads of the samples, merges samples that became equal, sorts them in the order of the
    /// table, and updates the counts of the runs.
    void rewrite(std::vector<Sample>& samples, std::vector<Run>& runs) const;

  private:
    [[nodiscard]] const std::vector<CalledFrame>* namesNow(const CalledFrame& frame) const;
    void giveStacks(std::vector<Sample>& samples) const;
    void countUnnamed(const std::vector<Sample>& samples, std::vector<Run>& runs) const;

    const PlumbingTest& isPlumbing_;
    struct NewFrames {
        const NamedFrame* frame = nullptr;
        std::vector<CalledFrame> names;
    };
    std::unordered_map<std::string, NewFrames> frames_;               ///< by their old keys
    std::map<summary::StackKey, summary::StackKey> renamed_;          ///< old to new keys
    std::map<summary::StackKey, CalledStack> stacks_;                 ///< stacks of renamed_, by their new keys
    std::unordered_map<std::string, std::uint32_t> unnamedFrames_;    ///< numbers of functions that still have no name
    std::map<summary::StackKey, std::vector<std::uint32_t>> unnamed_; ///< for stacks with such functions
    std::set<std::uint64_t> loads_;
};

} // namespace highwater::fleet
