#pragma once

#include "core/event/resident_sample.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace highwater::store {

/// The samples of resident memory of a trace, in order of time. Bounded: when they need more than `mostBytes`, every
/// second one of each process is left out, and later ones likewise, so that the rest covers the whole time evenly.
/// Pipeline thread only.
class ResidentBook {
  public:
    static constexpr std::size_t kMostBytes = std::size_t{256} << 20;

    explicit ResidentBook(std::size_t mostBytes = kMostBytes) : mostBytes_(mostBytes) {}

    void add(const SharedResidentSample& sample);
    /// Forgets samples before this time.
    void dropBefore(TraceTime time);
    /// An immutable copy, the same one until something changes. Null if there are none.
    [[nodiscard]] SharedResidentSamples published();
    /// A sentence about samples that were left out, for the trace health.
    [[nodiscard]] std::vector<std::string> notes() const;

  private:
    void thin();

    std::vector<SharedResidentSample> samples_;
    SharedResidentSamples copy_;
    std::size_t mostBytes_;
    std::size_t bytes_ = 0;
    std::uint64_t leftOut_ = 0;
};

} // namespace highwater::store
