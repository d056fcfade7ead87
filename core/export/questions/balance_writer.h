#pragma once

#include "core/analysis/balance/balance.h"
#include "core/event/trace_health.h"
#include "core/event/trial/trim_trial.h"
#include "core/export/json_text.h"

#include <cstdint>
#include <ostream>
#include <vector>

namespace highwater::exports {

/// The members of one process, without its mappings.
[[nodiscard]] Json balanceJson(const analysis::Balance& balance);

enum class BalanceDetail : std::uint8_t {
    Layers,
    Mappings, ///< also the mappings of each layer
    Modules,  ///< also its modules
};

/// Writes the layers of each process, and the mappings that need most memory, or all mappings or modules. The balances
/// have peaks, here and below. Errors are those of the stream.
void writeBalanceText(const std::vector<analysis::Balance>& balances, BalanceDetail detail, std::ostream& out);
/// One line per layer of each process, or per layer and mapping or module.
void writeBalanceCsv(const std::vector<analysis::Balance>& balances, BalanceDetail detail, std::ostream& out);
/// docs/command-line.md specifies the format. Includes the health of the trace.
void writeBalanceJson(const std::vector<analysis::Balance>& balances, BalanceDetail detail, const HealthReport& health,
                      std::ostream& out);

/// One line per layer at each sample.
void writeCourseCsv(const std::vector<analysis::BalanceCourse>& courses, std::ostream& out);
void writeCourseJson(const std::vector<analysis::BalanceCourse>& courses, const HealthReport& health,
                     std::ostream& out);

/// The result of a trial of malloc_trim, and of other allocators; as JSON with the members that a balance has for it.
void writeTrialText(const TrimTrial& trial, std::ostream& out);
void writeTrialJson(const TrimTrial& trial, std::ostream& out);

} // namespace highwater::exports
