#pragma once

#include "core/analysis/leaks/leak_report.h"

#include <string>

namespace highwater::analysis {

/// "shop!readOrder (order.cpp:12)": the owner with its place, if that is known.
[[nodiscard]] std::string ownerText(const LeakSuspect& suspect);
/// Why a suspect stands where it does: one sentence with the numbers that decided. All but its `why` is known.
[[nodiscard]] std::string whySuspected(const LeakSuspect& suspect, const LeakJudgement& judgement);
/// "37.4 KB/s": for growth of either sign.
[[nodiscard]] std::string rateText(double bytesPerSecond);

} // namespace highwater::analysis
