#pragma once

#include "core/analysis/leaks/leak_suspects.h"
#include "core/event/trace_health.h"
#include "core/export/json_text.h"
#include "core/export/shell_words.h"

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace highwater::exports {

/// Writes readable text: owner, reason and stack of each suspect. `holders`: the command that lists what holds the
/// blocks of pictures. Errors are those of the stream.
void writeLeaksText(const analysis::LeakReport& report, const CommandLine& holders, std::ostream& out);
/// One line per suspect; its stack is one field, innermost first.
void writeLeaksCsv(const analysis::LeakReport& report, std::ostream& out);
/// docs/command-line.md specifies the format. Includes the health of the tables.
void writeLeaksJson(const analysis::LeakReport& report, const CommandLine& holders, const HealthReport& health,
                    std::ostream& out);
/// "suppressed: 3 stacks, 12.0 KB of 40 allocations".
[[nodiscard]] std::string suppressedText(const analysis::SuppressedLeaks& suppressed);
/// "VirtualAlloc of heaps is left out: 3 stacks, 12.0 MB of 40 allocations"; empty: none is.
[[nodiscard]] std::string leftOutText(const analysis::LeftOutStacks& heapMemory);
/// The members "suppressed" and "heap_memory" of that JSON.
[[nodiscard]] Json leftOutJson(const analysis::LeftOutStacks& leftOut);
/// Adds the members of a stack about the newest picture of memory: picture_s and others. Nothing: all are null.
void addPicture(const std::optional<analysis::PicturedStack>& picture, Json& json);
/// The member "tables".
[[nodiscard]] Json searchedTablesJson(const std::vector<analysis::SearchedTable>& tables);
/// On one line; null: it is empty, or cannot be written for the shell.
[[nodiscard]] Json commandJson(const CommandLine& command, Shell shell);
/// The member "untraced".
[[nodiscard]] Json untracedJson(const std::vector<analysis::UntracedBlocks>& untraced);
/// An element of the member "suspects".
[[nodiscard]] Json leakSuspectJson(std::size_t rank, const analysis::LeakSuspect& suspect);

} // namespace highwater::exports
