#include "ui/view/leaks/leaks_view.h"

#include "core/base/text.h"
#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/row_height.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/fitted_columns.h"
#include "ui/view/parts/narrow_text.h"
#include "ui/view/parts/sorted_header.h"
#include "ui/view/parts/sparkline.h"
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
constexpr int kLetters[LeakTableModel::kColumns] = {4, 30, 12, 9, 10, 11, 7, 8, 8, 20};

QString stacksText(std::size_t count) {
    return count == 1 ? tr("1 stack") : tr("%1 stacks").arg(formatCount(static_cast<std::int64_t>(count)));
}

QString whyNone(const LeakAnswer& answer) {
    if (answer.report.suppressed.stacks > 0) return tr("All stacks that keep memory are suppressed");
    return answer.isFiltered
               ? tr("Nothing that was allocated in the interval and passes the filter is kept at its end.")
               : tr("Nothing that was allocated in the interval is kept at its end. What a program frees as it ends "
                    "shows in an interval that ends before.");
}

} // namespace

LeaksView::LeaksView(QWidget* parent)
    : QWidget(parent),
      sorted_(new QSortFilterProxyModel(this)),
      table_(new QTreeView),
      summary_(new ElidedLabel({})),
      why_(new PlainLabel),
      stack_(new StackList) {
    build();
    clear(tr("Open or record a trace to see which stacks keep memory."));
}

void LeaksView::build() {
    setObjectName(QStringLiteral("leaksView"));
    buildTable();
    summary_->setObjectName(QStringLiteral("leaksSummary"));
    why_->setObjectName(QStringLiteral("leakReason"));
    why_->setWordWrap(true);
    why_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    stack_->setObjectName(QStringLiteral("leakStack"));
    auto* details = new QWidget;
    auto* column = new QVBoxLayout(details);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(why_);
    column->addWidget(stack_, 1);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(table_);
    splitter->addWidget(details);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    layout->addWidget(summary_);
    layout->addWidget(splitter, 1);
}

void LeaksView::buildTable() {
    sorted_->setSourceModel(&model_);
    sorted_->setSortRole(LeakTableModel::kSortRole);
    sorted_->setSortCaseSensitivity(Qt::CaseInsensitive);
    table_->setObjectName(QStringLiteral("leakTable"));
    table_->setAccessibleName(tr("Suspects of leaks"));
    table_->setModel(sorted_);
    table_->setRootIsDecorated(false);
    useOneRowHeight(*table_);
    table_->setAlternatingRowColors(true);
    table_->setItemDelegateForColumn(LeakTableModel::kOwner, new FrameDelegate(table_));
    sortByHeader(*table_);
    table_->sortByColumn(LeakTableModel::kRank, Qt::AscendingOrder);
    table_->setItemDelegateForColumn(LeakTableModel::kTrend,
                                     new SparklineDelegate(LeakTableModel::kLevelsRole, table_));
    table_->header()->setStretchLastSection(true);
    for (int column = 0; column < LeakTableModel::kColumns; ++column)
        table_->setColumnWidth(column, fontMetrics().averageCharWidth() * kLetters[column]);
    table_->installEventFilter(this);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        showDetails();
        if (const auto* suspect = selected(); suspect != nullptr && !isRefreshing_) emit painted(*suspect);
    });
    connect(table_, &QTreeView::clicked, this, &LeaksView::toggleFilter);
    connect(table_, &QTreeView::doubleClicked, this, [this] {
        if (const auto* suspect = selected()) emit rowsWanted(*suspect);
    });
    auto* copies = new QShortcut(QKeySequence::Copy, table_, this, &LeaksView::copy);
    copies->setContext(Qt::WidgetShortcut);
}

bool LeaksView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        const auto* suspect = selected();
        if (suspect != nullptr && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
            emit rowsWanted(*suspect);
            return true;
        }
        if (suspect != nullptr && key == Qt::Key_Space) {
            toggleFilter();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

const analysis::LeakSuspect* LeaksView::selected() const {
    const auto current = table_->selectionModel()->currentIndex();
    return current.isValid() ? model_.suspect(sorted_->mapToSource(current).row()) : nullptr;
}

void LeaksView::toggleFilter() {
    const auto* suspect = selected();
    if (suspect == nullptr) return;
    if (suspect->path == filtered_)
        emit filterUnwanted();
    else
        emit filterWanted(*suspect);
}

void LeaksView::setFiltered(const analysis::KeyPath& path) { filtered_ = path; }

void LeaksView::setAnswer(std::shared_ptr<const LeakAnswer> answer) {
    const auto* before = selected();
    const auto path = before == nullptr ? analysis::KeyPath() : before->path;
    isRefreshing_ = true;
    model_.setAnswer(std::move(answer));
    // Where nobody chose one, the first: its reason is what the page is opened for.
    const auto row = path.empty() ? std::optional(0) : model_.rowOf(path);
    if (row && *row < model_.rowCount()) table_->setCurrentIndex(sorted_->mapFromSource(model_.index(*row, 0)));
    isRefreshing_ = false;
    widenColumns(*table_, {LeakTableModel::kOwner, LeakTableModel::kProcess, LeakTableModel::kTrend});
    showSummary();
    showDetails();
}

void LeaksView::clear(const QString& why) {
    isRefreshing_ = true;
    model_.setAnswer(nullptr);
    isRefreshing_ = false;
    setSummary(why);
    showDetails();
}

void LeaksView::setBusy(bool busy) {
    isBusy_ = busy;
    if (model_.answer() || busy) showSummary();
}

/// A narrow page shows the begin of it, its tooltip all.
void LeaksView::setSummary(const QString& text) {
    summary_->setText(text);
    summary_->setToolTip(tooltipText(text));
}

void LeaksView::showSummary() {
    const auto& answer = model_.answer();
    if (!answer) return setSummary(isBusy_ ? tr("Looking for leaks…") : summary_->text());
    const auto& report = answer->report;
    auto text = tr("%1, %2 to %3: %4 kept by %5")
                    .arg(toQString(analysis::tableTitle(answer->table)), formatTime(report.interval.start),
                         formatTime(report.interval.end), formatBytes(static_cast<SignedByteCount>(report.keptBytes)),
                         stacksText(report.count));
    if (report.suspects.size() < report.count) text += tr(", of which the first %1").arg(report.suspects.size());
    if (report.suspects.empty()) text = whyNone(*answer);
    // Before what is long: a narrow line ends early.
    if (report.suppressed.stacks == 0 && report.suppressed.areAsked) text += tr(" (suppressed: no stack)");
    if (report.suppressed.stacks > 0)
        text += tr(" (suppressed: %1, %2)")
                    .arg(stacksText(report.suppressed.stacks),
                         formatBytes(static_cast<SignedByteCount>(report.suppressed.keptBytes)));
    if (report.keptUntilExit > 0 && !report.suspects.empty())
        text += tr("; of this, %1 until the process ended")
                    .arg(formatBytes(static_cast<SignedByteCount>(report.keptUntilExit)));
    setSummary(isBusy_ ? tr("%1 - looking…").arg(text) : text);
    if (report.suspects.empty()) return;
    summary_->setToolTip(
        tooltipText(summary_->text() + QLatin1Char('\n') +
                    tr("Kept: made in the interval, and outstanding at its end. Outstanding, in the list, "
                       "has what the same stacks made before the interval, too.")));
}

void LeaksView::showDetails() {
    const auto* suspect = selected();
    stack_->clear();
    if (suspect == nullptr) {
        why_->setSentence(model_.rowCount() == 0 ? QString()
                                                 : tr("Select a stack to read why it stands where it does."));
        return;
    }
    why_->setSentence(toQString(suspect->why));
    stack_->setStack(suspect->stack, suspect->ownerFrame);
}

/// What a bug report needs of the selected suspect, else all of the list.
void LeaksView::copy() {
    QStringList lines;
    const auto add = [&](const analysis::LeakSuspect& suspect, bool withStack) {
        lines << QStringLiteral("%1 (%2)").arg(visibleText(suspect.owner), visibleText(suspect.process))
              << QStringLiteral("  ") + visibleText(suspect.why);
        for (const auto& frame : suspect.stack) {
            if (withStack) lines << QStringLiteral("    ") + visibleText(frame);
        }
    };
    if (const auto* suspect = selected()) {
        add(*suspect, true);
    } else {
        for (int row = 0; row < model_.rowCount(); ++row)
            add(*model_.suspect(row), false);
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace highwater::ui

#include "moc_leaks_view.cpp"
