#pragma once

#include "core/analysis/explain/explain.h"
#include "core/export/shell_words.h"

#include <string>
#include <vector>

namespace highwater::exports {

/// Common parts of all commands. A plain value.
struct CommandWords {
    std::vector<std::string> traces;         ///< files, as specified by the user
    std::string filter;                      ///< a query; empty: all rows
    std::vector<std::string> labels{};       ///< --mark, --annotate: only for commands with filters
    std::vector<std::string> options;        ///< such as --no-symbols
    std::vector<std::string> suppressions{}; ///< files; only for commands about leaks
    std::vector<std::string> owners{};       ///< options of commands about leaks: --owner NAME, --wrapper NAME
    Shell shell = ownShell();                ///< the shell that will run the commands
};

/// A command of highwater-cli as unquoted words.
using Command = CommandLine;

/// Commands that show the details of an explanation.
struct ExplainCommands {
    Command surgeTable;               ///< stacks of the surge; empty: no surge
    Command surgeTimeline;            ///< the surge over time
    std::vector<Command> surgeStacks; ///< one per stack of SurgeReport; the stack is the row without rows below it
    Command leaks;                    ///< all suspects
    Command holders;                  ///< owners that hold pages; empty: Explanation::held is nothing
    Command pictured;                 ///< what holds the blocks of pictures of memory; empty: there are none
    Command beforeExit;               ///< stacks that kept memory before an exit that freed most of it; empty: none
    std::vector<Command> suspects;    ///< one per suspect, including others of the same owner
};
[[nodiscard]] ExplainCommands explainCommands(const analysis::Explanation& answer, const store::PublishedTrace& trace,
                                              const CommandWords& words);

} // namespace highwater::exports
