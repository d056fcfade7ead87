#include "app/tools/generations/page/generations_view.h"

#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/focus.h"
#include "ui/view/chart/chart.h"
#include "ui/view/parts/fitted_columns.h"
#include "ui/view/parts/narrow_text.h"
#include "ui/view/parts/stack_list.h"

#include <QAbstractItemDelegate>
#include <QAction>
#include <QHeaderView>
#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>

#include <limits>
#include <utility>

namespace highwater::ui {
namespace {

/// Column widths in characters.
constexpr int kGenerationLetters[GenerationsModel::kColumns] = {36, 15, 12, 13, 11, 21, 20};
constexpr int kTableShare = 3, kChartShare = 1; ///< share of the width

} // namespace

GenerationsView::GenerationsView(QWidget* parent)
    : QWidget(parent),
      table_(new PageTable("generationsTable", tr("Generations"))),
      chart_(new Chart(
          "generationsChart", tr("Growth and persistent memory by mark"),
          tr("Press arrow keys to move between marks, Home and End to move to the ends, Enter to filter to a mark."))),
      summary_(new BusySummary("generationsSummary", {tr("Counting…"), tr("%1 (updating…)")})),
      rename_(addListAction(*table_, "renameGeneration", tr("&Rename"), Qt::Key_F2)) {
    setObjectName(QStringLiteral("generationsView"));
    passFocus(*this, *table_);
    buildTable();
    buildRename();
    auto* layout = makePageLayout(*this);
    layout->addLayout(makeSummaryLine(
        summary_,
        makeShowRowsButton(
            *table_, tr("Show Rows"),
            tr("Filter to the selected mark or stack and show its rows in the table (Enter or a double click)"))));
    layout->addWidget(makeSideBySide(table_, chart_, kTableShare, kChartShare), 1);
    connect(chart_, &Chart::chosen, this,
            [this](std::size_t mark) { table_->setCurrentIndex(model_.index(static_cast<int>(mark), 0)); });
    connect(chart_, &Chart::opened, this, &GenerationsView::toggleFilter);
    connect(&model_, &QAbstractItemModel::modelReset, this, &GenerationsView::showChart);
    clear(emptyText());
}

void GenerationsView::buildTable() {
    table_->setModel(&model_);
    table_->setItemDelegateForColumn(0, new FrameDelegate(table_));
    table_->setExpandsOnDoubleClick(false);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers); // a double click opens the rows
    table_->setAllColumnsShowFocus(true);
    table_->setLetters(kGenerationLetters);
    table_->header()->setStretchLastSection(false);
    auto* names = new FittedColumn(*table_, 0, GenerationsModel::kColumns - 1); // the table owns it
    names->setWanted(std::numeric_limits<int>::max());                          // all remaining room
    table_->setCopiedLines([this] { return copiedLines(); });
    connect(table_, &PageTable::rowReached, this, [this] {
        followRow();
        if (const auto path = model_.path(table_->currentIndex()); !path.empty()) emit painted(path);
    });
    connect(table_, &PageTable::toggled, this, &GenerationsView::toggleFilter);
    connect(table_, &PageTable::enterPressed, this, &GenerationsView::openRows);
    connect(table_, &QTreeView::doubleClicked, this, &GenerationsView::openRows);
}

void GenerationsView::buildRename() {
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(rename_, &QAction::triggered, this, &GenerationsView::startRename);
    connect(table_->itemDelegateForColumn(0), &QAbstractItemDelegate::closeEditor, this, &GenerationsView::endRename,
            Qt::QueuedConnection);
    connect(&model_, &GenerationsModel::renameWanted, this, &GenerationsView::renameWanted);
}

/// "2. Warm to Full", for a stack with its owner.
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

void GenerationsView::followRow() {
    const auto name = table_->currentIndex().siblingAtColumn(GenerationsModel::kName);
    rename_->setEnabled(model_.flags(name).testFlag(Qt::ItemIsEditable));
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
    table_->refresh([&] {
        model_.setAnswer(std::move(answer));
        for (const auto& path : open) {
            if (const auto index = model_.indexOf(path); index.isValid()) table_->expand(index);
        }
        auto current = model_.indexOf(selected);
        if (!current.isValid()) current = model_.index(0, 0);
        table_->selectionModel()->setCurrentIndex(current,
                                                  QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        table_->verticalScrollBar()->setValue(scrolled);
    });
    followRow();
    showSummary();
}

void GenerationsView::clear(const QString& why) {
    waiting_ = nullptr;
    table_->refresh([this] { model_.setAnswer(nullptr); });
    followRow();
    summary_->setReason(why);
}

void GenerationsView::showChart() {
    ChartPicture picture;
    ChartSeries growth{tr("Growth"), ChartKind::Bars, ChartColor::Quiet};
    ChartSeries persistent{tr("Persistent"), ChartKind::Bars, ChartColor::Accent};
    for (int row = 0; row < model_.rowCount(); ++row) {
        const auto mark = model_.index(row, GenerationsModel::kName);
        const auto& numbers = model_.generation(mark)->numbers;
        picture.points.categories << mark.data().toString();
        growth.values.push_back(static_cast<double>(numbers.growth));
        persistent.values.push_back(static_cast<double>(numbers.persistentBytes));
    }
    picture.series = {std::move(growth), std::move(persistent)};
    chart_->setPicture(std::move(picture));
}

void GenerationsView::showSummary() {
    const auto& answer = model_.answer();
    if (!answer) return summary_->setAnswer({});
    const auto& report = answer->found;
    auto text = tr("%1, %2: %3 kept in %4, growth %5")
                    .arg(toQString(analysis::tableTitle(answer->query.table)), formatRange(report.interval),
                         formatBytes(static_cast<SignedByteCount>(report.total.persistentBytes)),
                         countText(report.total.persistentCount, "1 allocation", "%1 allocations"),
                         formatByteDelta(report.total.growth));
    if (report.marks == 0)
        text = tr("The interval has no marks, so it is one generation. Press Ctrl+M to add a mark at the cursor of the "
                  "graph or, while recording, at the current time.");
    summary_->setAnswer(text);
}

/// The selected row with its numbers, and frames for a stack, for a bug report.
std::optional<QStringList> GenerationsView::copiedLines() const {
    auto current = table_->currentIndex();
    if (!current.isValid()) return {};
    const auto* stack = model_.stack(current);
    if (stack != nullptr) current = model_.indexOf(model_.path(current)); // for a frame
    const auto cell = [&](int column) { return current.siblingAtColumn(column).data().toString(); };
    const QStringList lines{tr("%1: growth %2, %3 persistent (%4)")
                                .arg(visibleText(selectedText()), cell(GenerationsModel::kGrowth),
                                     cell(GenerationsModel::kPersistent), cell(GenerationsModel::kBytes))};
    return stack == nullptr ? lines : lines + indentedFrames(stack->stack);
}

} // namespace highwater::ui

#include "moc_generations_view.cpp"
