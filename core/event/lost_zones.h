#pragma once

#include "core/base/units.h"

#include <cstddef>
#include <string>
#include <vector>

namespace highwater {

/// A part of the time line of which something is missing. A value.
struct LostZone {
    TraceTime start;
    TraceTime end;    ///< not before the start; the same where only an instant is known
    std::string what; ///< "buffers missing"
    friend bool operator==(const LostZone&, const LostZone&) = default;
};

/// Where something is missing, in the order of time. Zones of the same kind that touch are one, and of very many the
/// nearest neighbours are, so that there is an end to them. One thread.
class LostZones {
  public:
    static constexpr std::size_t kMost = 256;

    /// A zone that ends before it begins is the instant of its start.
    void add(LostZone zone);
    [[nodiscard]] const std::vector<LostZone>& list() const { return zones_; }

  private:
    void joinFrom(std::size_t first);
    void joinNearest();

    std::vector<LostZone> zones_;
};

} // namespace highwater
