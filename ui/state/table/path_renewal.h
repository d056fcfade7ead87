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

/// Finds rows that were kept from earlier answers in a table whose functions may have got, or lost, names since. One
/// old path may be several rows, and several old ones the same row. Workers only.
class PathRenewal {
  public:
    using Open = std::function<void(TableRow&)>;

    /// `table` and `total`, its rows as far as they are open, must outlive it; `open` opens one more of them.
    PathRenewal(const analysis::GroupedTable& table, TableRow& total, Open open)
        : table_(table), total_(total), open_(std::move(open)) {}

    /// Says what all of them are in this table. Those that it does not have are kept as they most likely are called.
    /// Opens the ways to the expanded ones that are called otherwise; the others are looked for among open rows.
    void renew(RowViewState& kept);

  private:
    using Paths = RowViewState::Paths;
    /// A step of a path, as it may be in this table: each way one or several steps.
    struct Part {
        std::vector<analysis::KeyPath> ways;
        bool isChanged = false;
    };
    /// One path on its way through the rows.
    struct Walk {
        std::vector<Part> parts;
        bool opens = false;
        analysis::KeyPath path;
        Paths found;
    };

    [[nodiscard]] std::vector<Part> partsOf(const analysis::KeyPath& path) const;
    [[nodiscard]] static Part partOf(analysis::Column column, const analysis::RenewedFrame& frame);
    /// True if any was called otherwise.
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
    std::unordered_map<const TableRow*, Index> indexes_; ///< of rows with many rows
};

} // namespace highwater::ui
