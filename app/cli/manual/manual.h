#pragma once

#include <string>

namespace CLI {
class App;
}

namespace highwater::cli {

/// Generates highwater-cli.1 and the bash completion from the option descriptions that --help uses. Called by the build
/// (`highwater-cli manual page`, `... completion`).

/// `app` has all commands and options; those without a group are hidden.
[[nodiscard]] std::string manualPage(const CLI::App& app, const std::string& version);
/// Defines the function _highwater_cli and registers it for highwater-cli.
[[nodiscard]] std::string bashCompletion(const CLI::App& app);

} // namespace highwater::cli
