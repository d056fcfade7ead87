#pragma once

#include "core/export/info/trace_info.h"

#include <ostream>

namespace highwater::exports {

/// Where it was recorded, what is missing, a line per number, then providers, processes, and modules and marks, if
/// there are any. Errors are those of the stream.
void writeInfoText(const TraceInfo& info, std::ostream& out);
/// One object; docs/command-line.md lists its members.
void writeInfoJson(const TraceInfo& info, std::ostream& out);

} // namespace highwater::exports
