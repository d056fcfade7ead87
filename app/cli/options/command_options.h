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
void addFilters(CLI::App& command, FilterRequest& request);
void addAnnotations(CLI::App& command, std::vector<std::string>& annotations);
void addMarks(CLI::App& command, std::vector<std::string>& marks);
void addInstants(CLI::App& command, std::vector<std::string>& snapshots);
void addProcessExit(CLI::App& command, bool& freesHeap);
void addWallClock(CLI::App& command, bool& wallClock);
/// Its first word is what is written where none is asked for.
void addFormat(CLI::App& command, std::string& format, const std::vector<std::string>& words);
void addSymbols(CLI::App& command, SymbolsRequest& request);

} // namespace highwater::cli
