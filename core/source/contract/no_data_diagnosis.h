#pragma once

#include "core/source/contract/capture.h"

#include <cstdint>
#include <string>

namespace highwater::source {

/// Why a process that is recorded may not have reported any memory, and what can be done.
struct NoDataDiagnosis {
    /// What to try; the window offers it as one click.
    enum class Fix : std::uint8_t { None, RecordChildren, RecordVirtualAlloc, RecordHeap };
    std::string why; ///< whole sentences
    Fix fix = Fix::None;
};

/// Looks at the process as it is now. `program`: what was launched; empty: it ran already. Some milliseconds; any
/// thread.
[[nodiscard]] NoDataDiagnosis diagnoseNoEvents(std::uint32_t pid, const std::string& program,
                                               const CaptureOptions& options);

} // namespace highwater::source
