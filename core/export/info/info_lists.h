#pragma once

#include "core/event/lost_zones.h"
#include "core/event/record_counts.h"
#include "core/event/trace_notes.h"
#include "core/export/json_text.h"
#include "core/store/published/process_table.h"
#include "core/store/published/published_trace.h"
#include "core/store/published/snapshots.h"

#include <string>
#include <vector>

namespace highwater::exports {

/// null for an empty text.
[[nodiscard]] Json orNull(const std::string& text);

/// Providers of records with their counts, busiest first.
[[nodiscard]] Json providersJson(const RecordCounts& counts);
enum class ProcessDetail { Life, Everything };
/// Everything: with parents, command lines and images.
[[nodiscard]] Json processesJson(const store::ProcessTable& table, ProcessDetail detail);
/// All modules with the identities of their debug files.
[[nodiscard]] Json modulesJson(const store::ProcessTable& table);
[[nodiscard]] Json marksJson(const std::vector<Mark>& marks);
/// The snapshots of the trace; null: none.
[[nodiscard]] Json snapshotsJson(const store::SharedSnapshots& snapshots);
/// The pictures of memory in the trace, with their processes.
[[nodiscard]] Json picturesJson(const store::PublishedTrace& trace);
[[nodiscard]] Json lostZonesJson(const std::vector<LostZone>& zones);

} // namespace highwater::exports
