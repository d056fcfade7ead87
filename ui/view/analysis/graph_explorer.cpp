#include "ui/view/analysis/graph_explorer.h"

#include "core/analysis/balance/resident_timeline.h"
#include "core/analysis/table/nothing_found.h"
#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/analysis/graph_drag.h"

#include <QHeaderView>

#include <algorithm>

namespace highwater::ui {
namespace {

using analysis::kTables, analysis::Table;

constexpr int kTableRole = Qt::UserRole + 1; ///< of graph entries: Table as int

GraphThumbnail emptyThumbnail(Table table) {
    GraphThumbnail thumbnail;
    thumbnail.isOfInstants = table == Table::Snapshot;
    thumbnail.nothing = thumbnail.isOfInstants ? ui::tr("no snapshots") : ui::tr("no events");
    return thumbnail;
}

SignedByteCount highestOf(const GraphThumbnail& graph) {
    return std::ranges::max(graph.timeline->series.front().peaks);
}

} // namespace

GraphExplorer::GraphExplorer(const TraceOnScreen& shown, QWidget* parent, const QueryFunctions& functions)
    : QTreeWidget(parent),
      shown_(shown),
      residentFinder_(
          *this, [](const auto& trace, const auto&) { return analysis::residentOutline(*trace, kPoints); },
          [this](const auto& trace, const auto& timeline) { // no value: too little memory
              showResidentMemory(timeline.hasValue() ? timeline.value()
                                                     : analysis::Timeline{trace->wholeRange(), {}, {}});
          }) {
    for (const auto table : kTables) {
        auto runner = std::make_unique<QueryRunner>(nullptr, functions);
        connect(runner.get(), &QueryRunner::timelineAnswered, this,
                [this, table](const auto& answer) { showTimeline(table, *answer); });
        connect(runner.get(), &QueryRunner::timelineRefused, this, [this, table] {
            thumbnails_.at(table).isRefused = true;
            thumbnails_.at(table).hasRows = shown_.trace() && analysis::isRecorded(*shown_.trace(), table);
            describe(table);
            scheduleDelayedItemsLayout();
            emit thumbnailShown();
        });
        runners_.emplace(table, std::move(runner));
        thumbnails_.emplace(table, emptyThumbnail(table));
    }
    build();
    connect(&shown_, &TraceOnScreen::changed, this, [this](auto changes) {
        if (changes & (TraceOnScreen::NewTrace | TraceOnScreen::Cleared)) forgetTrace();
        if (changes & (TraceOnScreen::NewTrace | TraceOnScreen::MoreOfIt)) ask();
        describeResidentMemory();
    });
}

GraphExplorer::~GraphExplorer() = default;

void GraphExplorer::build() {
    setObjectName(QStringLiteral("graphList"));
    setAccessibleName(tr("Graph Explorer"));
    setHeaderHidden(true);
    setFrameShape(QFrame::NoFrame);
    setIndentation(8);
    setItemDelegate(new GraphThumbnailDelegate([this](const auto& entry) { return thumbnailOf(entry); }, this));
    setDragEnabled(true);
    setDragDropMode(QAbstractItemView::DragOnly);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setExpandsOnDoubleClick(false);
    setMinimumWidth(120);
    auto* memory = new QTreeWidgetItem(this, {tr("Memory")});
    memory->setFlags(Qt::ItemIsEnabled);
    for (const auto table : kTables) {
        const auto title = analysis::tableTitle(table);
        auto* item = new QTreeWidgetItem(memory, {toQString(title)});
        item->setData(0, kTableRole, static_cast<int>(table));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren);
        items_.emplace(table, item);
        describe(table);
    }
    addResidentMemory(*memory);
    expandAll();
    setCurrentItem(memory->child(0));
    clearSelection();
    // Enter or double-click, according to the platform.
    connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        const auto table = item->data(0, kTableRole);
        if (table.isValid())
            emit graphWanted(static_cast<Table>(table.toInt()));
        else if (item == residentMemory_)
            emit residentMemoryWanted();
        else
            item->setExpanded(!item->isExpanded());
    });
}

void GraphExplorer::addResidentMemory(QTreeWidgetItem& category) {
    residentMemory_ = new QTreeWidgetItem(&category, {tr("Resident Memory")});
    resident_.nothing = tr("no samples");
    describeResidentMemory();
}

void GraphExplorer::describeResidentMemory() {
    const bool hasSamples = shown_.trace() && shown_.trace()->residentSamples;
    Qt::ItemFlags flags = Qt::ItemNeverHasChildren;
    flags.setFlag(Qt::ItemIsEnabled, hasSamples).setFlag(Qt::ItemIsSelectable, hasSamples);
    residentMemory_->setFlags(flags);
    auto words = hasSamples ? tr("Resident Memory") : tr("Resident Memory: no samples");
    if (hasSamples && !resident_.isEmpty())
        words = tr("Resident Memory: highest %1, of %2")
                    .arg(formatBytes(highestOf(resident_)), lineText(resident_.timeline->series.front().name));
    residentMemory_->setData(0, Qt::AccessibleTextRole, words);
    residentMemory_->setToolTip(
        0, tooltipText(hasSamples
                           ? tr("%1\nResident memory by use, in every sample\nDouble-click to open the page").arg(words)
                           : words));
}

void GraphExplorer::forgetTrace() {
    for (const auto table : kTables) {
        runners_.at(table)->cancelAll();
        thumbnails_.at(table) = emptyThumbnail(table);
        describe(table);
    }
    residentFinder_.cancel();
    resident_.timeline.reset();
    resident_.isAsked = false;
    scheduleDelayedItemsLayout();
}

void GraphExplorer::setProcessExitFreesHeap(bool frees) {
    if (frees == processExitFreesHeap_) return;
    processExitFreesHeap_ = frees;
    ask();
}

void GraphExplorer::setInstants(const analysis::SharedInstants& instants) {
    const bool isSame = analysis::InstanceChoice{instants} == analysis::InstanceChoice{instants_};
    instants_ = instants;
    if (!isSame && shown_.trace() && !shown_.trace()->wholeRange().isEmpty()) ask(Table::Snapshot);
}

void GraphExplorer::setHighlight(std::optional<TimeRange> range) {
    for (auto& [table, thumbnail] : thumbnails_) {
        thumbnail.highlight = range;
    }
    resident_.highlight = range;
    viewport()->update();
}

/// Thumbnails are not urgent: a running query is finished before the next one.
void GraphExplorer::ask() {
    const auto& trace = shown_.trace();
    if (!trace || trace->wholeRange().isEmpty()) return;
    for (const auto table : kTables)
        ask(table);
    resident_.isAsked = true;
    residentFinder_.ask(trace, Urgency::WhenIdle);
}

void GraphExplorer::ask(Table table) {
    TimelineRequest request;
    request.trace = shown_.trace();
    request.labels = shown_.labels();
    request.query.table = table;
    request.query.interval = shown_.trace()->wholeRange();
    request.query.points = kPoints;
    request.query.processExitFreesHeap = processExitFreesHeap_;
    request.query.instances.added = instants_;
    thumbnails_.at(table).isAsked = true;
    runners_.at(table)->askTimeline(std::move(request), Urgency::WhenIdle);
}

void GraphExplorer::showTimeline(Table table, const TimelineAnswer& answer) {
    thumbnails_.at(table).timeline = answer.timeline;
    thumbnails_.at(table).isRefused = false;
    describe(table);
    scheduleDelayedItemsLayout();
    emit thumbnailShown();
}

void GraphExplorer::showResidentMemory(const analysis::Timeline& timeline) {
    resident_.timeline = timeline;
    describeResidentMemory();
    scheduleDelayedItemsLayout();
    emit thumbnailShown();
}

const GraphThumbnail* GraphExplorer::thumbnailOf(const QModelIndex& entry) const {
    const auto table = entry.data(kTableRole);
    if (table.isValid()) return &thumbnails_.at(static_cast<Table>(table.toInt()));
    return residentMemory_ != nullptr && entry == indexFromItem(residentMemory_) ? &resident_ : nullptr;
}

/// The tooltip describes the thumbnail; screen readers read it as well.
void GraphExplorer::describe(Table table) {
    auto* item = items_.at(table);
    const auto& graph = thumbnails_.at(table);
    const auto title = item->text(0);
    auto words = (table == Table::Snapshot ? tr("%1: no snapshots") : tr("%1: no events")).arg(title);
    if (!graph.timeline && !graph.isRefused) words = title;
    if (graph.isRefused && graph.hasRows) words = tr("%1: no timeline").arg(title);
    if (!graph.isEmpty()) {
        words = analysis::isOfEvents(table) ? tr("%1: at most %2 at once") : tr("%1: highest %2");
        words = words.arg(title, formatBytes(highestOf(graph)));
    }
    item->setToolTip(0, tooltipText(tr("%1\nDouble-click or drag to add this graph").arg(words)));
    item->setData(0, Qt::AccessibleTextRole, words);
}

bool GraphExplorer::isUpToDate() const {
    const auto& trace = shown_.trace();
    const bool isResidentShown = resident_.timeline && !residentFinder_.isBusy();
    return trace && isResidentShown && std::all_of(kTables.begin(), kTables.end(), [&](Table table) {
               const auto& timeline = thumbnails_.at(table).timeline;
               const bool isRefused = thumbnails_.at(table).isRefused;
               const bool isShown = timeline && timeline->interval == trace->wholeRange();
               return (isShown || isRefused) && !runners_.at(table)->isBusy();
           });
}

QStringList GraphExplorer::mimeTypes() const { return {kGraphMimeType}; }

QMimeData* GraphExplorer::mimeData(const QList<QTreeWidgetItem*>& items) const {
    const auto table = items.isEmpty() ? QVariant() : items.first()->data(0, kTableRole);
    return table.isValid() ? graphMimeData(static_cast<Table>(table.toInt())).release() : nullptr;
}

/// The only column is as wide as the view: names take the lines that they need, thumbnails fill it.
void GraphExplorer::resizeEvent(QResizeEvent* event) {
    QTreeWidget::resizeEvent(event);
    header()->resizeSection(0, viewport()->width());
    if (event->size().width() != event->oldSize().width()) scheduleDelayedItemsLayout();
}

} // namespace highwater::ui

#include "moc_graph_explorer.cpp"
