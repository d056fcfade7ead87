#pragma once

#include <string>

namespace highwater::app {

/// "board!(naming…)" for "board!+0x1a20" and "(naming…)" for "0x7f3a": the label of a frame whose function name is
/// still being loaded. Labels with a name are unchanged. Any thread.
[[nodiscard]] std::string comingName(const std::string& label);

} // namespace highwater::app
