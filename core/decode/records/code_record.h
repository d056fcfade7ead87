#pragma once

#include "core/base/guid.h"
#include "core/etl/raw_record.h"
#include "core/event/code_events.h"
#include "core/event/record_counts.h"

#include <optional>

namespace highwater::decode {

/// Contents of records of runtimes that generate code (docs/etl-format.md 6.7). Newer versions only append fields, so
/// none is rejected.
struct CodeRecord {
    std::optional<CodeEvent> event; ///< without its time; none if the record does not describe code
    bool isTruncated = false;       ///< the record should have had an event
};

/// Highwater's own record (highwater_opcode::kCode).
[[nodiscard]] CodeRecord decodeOwnCode(const etl::RawRecord& record);
/// The same for highwater_opcode::kText.
[[nodiscard]] CodeRecord decodeText(const etl::RawRecord& record);
/// The same for highwater_opcode::kNames.
[[nodiscard]] CodeRecord decodeNames(const etl::RawRecord& record);

[[nodiscard]] bool isCodeProvider(const Guid& provider);
/// A record of such a provider; counts it by kind.
[[nodiscard]] CodeRecord decodeCode(const etl::RawRecord& record, const Guid& provider, CodeCounts& counts);

} // namespace highwater::decode
