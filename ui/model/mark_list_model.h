#pragma once

#include "ui/state/mark_list.h"

#include <QAbstractTableModel>

namespace highwater::ui {

/// Marks as rows in order of time, with an editable name and the time. A new mark inserts a row, so that selection and
/// editors are preserved. GUI thread only.
class MarkListModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { kName, kTime, kColumns };

    /// `list` must outlive it.
    explicit MarkListModel(MarkList& list, QObject* parent = nullptr);
    [[nodiscard]] const Mark& mark(int row) const { return rows_[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    void follow();

    MarkList& list_;
    std::vector<Mark> rows_;
};

} // namespace highwater::ui
