#pragma once

#include "app/cli/arguments/requests.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace highwater::cli {

/// Options that several commands have, each with its words in --help.

inline constexpr auto kFilterHelp = "Only rows that match, such as '[Process]:~=\"app\" AND Size:>1MB' (default: all)";

CLI::Option* addTraces(CLI::App& command, std::vector<std::string>& traces);
void addStrict(CLI::App& command, bool& strict);
void addRange(CLI::App& command, std::string& range);
/// VirtualAlloc or Heap, or what the trace has.
void addTableOfAllocations(CLI::App& command, std::string& table);
/// --filter, --lifetime, --size, --mark and --annotate.
void addFilters(CLI::App& command, FilterRequest& request);
/// The last two of them.
void addLabels(CLI::App& command, FilterRequest& request);
/// --renames and --rename.
void addRenames(CLI::App& command, RenamesRequest& request);
/// --snapshot.
void addInstants(CLI::App& command, std::vector<std::string>& snapshots);
void addProcessExit(CLI::App& command, bool& freesHeap);
void addWallClock(CLI::App& command, bool& wallClock);
/// Its first word is what is written where none is asked for.
void addFormat(CLI::App& command, std::string& format, const std::vector<std::string>& words);
/// How functions get their names.
void addDebugFiles(CLI::App& command, SymbolsRequest& request);
/// The same, and --stack-tags.
void addSymbols(CLI::App& command, SymbolsRequest& request);
void addSuppressions(CLI::App& command, std::vector<std::string>& files);

} // namespace highwater::cli
