#pragma once

#include "core/analysis/explain/explain.h"
#include "core/export/shell_words.h"

#include <string>
#include <vector>

namespace highwater::exports {

/// What commands that show the same have in common. A plain value.
struct CommandWords {
    std::vector<std::string> traces;         ///< files, as they were named
    std::string filter;                      ///< a query; empty: all rows
    std::vector<std::string> options;        ///< such as --no-symbols
    std::vector<std::string> suppressions{}; ///< files; only commands about leaks take them
    std::vector<std::string> owners{};       ///< options of commands about leaks: --owner NAME, --wrapper NAME
    Shell shell = ownShell();                ///< who reads them
};

/// A command of highwater-cli, word by word, without quotes.
using Command = CommandLine;

/// Which commands show what an explanation says.
struct ExplainCommands {
    Command surgeTable;               ///< who made it; empty without a surge
    Command surgeTimeline;            ///< how it went
    std::vector<Command> surgeStacks; ///< each alone, by SurgeReport: a row without rows below it is the stack
    Command leaks;                    ///< all of them
    std::vector<Command> suspects;    ///< each, with others of the same owner
};
[[nodiscard]] ExplainCommands explainCommands(const analysis::Explanation& answer, const store::PublishedTrace& trace,
                                              const CommandWords& words);

} // namespace highwater::exports
