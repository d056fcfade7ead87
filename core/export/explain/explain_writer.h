#pragma once

#include "core/event/trace_health.h"
#include "core/export/explain/explain_commands.h"
#include "core/export/info/trace_info.h"
#include "core/export/shell_words.h"

#include <ostream>
#include <string>

namespace highwater::exports {

/// What costs so much a second costs that many times as much an hour.
inline constexpr double kSecondsPerHour = 3600;

/// What a page tells. The parts outlive it.
struct ExplainPage {
    const TraceInfo& info;
    const analysis::Explanation& answer;
    const HealthReport& health; ///< of the table
    const ExplainCommands& commands;
    std::string filter{}; ///< as it was asked for; empty: all rows
    Shell shell = ownShell();
};

/// One page for people, to be pasted into a report: at most 100 characters a line, no colours. Errors are those of the
/// stream.
void writeExplainText(const ExplainPage& page, std::ostream& out);
/// The shape of docs/command-line.md.
void writeExplainJson(const ExplainPage& page, std::ostream& out);

} // namespace highwater::exports
