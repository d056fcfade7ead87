#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/analysis/table/grouped_table.h"
#include "core/analysis/timeline/timeline_query.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"
#include "core/symbols/answers/name_source.h"

#include <memory>
#include <string>
#include <vector>

namespace highwater::cli {

/// Whether an answer depends on what frames are called.
[[nodiscard]] bool readsFrames(const analysis::Query& query);
[[nodiscard]] bool readsFrames(const analysis::TimelineQuery& query);

/// Names for the frames of the trace, from --symbols or else _NT_SYMBOL_PATH, and from the .NGENPDB folders beside the
/// traces; null when there is none of these, or with --no-symbols. Waits until all modules are done, and says what was
/// found. Nothing is downloaded unless the path names a server.
[[nodiscard]] std::shared_ptr<const symbols::NameSource>
loadSymbols(const SymbolsRequest& request, const std::vector<std::string>& traces,
            const std::shared_ptr<const store::PublishedTrace>& rows, const Console& console);

/// Labels with names (null: none) in the style, and with the stack tags, that were asked for. Says what of a file of
/// tags means nothing. Errors: NotFound, and those of StackTags::add.
[[nodiscard]] Result<std::shared_ptr<analysis::FrameLabels>>
makeLabels(const SymbolsRequest& request, std::shared_ptr<const symbols::NameSource> names, const Console& console);

} // namespace highwater::cli
