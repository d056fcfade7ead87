#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/query/row_filter.h"

#include <QObject>
#include <QString>

#include <vector>

namespace highwater::ui {

/// The user's notes on table rows, at most one per row, in order of creation. They belong to the current trace: the
/// owner clears them for another one. GUI thread only.
class RowNotes : public QObject {
    Q_OBJECT
  public:
    struct Note {
        analysis::Table table = analysis::Table::VirtualAlloc;
        analysis::KeyPath path;
        QString row; ///< text of the row when the note was made
        QString text;
    };
    using QObject::QObject;

    [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }
    /// Empty: the row has no note.
    [[nodiscard]] QString textOf(analysis::Table table, const analysis::KeyPath& path) const;
    /// Replaces the note of the row; a blank text removes it.
    void set(Note note);
    void remove(std::size_t index);
    void clear();

  signals:
    void changed();

  private:
    [[nodiscard]] std::vector<Note>::const_iterator find(analysis::Table table, const analysis::KeyPath& path) const;

    std::vector<Note> notes_;
};

} // namespace highwater::ui
