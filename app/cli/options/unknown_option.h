#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace highwater::cli {

/// What to say of the first argument that looks like an option of the command and is none, with the options that are
/// spelt nearly so: of a misspelt option CLI11 says that the one that was meant is missing. Nothing: all are known.
/// `arguments`: what stands behind the command's name.
[[nodiscard]] std::optional<std::string> unknownOption(const CLI::App& command,
                                                       const std::vector<std::string>& arguments);

} // namespace highwater::cli
