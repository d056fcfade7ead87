#pragma once

#include "core/analysis/frames/label_history.h"
#include "core/analysis/table/grouped_table.h"
#include "ui/state/table/row_view_state.h"
#include "ui/state/table/table_row.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace highwater::ui {

/// Finds rows of earlier answers in a table whose functions may have gained or lost names since. One old path may match
/// several rows, and several old paths the same row. Workers only.
class PathRenewal {
  public:
    using Open = std::function<void(TableRow&)>;

    /// `table` and `total`, its open rows, must outlive this object; `open` opens one more of them.
    PathRenewal(const analysis::GroupedTable& table, TableRow& total, Open open)
        : table_(table), total_(total), open_(std::move(open)) {}

    /// Updates all paths to this table. Paths that it does not contain get their most likely new names. Opens the
    /// ancestors of renamed expanded rows; other paths are looked up among open rows.
    void renew(RowViewState& kept);

  private:
    using Paths = RowViewState::Paths;
    /// A step of a path and its possible forms in this table: each form is one or several steps.
    struct Part {
        std::vector<analysis::KeyPath> ways;
        bool isChanged = false;
    };
    /// State of matching one path against the rows.
    struct Walk {
        std::vector<Part> parts;
        bool opens = false;
        analysis::KeyPath path;
        Paths found;
    };

    [[nodiscard]] std::vector<Part> partsOf(const analysis::KeyPath& path) const;
    [[nodiscard]] static Part partOf(analysis::Column column, const analysis::RenewedFrame& frame);
    /// True if any path was renamed.
    bool renew(Paths& paths, bool opens);
    void walk(TableRow& row, std::size_t part, Walk& walk);
    static void noteWay(std::size_t begin, std::size_t part, Walk& walk);
    TableRow* childOf(TableRow& row, analysis::KeyStep step);

    struct HashStep {
        std::size_t operator()(const analysis::KeyStep& step) const noexcept;
    };
    using Index = std::unordered_map<analysis::KeyStep, TableRow*, HashStep>;

    const analysis::GroupedTable& table_;
    TableRow& total_;
    Open open_;
    std::unordered_map<const TableRow*, Index> indexes_; ///< for rows with many children
};

} // namespace highwater::ui
