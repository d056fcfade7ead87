#pragma once

#include "core/export/info/trace_info.h"

#include <cstdint>
#include <ostream>

namespace highwater::exports {

/// Names of members: as in JSON, or words for readers.
enum class InfoTitles : std::uint8_t { Keys, Plain };

/// Writes the origin of the trace, its missing data, one line per number, then providers, processes, modules and marks,
/// if any. Errors are those of the stream.
void writeInfoText(const TraceInfo& info, std::ostream& out, InfoTitles titles = InfoTitles::Keys);
/// One object; its members are listed in docs/command-line.md.
void writeInfoJson(const TraceInfo& info, std::ostream& out);

} // namespace highwater::exports
