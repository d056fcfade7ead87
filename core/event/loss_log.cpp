#include "core/event/loss_log.h"

#include "core/log/log.h"

namespace highwater {

void logLosses(const HealthReport& health) {
    for (const auto& entry : health.entries()) {
        // A note may also report a choice of the recorder, with which nothing is lost.
        if (entry.severity == Severity::Bound)
            log(LogLevel::Warning, LogArea::Loss, entry.text());
        else
            log(LogLevel::Information, LogArea::Note, entry.text());
    }
}

} // namespace highwater
