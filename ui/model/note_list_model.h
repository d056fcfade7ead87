#pragma once

#include "ui/state/row_notes.h"

#include <QAbstractTableModel>

namespace highwater::ui {

/// Notes on rows in order of creation, with the editable note and its row. GUI thread only.
class NoteListModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { kText, kRow, kColumns };

    /// `notes` must outlive it.
    explicit NoteListModel(RowNotes& notes, QObject* parent = nullptr);
    [[nodiscard]] const RowNotes::Note& note(int row) const { return rows_[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    void follow();

    RowNotes& notes_;
    std::vector<RowNotes::Note> rows_;
};

} // namespace highwater::ui
