#pragma once

#include "core/base/units.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// Zone names besides those of losses (Loss), for events that could not be written to disk, for the missing end of a
/// file, and for the rest of a trace whose loading was stopped.
inline constexpr const char* kEventsMissingInFile = "events missing in the file";
inline constexpr const char* kEndOfFile = "the end of the file";
inline constexpr const char* kNotLoaded = "events not loaded";

/// The event at which a zone starts or ends.
enum class ZoneEdge : std::uint8_t {
    Recorder,     ///< reported by the recorder
    Marker,       ///< a record that reports the loss
    TraceStart,   ///< nothing before the loss is known
    LastBuffers,  ///< the oldest of the processors' last buffers before the loss
    BufferBefore, ///< the preceding buffer of the same processor
    BufferAfter,  ///< the buffer that reports a loss before it
    NextBuffers,  ///< the latest of the processors' first buffers after the loss
    LastRecord,   ///< the last record of the file
    HeaderEnd,    ///< the end of the recording according to the file header
    LastLoaded,   ///< the end of the part of a trace that was loaded
};
/// "the last record of the file": text that follows "from" or "to".
[[nodiscard]] std::string_view describe(ZoneEdge edge);

/// A part of the timeline with missing data. A value.
struct LostZone {
    TraceTime start;
    TraceTime end;               ///< not before the start; equal to it if only an instant is known
    std::string what;            ///< "buffers missing"
    std::uint64_t count = 0;     ///< number of lost events or buffers; 0: not known
    bool isStartCertain = false; ///< none of it was lost before `start`
    ZoneEdge startEdge = ZoneEdge::Recorder;
    ZoneEdge endEdge = ZoneEdge::Recorder;
    friend bool operator==(const LostZone&, const LostZone&) = default;
};
/// The unit of a zone's count: "events" or "buffers"; empty if the unit is not known because several losses were
/// merged.
[[nodiscard]] std::string_view countedIn(const LostZone& zone);
/// The loss with its count, if known: "1 buffer missing", "1,204 events lost", "the end of the file: 75 buffers".
[[nodiscard]] std::string countedLoss(const LostZone& zone);

/// Zones of missing data, in time order. Touching zones of the same kind are merged. Above kMost zones, the nearest
/// neighbours are merged to limit their number. One thread.
class LostZones {
  public:
    static constexpr std::size_t kMost = 256;

    /// A zone that ends before it starts is reduced to the instant of its start.
    void add(LostZone zone);
    [[nodiscard]] const std::vector<LostZone>& list() const { return zones_; }

  private:
    void joinFrom(std::size_t first);
    void joinNearest();

    std::vector<LostZone> zones_;
};

} // namespace highwater
