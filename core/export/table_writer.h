#pragma once

#include "core/analysis/columns/columns.h"
#include "core/event/trace_health.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::exports {

/// Which rows of a table are written: groups with what is below them, or only rows that have nothing below them.
enum class TableRows : std::uint8_t { Tree, Leaves };

/// A group that a row belongs to.
struct PathStep {
    analysis::Column column = analysis::Column::Process;
    std::string text;
    std::optional<TraceTime> time = std::nullopt; ///< of a group of one time
};

/// A row as writers get it.
struct ExportedRow {
    const std::vector<PathStep>& path;              ///< from the group of the first key to the row itself; not empty
    const std::vector<analysis::CellValue>& values; ///< one per column of the query
};

/// Writes one table: begin(), its rows, total() if that is wanted and there were rows, end(). Parents are written
/// before their children (pre-order), whatever walks the rows. Errors are those of the stream: ask it afterwards. One
/// thread.
class TableWriter {
  public:
    virtual ~TableWriter() = default;
    TableWriter(const TableWriter&) = delete;
    TableWriter& operator=(const TableWriter&) = delete;

    virtual void begin() = 0;
    virtual void write(const ExportedRow& row) = 0;
    /// Some totals (peaks) take a pass of their own.
    [[nodiscard]] virtual bool wantsTotal() const { return false; }
    /// What all rows of the table have together, written or not: one value per column of the query.
    virtual void total(const std::vector<analysis::CellValue>& /*values*/) {}
    virtual void end(const HealthReport& health) = 0;

  protected:
    TableWriter() = default;
};

} // namespace highwater::exports
