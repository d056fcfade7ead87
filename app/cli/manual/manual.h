#pragma once

#include <string>

namespace CLI {
class App;
}

namespace highwater::cli {

/// What the package installs beside the program, made of the same description as --help: highwater-cli.1, and the
/// completion of bash. The build asks for them (`highwater-cli manual page`, `... completion`).

/// `app` with all commands and their options; what is in no group is hidden.
[[nodiscard]] std::string manualPage(const CLI::App& app, const std::string& version);
/// Defines the function _highwater_cli and says that it completes highwater-cli.
[[nodiscard]] std::string bashCompletion(const CLI::App& app);

} // namespace highwater::cli
