#pragma once

#include "app/tools/holders/page/held_by_rows.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/held/held_by.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"
#include "ui/state/finders/flame_finder.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::ui {

/// The question of the Held By page. A plain value.
struct HeldByPageQuery : analysis::HeldByQuery {
    TimeRange pictures; ///< contains the pictures to choose from; `interval` may end earlier, at the chosen one
    std::optional<TraceTime> earlier = std::nullopt; ///< compare with the newest pictures at or before this time
};

struct TakenPicture {
    TraceTime time;
    ProcessIndex process;
    std::string name; ///< of the process: "name (pid)"
};

/// The answer, prepared for the tree.
struct HeldByPageFound {
    std::vector<analysis::HeldBy> processes;
    std::vector<HeldRow> rows;          ///< processes first; parents before their children
    std::vector<TakenPicture> pictures; ///< to choose from, the newest first
    std::shared_ptr<const FlameAnswer> flames = nullptr;
    std::vector<std::optional<analysis::BlockSum>> before = {}; ///< by row, as from sumsBefore(); empty: no comparison
};

/// Any thread. Errors: those of analysis::findHeldBy().
[[nodiscard]] Result<HeldByPageFound> findHeldByPage(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                                     const HeldByPageQuery& query, const std::stop_token& stop);

} // namespace highwater::ui
