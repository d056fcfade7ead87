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

/// Whether an answer depends on function names.
[[nodiscard]] bool readsFrames(const analysis::Query& query);
[[nodiscard]] bool readsFrames(const analysis::TimelineQuery& query);

/// Loads names for the frames of the trace from --symbols or _NT_SYMBOL_PATH, and from the .NGENPDB folders next to the
/// traces. Returns null if there are none of these, or with --no-symbols. Blocks until all modules are done and prints
/// the result. Downloads only if the path names a server.
[[nodiscard]] std::shared_ptr<const symbols::NameSource>
loadSymbols(const SymbolsRequest& request, const std::vector<std::string>& traces,
            const std::shared_ptr<const store::PublishedTrace>& rows, const Console& console);

/// Creates labels with names (null: none) in the requested style and with the requested stack tags. Prints remarks
/// about invalid parts of tag files. Errors: NotFound, and those of StackTags::add.
[[nodiscard]] Result<std::shared_ptr<analysis::FrameLabels>>
makeLabels(const SymbolsRequest& request, std::shared_ptr<const symbols::NameSource> names, const Console& console);

} // namespace highwater::cli
