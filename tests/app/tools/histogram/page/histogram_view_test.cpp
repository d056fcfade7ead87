#include "app/tools/histogram/page/histogram_view.h"

#include "tests/support/test_registry.h"
#include "ui/view/chart/chart.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace highwater;
using namespace highwater::ui;

namespace {

std::shared_ptr<const HistogramAnswer> barsFrom(std::uint64_t from, int count) {
    HistogramAnswer answer;
    answer.query.interval = {TraceTime{0}, TraceTime{2'000'000'000}};
    for (int i = 0; i < count; ++i) {
        answer.found.bars.push_back(
            {.from = from << i, .to = from << (i + 1), .count = 2, .bytes = 64, .keptCount = 1, .keptBytes = 32});
        answer.found.count += 2;
        answer.found.bytes += 64;
    }
    return std::make_shared<const HistogramAnswer>(std::move(answer));
}

/// The page with three bars, on screen.
struct HistogramStage {
    HistogramView view;
    QSignalSpy filtered{&view, &HistogramView::filterWanted};
    QSignalSpy unfiltered{&view, &HistogramView::filterUnwanted};
    QSignalSpy changed{&view, &HistogramView::whatChanged};

    HistogramStage() {
        view.setAnswer(barsFrom(64, 3));
        view.resize(900, 240);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        view.table().setFocus();
    }
    void press(Qt::Key key) { QTest::keyClick(&view.table(), key); }
    Chart& chart() { return *view.findChild<Chart*>("histogramChart"); }
    QString summary() { return view.findChild<QLabel*>("histogramSummary")->text(); }
};

} // namespace

class HistogramViewTest : public QObject {
    Q_OBJECT
  private slots:
    void keysChooseABarAndFilterToIt() {
        HistogramStage stage;
        stage.press(Qt::Key_Down);
        stage.press(Qt::Key_Return);
        QCOMPARE(stage.filtered.size(), 1);
        QCOMPARE(stage.filtered[0][0].toString(), "[Allocation Size]:>=128B AND [Allocation Size]:<256B");
        stage.view.setFiltered(stage.filtered[0][0].toString());
        stage.press(Qt::Key_Space);
        QCOMPARE(stage.unfiltered.size(), 1);
        QCOMPARE(stage.filtered.size(), 1);
    }
    void aClickSelectsABarAndADoubleClickFiltersToIt() {
        HistogramStage stage;
        const auto bar = stage.view.model().index(2, HistogramTableModel::kBar);
        const auto place = stage.view.table().visualRect(bar).center();
        QTest::mouseClick(stage.view.table().viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(stage.view.table().currentIndex().row(), 2);
        QCOMPARE(stage.filtered.size(), 0);
        QTest::mouseDClick(stage.view.table().viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(stage.filtered.size(), 1);
        QCOMPARE(stage.filtered[0][0].toString(), "[Allocation Size]:>=256B AND [Allocation Size]:<512B");
    }
    void aBarOfTheChartFiltersAsItsRowDoes() {
        HistogramStage stage;
        auto& chart = stage.chart();
        const QPoint bar(static_cast<int>(chart.xOf(2)), static_cast<int>(chart.plot().center().y()));
        QTest::mouseClick(&chart, Qt::LeftButton, {}, bar);
        QCOMPARE(stage.view.table().currentIndex().row(), 2);
        QCOMPARE(stage.filtered.size(), 0);
        QTest::mouseDClick(&chart, Qt::LeftButton, {}, bar);
        QCOMPARE(stage.filtered.size(), 1);
        QCOMPARE(stage.filtered[0][0].toString(), "[Allocation Size]:>=256B AND [Allocation Size]:<512B");
        QCOMPARE(stage.view.selectedQuery(), stage.filtered[0][0].toString());
        stage.view.setFiltered(stage.filtered[0][0].toString());
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(stage.unfiltered.size(), 1);
    }
    void theChartMatchesTheTable() {
        HistogramStage stage;
        auto& chart = stage.chart();
        QCOMPARE(chart.words(), "Kept and freed bytes");
        QCOMPARE(chart.picture().points.categories, QStringList({"64 B", "128 B", "256 B"}));
        QCOMPARE(chart.picture().series[0].values, std::vector<double>(3, 32));
        QTest::keyClick(&chart, Qt::Key_Home);
        QCOMPARE(chart.words(), "64 B to <128 B: 2 allocations, 64 B, 32 B kept");
        auto* measure = stage.view.findChild<QComboBox*>("histogramMeasure");
        measure->setFocus();
        QTest::keyClick(measure, Qt::Key_Down);
        QCOMPARE(chart.picture().series[1].values, std::vector<double>(3, 1));
        QVERIFY(chart.picture().unit == ChartUnit::Count);
        stage.view.clear("Nothing.");
        QCOMPARE(chart.picture().points.count(), std::size_t{0});
        QCOMPARE(chart.words(), "");
    }
    /// A longer label would be elided below its bar.
    void outstandingMemoryHasAShortLabel() {
        HistogramStage stage;
        HistogramAnswer answer = *barsFrom(64, 2);
        answer.query.of = analysis::HistogramOf::LifeTime;
        answer.found.bars.back().kind = analysis::HistogramBar::Kind::Outstanding;
        stage.view.setAnswer(std::make_shared<const HistogramAnswer>(std::move(answer)));
        QCOMPARE(stage.chart().picture().points.categories.back(), "not freed");
        QTest::keyClick(&stage.chart(), Qt::Key_End);
        QVERIFY2(stage.chart().words().startsWith("still outstanding: "), qPrintable(stage.chart().words()));
    }
    void freesHaveOneKindOfBar() {
        HistogramStage stage;
        HistogramAnswer answer = *barsFrom(64, 2);
        answer.query.table = analysis::Table::Frees;
        stage.view.setAnswer(std::make_shared<const HistogramAnswer>(std::move(answer)));
        QCOMPARE(stage.chart().picture().series.size(), std::size_t{1});
        QCOMPARE(stage.chart().picture().series[0].name, "Size");
    }
    void theSelectedBarStaysSelectedWhenOthersCome() {
        HistogramStage stage;
        stage.press(Qt::Key_Down);
        const auto selected = stage.view.selectedQuery();
        stage.view.setAnswer(barsFrom(32, 5));
        QCOMPARE(stage.view.selectedQuery(), selected);
        stage.view.setAnswer(barsFrom(4096, 1));
        QCOMPARE(stage.view.selectedQuery(), "[Allocation Size]:>=4KB AND [Allocation Size]:<8KB");
        QVERIFY(stage.filtered.isEmpty());
    }
    void saysWhatItShowsAndWhyThereIsNothing() {
        HistogramStage stage;
        QCOMPARE(stage.summary(), "Heap Allocations, 0.000000 s to 2.000000 s: 6 allocations, 192 B");
        stage.view.setBusy(true);
        QVERIFY(stage.summary().endsWith("(updating…)"));
        stage.view.setBusy(false);
        stage.view.setAnswer(barsFrom(1, 0));
        QCOMPARE(stage.summary(), "No rows match in this interval with this filter.");
        stage.view.clear("Cannot be asked.");
        QCOMPARE(stage.summary(), "Cannot be asked.");
        QVERIFY(stage.view.selectedQuery().isEmpty());
    }
    void requestsTheSelection() {
        HistogramStage stage;
        auto* what = stage.view.findChild<QComboBox*>("histogramOf");
        what->setFocus();
        QTest::keyClick(what, Qt::Key_Down);
        QCOMPARE(stage.changed.size(), 1);
        QVERIFY(stage.view.what() == HistogramView::What::FrequentSizes);
        auto* measure = stage.view.findChild<QComboBox*>("histogramMeasure");
        QTest::keyClick(measure, Qt::Key_Down);
        QVERIFY(stage.view.model().measure() == HistogramTableModel::Measure::Count);
        QCOMPARE(stage.changed.size(), 1); // the same answer contains both
    }
    void drawsKeptAndFreedBlocks() {
        HistogramStage stage;
        const auto box = stage.view.table().visualRect(stage.view.model().index(2, HistogramTableModel::kBar));
        const auto picture = stage.view.table().viewport()->grab(box).toImage();
        const auto at = [&](double part) {
            return picture.pixelColor(4 + static_cast<int>((picture.width() - 8) * part), picture.height() / 2);
        };
        QCOMPARE(at(0.25), stage.view.palette().color(QPalette::Highlight));
        QCOMPARE(at(0.75), stage.view.palette().color(QPalette::Disabled, QPalette::WindowText));
    }
};

HIGHWATER_TEST(HistogramViewTest);
#include "histogram_view_test.moc"
