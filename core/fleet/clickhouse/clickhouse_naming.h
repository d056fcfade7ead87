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

/// What functions that get their names make of stacks and samples of ClickHouse. Asks no server. One thread.
class ClickHouseNaming {
  public:
    /// Both must live as long as this.
    ClickHouseNaming(const std::vector<NamedFrame>& frames, const PlumbingTest& isPlumbing);

    /// A run to be written anew, and what of it changes.
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

    /// A stack with functions without a name, and the loads of runs that have it.
    void addStack(const summary::StackKey& key, const CalledStack& stack, std::span<const std::uint64_t> loads);
    /// Before runs are looked at again.
    void forgetLoads() { loads_.clear(); }
    /// Of runs that have stacks with other names now.
    [[nodiscard]] const std::set<std::uint64_t>& loads() const { return loads_; }
    /// Stacks that have other names now.
    [[nodiscard]] std::size_t stackCount() const { return renamed_.size(); }
    void addNames(NewNames& names) const;

    /// Gives samples their stacks and loads as they are now, sums up those that are one, and puts them into the order
    /// of the table; counts what the runs have then.
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
    std::unordered_map<std::string, NewFrames> frames_;               ///< by their keys as they were
    std::map<summary::StackKey, summary::StackKey> renamed_;          ///< what their keys are now
    std::map<summary::StackKey, CalledStack> stacks_;                 ///< of renamed_, by their new keys
    std::unordered_map<std::string, std::uint32_t> unnamedFrames_;    ///< numbers of those that still have no name
    std::map<summary::StackKey, std::vector<std::uint32_t>> unnamed_; ///< of stacks that have such
    std::set<std::uint64_t> loads_;
};

} // namespace highwater::fleet
