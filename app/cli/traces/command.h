#pragma once

#include "app/cli/traces/console.h"
#include "core/base/result.h"

#include <functional>

namespace CLI {
class App;
}

namespace highwater::cli {

/// A sub-command: its options, and the function that runs it.
struct Command {
    CLI::App* options = nullptr;
    std::function<Result<ExitCode>(const Console&)> run; ///< an Error is printed and determines the exit code
};

} // namespace highwater::cli
