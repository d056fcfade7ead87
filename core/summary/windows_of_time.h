#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/event/trace_notes.h"
#include "core/summary/run_summary.h"

#include <cstdint>
#include <span>
#include <vector>

namespace highwater::summary {

/// The parts of a run that are summed up beside the whole run.
struct WindowOptions {
    bool betweenMarks = false;
    std::int64_t sliceNs = 0; ///< 0 if none
};
inline constexpr std::size_t kMostWindows = 10'000;

/// The whole run first. Marks outside it are ignored; windows without length are left out. If several windows have one
/// name, " #2" is appended to the second. Errors: Usage (more than kMostWindows).
[[nodiscard]] Result<std::vector<Window>> windowsOf(TimeRange whole, std::span<const Mark> marks,
                                                    const WindowOptions& options);

} // namespace highwater::summary
