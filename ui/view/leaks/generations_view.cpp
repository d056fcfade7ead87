#include "ui/view/leaks/generations_view.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/row_height.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/narrow_text.h"

#include <QAbstractItemDelegate>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <QShortcut>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

/// Widths of the columns, in letters.
constexpr int kGenerationLetters[GenerationsModel::kColumns] = {44, 16, 14, 14, 14, 30, 26};

QString askForTrace() { return tr("Open or record a trace to see what grows from mark to mark."); }

} // namespace

GenerationsView::GenerationsView(QWidget* parent)
    : QWidget(parent),
      table_(new QTreeView),
      summary_(new ElidedLabel({})),
      rename_(new QAction(tr("&Rename"), table_)) {
    build();
    clear(askForTrace());
}

void GenerationsView::build() {
    setObjectName(QStringLiteral("generationsView"));
    buildTable();
    summary_->setObjectName(QStringLiteral("generationsSummary"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    layout->addWidget(summary_);
    layout->addWidget(table_, 1);
    connect(&model_, &GenerationsModel::renameWanted, this, &GenerationsView::renameWanted);
}

void GenerationsView::buildTable() {
    table_->setObjectName(QStringLiteral("generationsTable"));
    table_->setAccessibleName(tr("Generations"));
    table_->setModel(&model_);
    useOneRowHeight(*table_);
    table_->setAlternatingRowColors(true);
    table_->setItemDelegateForColumn(0, new FrameDelegate(table_));
    table_->setExpandsOnDoubleClick(false);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers); // a double-click opens the rows
    table_->setAllColumnsShowFocus(true);
    table_->header()->setStretchLastSection(true);
    for (int column = 0; column < GenerationsModel::kColumns; ++column)
        table_->setColumnWidth(column, fontMetrics().averageCharWidth() * kGenerationLetters[column]);
    table_->installEventFilter(this);
    rename_->setObjectName(QStringLiteral("renameGeneration"));
    rename_->setShortcut(Qt::Key_F2);
    rename_->setShortcutContext(Qt::WidgetShortcut);
    table_->addAction(rename_);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(rename_, &QAction::triggered, this, &GenerationsView::startRename);
    connect(table_->itemDelegateForColumn(0), &QAbstractItemDelegate::closeEditor, this, &GenerationsView::endRename,
            Qt::QueuedConnection);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                rename_->setEnabled(model_.flags(current.siblingAtColumn(0)).testFlag(Qt::ItemIsEditable));
                const auto path = model_.path(current);
                if (!isRefreshing_ && !path.empty()) emit painted(path);
            });
    connect(table_, &QTreeView::clicked, this, &GenerationsView::toggleFilter);
    connect(table_, &QTreeView::doubleClicked, this, &GenerationsView::openRows);
    auto* copies = new QShortcut(QKeySequence::Copy, table_, this, &GenerationsView::copy);
    copies->setContext(Qt::WidgetShortcut);
}

bool GenerationsView::eventFilter(QObject* watched, QEvent* event) {
    // The key that ends the editor comes here, too.
    if (watched == table_ && event->type() == QEvent::KeyPress && !isEditing_) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            openRows();
            return true;
        }
        if (key == Qt::Key_Space) {
            toggleFilter();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

/// "2. Warm to Full", of a stack with its owner.
QString GenerationsView::textOf(const QModelIndex& index) const {
    const auto* generation = model_.generation(index);
    if (generation == nullptr) return {};
    const auto* stack = model_.stack(index);
    const auto text = lineText(generation->text);
    return stack == nullptr ? tr("Generation %1").arg(text) : tr("Generation %1, %2").arg(text, lineText(stack->owner));
}

QString GenerationsView::selectedText() const { return textOf(table_->currentIndex()); }

void GenerationsView::toggleFilter() {
    const auto path = model_.path(table_->currentIndex());
    if (path.empty()) return;
    if (path == filtered_)
        emit filterUnwanted();
    else
        emit filterWanted(path, selectedText());
}

void GenerationsView::openRows() {
    const auto path = model_.path(table_->currentIndex());
    if (!path.empty()) emit rowsWanted(path, selectedText());
}

void GenerationsView::startRename() {
    const auto name = table_->currentIndex().siblingAtColumn(GenerationsModel::kName);
    if (!model_.flags(name).testFlag(Qt::ItemIsEditable)) return;
    isEditing_ = true;
    table_->edit(name);
}

void GenerationsView::endRename() {
    isEditing_ = false;
    if (waiting_) showAnswer(std::exchange(waiting_, nullptr));
}

void GenerationsView::setAnswer(std::shared_ptr<const GenerationsAnswer> answer) {
    if (isEditing_)
        waiting_ = std::move(answer);
    else
        showAnswer(std::move(answer));
}

std::vector<analysis::KeyPath> GenerationsView::openPaths() const {
    std::vector<analysis::KeyPath> open;
    for (int mark = 0; mark < model_.rowCount(); ++mark) {
        const auto top = model_.index(mark, 0);
        if (!table_->isExpanded(top)) continue;
        open.push_back(model_.path(top));
        for (int row = 0; row < model_.rowCount(top); ++row) {
            const auto stack = model_.index(row, 0, top);
            if (table_->isExpanded(stack)) open.push_back(model_.path(stack));
        }
    }
    return open;
}

void GenerationsView::showAnswer(std::shared_ptr<const GenerationsAnswer> answer) {
    const auto open = openPaths();
    const auto selected = model_.path(table_->currentIndex());
    const auto scrolled = table_->verticalScrollBar()->value();
    isRefreshing_ = true;
    model_.setAnswer(std::move(answer));
    for (const auto& path : open) {
        if (const auto index = model_.indexOf(path); index.isValid()) table_->expand(index);
    }
    auto current = model_.indexOf(selected);
    if (!current.isValid()) current = model_.index(0, 0);
    table_->selectionModel()->setCurrentIndex(current, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    table_->verticalScrollBar()->setValue(scrolled);
    isRefreshing_ = false;
    showSummary();
}

void GenerationsView::clear(const QString& why) {
    waiting_ = nullptr;
    isRefreshing_ = true;
    model_.setAnswer(nullptr);
    isRefreshing_ = false;
    rename_->setEnabled(false);
    summary_->setText(why);
}

void GenerationsView::setBusy(bool busy) {
    isBusy_ = busy;
    if (model_.answer() || busy) showSummary();
}

void GenerationsView::showSummary() {
    const auto& answer = model_.answer();
    if (!answer) return summary_->setText(isBusy_ ? tr("Counting…") : summary_->text());
    const auto& report = answer->report;
    auto text = tr("%1, %2 to %3: %4 in %5 allocations are kept of what was allocated, growth %6")
                    .arg(toQString(analysis::tableTitle(answer->table)), formatTime(report.interval.start),
                         formatTime(report.interval.end),
                         formatBytes(static_cast<SignedByteCount>(report.total.persistentBytes)),
                         formatCount(static_cast<std::int64_t>(report.total.persistentCount)),
                         formatByteDelta(report.total.growth));
    if (report.marks == 0)
        text = tr("No marks in the interval: it is one generation. Mark (Ctrl+M) makes one at the cursor of the graph, "
                  "while recording at this moment.");
    summary_->setText(isBusy_ ? tr("%1 - counting…").arg(text) : text);
}

/// What is selected with its numbers, of a stack with its frames; for a bug report.
void GenerationsView::copy() {
    auto current = table_->currentIndex();
    if (!current.isValid()) return;
    const auto* stack = model_.stack(current);
    if (stack != nullptr) current = model_.indexOf(model_.path(current)); // of a frame
    const auto cell = [&](int column) { return current.siblingAtColumn(column).data().toString(); };
    QStringList lines{tr("%1: growth %2, %3 persistent (%4)")
                          .arg(visibleText(selectedText()), cell(GenerationsModel::kGrowth),
                               cell(GenerationsModel::kPersistent), cell(GenerationsModel::kBytes))};
    if (stack != nullptr) {
        for (const auto& frame : stack->stack)
            lines << QStringLiteral("    ") + visibleText(frame);
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace highwater::ui

#include "moc_generations_view.cpp"
