#pragma once

#include "app/cli/traces/console.h"

#include <functional>

namespace CLI {
class App;
}

namespace highwater::cli {

/// A sub-command: its options, and what runs when it was asked for.
struct Command {
    CLI::App* options = nullptr;
    std::function<ExitCode(const Console&)> run;
};

} // namespace highwater::cli
