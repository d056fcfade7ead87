#include "app/tools/leaks/page/leaks_view.h"

#include "core/analysis/leaks/leak_sentence.h"
#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/focus.h"
#include "ui/view/parts/fitted_columns.h"
#include "ui/view/parts/narrow_text.h"
#include "ui/view/parts/sparkline.h"
#include "ui/view/parts/stack_list.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include <optional>
#include <utility>

namespace highwater::ui {
namespace {

/// Least column widths in characters. Numbers are as wide as their contents, so that owners have the remaining room.
constexpr int kLetters[LeakTableModel::kColumns] = {3, 30, 9, 7, 8, 7, 7, 7, 30, 6, 6, 7, 7, 20};

QString stacksText(std::size_t count) { return countText(count, "1 stack", "%1 stacks"); }

bool isFiltered(const LeakAnswer& answer, analysis::Table table) {
    const auto* filter = analysis::filterIn(answer.query, table);
    return filter != nullptr && !filter->isEmpty();
}

/// "Heap Allocations (filtered)".
QString tableText(const LeakAnswer& answer, analysis::Table table) {
    const auto title = toQString(analysis::tableTitle(table));
    return isFiltered(answer, table) ? tr("%1 (filtered)").arg(title) : title;
}

QString whyNone(const LeakAnswer& answer) {
    const auto& found = answer.found;
    if (found.suppressed.stacks > 0) return tr("All stacks that keep memory are suppressed");
    QStringList tables;
    bool isAnyFiltered = false;
    for (const auto& searched : found.tables) {
        tables << tableText(answer, searched.table);
        isAnyFiltered |= isFiltered(answer, searched.table);
    }
    auto text = isAnyFiltered
                    ? tr("No memory that was allocated in the interval and matches the filter is kept at its end.")
                    : tr("No memory that was allocated in the interval is kept at its end.");
    if (!found.freedOnExit && !isAnyFiltered)
        text += tr(" To see memory that a program frees on exit, choose an interval that ends earlier.");
    return text + tr(" Searched: %1.").arg(tables.join(QStringLiteral(", ")));
}

/// "Heap Allocations, 0 s to 34 s: 237.7 KB kept by 5 stacks; VirtualAlloc Commit LifeTimes: 20.0 MB kept by 2 stacks".
QString keptText(const LeakAnswer& answer) {
    QString text;
    for (const auto& [table, stacks, bytes] : answer.found.tables) {
        const auto kept =
            stacks == 0 ? tr("no stack keeps memory")
                        : tr("%1 kept by %2").arg(formatBytes(static_cast<SignedByteCount>(bytes)), stacksText(stacks));
        if (text.isEmpty())
            text = tr("%1, %2: %3").arg(tableText(answer, table), formatRange(answer.found.interval), kept);
        else
            text += tr("; %1: %2").arg(tableText(answer, table), kept);
    }
    return text;
}

} // namespace

LeaksView::LeaksView(QWidget* parent)
    : QWidget(parent),
      table_(new PageTable("leakTable", tr("Suspected leaks"))),
      summary_(new BusySummary("leaksSummary", {tr("Searching for leaks…"), tr("%1 (updating…)")})),
      exit_(new QWidget),
      exitText_(new ElidedLabel({})),
      exitZoom_(new QPushButton),
      details_(new StackDetails("leakReason", "leakStack")) {
    setObjectName(QStringLiteral("leaksView"));
    passFocus(*this, *table_);
    buildTable();
    buildExit();
    auto* layout = makePageLayout(*this);
    layout->addLayout(makeSummaryLine(
        summary_, makeShowRowsButton(
                      *table_, tr("Show Rows"),
                      tr("Filter to the selected stack and show its rows in the table (Enter or a double click)"))));
    layout->addWidget(exit_);
    layout->addWidget(makeSideBySide(table_, details_, 2, 1), 1);
    clear(emptyText());
}

void LeaksView::buildTable() {
    table_->setSortedModel(model_, LeakTableModel::kSortRole);
    table_->sortByColumn(LeakTableModel::kRank, Qt::AscendingOrder);
    table_->setRootIsDecorated(false);
    table_->setItemDelegateForColumn(LeakTableModel::kOwner, new FrameDelegate(table_));
    table_->setItemDelegateForColumn(LeakTableModel::kTrend,
                                     new SparklineDelegate(LeakTableModel::kLevelsRole, table_));
    table_->setLetters(kLetters);
    owners_ = new FittedColumn(*table_, LeakTableModel::kOwner, LeakTableModel::kHeld);
    table_->setCopiedLines([this] { return copiedLines(); });
    connect(table_, &PageTable::rowReached, this, [this] {
        isChosen_ = true;
        showDetails();
        if (const auto* suspect = selected()) emit painted(*suspect);
    });
    connect(table_, &PageTable::toggled, this, &LeaksView::toggleFilter);
    connect(table_, &PageTable::enterPressed, this, &LeaksView::openRows);
    connect(table_, &QTreeView::doubleClicked, this, &LeaksView::openRows);
}

void LeaksView::buildExit() {
    exit_->setObjectName(QStringLiteral("leaksExit"));
    exitText_->setObjectName(QStringLiteral("leaksExitText"));
    exitText_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    exitZoom_->setObjectName(QStringLiteral("leaksExitZoom"));
    exitZoom_->setToolTip(tr("Zoom to the time before the exit"));
    auto* layout = new QHBoxLayout(exit_);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(exitText_, 1);
    layout->addWidget(exitZoom_);
    connect(exitZoom_, &QPushButton::clicked, this, [this] {
        const auto& answer = model_.answer();
        if (!answer || !answer->found.freedOnExit) return;
        isChosen_ = false; // it is a new answer, and its first suspect is to be selected
        emit zoomWanted(answer->found.freedOnExit->range);
    });
}

void LeaksView::showExit() {
    const auto& answer = model_.answer();
    exit_->setVisible(answer && answer->found.freedOnExit);
    if (exit_->isHidden()) return;
    const auto& freed = *answer->found.freedOnExit;
    exitText_->setText(
        tr("%1 To see the stacks that kept %2 shortly before, zoom to the time before the exit.")
            .arg(lineText(analysis::freedText(freed)), formatBytes(static_cast<SignedByteCount>(freed.bytes))));
    constexpr std::int64_t kHundredthOfSecond = 10'000'000;
    exitZoom_->setText(
        tr("Zoom to %1 - %2")
            .arg(formatTick(freed.range.start, kHundredthOfSecond), formatTick(freed.range.end, kHundredthOfSecond)));
}

const analysis::LeakSuspect* LeaksView::selected() const { return model_.suspect(table_->current().row()); }

void LeaksView::openRows() {
    if (const auto* suspect = selected()) emit rowsWanted(*suspect);
}

void LeaksView::toggleFilter() {
    const auto* suspect = selected();
    if (suspect == nullptr) return;
    isChosen_ = true;
    if (suspect->path == filtered_ && suspect->table == filteredTable_)
        emit filterUnwanted();
    else
        emit filterWanted(*suspect);
}

void LeaksView::setAnswer(std::shared_ptr<const LeakAnswer> answer, bool areNamesComing) {
    const auto* before = isChosen_ ? selected() : nullptr;
    const auto path = before == nullptr ? analysis::KeyPath() : before->path;
    const auto of = before == nullptr ? analysis::Table::Heap : before->table;
    table_->refresh([&] {
        model_.setAnswer(std::move(answer), areNamesComing);
        table_->setColumnHidden(LeakTableModel::kHeld, !model_.hasHeldPages());
        for (const auto column : {LeakTableModel::kUnreachable, LeakTableModel::kHeldBy})
            table_->setColumnHidden(column, !model_.hasPicture());
        // Both amounts would leave no room for the owners in a narrow page.
        owners_->setLast(model_.hasPicture() ? LeakTableModel::kUnreachable : LeakTableModel::kHeld);
        // Selects the first if the user has chosen none (of these), because its reason is the purpose of the page.
        const auto chosen = path.empty() ? std::nullopt : model_.rowOf(of, path);
        isChosen_ = chosen.has_value();
        const auto row = chosen.value_or(0);
        if (row < model_.rowCount()) table_->setCurrentIndex(table_->fromSource(model_.index(row, 0)));
    });
    widenColumns(*table_,
                 {LeakTableModel::kOwner, LeakTableModel::kHeldBy, LeakTableModel::kProcess, LeakTableModel::kTrend});
    widenOwners();
    showSummary();
    showExit();
    showTip();
    showDetails();
}

/// Owners with their source lines are long, and the answer: they take up to two fifths of the table. In a narrow table,
/// the amounts need the room.
void LeaksView::widenOwners() {
    const QAbstractItemView& items = *table_; // QTreeView hides the hint
    const auto wanted = std::min(items.sizeHintForColumn(LeakTableModel::kOwner), table_->viewport()->width() * 2 / 5);
    owners_->setWanted(std::max(wanted, owners_->wanted()));
}

void LeaksView::clear(const QString& why) {
    table_->refresh([this] { model_.setAnswer(nullptr); });
    summary_->setReason(why);
    showExit();
    showTip();
    showDetails();
}

void LeaksView::setBusy(bool busy) {
    summary_->setBusy(busy);
    showTip();
}

/// A narrow page shows only the start of the summary, so its tooltip contains all of it.
void LeaksView::showTip() {
    auto text = summary_->text();
    if (model_.rowCount() > 0)
        text +=
            QLatin1Char('\n') + tr("Kept: allocated in the interval and outstanding at its end. Outstanding, in the "
                                   "list, also includes memory that the same stacks allocated before the interval.");
    summary_->setToolTip(tooltipText(text));
}

void LeaksView::showSummary() {
    const auto& answer = model_.answer();
    if (!answer) return summary_->setAnswer({});
    const auto& report = answer->found;
    auto text = keptText(*answer);
    if (report.suspects.size() < report.count)
        text += countText(report.suspects.size(), "; the list shows the most suspicious stack",
                          "; the list shows the %1 most suspicious stacks");
    if (report.suspects.empty()) text = report.untraced.empty() ? whyNone(*answer) : QString();
    for (const auto& untraced : report.untraced)
        text += (text.isEmpty() ? QString() : tr("; ")) + lineText(analysis::untracedText(untraced));
    // Added before long parts because a narrow line is cut.
    if (report.suppressed.stacks == 0 && report.suppressed.areAsked) text += tr(" (suppressed: no stack)");
    if (report.suppressed.stacks > 0)
        text += tr(" (suppressed: %1, %2)")
                    .arg(stacksText(report.suppressed.stacks),
                         formatBytes(static_cast<SignedByteCount>(report.suppressed.keptBytes)));
    if (const auto leftOut = analysis::heapMemoryText(report.heapMemory); !leftOut.empty())
        text += tr(" (%1)").arg(toQString(leftOut));
    if (report.keptUntilExit > 0 && !report.suspects.empty())
        text += tr("; %1 of this was still allocated when the process ended")
                    .arg(formatBytes(static_cast<SignedByteCount>(report.keptUntilExit)));
    summary_->setAnswer(text);
}

void LeaksView::showDetails() {
    const auto* suspect = selected();
    if (suspect != nullptr) return details_->setDetails(toQString(suspect->why), suspect->stack, suspect->ownerFrame);
    details_->setDetails(model_.rowCount() == 0 ? QString() : tr("Select a stack to see why it is suspected."));
}

/// The text for a bug report about the selected suspect, or about the whole list.
QStringList LeaksView::copiedLines() const {
    const auto linesOf = [](const analysis::LeakSuspect& suspect) {
        return QStringList{
            QStringLiteral("%1 (%2)").arg(visibleText(analysis::ownerText(suspect)), visibleText(suspect.process)),
            QStringLiteral("  ") + visibleText(suspect.why)};
    };
    if (const auto* suspect = selected()) return linesOf(*suspect) + indentedFrames(suspect->stack);
    QStringList lines;
    for (int row = 0; row < model_.rowCount(); ++row)
        lines += linesOf(*model_.suspect(row));
    return lines;
}

} // namespace highwater::ui

#include "moc_leaks_view.cpp"
