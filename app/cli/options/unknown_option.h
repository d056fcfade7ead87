#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace highwater::cli {

/// The error message for the first unknown option of a command, with similarly spelled options. For a misspelled
/// option, CLI11 only reports that the intended one is missing. Empty if all options are known. `arguments`: those
/// after the command's name.
[[nodiscard]] std::optional<std::string> unknownOption(const CLI::App& command,
                                                       const std::vector<std::string>& arguments);

} // namespace highwater::cli
