#include "app/tools/holders/page/held_by_finder.h"

#include "app/tools/holders/page/held_by_before.h"
#include "app/tools/holders/page/held_by_flames.h"
#include "core/store/published/processes_by_pid.h"

#include <ranges>

namespace highwater::ui {

Result<HeldByPageFound> findHeldByPage(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                       const HeldByPageQuery& query, const std::stop_token& stop) {
    HeldByPageFound found;
    found.processes = TRY(analysis::findHeldBy(trace, labels, query, stop));
    found.rows = heldRowsOf(found.processes);
    found.flames = std::make_shared<const FlameAnswer>(heldFlamesOf(found.processes));
    if (query.earlier) {
        auto earlier = query;
        earlier.interval = {query.pictures.start, TraceTime{query.earlier->ns + 1}};
        const auto compared = TRY(analysis::findHeldBy(trace, labels, earlier, stop));
        found.before = sumsBefore(found.rows, found.processes, compared);
    }
    const store::ProcessesByPid processes(*trace.processes);
    for (const auto& picture : std::views::reverse(*trace.pictures)) {
        if (!trace.isMeasuredIn(query.pictures, picture->time)) continue;
        if (const auto process = processes.at(picture->pid, picture->time))
            found.pictures.push_back({picture->time, *process, trace.processes->key(*process)});
    }
    return found;
}

} // namespace highwater::ui
