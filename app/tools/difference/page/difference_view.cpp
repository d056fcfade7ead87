#include "app/tools/difference/page/difference_view.h"

#include "app/tools/difference/page/difference_chart.h"
#include "app/tools/difference/page/rename_offer.h"
#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/flames/flame_canvas.h"
#include "ui/view/flames/tree_flames_view.h"
#include "ui/view/parts/narrow_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

/// Column widths in characters; the first column takes the rest.
constexpr int kLetters[DifferenceModel::kColumns] = {0, 14, 13, 13, 13, 14, 14, 14};
constexpr QChar kBetween = QLatin1Char('\n'); ///< separator of path texts; does not occur in displayed text

} // namespace

DifferenceView::DifferenceView(QWidget* parent)
    : QWidget(parent),
      tree_(new PageTable("differenceTree", tr("Differences"))),
      summary_(new BusySummary("differenceSummary", {tr("Comparing…"), tr("%1 (updating…)")})),
      sides_(new ElidedLabel({})),
      notes_(new PlainLabel),
      measure_(new QComboBox),
      bottomUp_(new QCheckBox(tr("&Bottom-up"))),
      shows_(new QComboBox),
      whole_(new QToolButton),
      renames_(new QToolButton),
      offer_(new RenameOffer),
      splitter_(new QSplitter(Qt::Vertical)),
      chart_(new DifferenceChart),
      flames_(new TreeFlamesView(
          {QStringLiteral("differenceFlame"), tr("Differences as a flame graph"), tr("Difference flames")})),
      progress_(new QProgressBar),
      cancel_(new QPushButton(tr("Cancel"))) {
    build();
}

void DifferenceView::build() {
    setObjectName(QStringLiteral("differenceView"));
    buildTree();
    summary_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    sides_->setObjectName(QStringLiteral("differenceSides"));
    notes_->setObjectName(QStringLiteral("differenceNotes"));
    notes_->setWordWrap(true);
    progress_->setObjectName(QStringLiteral("differenceProgress"));
    cancel_->setObjectName(QStringLiteral("differenceCancel"));
    buildChoices();
    auto* top = new QHBoxLayout;
    top->addWidget(summary_, 1);
    for (auto* widget : QList<QWidget*>{progress_, cancel_, whole_, shows_, measure_, bottomUp_, renames_})
        top->addWidget(widget);
    top->addWidget(makeShowRowsButton(
        *tree_, tr("Show Rows"), tr("Filter to the selected group, or remove that filter (Enter or a double click)")));
    splitter_->setObjectName(QStringLiteral("differenceSplitter"));
    splitter_->setChildrenCollapsible(false);
    splitter_->addWidget(chart_);
    splitter_->addWidget(tree_);
    splitter_->setStretchFactor(0, 2);
    splitter_->setStretchFactor(1, 3);
    splitter_->setSizes({150, 200});
    auto* layout = makePageLayout(*this);
    layout->addLayout(top);
    layout->addWidget(sides_);
    layout->addWidget(offer_);
    layout->addWidget(splitter_, 1);
    layout->addWidget(flames_, 1);
    layout->addWidget(notes_);
    setProgress({});
    setShows(Shows::TableAndGraph);
    setRenamable(false, 0);
    connectViews();
}

void DifferenceView::buildChoices() {
    measure_->setObjectName(QStringLiteral("differenceMeasure"));
    measure_->setAccessibleName(tr("Measure to compare"));
    measure_->setToolTip(tr("Measure to compare"));
    measure_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    for (const auto measure : analysis::kMeasures)
        measure_->addItem(measureText(measure));
    bottomUp_->setObjectName(QStringLiteral("differenceBottomUp"));
    bottomUp_->setToolTip(tr("Show stacks starting with the allocating function"));
    bottomUp_->setChecked(true);
    shows_->setObjectName(QStringLiteral("differenceShows"));
    shows_->setAccessibleName(tr("Display mode"));
    shows_->setToolTip(tr("Display mode"));
    shows_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    shows_->addItems({tr("Table"), tr("Table and Graph"), tr("Flame Graph")});
    whole_->setObjectName(QStringLiteral("differenceWhole"));
    whole_->setText(tr("All Rows"));
    whole_->setCheckable(true);
    whole_->setAutoRaise(true);
    whole_->setFocusPolicy(Qt::TabFocus);
    whole_->setToolTip(tr("Show all rows together in the graph instead of the selected rows"));
    renames_->setObjectName(QStringLiteral("differenceRenames"));
    renames_->setAutoRaise(true);
    renames_->setFocusPolicy(Qt::TabFocus);
    renames_->setToolTip(tr("Programs, modules and functions that were renamed"));
}

void DifferenceView::connectViews() {
    connect(measure_, &QComboBox::activated, this, &DifferenceView::questionChanged);
    connect(bottomUp_, &QCheckBox::clicked, this, &DifferenceView::questionChanged);
    connect(cancel_, &QPushButton::clicked, this, &DifferenceView::cancelWanted);
    connect(shows_, &QComboBox::activated, this, [this] {
        setShows(shows());
        requestPictures();
    });
    connect(whole_, &QToolButton::clicked, this, &DifferenceView::requestPictures);
    connect(renames_, &QToolButton::clicked, this, &DifferenceView::renamesWanted);
    connect(tree_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!tree_->isRefreshing()) requestPictures();
    });
    connect(flames_, &TreeFlamesView::rowWanted, this, &DifferenceView::goToRow);
    connect(flames_, &TreeFlamesView::filterWanted, this, [this](const QStringList& path) {
        if (const auto row = rowOf(path)) emit filterWanted(*row);
    });
    connect(flames_, &TreeFlamesView::pictureFailed, this, &DifferenceView::setRemark);
}

void DifferenceView::buildTree() {
    tree_->setSortedModel(model_, DifferenceModel::kSortRole);
    tree_->sortByColumn(-1, Qt::DescendingOrder);                  // in the order of the answer: largest change first
    tree_->setSelectionMode(QAbstractItemView::ExtendedSelection); // the graph shows several together
    tree_->setItemDelegateForColumn(0, new FrameDelegate(tree_));
    tree_->setIndentation(10); // stacks are deep
    tree_->setExpandsOnDoubleClick(false); // a double click filters
    tree_->header()->setSortIndicatorClearable(true);
    tree_->header()->setStretchLastSection(false);
    tree_->setLetters(kLetters);
    tree_->header()->setSectionResizeMode(DifferenceModel::kGroup, QHeaderView::Stretch); // names take all the room
    tree_->setCopiedLines([this] { return copiedLines(); });
    connect(tree_, &PageTable::rowReached, this, [this] {
        isChosen_ = true;
        if (const auto at = selected(); at.isValid()) emit painted(DifferenceModel::rowOf(at));
    });
    connect(tree_, &PageTable::toggled, this, &DifferenceView::toggleFilter);
    connect(tree_, &PageTable::enterPressed, this, &DifferenceView::toggleFilter);
    connect(tree_, &QTreeView::doubleClicked, this, &DifferenceView::toggleFilter);
}

analysis::Measure DifferenceView::measure() const {
    return analysis::kMeasures[static_cast<std::size_t>(std::max(0, measure_->currentIndex()))];
}

void DifferenceView::offerMeasures(const analysis::DifferenceQuery& query) {
    const auto whyNot = [&query](analysis::Measure measure) {
        if (!analysis::hasMeasure(query.table, measure))
            return tr("Not available because a heap snapshot shows a single instant, without allocations and frees.");
        const auto why = analysis::whyNoMeasure(query, measure);
        return why.empty() ? QString() : tr("Not meaningful: %1.").arg(toQString(why));
    };
    auto* items = qobject_cast<QStandardItemModel*>(measure_->model());
    for (int i = 0; i < measure_->count(); ++i) {
        const auto why = whyNot(analysis::kMeasures[static_cast<std::size_t>(i)]);
        items->item(i)->setEnabled(why.isEmpty());
        items->item(i)->setToolTip(tooltipText(why));
    }
    if (!items->item(measure_->currentIndex())->isEnabled()) measure_->setCurrentIndex(0);
}

bool DifferenceView::isBottomUp() const { return bottomUp_->isChecked(); }

QModelIndex DifferenceView::selected() const { return tree_->current(); }

QStringList DifferenceView::selectedPath() const {
    return selected().isValid() ? model_.pathOf(selected()) : QStringList();
}

void DifferenceView::toggleFilter() {
    const auto at = selected();
    if (!at.isValid()) return;
    if (model_.pathOf(at) == filtered_)
        emit filterUnwanted();
    else
        emit filterWanted(DifferenceModel::rowOf(at));
}

QSet<QString> DifferenceView::openPaths() const {
    QSet<QString> paths;
    QModelIndexList waiting{{}};
    while (!waiting.isEmpty()) {
        const auto parent = waiting.takeLast();
        for (int row = 0; row < tree_->model()->rowCount(parent); ++row) {
            const auto child = tree_->model()->index(row, 0, parent);
            if (!tree_->isExpanded(child)) continue;
            paths.insert(model_.pathOf(tree_->toSource(child)).join(kBetween));
            waiting << child;
        }
    }
    return paths;
}

void DifferenceView::openAgain(const QSet<QString>& paths) {
    QModelIndexList waiting{{}};
    while (!waiting.isEmpty()) {
        const auto parent = waiting.takeLast();
        for (int row = 0; row < tree_->model()->rowCount(parent); ++row) {
            const auto child = tree_->model()->index(row, 0, parent);
            if (!paths.contains(model_.pathOf(tree_->toSource(child)).join(kBetween))) continue;
            tree_->expand(child);
            waiting << child;
        }
    }
}

/// The largest change with its functions, which is the purpose of the page.
void DifferenceView::openFirst() {
    const auto* shown = tree_->model();
    const auto first = shown->index(0, 0);
    tree_->expand(first);
    tree_->setCurrentIndex(shown->hasChildren(first) ? shown->index(0, 0, first) : first);
}

QModelIndex DifferenceView::find(const QStringList& path) const {
    QModelIndex at;
    for (const auto& text : path) {
        QModelIndex next;
        for (int row = 0; row < model_.rowCount(at) && !next.isValid(); ++row) {
            const auto child = model_.index(row, 0, at);
            if (model_.pathOf(child).last() == text) next = child;
        }
        if (!next.isValid()) return {};
        at = next;
    }
    return at;
}

void DifferenceView::setAnswer(std::shared_ptr<const DifferenceAnswer> answer) {
    const auto before = selectedPath();
    const auto path = isChosen_ ? before : QStringList();
    const auto open = openPaths();
    tree_->refresh([&] {
        model_.setAnswer(std::move(answer));
        openAgain(open);
        // Selects the largest change if the user has chosen none (of these): a later answer may have a larger one.
        const auto at = find(path);
        isChosen_ = at.isValid();
        if (isChosen_) tree_->setCurrentIndex(tree_->fromSource(at));
        if (!isChosen_ || open.isEmpty()) openFirst();
    });
    if (const auto at = selected(); !isChosen_ && at.isValid() && selectedPath() != before)
        emit firstShown(DifferenceModel::rowOf(at));
    if (model_.answer()) offer_->setSuggestions(model_.answer()->suggestions);
    flames_->setBottomUp(isBottomUp());
    setShows(shows()); // snapshots have no lines
    showSummary();
    requestPictures();
}

void DifferenceView::setSides(const QString& before, const QString& after) {
    before_ = before;
    after_ = after;
    chart_->setNames(before, after);
    sides_->setText(before.isEmpty() ? QString() : tr("Before: %1. After: %2.").arg(before, after));
}

void DifferenceView::clear(const QString& why) {
    tree_->refresh([this] { model_.setAnswer(nullptr); });
    chart_->setTimeline(nullptr);
    flames_->setAnswer(nullptr);
    offer_->setSuggestions({});
    setSides({}, {});
    remark_.clear();
    showSummary();
    summary_->setReason(why);
}

void DifferenceView::setProgress(std::optional<int> percent) {
    progress_->setVisible(percent.has_value());
    cancel_->setVisible(percent.has_value());
    progress_->setValue(percent.value_or(0));
}

void DifferenceView::setRemark(const QString& sentence) {
    remark_ = sentence;
    showSummary();
}

void DifferenceView::showSummary() {
    const auto& answer = model_.answer();
    if (!answer) {
        summary_->setAnswer({});
        notes_->setSentence(remark_);
        return;
    }
    const auto& all = answer->rows.front();
    const auto amount = [&](std::int64_t value) {
        return answer->decides == analysis::Measure::Count ? formatCount(value) : formatBytes(value);
    };
    const auto delta = all.change.delta();
    const auto values = delta == 0 ? tr("%1 before and after").arg(amount(all.change.after))
                                   : tr("%1 before, %2 after (%3)")
                                         .arg(amount(all.change.before), amount(all.change.after),
                                              (delta > 0 ? QStringLiteral("+") : QString()) + amount(delta));
    auto text =
        tr("%1, %2: %3").arg(toQString(analysis::tableTitle(answer->table)), measureText(answer->decides), values);
    if (all.children.empty()) text = tr("No rows match on either side.");
    summary_->setAnswer(text);
    QStringList sentences;
    if (!remark_.isEmpty()) sentences << remark_;
    for (const auto& note : answer->notes)
        sentences << toQString(note);
    if (answer->isCut)
        sentences << countText(answer->rows.size(), "The tree is too large, so only its first row is listed.",
                               "The tree is too large, so only the %1 rows nearest to the root are listed. Filter it "
                               "to list deeper rows.");
    notes_->setSentence(sentences.join(QLatin1Char(' ')));
}

/// The selected row with its numbers, and all its ancestors.
std::optional<QStringList> DifferenceView::copiedLines() const {
    if (!selected().isValid()) return {};
    QStringList lines;
    for (auto at = selected(); at.isValid(); at = at.parent())
        lines.prepend(tabbedCells(at));
    return lines;
}

} // namespace highwater::ui

#include "moc_difference_view.cpp"
