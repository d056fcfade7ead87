#pragma once

#include <string>

namespace highwater::app {

/// highwater.1, which the Debian package installs: its options are those of --help. The build asks for it
/// (`highwater --manual-page`).
[[nodiscard]] std::string manualPage(const std::string& version);

} // namespace highwater::app
