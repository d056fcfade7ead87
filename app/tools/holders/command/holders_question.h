#pragma once

#include "app/cli/questions/trace_question.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

#include <cstdint>

namespace highwater::cli {

/// A question for the holders of the whole trace, as `holders` asks it.
struct HoldersRequest {
    QuestionRequest question;
    std::uint32_t top = 20; ///< number of holders to list
};

/// Answers as `holders` does.
[[nodiscard]] Result<ExitCode> answerHolders(const HoldersRequest& request, const Console& console);

} // namespace highwater::cli
