#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace highwater::cli {

/// " Did you mean --table?": the names that are spelled most like the typed one, without regard to dashes in front;
/// empty if no name is similar.
[[nodiscard]] std::string didYouMean(const std::vector<std::string>& names, std::string_view typed);
/// The error message for the first unknown option of a command, with similarly spelled options. For a misspelled
/// option, CLI11 only reports that the intended one is missing. Empty if all options are known. `arguments`: those
/// after the command's name.
[[nodiscard]] std::optional<std::string> unknownOption(const CLI::App& command,
                                                       const std::vector<std::string>& arguments);
/// The error message for the first option without a value: the last argument, or one before another option, which CLI11
/// takes as the value. Empty if there is none.
[[nodiscard]] std::optional<std::string> optionWithoutValue(const CLI::App& command,
                                                            const std::vector<std::string>& arguments);

} // namespace highwater::cli
