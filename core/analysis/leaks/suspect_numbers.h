#pragma once

#include "core/analysis/leaks/leak_groups.h"
#include "core/analysis/leaks/leak_report.h"

namespace highwater::analysis {

/// 0 to 1.
[[nodiscard]] double shareOf(ByteCount part, ByteCount all);

/// The fields of a suspect that do not need names. allKept: by all groups of its table.
[[nodiscard]] LeakSuspect numbersOf(const LeakGroup& group, const LeakJudgement& judgement, ByteCount allKept);

} // namespace highwater::analysis
