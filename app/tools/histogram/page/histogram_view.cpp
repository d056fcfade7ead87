#include "app/tools/histogram/page/histogram_view.h"

#include "app/tools/histogram/page/histogram_bar_delegate.h"
#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/focus.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

/// Widths of the columns, in letters; the bars have the rest.
constexpr int kColumnLetters[] = {24, 12, 12, 12};

QComboBox* makeBox(const char* name, const QString& words, const QStringList& items) {
    auto* box = new QComboBox;
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(words);
    box->setToolTip(tooltipText(words));
    box->addItems(items);
    box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); // the sentence beside it has the room
    return box;
}

} // namespace

HistogramView::HistogramView(QWidget* parent)
    : QWidget(parent),
      what_(makeBox("histogramOf", tr("What the bars show"), {tr("Sizes"), tr("Frequent sizes"), tr("Lifetimes")})),
      measure_(makeBox("histogramMeasure", tr("Length of the bars"), {tr("By bytes"), tr("By count")})),
      summary_(new BusySummary("histogramSummary", {tr("Counting…"), tr("%1 - counting…")})),
      table_(new PageTable("histogramTable", tr("Bars of the histogram"))) {
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
    auto* layout = makePageLayout(*this);
    layout->addLayout(line);
    layout->addWidget(table_, 1);
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
    // Where nobody chose one, the keys begin at the first.
    if (!table_->currentIndex().isValid() && model_.rowCount() > 0) table_->setCurrentIndex(model_.index(0, 0));
    showSummary();
}

void HistogramView::clear(const QString& why) {
    model_.setAnswer(nullptr);
    summary_->setReason(why);
}

void HistogramView::showSummary() {
    const auto& answer = model_.answer();
    if (!answer) return summary_->setAnswer({});
    const auto& query = answer->query;
    auto text = tr("%1, %2 to %3: %4 rows, %5")
                    .arg(toQString(analysis::tableTitle(query.table)), formatTime(query.interval.start),
                         formatTime(query.interval.end), formatCount(static_cast<std::int64_t>(answer->found.count)),
                         formatBytes(static_cast<SignedByteCount>(answer->found.bytes)));
    if (answer->found.count == 0) text = tr("No rows in this interval and filter.");
    summary_->setAnswer(text);
}

} // namespace highwater::ui

#include "moc_histogram_view.cpp"
