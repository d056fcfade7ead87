#pragma once

#include "core/source/contract/capture.h"

#include <cstdint>
#include <string>

namespace highwater::source {

/// A possible reason why a recorded process has not reported any memory, and a suggestion.
struct NoDataDiagnosis {
    /// The suggested change, which the window offers as one click.
    enum class Fix : std::uint8_t { None, RecordChildren, RecordVirtualAlloc, RecordHeap };
    std::string why; ///< whole sentences
    Fix fix = Fix::None;
};

/// Examines the current state of the process. `program`: the launched program; empty if the process was already
/// running. Some milliseconds; any thread.
[[nodiscard]] NoDataDiagnosis diagnoseNoEvents(std::uint32_t pid, const std::string& program,
                                               const CaptureOptions& options);

} // namespace highwater::source
