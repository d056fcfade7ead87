#pragma once

#include "core/analysis/held/held_by.h"
#include "core/event/trace_health.h"
#include "core/export/json_text.h"

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::exports {

/// "server (7) at 5.000000000 s: 1.2 MB in 340 blocks reachable, 70 B in 1 block unreachable".
[[nodiscard]] std::string heldByHeadline(const analysis::HeldBy& answer);
/// "libapp.so!g_sessions > Sessions::add (12,041 Session)".
[[nodiscard]] std::string pathText(const analysis::HeldBy& answer, const analysis::RootHolder& holder);
/// " (uncertain)" or " (partly uncertain)", of the way to the blocks of a holder; empty: it is certain.
[[nodiscard]] std::string_view doubtOf(const analysis::RootHolder& holder);
/// A process, with its first `most` holders.
[[nodiscard]] Json heldByJson(const analysis::HeldBy& answer, std::size_t most);

/// Writes the first `most` holders of each process. Errors are those of the stream.
void writeHeldByText(const std::vector<analysis::HeldBy>& found, std::size_t most, std::ostream& out);
/// One line per holder.
void writeHeldByCsv(const std::vector<analysis::HeldBy>& found, std::size_t most, std::ostream& out);
/// docs/command-line.md specifies the format. Includes the health of the trace.
void writeHeldByJson(const std::vector<analysis::HeldBy>& found, std::size_t most, const HealthReport& health,
                     std::ostream& out);

} // namespace highwater::exports
