#include "app/tools/heaps/page/heaps_view.h"

#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/focus.h"
#include "ui/view/parts/fitted_columns.h"
#include "ui/view/parts/stack_list.h"

#include <QEvent>
#include <QHeaderView>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace highwater::ui {
namespace {

/// Least column widths in characters. Numbers are as wide as their contents, so that names have the remaining room.
constexpr int kHeapLetters[HeapTableModel::kColumns] = {24, 8, 28, 7, 6, 7, 7, 7, 7, 9, 8, 8, 8};
constexpr int kFewestLetters = 12; ///< minimum width of a name if numbers need the room

} // namespace

HeapsView::HeapsView(QWidget* parent)
    : QWidget(parent),
      table_(new PageTable("heapTable", tr("Heaps"))),
      summary_(new BusySummary("heapsSummary", {tr("Counting…"), tr("%1 (updating…)")})),
      details_(new StackDetails("heapStory", "heapStack")) {
    setObjectName(QStringLiteral("heapsView"));
    passFocus(*this, *table_);
    buildTable();
    auto* layout = makePageLayout(*this);
    layout->addLayout(makeSummaryLine(
        summary_, makeShowRowsButton(
                      *table_, tr("Show Rows"),
                      tr("Filter to the selected heap and show its rows in the table (Enter or a double click)"))));
    layout->addWidget(makeSideBySide(table_, details_, 3, 1), 1);
    clear(emptyText());
}

void HeapsView::buildTable() {
    table_->setSortedModel(model_, HeapTableModel::kSortRole);
    table_->sortByColumn(HeapTableModel::kLive, Qt::DescendingOrder);
    table_->setRootIsDecorated(false);
    table_->setTextElideMode(Qt::ElideMiddle);
    table_->header()->setStretchLastSection(false); // the creator takes the remaining width
    table_->setLetters(kHeapLetters);
    table_->setCopiedLines([this] { return copiedLines(); });
    table_->viewport()->installEventFilter(this);
    connect(table_->header(), &QHeaderView::sectionResized, this, [this](int column) {
        const bool isName = column == HeapTableModel::kProcess || column == HeapTableModel::kCreator;
        if (isName && !isFitting_) hasOwnWidths_ = true;
    });
    connect(table_, &PageTable::rowReached, this, [this] {
        showDetails();
        if (const auto* heap = selected()) emit painted(*heap);
    });
    connect(table_, &PageTable::toggled, this, &HeapsView::toggleFilter);
    connect(table_, &PageTable::enterPressed, this, &HeapsView::openRows);
    connect(table_, &QTreeView::doubleClicked, this, &HeapsView::openRows);
}

/// Hides columns that are empty for all heaps. Process and creator share the remaining width unless the user resized
/// them.
void HeapsView::fitColumns() {
    isFitting_ = true;
    int others = 0;
    for (int column = 0; column < HeapTableModel::kColumns; ++column) {
        bool isEmpty = column >= HeapTableModel::kSlack && model_.rowCount() > 0;
        for (int row = 0; row < model_.rowCount() && isEmpty; ++row)
            isEmpty = model_.index(row, column).data().toString().isEmpty();
        table_->setColumnHidden(column, isEmpty);
        const bool isName = column == HeapTableModel::kProcess || column == HeapTableModel::kCreator;
        if (!isEmpty && !isName) others += table_->columnWidth(column);
    }
    if (!hasOwnWidths_) {
        const int letter = fontMetrics().averageCharWidth(), least = letter * kFewestLetters;
        const int room = table_->viewport()->width() - others;
        const int process = std::clamp(room * 2 / 5, least, letter * kHeapLetters[HeapTableModel::kProcess]);
        table_->setColumnWidth(HeapTableModel::kProcess, process);
        table_->setColumnWidth(HeapTableModel::kCreator, std::max(least, room - process));
    }
    isFitting_ = false;
}

bool HeapsView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_->viewport() && event->type() == QEvent::Resize) fitColumns();
    return QWidget::eventFilter(watched, event);
}

const analysis::HeapFacts* HeapsView::selected() const { return model_.heap(table_->current().row()); }

void HeapsView::openRows() {
    if (const auto* heap = selected()) emit rowsWanted(*heap);
}

void HeapsView::toggleFilter() {
    const auto* heap = selected();
    if (heap == nullptr) return;
    if (heap->path == filtered_)
        emit filterUnwanted();
    else
        emit filterWanted(*heap);
}

bool HeapsView::selectRow(const analysis::KeyPath& path) {
    const auto row = model_.rowOf(path);
    if (!row) return false;
    table_->setCurrentIndex(table_->fromSource(model_.index(*row, 0)));
    table_->scrollTo(table_->currentIndex());
    return true;
}

void HeapsView::select(const analysis::KeyPath& path) { awaited_ = selectRow(path) ? analysis::KeyPath() : path; }

void HeapsView::setAnswer(std::shared_ptr<const HeapAnswer> answer) {
    const auto* before = selected();
    const auto path = before == nullptr ? analysis::KeyPath() : before->path;
    table_->refresh([&] {
        model_.setAnswer(std::move(answer));
        if (!awaited_.empty() && selectRow(awaited_))
            awaited_.clear();
        else if (path.empty() && model_.rowCount() > 0)
            table_->setCurrentIndex(table_->model()->index(0, 0)); // the first if the user selected none
        else
            (void)selectRow(path);
    });
    widenColumns(*table_, {HeapTableModel::kProcess, HeapTableModel::kCreator});
    fitColumns();
    showSummary();
    showDetails();
}

void HeapsView::clear(const QString& why) {
    table_->refresh([this] { model_.setAnswer(nullptr); });
    awaited_.clear();
    summary_->setReason(why);
    showDetails();
}

void HeapsView::showSummary() {
    const auto& answer = model_.answer();
    if (!answer) return summary_->setAnswer({});
    const auto& list = answer->found;
    auto text = tr("%1 at %2 with %3 live in %4; growth and peak since %5")
                    .arg(countText(list.heaps.size(), "1 heap", "%1 heaps"), formatTime(list.interval.end),
                         formatBytes(static_cast<SignedByteCount>(list.bytes)),
                         countText(list.count, "1 block", "%1 blocks"), formatTime(list.interval.start));
    if (list.heaps.empty())
        text = !answer->query.filter.isEmpty() ? tr("No heap has blocks that match the filter in this interval.")
                                               : tr("No heap was recorded in this interval.");
    summary_->setAnswer(text);
}

void HeapsView::showDetails() {
    const auto* heap = selected();
    if (heap == nullptr) return details_->setDetails({});
    details_->setDetails(heapSentence(*heap), heap->stack, heap->ownerFrame);
}

/// The selected heap and the stack that created it.
std::optional<QStringList> HeapsView::copiedLines() const {
    const auto* heap = selected();
    if (heap == nullptr) return {};
    return QStringList{tabbedCells(table_->currentIndex()), heapSentence(*heap)} + indentedFrames(heap->stack);
}

} // namespace highwater::ui

#include "moc_heaps_view.cpp"
