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

/// Of every database: another number, and what a table or column had means something else or is gone.
inline constexpr int kSqliteSchemaVersion = 1;

/// What a database is of. A plain value.
struct SqliteQuery {
    std::optional<analysis::Table> table; ///< of allocations; nothing: all tables, without a filter
    TimeRange interval;
    analysis::RowFilter filter = {};
    bool processExitFreesHeap = false;
};

/// What it says beside its rows.
struct SqliteFacts {
    std::vector<std::pair<std::string, std::string>> meta; ///< name and value
    HealthReport health;
    std::vector<Mark> marks;
};

/// Fills a file that is there and empty, in one transaction: docs/sqlite.md says with what. Returns how many rows of
/// allocations it holds. What fails leaves a file that is to be thrown away. Memory goes with stacks, not with rows.
/// Any thread. Errors: Cancelled; Usage; Io, with the reason of SQLite; NotFound where there is no SQLite.
[[nodiscard]] Result<std::size_t> writeSqlite(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                              const SqliteQuery& query, const SqliteFacts& facts,
                                              const std::filesystem::path& file, const std::stop_token& stop = {},
                                              const exports::ExportProgress& progress = {});

} // namespace highwater::formats
