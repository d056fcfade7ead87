#pragma once

#include "core/analysis/leaks/leak_evidence.h"
#include "core/analysis/sweeps/growth.h"

#include <array>
#include <cstddef>
#include <vector>

namespace highwater::analysis {

/// The blocks of a stack as one thing with a size over time: a buffer that grows gets a larger block and frees the one
/// before, so its blocks come and go while its size rises (docs/numbers.md 12.1). Made of the 33 edges of the slices,
/// whatever number of rows there is. Bytes as double: sums of sizes come from files.
class SizeCourse {
  public:
    /// Of evidence with an allocation in the period.
    SizeCourse(const LeakEvidence& evidence, const LeakPeriod& period);

    /// The blocks become larger: those made last, on average, than the first half, or the kept ones than all.
    [[nodiscard]] bool hasGrowingBlocks() const { return hasGrowingBlocks_; }
    /// The slices in which the size rose to what it did not fall below again.
    [[nodiscard]] std::size_t steps() const { return steps_.size(); }
    /// How much of what it has is used, at least: a block is full when its successor is made. Bytes per second.
    [[nodiscard]] const Growth& growth() const { return growth_; }
    /// 0 to 1: whether each third of what was seen has its share of the use. More and more is as good as even.
    [[nodiscard]] double evenness() const { return evenness_; }
    /// 1: the next step is not due yet; less: it may have stopped.
    [[nodiscard]] double fresh() const { return fresh_; }
    /// 1: it never fell; 0: it fell by two thirds of what it has risen.
    [[nodiscard]] double steady() const { return steady_; }
    /// How long the last step is ago, as a share of what was seen.
    [[nodiscard]] double silence() const { return silence_; }
    /// Nothing was allocated behind the slice of the last step.
    [[nodiscard]] bool isQuiet() const { return isQuiet_; }

  private:
    struct Step {
        std::size_t edge = 0; ///< at which the new size is there first
        double before = 0;    ///< size until then
    };
    void findSteps(const std::vector<double>& floors);
    void measureUse(const std::vector<double>& floors, const LeakPeriod& period);
    [[nodiscard]] double slicesUntilNext(const std::vector<double>& floors) const;

    std::size_t first_; ///< the slice of the first allocation
    std::vector<Step> steps_;
    Growth growth_;
    double evenness_ = 0;
    double fresh_ = 0;
    double steady_ = 0;
    double silence_ = 1;
    bool hasGrowingBlocks_ = false;
    bool isQuiet_ = false;
};

} // namespace highwater::analysis
