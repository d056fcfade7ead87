#include "app/cli/health_messages.h"

#include <fmt/format.h>

namespace highwater::cli {

void sayWhatIsMissing(const HealthReport& health, const Console& console) {
    if (health.totalsAreBounds()) console.say("This trace is not complete: totals are bounds.");
    for (std::size_t i = 0; i < kLossCount; ++i) {
        if (health.counts[i] == 0) continue;
        const auto text = describe(static_cast<Loss>(i));
        console.say(fmt::format("{} {}. {}", health.counts[i], text.name, text.sentence));
    }
    for (const auto& sentence : health.sentences()) {
        console.say(sentence);
    }
}

} // namespace highwater::cli
