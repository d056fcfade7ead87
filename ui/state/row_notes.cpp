#include "ui/state/row_notes.h"

#include <algorithm>

namespace highwater::ui {

std::vector<RowNotes::Note>::const_iterator RowNotes::find(analysis::Table table, const analysis::KeyPath& path) const {
    return std::find_if(notes_.begin(), notes_.end(),
                        [&](const Note& note) { return note.table == table && note.path == path; });
}

QString RowNotes::textOf(analysis::Table table, const analysis::KeyPath& path) const {
    const auto found = find(table, path);
    return found == notes_.end() ? QString() : found->text;
}

void RowNotes::set(Note note) {
    note.text = note.text.simplified();
    const auto found = find(note.table, note.path);
    const auto index = static_cast<std::size_t>(found - notes_.begin());
    const bool isNew = found == notes_.end();
    if (note.text.isEmpty()) return isNew ? void() : remove(index);
    if (isNew)
        notes_.push_back(std::move(note));
    else if (notes_[index].text == note.text)
        return;
    else
        notes_[index] = std::move(note);
    emit changed();
}

void RowNotes::remove(std::size_t index) {
    if (index >= notes_.size()) return;
    notes_.erase(notes_.begin() + static_cast<std::ptrdiff_t>(index));
    emit changed();
}

void RowNotes::clear() {
    if (notes_.empty()) return;
    notes_.clear();
    emit changed();
}

} // namespace highwater::ui

#include "moc_row_notes.cpp"
