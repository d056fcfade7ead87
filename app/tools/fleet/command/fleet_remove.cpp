#include "app/tools/fleet/command/fleet_remove.h"

#include "app/cli/traces/loaded_trace.h"
#include "app/tools/fleet/command/fleet_words.h"
#include "core/base/text.h"
#include "core/fleet/stores/open_fleet_store.h"

#include <fmt/format.h>

namespace highwater::cli {

Result<ExitCode> removeFromFleet(const FleetRequest& request, const Console& console) {
    for (const auto& run : request.traces)
        TRY(checkRunId(run));
    const auto store = TRY(fleet::openFleetStore(request.store));
    std::size_t removed = 0;
    for (const auto& run : request.traces) {
        const auto wasThere = TRY(store->remove(lowered(run), {}));
        if (wasThere)
            ++removed;
        else
            console.say(fmt::format("{} is not a run of this fleet. Use fleet runs to list its runs.", run));
    }
    console.say(
        fmt::format("{} removed, {} not found.", thousands(removed), thousands(request.traces.size() - removed)));
    return removed == request.traces.size() ? ExitCode::Done : ExitCode::CannotRead;
}

} // namespace highwater::cli
