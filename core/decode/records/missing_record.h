#pragma once

#include "core/etl/raw_record.h"
#include "core/event/missing_part.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace highwater::decode {

/// Highwater's own record (highwater_opcode::kMissing) about events that are not in the file. Its payload:
///
///     first ticks i64 | last ticks i64 | events u64 | u32: 1 if the file ends there | reason UTF-8 with its NUL
///
/// Long reasons are truncated to kMostReasonBytes.
inline constexpr std::size_t kMostReasonBytes = 400;
[[nodiscard]] std::vector<std::byte> encodeMissing(const MissingPart& part);
/// None if too short.
[[nodiscard]] std::optional<MissingPart> decodeMissing(const etl::RawRecord& record);
/// Whether it is such a record.
[[nodiscard]] bool isMissingRecord(const etl::RawRecord& record);
/// The record itself without its payload, which the caller keeps.
[[nodiscard]] etl::RawRecord missingRecord(std::int64_t ticks, std::uint16_t processor, ByteSpan payload);

} // namespace highwater::decode
