#pragma once

#include "core/base/units.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// What zones are called beside names of losses (Loss): they stand for what the disk could not take, and for what a
/// file lacks at its end.
inline constexpr const char* kEventsMissingInFile = "events missing in the file";
inline constexpr const char* kEndOfFile = "the end of the file";

/// What a zone begins or ends with.
enum class ZoneEdge : std::uint8_t {
    Recorder,     ///< the recorder says so
    Marker,       ///< a record that tells of the loss
    TraceStart,   ///< nothing is known that was before the loss
    LastBuffers,  ///< the oldest of the buffers that processors had begun last
    BufferBefore, ///< the buffer before, of the same processor
    BufferAfter,  ///< the buffer that tells of a loss before it
    NextBuffers,  ///< the latest of those that processors began next
    LastRecord,   ///< of the file
    HeaderEnd,    ///< when the recording ended, as the header of the file has it
};
/// "the last record of the file": what may stand behind "from" and "to".
[[nodiscard]] std::string_view describe(ZoneEdge edge);

/// A part of the time line of which something is missing. A value.
struct LostZone {
    TraceTime start;
    TraceTime end;               ///< not before the start; the same where only an instant is known
    std::string what;            ///< "buffers missing"
    std::uint64_t count = 0;     ///< of these; 0: not known
    bool isStartCertain = false; ///< nothing of it was lost earlier
    ZoneEdge startEdge = ZoneEdge::Recorder;
    ZoneEdge endEdge = ZoneEdge::Recorder;
    friend bool operator==(const LostZone&, const LostZone&) = default;
};
/// What the count of a zone counts: "events" or "buffers"; empty: of several losses nobody knows.
[[nodiscard]] std::string_view countedIn(const LostZone& zone);

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
