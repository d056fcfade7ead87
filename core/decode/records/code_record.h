#pragma once

#include "core/base/guid.h"
#include "core/etl/raw_record.h"
#include "core/event/code_events.h"
#include "core/event/record_counts.h"

#include <optional>

namespace highwater::decode {

/// What records of runtimes that generate code say (docs/etl-format.md 6.7). Newer versions only append fields, so that
/// none is refused.
struct CodeRecord {
    std::optional<CodeEvent> event; ///< without its time; none: nothing that names code
    bool isTruncated = false;       ///< it should have said something
};

/// Highwater's own record (highwater_opcode::kCode).
[[nodiscard]] CodeRecord decodeOwnCode(const etl::RawRecord& record);
/// The same (highwater_opcode::kText).
[[nodiscard]] CodeRecord decodeText(const etl::RawRecord& record);
/// The same (highwater_opcode::kNames).
[[nodiscard]] CodeRecord decodeNames(const etl::RawRecord& record);

[[nodiscard]] bool isCodeProvider(const Guid& provider);
/// A record of such a provider; counts it by what it is.
[[nodiscard]] CodeRecord decodeCode(const etl::RawRecord& record, const Guid& provider, CodeCounts& counts);

} // namespace highwater::decode
