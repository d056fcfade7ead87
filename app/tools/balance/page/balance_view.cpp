#include "app/tools/balance/page/balance_view.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/focus.h"
#include "ui/view/chart/chart.h"
#include "ui/view/parts/fitted_columns.h"
#include "ui/view/parts/plain_widgets.h"

#include <QComboBox>
#include <QDateTime>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

namespace highwater::ui {
namespace {

using analysis::BalanceCourse, analysis::BalancePoint, analysis::MemoryLayer;

/// Column widths in characters.
constexpr int kBalanceLetters[BalanceModel::kColumns] = {36, 11, 9, 11, 11, 13, 10, 12};
constexpr int kTableShare = 2, kChartShare = 1;       ///< share of the width
constexpr std::int64_t kLastSampleNs = 1'000'000'000; ///< width of a sample with no other after it

QString bytesText(ByteCount bytes) { return formatBytes(static_cast<SignedByteCount>(bytes)); }

QString clockText() { return QLocale().toString(QTime::currentTime(), QStringLiteral("HH:mm:ss")); }

/// Each sample lasts until the next one, and the last one to the end of the interval or of the process.
std::vector<std::int64_t> edgesOf(const BalanceCourse& course, TraceTime end) {
    std::vector<std::int64_t> edges;
    for (const auto& point : course.points)
        edges.push_back(point.time.ns);
    const auto last = std::min(end, course.end).ns;
    if (!edges.empty()) edges.push_back(last > edges.back() ? last : edges.back() + kLastSampleNs);
    return edges;
}

/// Only layers that the process has at some time, from the ground up.
std::vector<ChartSeries> bandsOf(const BalanceCourse& course) {
    std::vector<ChartSeries> bands;
    for (const auto layer : analysis::allMemoryLayers()) {
        ChartSeries band;
        band.kind = ChartKind::StackedBands;
        band.place = colorPlaceOf(layer);
        band.savedName = toQString(analysis::layerName(layer));
        for (const auto& point : course.points)
            band.values.push_back(static_cast<double>(point.layers[layer]));
        if (std::ranges::any_of(band.values, [](double value) { return value > 0; })) bands.push_back(std::move(band));
    }
    return bands;
}

template <auto kBytes>
std::vector<double> valuesOf(const BalanceCourse& course) {
    std::vector<double> values;
    for (const auto& point : course.points)
        values.push_back(static_cast<double>(point.*kBytes));
    return values;
}

/// Above the layers, the line of Rss, which is their sum, and swapped memory, which is not part of it.
std::vector<ChartSeries> systemSeriesOf(const BalanceCourse& course) {
    const auto swapped = valuesOf<&BalancePoint::swapped>(course);
    std::vector<ChartSeries> all;
    if (std::ranges::any_of(swapped, [](double value) { return value > 0; }))
        all.push_back({ui::tr("Swap"), ChartKind::StackedBands, ChartColor::Quiet, swapped});
    all.push_back({ui::tr("Rss"), ChartKind::Line, ChartColor::Text, valuesOf<&BalancePoint::resident>(course)});
    for (auto& series : all)
        series.savedName = series.name; // where a narrow chart has no legend
    return all;
}

/// "Live blocks 21.3 MB", the largest first.
QStringList layerWords(const BalancePoint& point) {
    std::vector<MemoryLayer> layers;
    for (const auto layer : analysis::allMemoryLayers())
        if (point.layers[layer] > 0) layers.push_back(layer);
    std::ranges::stable_sort(layers, std::ranges::greater(), [&](MemoryLayer layer) { return point.layers[layer]; });
    QStringList words;
    for (const auto layer : layers)
        words << ui::tr("%1 %2").arg(toQString(analysis::layerName(layer)), bytesText(point.layers[layer]));
    return words;
}

QString withSwap(const QString& words, const BalancePoint& point) {
    return point.swapped == 0 ? words : ui::tr("%1; in addition, %2 in swap").arg(words, bytesText(point.swapped));
}

/// "12.300000 s, Rss 300.0 MB: Free, held 270.0 MB, Live blocks 21.3 MB, ...".
QString wordsOf(const BalancePoint& point) {
    return withSwap(
        ui::tr("%1, Rss %2: %3")
            .arg(formatTime(point.time), bytesText(point.resident), layerWords(point).join(QStringLiteral(", "))),
        point);
}

/// "12.30 s, Rss 300.0 MB: Free, held 270.0 MB and 5 more": as many layers as fit. If none does, without Rss.
QString briefWordsOf(const BalancePoint& point, const std::function<bool(const QString&)>& fits) {
    constexpr std::int64_t kHundredthOfSecond = 10'000'000;
    const auto time = formatTick(point.time, kHundredthOfSecond);
    const auto start = ui::tr("%1, Rss %2").arg(time, bytesText(point.resident));
    const auto layers = layerWords(point);
    const auto wordsWith = [&](const QString& before, qsizetype named) {
        const auto words = ui::tr("%1: %2").arg(before, layers.first(named).join(QStringLiteral(", ")));
        const auto more = layers.size() - named;
        return withSwap(more == 0 ? words : ui::tr("%1 and %2 more").arg(words).arg(more), point);
    };
    for (auto named = layers.size(); named > 0; --named)
        if (const auto words = wordsWith(start, named); fits(words)) return words;
    if (layers.isEmpty()) return withSwap(start, point);
    return wordsWith(time, 1);
}

} // namespace

BalanceView::BalanceView(QWidget* parent)
    : QWidget(parent),
      table_(new PageTable("balanceTable", tr("Resident Memory"))),
      chart_(new Chart("balanceChart", tr("Resident memory over time, by layer"),
                       tr("Press arrow keys to move between samples, Home and End to move to the ends, Enter to show "
                          "a sample in the list."))),
      summary_(new BusySummary("balanceSummary", {tr("Counting…"), tr("%1 (updating…)")})),
      groupings_(new QComboBox),
      showHolders_(new QPushButton(tr("Sho&w Held Pages"))),
      tryTrim_(new QPushButton(tr("Tr&y Trim"))),
      trial_(new PlainLabel) {
    setObjectName(QStringLiteral("balanceView"));
    passFocus(*this, *table_);
    buildTable();
    summary_->wrap();
    buildGroupings();
    buildHolders();
    buildTrial();
    auto* top = new QHBoxLayout;
    top->addWidget(summary_, 1);
    top->addLayout(makeTools());
    auto* layout = makePageLayout(*this);
    layout->addLayout(top);
    layout->addWidget(trial_);
    layout->addWidget(makeSideBySide(table_, chart_, kTableShare, kChartShare), 1);
    connect(chart_, &Chart::chosen, this, [this](std::size_t sample) {
        if (const auto* course = selectedCourse(); course != nullptr && sample < course->points.size())
            emit instantWanted(course->points[sample].time);
    });
    clear(emptyText());
}

void BalanceView::buildTable() {
    model_.setPalette(palette());
    table_->setSortedModel(model_, BalanceModel::kSortRole);
    table_->sortByColumn(-1, Qt::DescendingOrder); // in the order of the answer
    table_->header()->setSortIndicatorClearable(true);
    table_->setAllColumnsShowFocus(true);
    table_->setTextElideMode(Qt::ElideMiddle); // files differ at their ends
    table_->setLetters(kBalanceLetters);
    table_->header()->setStretchLastSection(false);
    auto* names = new FittedColumn(*table_, 0, BalanceModel::kColumns - 1); // the table owns it
    names->setWanted(std::numeric_limits<int>::max());                      // all remaining room
    table_->setCopiedLines([this] { return copiedLines(); });
    table_->installEventFilter(this);
    connect(table_, &PageTable::rowReached, this, [this] {
        showSummary();
        showChart();
    });
}

void BalanceView::buildGroupings() {
    groupings_->setObjectName(QStringLiteral("balanceGrouping"));
    groupings_->setAccessibleName(tr("Group by"));
    groupings_->setToolTip(tr("How the memory of each process is divided"));
    for (const auto& grouping : kBalanceGroupings)
        groupings_->addItem(groupingText(grouping));
    connect(groupings_, &QComboBox::activated, this, &BalanceView::group);
}

/// In two lines, because the summary next to it often needs two.
QLayout* BalanceView::makeTools() {
    auto* label = new PlainLabel(tr("&Group by:"));
    label->setBuddy(groupings_);
    auto* grouping = new QHBoxLayout;
    grouping->addWidget(label);
    grouping->addWidget(groupings_, 1);
    auto* tools = new QGridLayout;
    tools->addLayout(grouping, 0, 0, 1, 2);
    tools->addWidget(showHolders_, 1, 0);
    tools->addWidget(tryTrim_, 1, 1);
    return tools;
}

void BalanceView::group(int choice) {
    refreshRows([&] { model_.setGrouping(kBalanceGroupings.at(static_cast<std::size_t>(choice))); });
}

void BalanceView::buildHolders() {
    showHolders_->setObjectName(QStringLiteral("showHolders"));
    showHolders_->setToolTip(tr("Show which stacks of the selected process hold pages in RAM (Enter in the list)"));
    connect(showHolders_, &QPushButton::clicked, this, &BalanceView::askForHolders);
    connect(table_, &PageTable::enterPressed, this, &BalanceView::askForHolders);
}

void BalanceView::askForHolders() {
    if (const auto* balance = selectedBalance()) emit holdersWanted(balance->process);
}

void BalanceView::buildTrial() {
    summary_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    tryTrim_->setObjectName(QStringLiteral("tryTrim"));
    tryTrim_->setToolTip(tr(
        "Measure in a copy of the selected process how much memory malloc_trim(), or the release functions of "
        "jemalloc, tcmalloc and mimalloc, would return to the system. The process must be in the current recording"));
    trial_->setObjectName(QStringLiteral("balanceTrial"));
    trial_->setWordWrap(true);
    connect(tryTrim_, &QPushButton::clicked, this, &BalanceView::trialWanted);
}

void BalanceView::setRecording(bool isRecording) {
    isRecording_ = isRecording;
    showTrial();
}

void BalanceView::beginTrial(const std::string& process) {
    if (triedProcess_ != process) trialResult_.clear();
    triedProcess_ = process;
    isTrying_ = true;
    trial_->setText(tr("Trying malloc_trim() in a copy of %1…").arg(lineText(process)));
    showTrial();
}

void BalanceView::endTrial(const QString& sentences) {
    // The process continues, so later samples may differ.
    trialResult_ = tr("At %1: %2").arg(clockText(), sentences);
    showEndOfTrial(trialResult_);
}

void BalanceView::endFailedTrial(const QString& why) {
    auto text = tr("The trial at %1 failed. %2").arg(clockText(), why);
    if (!trialResult_.isEmpty()) text += QLatin1Char('\n') + trialResult_;
    showEndOfTrial(text);
}

void BalanceView::showEndOfTrial(const QString& text) {
    isTrying_ = false;
    trial_->setText(text);
    showTrial();
}

void BalanceView::showTrial() {
    const auto* balance = selectedBalance();
    showHolders_->setEnabled(balance != nullptr);
    tryTrim_->setEnabled(balance != nullptr && isRecording_ && !isTrying_);
    trial_->setVisible(balance != nullptr && balance->name == triedProcess_);
}

const analysis::Balance* BalanceView::selectedBalance() const { return model_.balance(table_->current()); }

void BalanceView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) model_.setPalette(palette());
}

bool BalanceView::eventFilter(QObject* watched, QEvent* event) {
    const auto& answer = model_.answer();
    if (watched == table_ && event->type() == QEvent::KeyPress && answer && answer->query.at &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        emit instantWanted({});
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

const BalanceCourse* BalanceView::selectedCourse() const {
    const auto* balance = selectedBalance();
    if (balance == nullptr) return nullptr;
    const auto& courses = *model_.answer()->found.courses;
    const auto found = std::ranges::find(courses, balance->process, &BalanceCourse::process);
    return found == courses.end() ? nullptr : &*found;
}

std::vector<BalanceModel::RowName> BalanceView::openRows() const {
    std::vector<BalanceModel::RowName> open;
    for (int row = 0; row < model_.rowCount(); ++row) {
        const auto process = model_.index(row, 0);
        if (!table_->isExpanded(table_->fromSource(process))) continue;
        open.push_back(model_.nameOf(process));
        for (int below = 0; below < model_.rowCount(process); ++below) {
            const auto layer = model_.index(below, 0, process);
            if (table_->isExpanded(table_->fromSource(layer))) open.push_back(model_.nameOf(layer));
        }
    }
    return open;
}

/// At first, the layers of the largest process are shown. In place of a row that has gone, its process is selected.
void BalanceView::restoreRows(const std::vector<BalanceModel::RowName>& open, const BalanceModel::RowName& selected) {
    for (const auto& name : open)
        table_->expand(table_->fromSource(model_.indexOf(name)));
    const auto first = table_->fromSource(model_.index(0, 0));
    auto current = selected.process.empty() ? QModelIndex() : table_->fromSource(model_.indexOf(selected));
    if (!current.isValid()) current = table_->fromSource(model_.indexOf({selected.process, {}, {}}));
    if (!current.isValid()) {
        table_->expand(first);
        current = first;
    }
    table_->selectionModel()->setCurrentIndex(current, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void BalanceView::refreshRows(const std::function<void()>& change) {
    const auto open = openRows();
    const auto selected = model_.nameOf(table_->current());
    const auto scrolled = table_->verticalScrollBar()->value();
    table_->refresh([&] {
        change();
        restoreRows(open, selected);
        table_->verticalScrollBar()->setValue(scrolled);
    });
}

void BalanceView::setAnswer(std::shared_ptr<const BalanceAnswer> answer) {
    refreshRows([&] { model_.setAnswer(std::move(answer)); });
    showSummary();
    showChart();
}

void BalanceView::clear(const QString& why) {
    table_->refresh([this] { model_.setAnswer(nullptr); });
    triedProcess_.clear();
    showTrial();
    summary_->setReason(why);
    chart_->setPicture({});
}

void BalanceView::showSummary() {
    showTrial();
    const auto* balance = selectedBalance();
    if (balance != nullptr)
        return summary_->setAnswer(tr("%1 at %2: %3")
                                       .arg(lineText(balance->name), formatBriefTime(balance->point.time),
                                            toQString(analysis::meaningOf(*balance))));
    summary_->setAnswer(model_.answer() ? tr("No sample of resident memory was taken in this interval.") : QString());
}

void BalanceView::showChart() {
    const auto* course = selectedCourse();
    if (course == nullptr || course->points.empty()) return chart_->setPicture({});
    ChartPicture picture;
    picture.points.edges = edgesOf(*course, model_.answer()->query.interval.end);
    picture.series = bandsOf(*course);
    std::ranges::move(systemSeriesOf(*course), std::back_inserter(picture.series));
    const auto shown = std::ranges::find(course->points, selectedBalance()->point.time, &BalancePoint::time);
    if (shown != course->points.end()) picture.chosen = static_cast<std::size_t>(shown - course->points.begin());
    const auto peak = std::ranges::max_element(course->points, {}, &BalancePoint::resident);
    // Its layers would be cut. The list and the words about each sample have them.
    picture.summary = tr("Highest Rss: %1 at %2").arg(bytesText(peak->resident), formatBriefTime(peak->time));
    picture.told = [points = course->points](std::size_t sample) { return wordsOf(points[sample]); };
    picture.toldWithin = [points = course->points](std::size_t sample, const auto& fits) {
        return briefWordsOf(points[sample], fits);
    };
    chart_->setPicture(std::move(picture));
}

/// The process with its layers, as in the list, for a bug report.
std::optional<QStringList> BalanceView::copiedLines() const {
    auto process = table_->current();
    if (!process.isValid()) return {};
    while (process.parent().isValid())
        process = process.parent();
    process = process.siblingAtColumn(0);
    QStringList lines{summary_->text(), tabbedCells(process)};
    for (int row = 0; row < model_.rowCount(process); ++row)
        lines << QStringLiteral("  ") + tabbedCells(model_.index(row, 0, process));
    return lines;
}

} // namespace highwater::ui

#include "moc_balance_view.cpp"
