#pragma once

#include "core/event/trace_health.h"
#include "core/export/explain/explain_commands.h"
#include "core/export/info/trace_info.h"
#include "core/export/shell_words.h"

#include <cstddef>
#include <ostream>
#include <string>

namespace highwater::exports {

/// Converts costs per second to costs per hour.
inline constexpr double kSecondsPerHour = 3600;
/// Holders of a picture of memory on the page.
inline constexpr std::size_t kMostPicturedHolders = 5;

/// The contents of a page. The references must outlive it.
struct ExplainPage {
    const TraceInfo& info;
    const analysis::Explanation& answer;
    const HealthReport& health; ///< health of the table
    const ExplainCommands& commands;
    std::string filter{}; ///< the user's filter; empty: all rows
    Shell shell = ownShell();
};

/// Writes a readable page that can be pasted into a report: lines of at most 100 characters, no colours. Errors are
/// those of the stream.
void writeExplainText(const ExplainPage& page, std::ostream& out);
/// docs/command-line.md specifies the format.
void writeExplainJson(const ExplainPage& page, std::ostream& out);

} // namespace highwater::exports
