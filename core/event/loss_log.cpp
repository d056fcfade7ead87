#include "core/event/loss_log.h"

#include "core/log/log.h"

namespace highwater {

void logLosses(const HealthReport& health) {
    for (const auto& entry : health.entries()) {
        log(entry.severity == Severity::Bound ? LogLevel::Warning : LogLevel::Information, LogArea::Loss, entry.text());
    }
}

} // namespace highwater
