#pragma once

#include "core/analysis/columns/columns.h"
#include "core/event/trace_health.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::exports {

/// The rows to write: groups with the rows below them, or only rows without rows below them.
enum class TableRows : std::uint8_t { Tree, Leaves };

/// A group that contains a row.
struct PathStep {
    analysis::Column column = analysis::Column::Process;
    std::string text;
    std::optional<TraceTime> time = std::nullopt; ///< for a group of a single time
};

/// A row for writers.
struct ExportedRow {
    const std::vector<PathStep>& path;              ///< from the group of the first key to the row itself; not empty
    const std::vector<analysis::CellValue>& values; ///< one per column of the query
};

/// Writes one table: begin(), the rows, total() if wanted and there are rows, end(). Parents precede their children
/// (pre-order). Errors are those of the stream: check it afterwards. One thread.
class TableWriter {
  public:
    virtual ~TableWriter() = default;
    TableWriter(const TableWriter&) = delete;
    TableWriter& operator=(const TableWriter&) = delete;

    virtual void begin() = 0;
    virtual void write(const ExportedRow& row) = 0;
    /// Some totals (peaks) need an additional pass.
    [[nodiscard]] virtual bool wantsTotal() const { return false; }
    /// The total of all rows of the table, written or not: one value per column of the query.
    virtual void total(const std::vector<analysis::CellValue>& /*values*/) {}
    virtual void end(const HealthReport& health) = 0;

  protected:
    TableWriter() = default;
};

} // namespace highwater::exports
