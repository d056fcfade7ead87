#pragma once

#include "app/cli/arguments/requests.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace highwater::cli {

/// Options shared by several commands, with their help text.

inline constexpr auto kFilterHelp = "Only rows that match, such as '[Process]:~=\"app\" AND Size:>1MB' (default: all)";

CLI::Option* addTraces(CLI::App& command, std::vector<std::string>& traces);
void addStrict(CLI::App& command, bool& strict);
void addRange(CLI::App& command, std::string& range);
inline constexpr auto kFirstTable = "heap, or virtualalloc if the trace has no heap allocations";
/// --table virtualalloc or heap.
void addTableOfAllocations(CLI::App& command, std::string& table, const std::string& byDefault);
/// --filter, --lifetime, --size, --mark and --annotate.
void addFilters(CLI::App& command, FilterRequest& request);
/// Only --mark and --annotate.
void addLabels(CLI::App& command, FilterRequest& request);
/// --renames and --rename.
void addRenames(CLI::App& command, RenamesRequest& request);
/// --snapshot.
void addInstants(CLI::App& command, std::vector<std::string>& snapshots);
void addProcessExit(CLI::App& command, bool& freesHeap);
void addWallClock(CLI::App& command, bool& wallClock);
/// --format; the first word is the default.
void addFormat(CLI::App& command, std::string& format, const std::vector<std::string>& words);
/// Options for symbols.
void addDebugFiles(CLI::App& command, SymbolsRequest& request);
/// Options for symbols, and --stack-tags.
void addSymbols(CLI::App& command, SymbolsRequest& request);
/// Refuses an empty value, which would count as none. `what`: "an amount, such as 100MB".
CLI::Option* refuseEmpty(CLI::Option* option, const std::string& what);
/// These options as given, for a command that the user can run next.
[[nodiscard]] std::vector<std::string> wordsOf(const SymbolsRequest& request);
void addSuppressions(CLI::App& command, std::vector<std::string>& files);

} // namespace highwater::cli
