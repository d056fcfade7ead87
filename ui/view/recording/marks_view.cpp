#include "ui/view/recording/marks_view.h"

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

constexpr int kMostRows = 8; ///< more than these scroll

} // namespace

MarksView::MarksView(MarkList& marks, QWidget* parent)
    : QTreeView(parent),
      marks_(marks),
      model_(marks),
      jump_(addListAction(*this, "jumpToMark", tr("&Go to Mark"), {})),
      select_(addListAction(*this, "selectBetweenMarks", tr("&Select the Interval Between Marks"), {})),
      zoom_(addListAction(*this, "zoomBetweenMarks", tr("&Zoom to the Interval Between Marks"), {})),
      rename_(addListAction(*this, "renameMark", tr("&Rename"), Qt::Key_F2)),
      remove_(addListAction(*this, "deleteMark", tr("&Delete"), QKeySequence::Delete)) {
    build();
    followMarks();
    followSelection();
}

void MarksView::build() {
    setObjectName(QStringLiteral("marks"));
    setAccessibleName(tr("Marks"));
    setModel(&model_);
    setFrameShape(QFrame::NoFrame);
    setRootIsDecorated(false);
    useOneRowHeight(*this);
    setAllColumnsShowFocus(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers); // a double-click goes to the mark
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(MarkListModel::kName, QHeaderView::Stretch);
    header()->setSectionResizeMode(MarkListModel::kTime, QHeaderView::ResizeToContents);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &MarksView::followSelection);
    connect(&marks_, &MarkList::changed, this, &MarksView::followMarks);
    connect(this, &QTreeView::doubleClicked, this,
            [this](const QModelIndex& index) { emit jumpWanted(model_.mark(index.row()).time); });
    connect(jump_, &QAction::triggered, this, [this] { emit jumpWanted(selectedMarks().front().time); });
    connect(select_, &QAction::triggered, this, [this] { emit selectWanted(*MarkList::between(selectedMarks())); });
    connect(zoom_, &QAction::triggered, this, [this] { emit zoomWanted(*MarkList::between(selectedMarks())); });
    connect(rename_, &QAction::triggered, this, [this] { edit(model_.index(currentIndex().row(), 0)); });
    connect(remove_, &QAction::triggered, this, &MarksView::removeSelected);
}

std::vector<Mark> MarksView::selectedMarks() const {
    std::vector<Mark> selected;
    for (const auto& index : selectionModel()->selectedRows()) {
        selected.push_back(model_.mark(index.row()));
    }
    return selected;
}

void MarksView::followSelection() {
    const auto selected = selectedMarks();
    const bool isInterval = MarkList::between(selected).has_value();
    jump_->setEnabled(selected.size() == 1);
    rename_->setEnabled(selected.size() == 1);
    select_->setEnabled(isInterval);
    zoom_->setEnabled(isInterval);
    remove_->setEnabled(!selected.empty());
}

void MarksView::followMarks() {
    setVisible(model_.rowCount() > 0);
    updateGeometry();
    followSelection();
}

void MarksView::act() {
    if (zoom_->isEnabled()) return zoom_->trigger();
    if (jump_->isEnabled()) jump_->trigger();
}

void MarksView::removeSelected() {
    QList<qint64> ticks;
    for (const auto& mark : selectedMarks())
        ticks << mark.ticks;
    marks_.remove(ticks);
}

void MarksView::select(qint64 ticks) {
    // Not setCurrentIndex, which adds to the selection while Ctrl is down, as for Ctrl+M.
    for (int row = 0; row < model_.rowCount(); ++row) {
        if (model_.mark(row).ticks != ticks) continue;
        selectionModel()->setCurrentIndex(model_.index(row, 0),
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }
}

void MarksView::keyPressEvent(QKeyEvent* event) {
    if (state() != EditingState && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) return act();
    QTreeView::keyPressEvent(event);
}

void MarksView::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions({jump_, select_, zoom_});
    menu->addSeparator();
    menu->addActions({rename_, remove_});
    menu->popup(event->globalPos());
}

QSize MarksView::sizeHint() const {
    const auto rows = std::min(kMostRows, model_.rowCount());
    const auto rowHeight = std::max(sizeHintForRow(0), fontMetrics().height());
    return {180, header()->sizeHint().height() + rows * rowHeight + 2 * frameWidth() + 2};
}

QSize MarksView::minimumSizeHint() const { return {80, std::min(sizeHint().height(), 90)}; }

} // namespace highwater::ui

#include "moc_marks_view.cpp"
