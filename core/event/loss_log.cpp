#include "core/event/loss_log.h"

#include "core/log/log.h"

#include <fmt/format.h>

namespace highwater {

void logLosses(const HealthReport& health) {
    for (std::size_t i = 0; i < kLossCount; ++i) {
        if (health.counts[i] == 0) continue;
        const auto text = describe(static_cast<Loss>(i));
        log(text.severity == Severity::Bound ? LogLevel::Warning : LogLevel::Information, LogArea::Loss,
            fmt::format("{} {}. {}", health.counts[i], text.name, text.sentence));
    }
    for (const auto& sentence : health.remarks)
        log(LogLevel::Warning, LogArea::Loss, sentence);
    for (const auto& sentence : health.notes)
        log(LogLevel::Information, LogArea::Loss, sentence);
}

} // namespace highwater
