#pragma once

#include "core/export/info/trace_info.h"
#include "core/export/json_text.h"

namespace highwater::exports {

/// Everything that `info` tells, as docs/command-line.md lists it.
[[nodiscard]] Json infoJson(const TraceInfo& info);

} // namespace highwater::exports
