#pragma once

#include "app/cli/traces/console.h"

#include <CLI/CLI.hpp>

#include <functional>

namespace highwater::cli {

/// A sub-command: its options, and what runs when it was asked for.
struct FormatCommand {
    CLI::App* options = nullptr;
    std::function<ExitCode(const Console&)> run;
};

[[nodiscard]] FormatCommand pprofCommand(CLI::App& app);
[[nodiscard]] FormatCommand reportCommand(CLI::App& app);
[[nodiscard]] FormatCommand sqliteCommand(CLI::App& app);

} // namespace highwater::cli
