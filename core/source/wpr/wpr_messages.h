#pragma once

#include "core/base/result.h"
#include "core/source/wpr/wpr_runner.h"

#include <string>
#include <vector>

namespace highwater::source {

/// Describes the failure of a command and its solution, in one or two sentences.
[[nodiscard]] Error wprError(const std::vector<std::string>& arguments, const WprOutcome& outcome);
/// The command as the user would type it: "wpr -cancel".
[[nodiscard]] std::string wprCommandText(const std::vector<std::string>& arguments);

} // namespace highwater::source
