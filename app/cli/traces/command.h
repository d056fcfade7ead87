#pragma once

#include "app/cli/traces/console.h"
#include "core/base/result.h"

#include <functional>

namespace CLI {
class App;
}

namespace highwater::cli {

/// A sub-command: its options, and what runs when it was asked for.
struct Command {
    CLI::App* options = nullptr;
    std::function<Result<ExitCode>(const Console&)> run; ///< an Error is said, and decides the exit code
};

} // namespace highwater::cli
