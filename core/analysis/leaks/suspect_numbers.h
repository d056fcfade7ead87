#pragma once

#include "core/analysis/leaks/leak_groups.h"
#include "core/analysis/leaks/leak_report.h"

#include <optional>

namespace highwater::analysis {

/// 0 to 1.
[[nodiscard]] double shareOf(ByteCount part, ByteCount all);

/// The fields of a suspect that do not need names. allKept: by all groups of its table.
[[nodiscard]] LeakSuspect numbersOf(const LeakGroup& group, const LeakJudgement& judgement, ByteCount allKept);

/// Adds the picture, its sentences and its verdict. Those of unreachable blocks precede the judgement by times, because
/// they are a fact. `why` is set.
void addPicture(std::optional<PicturedStack> picture, LeakSuspect& suspect);

} // namespace highwater::analysis
