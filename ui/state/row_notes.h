#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/query/row_filter.h"

#include <QObject>
#include <QString>

#include <vector>

namespace highwater::ui {

/// Notes that the reader has put on rows of tables, one a row, in the order in which they were made. They mean this
/// trace: who shows another one clears them. GUI thread only.
class RowNotes : public QObject {
    Q_OBJECT
  public:
    struct Note {
        analysis::Table table = analysis::Table::VirtualAlloc;
        analysis::KeyPath path;
        QString row; ///< what the row was called when the note was made
        QString text;
    };
    using QObject::QObject;

    [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }
    /// Empty: there is none on the row.
    [[nodiscard]] QString textOf(analysis::Table table, const analysis::KeyPath& path) const;
    /// Instead of the one that the row has; a blank text takes it away.
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
