#include "ui/view/heaps/heaps_view.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/row_height.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/fitted_columns.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/parts/sorted_header.h"
#include "ui/view/parts/stack_list.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace highwater::ui {
namespace {

/// Widths of the columns, in letters, before there is anything in them.
constexpr int kHeapLetters[HeapTableModel::kColumns] = {24, 12, 28, 11, 9, 11, 12, 11, 9, 11, 10, 11, 11};
constexpr int kFewestLetters = 12; ///< of a name, where numbers need the room

} // namespace

HeapsView::HeapsView(QWidget* parent)
    : QWidget(parent),
      sorted_(new QSortFilterProxyModel(this)),
      table_(new QTreeView),
      summary_(new ElidedLabel({})),
      story_(new PlainLabel),
      stack_(new StackList) {
    build();
    clear(tr("Open or record a trace to see its heaps."));
}

void HeapsView::build() {
    setObjectName(QStringLiteral("heapsView"));
    buildTable();
    summary_->setObjectName(QStringLiteral("heapsSummary"));
    story_->setObjectName(QStringLiteral("heapStory"));
    story_->setWordWrap(true);
    story_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    stack_->setObjectName(QStringLiteral("heapStack"));
    auto* details = new QWidget;
    auto* column = new QVBoxLayout(details);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(story_);
    column->addWidget(stack_, 1);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(table_);
    splitter->addWidget(details);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    layout->addWidget(summary_);
    layout->addWidget(splitter, 1);
}

void HeapsView::buildTable() {
    sorted_->setSourceModel(&model_);
    sorted_->setSortRole(HeapTableModel::kSortRole);
    sorted_->setSortCaseSensitivity(Qt::CaseInsensitive);
    table_->setObjectName(QStringLiteral("heapTable"));
    table_->setAccessibleName(tr("Heaps"));
    table_->setModel(sorted_);
    table_->setRootIsDecorated(false);
    useOneRowHeight(*table_);
    table_->setAlternatingRowColors(true);
    table_->setTextElideMode(Qt::ElideMiddle);
    sortByHeader(*table_);
    table_->sortByColumn(HeapTableModel::kLive, Qt::DescendingOrder);
    table_->header()->setStretchLastSection(false); // the creator takes what is spare
    for (int column = 0; column < HeapTableModel::kColumns; ++column)
        table_->setColumnWidth(column, fontMetrics().averageCharWidth() * kHeapLetters[column]);
    table_->installEventFilter(this);
    table_->viewport()->installEventFilter(this);
    connect(table_->header(), &QHeaderView::sectionResized, this, [this](int column) {
        const bool isName = column == HeapTableModel::kProcess || column == HeapTableModel::kCreator;
        if (isName && !isFitting_) hasOwnWidths_ = true;
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        showDetails();
        if (const auto* heap = selected(); heap != nullptr && !isRefreshing_) emit painted(*heap);
    });
    connect(table_, &QTreeView::clicked, this, &HeapsView::toggleFilter);
    connect(table_, &QTreeView::doubleClicked, this, [this] {
        if (const auto* heap = selected()) emit rowsWanted(*heap);
    });
    auto* copies = new QShortcut(QKeySequence::Copy, table_, this, &HeapsView::copy);
    copies->setContext(Qt::WidgetShortcut);
}

/// Columns that nothing is known for in any heap are not shown. Process and creator share what the others leave, unless
/// somebody has made them as wide as he wants.
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
    if (watched == table_ && event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        const auto* heap = selected();
        if (heap != nullptr && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
            emit rowsWanted(*heap);
            return true;
        }
        if (heap != nullptr && key == Qt::Key_Space) {
            toggleFilter();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

const analysis::HeapFacts* HeapsView::selected() const {
    const auto current = table_->selectionModel()->currentIndex();
    return current.isValid() ? model_.heap(sorted_->mapToSource(current).row()) : nullptr;
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
    table_->setCurrentIndex(sorted_->mapFromSource(model_.index(*row, 0)));
    table_->scrollTo(table_->currentIndex());
    return true;
}

void HeapsView::select(const analysis::KeyPath& path) { awaited_ = selectRow(path) ? analysis::KeyPath() : path; }

void HeapsView::setAnswer(std::shared_ptr<const HeapAnswer> answer) {
    const auto* before = selected();
    const auto path = before == nullptr ? analysis::KeyPath() : before->path;
    isRefreshing_ = true;
    model_.setAnswer(std::move(answer));
    if (!awaited_.empty() && selectRow(awaited_))
        awaited_.clear();
    else if (path.empty() && model_.rowCount() > 0)
        table_->setCurrentIndex(sorted_->index(0, 0)); // where nobody chose one, the first
    else
        (void)selectRow(path);
    isRefreshing_ = false;
    widenColumns(*table_, {HeapTableModel::kProcess, HeapTableModel::kCreator});
    fitColumns();
    showSummary();
    showDetails();
}

void HeapsView::clear(const QString& why) {
    isRefreshing_ = true;
    model_.setAnswer(nullptr);
    isRefreshing_ = false;
    awaited_.clear();
    summary_->setText(why);
    showDetails();
}

void HeapsView::setBusy(bool busy) {
    isBusy_ = busy;
    if (model_.answer() || busy) showSummary();
}

void HeapsView::showSummary() {
    const auto& answer = model_.answer();
    if (!answer) return summary_->setText(isBusy_ ? tr("Counting…") : summary_->text());
    const auto& list = answer->list;
    auto text = list.heaps.size() == 1 ? tr("1 heap")
                                       : tr("%1 heaps").arg(formatCount(static_cast<std::int64_t>(list.heaps.size())));
    text = tr("%1 at %2 with %3 live in %4 blocks; growth and peak since %5")
               .arg(text, formatTime(list.interval.end), formatBytes(static_cast<SignedByteCount>(list.bytes)),
                    formatCount(static_cast<std::int64_t>(list.count)), formatTime(list.interval.start));
    if (list.heaps.empty())
        text = answer->isFiltered ? tr("No heap has blocks in this interval and filter.")
                                  : tr("No heap was recorded in this interval.");
    summary_->setText(isBusy_ ? tr("%1 - counting…").arg(text) : text);
}

void HeapsView::showDetails() {
    const auto* heap = selected();
    stack_->clear();
    if (heap == nullptr) return story_->setSentence({});
    story_->setSentence(heapSentence(*heap));
    stack_->setStack(heap->stack, heap->ownerFrame);
}

/// The selected heap with what made it.
void HeapsView::copy() {
    const auto* heap = selected();
    if (heap == nullptr) return;
    QStringList cells;
    for (int column = 0; column < HeapTableModel::kColumns; ++column)
        cells << table_->currentIndex().siblingAtColumn(column).data().toString();
    QStringList lines{cells.join(QLatin1Char('\t')), heapSentence(*heap)};
    for (const auto& frame : heap->stack)
        lines << QStringLiteral("    ") + visibleText(frame);
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace highwater::ui

#include "moc_heaps_view.cpp"
