#pragma once

#include "core/export/info/trace_info.h"

#include <ostream>

namespace highwater::exports {

/// Writes the origin of the trace, its missing data, one line per number, then providers, processes, modules and marks,
/// if any. Errors are those of the stream.
void writeInfoText(const TraceInfo& info, std::ostream& out);
/// One object; its members are listed in docs/command-line.md.
void writeInfoJson(const TraceInfo& info, std::ostream& out);

} // namespace highwater::exports
