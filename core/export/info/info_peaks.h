#pragma once

#include "core/export/info/trace_info.h"
#include "core/export/json_text.h"

#include <vector>

namespace highwater::exports {

// The highest samples of the memory of each process.

[[nodiscard]] Json residentPeaksJson(const std::vector<ResidentPeak>& peaks);
[[nodiscard]] Json memoryPeaksJson(const std::vector<analysis::ProcessMemoryPeaks>& peaks);

} // namespace highwater::exports
