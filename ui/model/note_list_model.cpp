#include "ui/model/note_list_model.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"

namespace highwater::ui {
namespace {

bool isOfSameRow(const RowNotes::Note& a, const RowNotes::Note& b) { return a.table == b.table && a.path == b.path; }

} // namespace

NoteListModel::NoteListModel(RowNotes& notes, QObject* parent)
    : QAbstractTableModel(parent), notes_(notes), rows_(notes.notes()) {
    connect(&notes_, &RowNotes::changed, this, &NoteListModel::follow);
}

/// Notes are appended and keep their order.
void NoteListModel::follow() {
    const auto& wanted = notes_.notes();
    std::size_t row = 0;
    for (const auto& note : wanted) {
        while (row < rows_.size() && !isOfSameRow(rows_[row], note)) {
            beginRemoveRows({}, static_cast<int>(row), static_cast<int>(row));
            rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(row));
            endRemoveRows();
        }
        if (row == rows_.size()) {
            beginInsertRows({}, static_cast<int>(row), static_cast<int>(row));
            rows_.push_back(note);
            endInsertRows();
        } else if (rows_[row].text != note.text) {
            rows_[row] = note;
            emit dataChanged(index(static_cast<int>(row), 0), index(static_cast<int>(row), kColumns - 1));
        }
        ++row;
    }
    if (row == rows_.size()) return;
    beginRemoveRows({}, static_cast<int>(row), static_cast<int>(rows_.size()) - 1);
    rows_.resize(row);
    endRemoveRows();
}

int NoteListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int NoteListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant NoteListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto& note = this->note(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return lineText(index.column() == kText ? note.text : note.row);
    case Qt::EditRole:
        return index.column() == kText ? QVariant(note.text) : QVariant();
    case Qt::ToolTipRole:
        return tooltipText(note.text + QLatin1Char('\n') + toQString(analysis::tableTitle(note.table)) +
                           QStringLiteral(": ") + note.row);
    default:
        return {};
    }
}

bool NoteListModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole || index.column() != kText) return false;
    auto note = this->note(index.row());
    note.text = value.toString().simplified();
    if (note.text.isEmpty()) return false; // Del deletes
    notes_.set(std::move(note));
    return true;
}

Qt::ItemFlags NoteListModel::flags(const QModelIndex& index) const {
    const auto flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == kText ? flags | Qt::ItemIsEditable : flags;
}

QVariant NoteListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == kText ? tr("Note") : tr("Row");
}

} // namespace highwater::ui

#include "moc_note_list_model.cpp"
