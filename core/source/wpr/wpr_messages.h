#pragma once

#include "core/base/result.h"
#include "core/source/wpr/wpr_runner.h"

#include <string>
#include <vector>

namespace highwater::source {

/// What went wrong and what to do, as one sentence or two: of a command that is not done.
[[nodiscard]] Error wprError(const std::vector<std::string>& arguments, const WprOutcome& outcome);
/// The command as it is typed: "wpr -cancel".
[[nodiscard]] std::string wprCommandText(const std::vector<std::string>& arguments);

} // namespace highwater::source
