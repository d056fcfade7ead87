#pragma once

#include <string>

namespace highwater::app {

/// Generates highwater.1 for the Debian package, with the options of --help. Called by the build (`highwater
/// --manual-page`).
[[nodiscard]] std::string manualPage(const std::string& version);

} // namespace highwater::app
