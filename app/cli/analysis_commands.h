#pragma once

#include "app/cli/traces/console.h"

#include <CLI/CLI.hpp>

#include <functional>

namespace highwater::cli {

/// A sub-command: its options, and what runs when it was asked for.
struct Command {
    CLI::App* options = nullptr;
    std::function<ExitCode(const Console&)> run;
};

/// Commands that ask who keeps memory, and what became of it.
[[nodiscard]] Command leaksCommand(CLI::App& app);
[[nodiscard]] Command generationsCommand(CLI::App& app);
[[nodiscard]] Command explainCommand(CLI::App& app);
[[nodiscard]] Command flamesCommand(CLI::App& app);
[[nodiscard]] Command diffCommand(CLI::App& app);

} // namespace highwater::cli
