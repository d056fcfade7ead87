#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"
#include "core/event/trace_notes.h"
#include "core/export/table_walk.h"
#include "core/store/published/published_trace.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace highwater::formats {

/// Version of all databases. Incremented when a table or column changes its meaning or is removed.
inline constexpr int kSqliteSchemaVersion = 1;

/// The contents of a database. A plain value.
struct SqliteQuery {
    std::optional<analysis::Table> table; ///< a table of allocations; nullopt: all tables, without a filter
    TimeRange interval;
    analysis::RowFilter filter = {};
    bool processExitFreesHeap = false;
};

/// Contents in addition to rows.
struct SqliteFacts {
    std::vector<std::pair<std::string, std::string>> meta; ///< names and values
    HealthReport health;
    std::vector<Mark> marks;
};

/// Fills an existing empty file in one transaction, as described in docs/sqlite.md. Returns the number of allocation
/// rows. Discard the file after an error. Memory grows with stacks, not with rows. Any thread. Errors: Cancelled;
/// Usage; Io, with SQLite's reason; NotFound if there is no SQLite.
[[nodiscard]] Result<std::size_t> writeSqlite(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                              const SqliteQuery& query, const SqliteFacts& facts,
                                              const std::filesystem::path& file, const std::stop_token& stop = {},
                                              const exports::ExportProgress& progress = {});

} // namespace highwater::formats
