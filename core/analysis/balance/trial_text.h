#pragma once

#include "core/event/trial/trim_trial.h"

#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// "jemalloc", and its public function that gives its numbers: "mallctl".
[[nodiscard]] std::string_view allocatorName(OtherAllocator allocator);
[[nodiscard]] std::string_view allocatorFunction(OtherAllocator allocator);

/// What a trial measured, without the name of the process: a line about malloc_trim, and one about each other
/// allocator: its numbers, what it gave back, and which of its settings would help if that is much.
[[nodiscard]] std::vector<std::string> meaningOf(const TrimTrial& trial);

} // namespace highwater::analysis
