#pragma once

#include "core/event/memory_picture.h"
#include "core/event/resident_sample.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace highwater::store {

/// The measurements of one kind of a trace, in order of time. Bounded: when they need more than `mostBytes`, every
/// second one of each process is left out, and later ones likewise, so that the rest covers the whole time evenly.
/// Pipeline thread only.
template <typename Measurement>
class MeasurementBook {
  public:
    static constexpr std::size_t kMostBytes = std::size_t{256} << 20;
    using Shared = std::shared_ptr<const Measurement>;

    explicit MeasurementBook(std::size_t mostBytes = kMostBytes) : mostBytes_(mostBytes) {}

    void add(const Shared& measurement);
    /// Forgets measurements before this time.
    void dropBefore(TraceTime time);
    /// An immutable copy, the same one until something changes. Null if there are none.
    [[nodiscard]] std::shared_ptr<const std::vector<Shared>> published();
    /// A sentence about measurements that were left out, for the trace health.
    [[nodiscard]] std::vector<std::string> notes() const;

  private:
    void thin();

    std::vector<Shared> list_;
    std::shared_ptr<const std::vector<Shared>> copy_;
    std::size_t mostBytes_;
    std::size_t bytes_ = 0;
    std::uint64_t leftOut_ = 0;
};

using ResidentBook = MeasurementBook<ResidentSample>;
using PictureBook = MeasurementBook<MemoryPicture>;
extern template class MeasurementBook<ResidentSample>;
extern template class MeasurementBook<MemoryPicture>;

} // namespace highwater::store
