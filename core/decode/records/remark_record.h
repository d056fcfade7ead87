#pragma once

#include "core/etl/raw_record.h"
#include "core/event/lost_zones.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::decode {

/// Where something is missing that a remark tells of: a LostZone in the ticks of the file.
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
/// Highwater's own record (highwater_opcode::kRemark) with what the source says of a recording. Its payload:
///
///     u32: 1 something is missing, 2 a place follows | sentence UTF-8 with its NUL
///     | first ticks i64 | last ticks i64 | count u64 | u32: 1 the start is certain | u32, u32: edges | what UTF-8, NUL
///
/// Texts are cut to kMostRemarkBytes.
struct Remark {
    std::string sentence;
    bool isBound = false;
    std::optional<RemarkPlace> place{};
};
[[nodiscard]] std::vector<std::byte> encodeRemark(const Remark& remark);
/// None: too short. A place that is cut off, or makes no sense, is none.
[[nodiscard]] std::optional<Remark> decodeRemark(const etl::RawRecord& record);

} // namespace highwater::decode
