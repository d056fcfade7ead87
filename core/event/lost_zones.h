#pragma once

#include "core/base/units.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace highwater {

/// What zones are called beside names of losses (Loss): they stand for what the disk could not take, and for what a
/// file lacks at its end.
inline constexpr const char* kEventsMissingInFile = "events missing in the file";
inline constexpr const char* kEndOfFile = "the end of the file";

/// A part of the time line of which something is missing. A value.
struct LostZone {
    TraceTime start;
    TraceTime end;               ///< not before the start; the same where only an instant is known
    std::string what;            ///< "buffers missing"
    std::uint64_t count = 0;     ///< of these; 0: not known
    bool isStartCertain = false; ///< nothing of it was lost earlier
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
