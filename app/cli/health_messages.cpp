#include "app/cli/health_messages.h"

namespace highwater::cli {

ExitCode sayWhatIsMissing(const HealthReport& health, bool isStrict, const Console& console) {
    if (health.totalsAreBounds()) console.say("This trace is not complete: totals are bounds. " + health.boundsText());
    for (const auto& entry : health.entries())
        console.say(entry.text());
    return isStrict && health.totalsAreBounds() ? ExitCode::DataMissing : ExitCode::Done;
}

} // namespace highwater::cli
