#pragma once

#include <string>
#include <vector>

namespace highwater::cli {

/// What the user typed behind the program's name, as UTF-8. Also makes the output streams carry UTF-8 with plain line
/// ends, byte for byte the same on every system. To be called first, once.
[[nodiscard]] std::vector<std::string> startProgram(int argc, char** argv);

} // namespace highwater::cli
