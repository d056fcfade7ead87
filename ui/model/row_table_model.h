#pragma once

#include "ui/format/plain_text.h"

#include <QAbstractTableModel>

#include <concepts>
#include <iterator>
#include <type_traits>
#include <vector>

namespace highwater::ui {

/// Description of a column. Row is the source of a row's texts: a reference, or a small value that contains references.
template <typename Row>
struct RowColumn {
    QString title;
    QString definition = {}; ///< tooltip of the title; empty: none
    Qt::AlignmentFlag side = Qt::AlignLeft;
    QString (*text)(Row) = nullptr;  ///< null: always empty
    QVariant (*sort)(Row) = nullptr; ///< null: its text
};

template <typename Row>
using RowColumns = std::vector<RowColumn<Row>>;

/// Value of kSortRole for a number, in a type that QSortFilterProxyModel can compare.
template <typename Number>
[[nodiscard]] QVariant sortNumber(Number number) {
    if constexpr (std::unsigned_integral<Number>)
        return static_cast<qulonglong>(number);
    else if constexpr (std::integral<Number>)
        return static_cast<qlonglong>(number);
    else
        return number;
}

/// The text of a cell. `column` is valid.
template <typename Row>
[[nodiscard]] QString cellTextOf(const RowColumns<Row>& columns, std::type_identity_t<Row> row, int column) {
    const auto& of = columns[static_cast<std::size_t>(column)];
    return of.text ? of.text(row) : QString();
}

/// The model's answer for a cell: its text in one line, its alignment, and for `sortRole` its sort value. The model
/// provides the tooltip. `column` is valid.
template <typename Row>
[[nodiscard]] QVariant cellDataOf(const RowColumns<Row>& columns, std::type_identity_t<Row> row, int column, int role,
                                  int sortRole) {
    const auto& of = columns[static_cast<std::size_t>(column)];
    if (role == Qt::DisplayRole) return lineText(cellTextOf(columns, row, column));
    if (role == Qt::TextAlignmentRole) return QVariant(of.side | Qt::AlignVCenter);
    if (role != sortRole) return {};
    return of.sort ? of.sort(row) : QVariant(cellTextOf(columns, row, column));
}

/// The model's answer for a column title. Any section.
template <typename Row>
[[nodiscard]] QVariant headerDataOf(const RowColumns<Row>& columns, int section, Qt::Orientation orientation,
                                    int role) {
    if (orientation != Qt::Horizontal || section < 0 || section >= std::ssize(columns)) return {};
    const auto& of = columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return of.title;
    if (role == Qt::TextAlignmentRole) return QVariant(of.side | Qt::AlignVCenter);
    // The first click shows the largest numbers first, but for ranks.
    const bool isNumber = section > 0 && of.side == Qt::AlignRight;
    if (role == Qt::InitialSortOrderRole) return isNumber ? Qt::DescendingOrder : Qt::AscendingOrder;
    return role == Qt::ToolTipRole && !of.definition.isEmpty() ? QVariant(tooltipText(of.definition)) : QVariant();
}

/// Base of flat tables whose rows have the same columns. A derived model stores the rows and has a list of columns, one
/// entry each. It overrides data() and headerData() to add roles or titles. GUI thread only.
template <typename Row>
class RowTableModel : public QAbstractTableModel {
  public:
    /// Numbers where the text has units.
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(size());
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(columns().size());
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override {
        if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) return {};
        const Row row = rowAt(static_cast<std::size_t>(index.row()));
        if (role == Qt::ToolTipRole) return tooltipText(toolTip(row, index.column()));
        return cellDataOf(columns(), row, index.column(), role, kSortRole);
    }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        return headerDataOf(columns(), section, orientation, role);
    }

  protected:
    using Columns = RowColumns<Row>;

    /// Always the same list, in the order of the column numbers.
    [[nodiscard]] virtual const Columns& columns() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;
    /// `row` is valid.
    [[nodiscard]] virtual Row rowAt(std::size_t row) const = 0;
    /// Tooltip of a cell as plain text; by default the text of the cell.
    [[nodiscard]] virtual QString toolTip(Row row, int column) const { return cellTextOf(columns(), row, column); }
};

} // namespace highwater::ui
