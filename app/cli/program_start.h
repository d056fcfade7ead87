#pragma once

#include <functional>
#include <string>
#include <vector>

namespace highwater::cli {

/// Returns the arguments after the program's name as UTF-8. Also switches the output streams to UTF-8 with plain line
/// ends, so that output is identical on every system. Must be called first and only once.
[[nodiscard]] std::vector<std::string> startProgram(int argc, char** argv);

/// Calls work() with a stack of the usual size (8 MB on Linux) and returns its result. All threads started from then on
/// get the same size, even if a limit of this process (RLIMIT_STACK, ulimit -s) is lower. The limit itself is not
/// changed because started programs inherit it.
[[nodiscard]] int onUsualStack(const std::function<int()>& work);

} // namespace highwater::cli
