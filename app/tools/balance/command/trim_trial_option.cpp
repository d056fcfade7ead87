#include "app/tools/balance/command/trim_trial_option.h"

#include "core/export/questions/balance_writer.h"
#include "core/source/contract/trim_trial.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace highwater::cli {
namespace {

Result<ExitCode> runTrial(std::uint32_t pid, const std::string& format, const Console& console) {
    if (format == "csv")
        return Error{ErrorKind::Usage, "--try-trim has no CSV output. Use --format text or --format json."};
    const auto trial = TRY(source::tryTrim(pid));
    format == "json" ? exports::writeTrialJson(trial, console.answers)
                     : exports::writeTrialText(trial, console.answers);
    return ExitCode::Done;
}

} // namespace

Command orTrial(Command command, const std::string& format) {
    const auto pid = std::make_shared<std::optional<std::uint32_t>>();
    auto* const trial = command.options->add_option(
        "--try-trim", *pid,
        "Measure in a copy of this running process how much memory malloc_trim(), or the release functions of "
        "jemalloc, tcmalloc and mimalloc, would return to the system; without TRACE (default: no trial)");
    for (auto* other : command.options->get_options()) {
        const auto name = other->get_name();
        if (other != trial && name != "--help" && name != "--format") trial->excludes(other);
    }
    return {command.options, [ask = std::move(command.run), pid, &format](const Console& console) {
                return *pid ? runTrial(**pid, format, console) : ask(console);
            }};
}

} // namespace highwater::cli
