#pragma once

#include <functional>
#include <string>
#include <vector>

namespace highwater::cli {

/// What the user typed behind the program's name, as UTF-8. Also makes the output streams carry UTF-8 with plain line
/// ends, byte for byte the same on every system. To be called first, once.
[[nodiscard]] std::vector<std::string> startProgram(int argc, char** argv);

/// Returns what work() returns, which has a stack of the usual size (8 MB on Linux), as all threads have that are
/// started from now on, also where a limit of this process (RLIMIT_STACK, ulimit -s) gives less. The limit itself
/// stays, as programs that are started inherit it.
[[nodiscard]] int onUsualStack(const std::function<int()>& work);

} // namespace highwater::cli
