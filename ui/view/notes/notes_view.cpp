#include "ui/view/notes/notes_view.h"

#include "ui/view/access/row_height.h"
#include "ui/view/parts/page_table.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kMostNotes = 6;     ///< more than these scroll
constexpr int kRoomForBoth = 200; ///< pixels; narrower views show only the notes

} // namespace

NotesView::NotesView(RowNotes& notes, QWidget* parent)
    : QTreeView(parent),
      notes_(notes),
      model_(notes),
      go_(addListAction(*this, "goToNote", tr("&Go to Row"), {})),
      edit_(addListAction(*this, "editNote", tr("&Edit"), Qt::Key_F2)),
      remove_(addListAction(*this, "deleteNote", tr("&Delete"), QKeySequence::Delete)) {
    build();
    follow();
}

void NotesView::build() {
    setObjectName(QStringLiteral("notes"));
    setAccessibleName(tr("Notes"));
    setModel(&model_);
    setFrameShape(QFrame::NoFrame);
    setRootIsDecorated(false);
    useOneRowHeight(*this);
    setAllColumnsShowFocus(true);
    setEditTriggers(QAbstractItemView::NoEditTriggers); // a double-click goes to the row
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    header()->setSectionResizeMode(QHeaderView::Stretch);
    connect(&model_, &QAbstractItemModel::rowsInserted, this, &NotesView::follow);
    connect(&model_, &QAbstractItemModel::rowsRemoved, this, &NotesView::follow);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &NotesView::follow);
    connect(this, &QTreeView::doubleClicked, this,
            [this](const QModelIndex& index) { emit rowWanted(model_.note(index.row())); });
    connect(go_, &QAction::triggered, this, [this] { emit rowWanted(model_.note(currentIndex().row())); });
    connect(edit_, &QAction::triggered, this,
            [this] { edit(model_.index(currentIndex().row(), NoteListModel::kText)); });
    connect(remove_, &QAction::triggered, this, &NotesView::removeCurrent);
}

void NotesView::follow() {
    setVisible(model_.rowCount() > 0);
    updateGeometry();
    for (auto* action : {go_, edit_, remove_})
        action->setEnabled(currentIndex().isValid());
}

void NotesView::removeCurrent() {
    const auto row = currentIndex().row();
    const auto note = model_.note(row);
    notes_.remove(static_cast<std::size_t>(row));
    emit deleted(note);
}

void NotesView::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (state() != EditingState && isEnter && currentIndex().isValid()) return go_->trigger();
    QTreeView::keyPressEvent(event);
}

void NotesView::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions({go_, edit_, remove_});
    menu->popup(event->globalPos());
}

/// The tooltip also shows the row of a note.
void NotesView::resizeEvent(QResizeEvent* event) {
    setColumnHidden(NoteListModel::kRow, width() < kRoomForBoth);
    QTreeView::resizeEvent(event);
}

QSize NotesView::sizeHint() const {
    const auto rows = std::min(kMostNotes, model_.rowCount());
    const auto rowHeight = std::max(sizeHintForRow(0), fontMetrics().height());
    return {180, header()->sizeHint().height() + rows * rowHeight + 2 * frameWidth() + 2};
}

QSize NotesView::minimumSizeHint() const { return {80, std::min(sizeHint().height(), 90)}; }

} // namespace highwater::ui

#include "moc_notes_view.cpp"
