#pragma once

#include "core/analysis/leaks/leak_evidence.h"
#include "core/analysis/sweeps/growth.h"

#include <array>
#include <cstddef>
#include <vector>

namespace highwater::analysis {

/// The blocks of a stack as one object with a size over time. A growing buffer allocates a larger block and frees the
/// previous one, so its blocks come and go while its size rises (docs/numbers.md 12.1). Based on the 33 edges of the
/// slices, regardless of the number of rows. Bytes are doubles because sums of sizes come from files.
class SizeCourse {
  public:
    /// The evidence must have an allocation in the period.
    SizeCourse(const LeakEvidence& evidence, const LeakPeriod& period);

    /// Whether blocks grow: the average of the last blocks exceeds the first half, or the average of the kept blocks
    /// exceeds all.
    [[nodiscard]] bool hasGrowingBlocks() const { return hasGrowingBlocks_; }
    /// The number of slices in which the size rose to a level that it did not fall below again.
    [[nodiscard]] std::size_t steps() const { return steps_.size(); }
    /// The growth of the used size, at least: a block is full when its successor is allocated. Bytes per second.
    [[nodiscard]] const Growth& growth() const { return growth_; }
    /// 0 to 1: whether each third of the observed time has its share of the used size. Accelerating growth counts as
    /// even.
    [[nodiscard]] double evenness() const { return evenness_; }
    /// 1: the next step is not due yet; less: growth may have stopped.
    [[nodiscard]] double fresh() const { return fresh_; }
    /// 1: it never fell; 0: it fell by two thirds of its rise.
    [[nodiscard]] double steady() const { return steady_; }
    /// The time since the last step, as a share of the observed time.
    [[nodiscard]] double silence() const { return silence_; }
    /// Nothing was allocated after the slice of the last step.
    [[nodiscard]] bool isQuiet() const { return isQuiet_; }

  private:
    struct Step {
        std::size_t edge = 0; ///< the first edge with the new size
        double before = 0;    ///< size up to this step
    };
    void findSteps(const std::vector<double>& floors);
    void measureUse(const std::vector<double>& floors, const LeakPeriod& period);
    [[nodiscard]] double slicesUntilNext(const std::vector<double>& floors) const;

    std::size_t first_; ///< slice of the first allocation
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
