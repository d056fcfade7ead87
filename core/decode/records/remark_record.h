#pragma once

#include "core/etl/raw_record.h"
#include "core/event/lost_zones.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::decode {

/// The place of missing data that a remark describes: a LostZone in the ticks of the file.
struct RemarkPlace {
    std::int64_t firstTicks = 0;
    std::int64_t lastTicks = 0;
    std::uint64_t count = 0;
    bool isStartCertain = false;
    ZoneEdge startEdge = ZoneEdge::Recorder;
    ZoneEdge endEdge = ZoneEdge::Recorder;
    std::string what;
    friend bool operator==(const RemarkPlace&, const RemarkPlace&) = default;
};
/// Highwater's own record (highwater_opcode::kRemark) with a remark of the source about a recording. Its payload:
///
///     u32: 1 data is missing, 2 a place follows | sentence UTF-8 with its NUL
///     | first ticks i64 | last ticks i64 | count u64 | u32: 1 the start is certain | u32, u32: edges | what UTF-8, NUL
///
/// Texts are truncated to kMostRemarkBytes.
struct Remark {
    std::string sentence;
    bool isBound = false;
    std::optional<RemarkPlace> place{};
};
[[nodiscard]] std::vector<std::byte> encodeRemark(const Remark& remark);
/// None if too short. A truncated or invalid place is ignored.
[[nodiscard]] std::optional<Remark> decodeRemark(const etl::RawRecord& record);

} // namespace highwater::decode
