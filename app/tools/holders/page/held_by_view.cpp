#include "app/tools/holders/page/held_by_view.h"

#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/focus.h"
#include "ui/view/flames/tree_flames_view.h"
#include "ui/view/parts/fitted_columns.h"
#include "ui/view/parts/narrow_text.h"
#include "ui/view/parts/plain_widgets.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace highwater::ui {
namespace {

using analysis::BlockSum, analysis::HeldBy;

/// Least column widths in characters. Columns are as wide as their contents, so that names have the remaining room.
constexpr int kHeldLetters[HeldByModel::kColumns] = {40, 9, 7, 9, 9, 7, 9, 7, 9, 7};

constexpr std::size_t kMostOpenRows = 1000; ///< approximate number of rows that stay open in a new answer
constexpr int kBoxLetters = 16;             ///< for a time and a process, whose name may be longer

using Sums = decltype(HeldBy::sums);

QString sumText(const BlockSum& sum) {
    return ui::tr("%1 (%2)").arg(formatBytes(static_cast<SignedByteCount>(sum.bytes)),
                                 countText(sum.count, "1 block", "%1 blocks"));
}

/// "1.2 MB (340 blocks) reachable, including 3.0 KB (2 blocks) possibly reachable; 70 B (1 block) unreachable".
QString sumsText(const Sums& sums) {
    const auto of = [&](Reachability reachability) { return sums[static_cast<std::size_t>(reachability)]; };
    const auto possible = of(Reachability::Possible), indirect = of(Reachability::OnlyLeaked);
    auto held = of(Reachability::Reachable), lost = of(Reachability::Unreachable);
    auto text = ui::tr("%1 reachable").arg(sumText(held += possible));
    if (possible.count > 0) text += ui::tr(", including %1 possibly reachable").arg(sumText(possible));
    text += ui::tr("; %1 unreachable").arg(sumText(lost += indirect));
    if (indirect.count > 0) text += ui::tr(", including %1 indirectly leaked").arg(sumText(indirect));
    return text;
}

/// "3 processes: 4.1 MB (700 blocks) reachable; 70 B (1 block) unreachable. "; empty if there is only one.
QString togetherText(const HeldByModel& model) {
    if (model.rowCount() < 2) return {};
    Sums sums{};
    for (const auto& process : model.answer()->found.processes)
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] += process.sums[i];
    return ui::tr("%1: %2. ")
        .arg(countText(static_cast<std::uint64_t>(model.rowCount()), "1 process", "%1 processes"), sumsText(sums));
}

QString changeText(const HeldBy& process, const std::optional<BlockSum>& before) {
    if (!before) return ui::tr(" This process has no picture to compare with.");
    const auto change = static_cast<SignedByteCount>(totalOf(process).bytes - before->bytes);
    return ui::tr(" Compared with the other picture: %1.").arg(formatByteDelta(change));
}

/// Whether there is another picture to choose for any process.
bool isChoice(const std::vector<TakenPicture>& pictures) {
    std::set<std::uint32_t> processes;
    return !std::ranges::all_of(
        pictures, [&](const TakenPicture& picture) { return processes.insert(picture.process.value).second; });
}

bool areOfSeveralProcesses(const std::vector<TakenPicture>& pictures) {
    return std::ranges::any_of(
        pictures, [&](const TakenPicture& picture) { return picture.process != pictures.front().process; });
}

} // namespace

HeldByView::HeldByView(QWidget* parent)
    : QWidget(parent),
      table_(new PageTable("heldByTable", tr("Held By"))),
      flames_(new TreeFlamesView({QStringLiteral("heldByFlame"), tr("Held By as a flame graph"), tr("Held by")})),
      views_(new QStackedWidget),
      asFlames_(new QToolButton),
      summary_(new BusySummary("heldBySummary", {tr("Counting…"), tr("%1 (updating…)")})),
      pictures_(new QComboBox),
      earlier_(new QComboBox),
      choice_(new QWidget),
      show_(addListAction(*table_, "showHeldRows", tr("Show &Rows\tEnter"), {})),
      filter_(addListAction(*table_, "filterToHeldRows", tr("&Filter to Selection\tSpace"), {})) {
    setObjectName(QStringLiteral("heldByView"));
    passFocus(*this, *table_);
    buildTable();
    buildPictures();
    buildFlames();
    auto* layout = makePageLayout(*this);
    layout->addLayout(makeTop());
    layout->addWidget(views_, 1);
    clear(emptyText());
}

void HeldByView::buildTable() {
    table_->setSortedModel(model_, HeldByModel::kSortRole);
    table_->sortByColumn(-1, Qt::DescendingOrder); // in the order of the answer
    table_->header()->setSortIndicatorClearable(true);
    table_->setItemDelegateForColumn(HeldByModel::kName, new FrameDelegate(table_));
    table_->setExpandsOnDoubleClick(false);
    table_->setAllColumnsShowFocus(true);
    table_->setLetters(kHeldLetters);
    table_->header()->setStretchLastSection(false); // otherwise, hidden columns keep their room
    hideChanges(true);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    names_ = new FittedColumn(*table_, HeldByModel::kName, HeldByModel::kColumns - 1); // the table owns it
    fitColumns();
    names_->setWanted(std::numeric_limits<int>::max()); // all remaining room
    table_->setCopiedLines([this] { return copiedLines(); });
    connect(table_, &PageTable::rowReached, this, [this] {
        isChosen_ = true;
        if (model_.process(table_->current()) != offered_) showPictures();
        showSummary();
        if (table_->current().isValid()) emit painted(model_.rowsOf(table_->current()));
    });
    const auto choose = [this] {
        if (table_->isRefreshing()) return;
        isChosen_ = true;
        fitColumns();
    };
    connect(table_, &QTreeView::expanded, this, choose);
    connect(table_, &QTreeView::collapsed, this, choose);
    connect(table_, &PageTable::toggled, this, &HeldByView::toggleFilter);
    connect(table_, &PageTable::enterPressed, this, &HeldByView::askForRows);
    connect(table_, &QTreeView::doubleClicked, this, &HeldByView::askForRows);
    connect(show_, &QAction::triggered, this, &HeldByView::askForRows);
    connect(filter_, &QAction::triggered, this, &HeldByView::toggleFilter);
}

void HeldByView::buildPictures() {
    auto* line = new QHBoxLayout(choice_);
    line->setContentsMargins(0, 0, 0, 0);
    const auto add = [&](QComboBox* box, const char* name, const QString& text, const QString& toolTip) {
        auto* label = new PlainLabel(text);
        label->setBuddy(box);
        box->setObjectName(QLatin1String(name));
        box->setAccessibleName(QString(text).remove(QLatin1Char('&')).remove(QLatin1Char(':')));
        box->setToolTip(tooltipText(toolTip));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(kBoxLetters);
        line->addWidget(label);
        line->addWidget(box);
    };
    add(pictures_, "heldByPicture", tr("Pict&ure:"),
        tr("Show this picture of memory instead of the newest one in the interval"));
    add(earlier_, "heldByEarlier", tr("C&ompared with:"), tr("Show how much each row has changed since this picture"));
    connect(pictures_, &QComboBox::activated, this, [this] { emit pictureWanted(chosenIn(*pictures_)); });
    connect(earlier_, &QComboBox::activated, this, [this] { emit comparisonWanted(chosenIn(*earlier_)); });
}

std::optional<TraceTime> HeldByView::chosenIn(const QComboBox& box) const {
    const auto time = box.currentData();
    return time.isValid() ? std::optional(TraceTime{time.toLongLong()}) : std::nullopt;
}

void HeldByView::buildFlames() {
    views_->addWidget(table_);
    views_->addWidget(flames_);
    asFlames_->setObjectName(QStringLiteral("heldByAsFlames"));
    asFlames_->setText(tr("Fla&mes"));
    asFlames_->setCheckable(true);
    asFlames_->setFocusPolicy(Qt::TabFocus);
    asFlames_->setToolTip(
        tooltipText(tr("Show the tree as a flame graph: the wider a frame, the more memory it holds")));
    connect(asFlames_, &QToolButton::toggled, this, [this](bool isOn) {
        views_->setCurrentIndex(isOn ? 1 : 0);
        passFocus(*this, isOn ? static_cast<QWidget&>(*flames_) : *table_);
    });
    connect(flames_, &TreeFlamesView::rowWanted, this, &HeldByView::goToRow);
    connect(flames_, &TreeFlamesView::filterWanted, this, [this](const QStringList& path) {
        const auto row = rowOf(path);
        if (const auto rows = model_.rowsOf(row); !rows.empty()) emit filterWanted(rows, textOf(row));
    });
    connect(flames_, &TreeFlamesView::pictureFailed, this,
            [this](const QString& sentence) { summary_->setAnswer(sentence); });
}

QModelIndex HeldByView::rowOf(const QStringList& path) const {
    HeldByModel::RowName name;
    for (const auto& text : path)
        name.push_back(text.toStdString());
    const auto row = model_.nearestTo(name);
    return model_.nameOf(row) == name ? row : QModelIndex();
}

void HeldByView::goToRow(const QStringList& path) {
    const auto row = rowOf(path);
    if (!row.isValid()) return;
    asFlames_->setChecked(false);
    select(row);
    table_->setFocus();
}

/// The choices are in two lines, because the summary next to them often needs two.
QLayout* HeldByView::makeTop() {
    summary_->wrap();
    summary_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(asFlames_);
    buttons->addWidget(makeShowRowsButton(
        *table_, tr("Show Rows"),
        tr("Filter to the blocks that the selected row holds, and show their rows in the table (Enter or a double "
           "click)"),
        show_));
    auto* choices = new QVBoxLayout;
    choices->addWidget(choice_);
    choices->addLayout(buttons);
    auto* top = new QHBoxLayout;
    top->addWidget(summary_, 1);
    top->addLayout(choices);
    return top;
}

void HeldByView::select(const QModelIndex& row) {
    table_->selectionModel()->setCurrentIndex(table_->fromSource(row),
                                              QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

/// From the root with the most memory to the first step that has several below it.
void HeldByView::openHeaviest() {
    auto at = model_.index(0, 0);
    if (!at.isValid()) return;
    table_->expand(table_->fromSource(at));
    const auto root = at = model_.heaviestBelow(at);
    while (model_.rowCount(at) > 0) {
        table_->expand(table_->fromSource(at));
        if (model_.rowCount(at) > 1) break;
        at = model_.index(0, 0, at);
    }
    select(root);
}

std::vector<HeldByModel::RowName> HeldByView::openRows() const {
    std::vector<HeldByModel::RowName> open;
    std::vector<QModelIndex> parents{QModelIndex()};
    for (std::size_t i = 0; i < parents.size() && open.size() < kMostOpenRows; ++i) {
        const auto parent = parents[i]; // a copy because the list grows
        for (int row = 0; row < model_.rowCount(parent); ++row) {
            const auto below = model_.index(row, 0, parent);
            if (!table_->isExpanded(table_->fromSource(below))) continue;
            open.push_back(model_.nameOf(below));
            parents.push_back(below);
        }
    }
    return open;
}

void HeldByView::restoreRows(const std::vector<HeldByModel::RowName>& open, const HeldByModel::RowName& selected) {
    for (const auto& name : open)
        if (const auto row = model_.nearestTo(name); model_.nameOf(row) == name)
            table_->expand(table_->fromSource(row));
    auto current = model_.nearestTo(selected);
    if (!current.isValid()) current = model_.index(0, 0);
    select(current);
}

void HeldByView::setAnswer(std::shared_ptr<const HeldByAnswer> answer) {
    const auto open = openRows();
    const auto selected = model_.nameOf(table_->current());
    const auto scrolled = table_->verticalScrollBar()->value();
    table_->refresh([&] {
        model_.setAnswer(std::move(answer));
        if (!isChosen_ || selected.empty()) return openHeaviest();
        restoreRows(open, selected);
        table_->verticalScrollBar()->setValue(scrolled);
    });
    flames_->setAnswer(model_.answer()->found.flames);
    showComparison();
    fitColumns();
    showPictures();
    showSummary();
}

void HeldByView::clear(const QString& why) {
    table_->refresh([this] { model_.setAnswer(nullptr); });
    isChosen_ = false;
    flames_->setAnswer(nullptr);
    showPictures();
    showSummary();
    summary_->setReason(why);
}

/// The choices, if there are several pictures in the interval.
void HeldByView::showPictures() {
    const QSignalBlocker quietPictures(pictures_), quietEarlier(earlier_);
    pictures_->clear();
    earlier_->clear();
    const auto& answer = model_.answer();
    choice_->setVisible(answer && isChoice(answer->found.pictures));
    offered_ = answer ? model_.process(table_->current()) : nullptr;
    if (!answer) return;
    pictures_->addItem(tr("Newest"));
    earlier_->addItem(tr("None"));
    const auto& pictures = answer->found.pictures;
    const bool isNamed = areOfSeveralProcesses(pictures);
    for (const auto& picture : pictures)
        if (offered_ == nullptr || picture.process == offered_->process) offer(picture, isNamed);
}

/// Of each process, a query uses the newest picture at or before its times. Pictures are offered from the newest.
void HeldByView::offer(const TakenPicture& picture, bool isNamed) {
    const auto& query = model_.answer()->query;
    const auto at = formatBriefTime(picture.time);
    const auto text = isNamed ? tr("%1, %2").arg(lineText(picture.name), at) : at;
    const bool isShown = offered_ != nullptr && picture.time == offered_->picture->time;
    const bool isChosen = query.interval != query.pictures && (isShown || query.interval.end.ns == picture.time.ns + 1);
    const bool isCompared = query.earlier && earlier_->currentIndex() == 0 && picture.time <= *query.earlier;
    pictures_->addItem(text, qlonglong{picture.time.ns});
    if (!isShown || isCompared) earlier_->addItem(text, qlonglong{picture.time.ns});
    if (isChosen) pictures_->setCurrentIndex(pictures_->count() - 1);
    if (isCompared) earlier_->setCurrentIndex(earlier_->count() - 1);
}

void HeldByView::fitColumns() {
    widenColumns(*table_, {HeldByModel::kName});
    names_->fit();
}

void HeldByView::hideChanges(bool areHidden) {
    for (const auto column : {HeldByModel::kSizeChange, HeldByModel::kCountChange})
        table_->setColumnHidden(column, areHidden);
}

/// A comparison begins with what grew most.
void HeldByView::showComparison() {
    const bool isComparison = model_.isComparison();
    if (table_->isColumnHidden(HeldByModel::kSizeChange) != isComparison) return;
    hideChanges(!isComparison);
    table_->sortByColumn(isComparison ? int{HeldByModel::kSizeChange} : -1, Qt::DescendingOrder);
}

void HeldByView::showSummary() {
    const auto& answer = model_.answer();
    const auto* process = model_.process(table_->current());
    for (auto* action : {show_, filter_})
        action->setEnabled(process != nullptr && !model_.rowsOf(table_->current()).empty());
    if (!answer) return summary_->setAnswer({});
    if (process == nullptr)
        return summary_->setAnswer(answer->query.filter.isEmpty()
                                       ? tr("The picture of memory contains no blocks.")
                                       : tr("No block of the picture of memory matches the filter."));
    auto text = togetherText(model_) +
                tr("%1, picture at %2: %3.")
                    .arg(lineText(process->name), formatBriefTime(process->picture->time), sumsText(process->sums));
    if (const auto& before = answer->found.before; !before.empty())
        text += changeText(*process, before[model_.processRow(table_->current())]);
    if (!answer->query.filter.isEmpty()) text += tr(" Only blocks that match the filter are counted.");
    for (const auto& caution : process->cautions)
        text += QLatin1Char(' ') + toQString(caution);
    summary_->setAnswer(text);
    flames_->setSubject(text);
}

/// "Held by: app!g_sessions", for a step with its owner.
QString HeldByView::textOf(const QModelIndex& row) const {
    const auto name = model_.nameOf(row);
    if (name.empty()) return {};
    if (name.size() == 1) return tr("Process: %1").arg(lineText(name[0]));
    if (name.size() == 2) return tr("Held by: %1").arg(lineText(name[1]));
    return tr("Held by: %1, %2").arg(lineText(name[1]), lineText(name.back()));
}

void HeldByView::toggleFilter() {
    const auto rows = model_.rowsOf(table_->current());
    if (rows.empty()) return;
    if (rows.front() == filtered_)
        emit filterUnwanted();
    else
        emit filterWanted(rows, textOf(table_->current()));
}

void HeldByView::askForRows() {
    const auto rows = model_.rowsOf(table_->current());
    if (!rows.empty()) emit rowsWanted(rows, textOf(table_->current()));
}

/// The way from the process to the selected row, with the numbers, for a bug report.
std::optional<QStringList> HeldByView::copiedLines() const {
    QStringList lines;
    for (auto row = table_->current().siblingAtColumn(0); row.isValid(); row = row.parent())
        lines.prepend(tabbedCells(row));
    if (lines.isEmpty()) return {};
    for (qsizetype i = 0; i < lines.size(); ++i)
        lines[i].prepend(QString(2 * i, QLatin1Char(' ')));
    lines.prepend(summary_->text());
    return lines;
}

} // namespace highwater::ui

#include "moc_held_by_view.cpp"
