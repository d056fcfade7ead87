#include "app/pages/note_controller.h"

#include "ui/format/column_format.h"
#include "ui/format/plain_text.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/notes/notes_view.h"
#include "ui/view/table/grouped_table_view.h"

#include <QStringList>

#include <algorithm>

namespace highwater::app {
namespace {

/// The keys that lead to a row, outermost first. A stack is one key regardless of its number of frames.
std::vector<analysis::Column> keysTo(const analysis::KeyPath& path) {
    std::vector<analysis::Column> keys;
    for (const auto& step : path)
        if (keys.empty() || keys.back() != step.column) keys.push_back(step.column);
    return keys;
}

bool beginsWith(const std::vector<analysis::Column>& keys, const std::vector<analysis::Column>& first) {
    return first.size() <= keys.size() && std::equal(first.begin(), first.end(), keys.begin());
}

} // namespace

ui::NotesView* NoteController::makeView(QWidget* parent) {
    auto* view = new ui::NotesView(tabs_.shown().notes(), parent);
    connect(view, &ui::NotesView::rowWanted, this, &NoteController::goTo);
    connect(view, &ui::NotesView::deleted, this, &NoteController::showRemovalMessage);
    return view;
}

void NoteController::goTo(const ui::RowNotes::Note& note) {
    auto& panel = tabs_.current().showGraph(note.table);
    const auto wanted = keysTo(note.path);
    const bool isOfRows = !wanted.empty() && wanted.back() == analysis::Column::Allocation;
    if (isOfRows || beginsWith(panel.graph().layout().keyColumns(), wanted)) return panel.table().reveal(note.path);
    QStringList names;
    for (const auto column : wanted)
        names << ui::columnTitle(note.table, column);
    emit messageWanted(
        tr("To show the row of the note, its table must have these columns left of the gold bar, in this order: %1.")
            .arg(names.join(QStringLiteral(", "))));
}

void NoteController::showRemovalMessage(const ui::RowNotes::Note& note) {
    const auto sentence = tr("Deleted the note “%1”.").arg(ui::lineText(note.text));
    emit messageWanted({sentence, ui::MessageTone::Plain, {tr("Undo"), [this, note, sentence] {
                                                               tabs_.shown().notes().set(note);
                                                               emit messageGone(sentence);
                                                           }}});
}

} // namespace highwater::app

#include "moc_note_controller.cpp"
