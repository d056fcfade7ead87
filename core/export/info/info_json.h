#pragma once

#include "core/export/info/trace_info.h"
#include "core/export/json_text.h"

namespace highwater::exports {

/// Everything that `info` shows, as listed in docs/command-line.md.
[[nodiscard]] Json infoJson(const TraceInfo& info);

} // namespace highwater::exports
