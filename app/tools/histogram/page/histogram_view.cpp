#include "app/tools/histogram/page/histogram_view.h"

#include "app/tools/histogram/page/histogram_bar_delegate.h"
#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/focus.h"
#include "ui/view/chart/chart.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

/// Column widths in characters; the bars take the rest.
constexpr int kColumnLetters[] = {24, 12, 12, 12};
constexpr int kMostFrequent = 30; ///< maximum number of bars in the chart that are wide enough for the pointer
constexpr int kTableShare = 3, kChartShare = 2; ///< share of the width

QComboBox* makeBox(const char* name, const QString& words, const QStringList& items) {
    auto* box = new QComboBox;
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(words);
    box->setToolTip(tooltipText(words));
    box->addItems(items);
    box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); // leaves the room to the text next to it
    return box;
}

/// The bars, split if part of the memory is kept: freed above kept.
std::vector<ChartSeries> seriesOf(const HistogramTableModel& model, int bars) {
    const bool isBytes = model.measure() == HistogramTableModel::Measure::Bytes;
    ChartSeries kept{tr("Kept"), ChartKind::StackedBars, ChartColor::Accent};
    ChartSeries freed{tr("Freed"), ChartKind::StackedBars, ChartColor::Quiet};
    for (int row = 0; row < bars; ++row) {
        const auto& bar = *model.bar(row);
        const auto whole = isBytes ? bar.bytes : bar.count;
        const auto part = std::min(whole, isBytes ? bar.keptBytes : bar.keptCount);
        kept.values.push_back(static_cast<double>(part));
        freed.values.push_back(static_cast<double>(whole - part));
    }
    if (!analysis::isOfEvents(model.answer()->query.table)) return {kept, freed};
    freed.name = isBytes ? tr("Size") : tr("Count");
    return {freed};
}

QString noRows() { return tr("No rows match in this interval with this filter."); }

} // namespace

HistogramView::HistogramView(QWidget* parent)
    : QWidget(parent),
      what_(makeBox("histogramOf", tr("The property by which allocations are grouped"),
                    {tr("Sizes"), tr("Frequent sizes"), tr("Lifetimes")})),
      measure_(
          makeBox("histogramMeasure", tr("The measure for the length of the bars"), {tr("By bytes"), tr("By count")})),
      summary_(new BusySummary("histogramSummary", {tr("Counting…"), tr("%1 (updating…)")})),
      table_(new PageTable("histogramTable", tr("Bars of the histogram"))),
      chart_(new Chart("histogramChart", tr("Histogram"),
                       tr("Press arrow keys to move between bars, Home and End to move to the ends, Enter to filter to "
                          "the rows of a bar."))) {
    build();
    clear(emptyText());
}

void HistogramView::build() {
    setObjectName(QStringLiteral("histogramView"));
    passFocus(*this, *table_);
    buildTable();
    auto* line = new QHBoxLayout;
    line->addWidget(what_);
    line->addWidget(measure_);
    line->addWidget(summary_);
    line->addStretch();
    line->addWidget(makeShowRowsButton(
        *table_, tr("Show Rows"),
        tr("Filter to the rows of the selected bar, or remove that filter (Enter or a double click)")));
    auto* layout = makePageLayout(*this);
    layout->addLayout(line);
    layout->addWidget(makeSideBySide(table_, chart_, kTableShare, kChartShare), 1);
    connect(chart_, &Chart::chosen, this,
            [this](std::size_t bar) { table_->setCurrentIndex(model_.index(static_cast<int>(bar), 0)); });
    connect(chart_, &Chart::opened, this, &HistogramView::toggleFilter);
    connect(&model_, &QAbstractItemModel::modelReset, this, &HistogramView::showChart);
    connect(what_, &QComboBox::activated, this, &HistogramView::whatChanged);
    connect(measure_, &QComboBox::activated, this,
            [this](int index) { model_.setMeasure(static_cast<HistogramTableModel::Measure>(index)); });
}

void HistogramView::buildTable() {
    table_->setModel(&model_);
    table_->setRootIsDecorated(false);
    table_->setItemDelegateForColumn(HistogramTableModel::kBar, new HistogramBarDelegate(table_));
    table_->setLetters(kColumnLetters);
    connect(table_, &PageTable::toggled, this, &HistogramView::toggleFilter);
    connect(table_, &PageTable::enterPressed, this, &HistogramView::toggleFilter);
    connect(table_, &QTreeView::doubleClicked, this, &HistogramView::toggleFilter);
}

HistogramView::What HistogramView::what() const { return static_cast<What>(what_->currentIndex()); }

QString HistogramView::queryOf(int row) const {
    const auto* bar = model_.bar(row);
    if (bar == nullptr) return {};
    const auto& query = model_.answer()->query;
    return toQString(analysis::barQuery(query.table, query.of, *bar));
}

QString HistogramView::selectedQuery() const {
    const auto current = table_->currentIndex();
    return current.isValid() ? queryOf(current.row()) : QString();
}

void HistogramView::toggleFilter() {
    const auto query = selectedQuery();
    if (query.isEmpty()) return;
    if (query == filtered_)
        emit filterUnwanted();
    else
        emit filterWanted(query);
}

void HistogramView::setAnswer(std::shared_ptr<const HistogramAnswer> answer) {
    const auto selected = selectedQuery();
    model_.setAnswer(std::move(answer));
    for (int row = 0; row < model_.rowCount() && !selected.isEmpty(); ++row) {
        if (queryOf(row) == selected) table_->setCurrentIndex(model_.index(row, 0));
    }
    // If the user selected none, keyboard navigation starts at the first.
    if (!table_->currentIndex().isValid() && model_.rowCount() > 0) table_->setCurrentIndex(model_.index(0, 0));
    showSummary();
}

void HistogramView::clear(const QString& why) {
    model_.setAnswer(nullptr);
    summary_->setReason(why);
}

QString HistogramView::wordsOf(int row) const {
    const auto cell = [&](int column) { return model_.index(row, column).data().toString(); };
    const auto words =
        tr("%1: %2, %3")
            .arg(cell(HistogramTableModel::kValues), rowCountText(model_.answer()->query.table, model_.bar(row)->count),
                 cell(HistogramTableModel::kBytes));
    const auto kept = cell(HistogramTableModel::kKept);
    return kept.isEmpty() ? words : tr("%1, %2 kept").arg(words, kept);
}

/// There is only room for the first value below a bar.
void HistogramView::showChart() {
    ChartPicture picture;
    if (!model_.answer() || model_.rowCount() == 0) {
        if (model_.answer()) picture.why = noRows();
        return chart_->setPicture(std::move(picture));
    }
    const auto bars = what() == What::FrequentSizes ? std::min(model_.rowCount(), kMostFrequent) : model_.rowCount();
    for (int row = 0; row < bars; ++row) {
        auto from = *model_.bar(row);
        from.to = from.from + 1;
        picture.points.categories << (from.kind == analysis::HistogramBar::Kind::Outstanding
                                          ? tr("not freed")
                                          : toQString(analysis::barText(model_.answer()->query.of, from)));
    }
    if (model_.measure() == HistogramTableModel::Measure::Count) picture.unit = ChartUnit::Count;
    picture.series = seriesOf(model_, bars);
    picture.summary = model_.headerData(HistogramTableModel::kBar, Qt::Horizontal, Qt::DisplayRole).toString();
    picture.told = [this](std::size_t bar) { return wordsOf(static_cast<int>(bar)); };
    chart_->setPicture(std::move(picture));
}

void HistogramView::showSummary() {
    const auto& answer = model_.answer();
    if (!answer) return summary_->setAnswer({});
    const auto& query = answer->query;
    auto text = tr("%1, %2: %3, %4")
                    .arg(toQString(analysis::tableTitle(query.table)), formatRange(query.interval),
                         rowCountText(query.table, answer->found.count),
                         formatBytes(static_cast<SignedByteCount>(answer->found.bytes)));
    if (answer->found.count == 0) text = noRows();
    summary_->setAnswer(text);
}

} // namespace highwater::ui

#include "moc_histogram_view.cpp"
