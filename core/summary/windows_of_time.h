#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/event/trace_notes.h"
#include "core/summary/run_summary.h"

#include <cstdint>
#include <span>
#include <vector>

namespace highwater::summary {

/// Which parts of a run are summed up beside the whole.
struct WindowOptions {
    bool betweenMarks = false;
    std::int64_t sliceNs = 0; ///< 0: none
};
inline constexpr std::size_t kMostWindows = 10'000;

/// The whole first. Marks outside of it are none; windows without length are left out. Of several windows with one name
/// the second ends with " #2". Errors: Usage (more than kMostWindows).
[[nodiscard]] Result<std::vector<Window>> windowsOf(TimeRange whole, std::span<const Mark> marks,
                                                    const WindowOptions& options);

} // namespace highwater::summary
