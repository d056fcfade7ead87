#include "ui/view/timeline/lifetime_bars.h"

#include "tests/support/test_registry.h"
#include "tests/ui/view/timeline/timeline_view_stage.h"

#include <QElapsedTimer>
#include <QSignalSpy>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

/// A lifetime of the stage's only series.
analysis::Lifetime livingFrom(std::int64_t beginMs, TraceTime end, Address address = 0x1000) {
    return {ms(beginMs), end, address, 4096, {{analysis::Column::Process, 0}}, "app.exe!allocate"};
}

struct LifetimeStage : TimelineViewStage {
    explicit LifetimeStage(std::vector<analysis::Lifetime> lifetimes, std::uint64_t count = 0) {
        analysis::Lifetimes answer;
        answer.count = std::max<std::uint64_t>(count, lifetimes.size());
        answer.lifetimes = std::move(lifetimes);
        auto timeline = std::make_shared<TimelineAnswer>(*view.answer());
        timeline->query.by = analysis::Column::Process;
        timeline->lifetimes = std::make_shared<const analysis::Lifetimes>(std::move(answer));
        graph.setChart(ChartType::Lifetimes);
        view.setAnswer(timeline);
    }
    [[nodiscard]] const LifetimeBars& bars() const { return view.lifetimeBars(); }
    [[nodiscard]] QPoint middleOf(std::size_t bar) const { return bars().boxOf(bar).center().toPoint(); }
    void hoverOver(QPoint place) {
        QMouseEvent move(QEvent::MouseMove, QPointF(place), view.mapToGlobal(QPointF(place)), Qt::NoButton,
                         Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&view, &move);
    }
};

} // namespace

/// One bar for each allocation.
class LifetimeBarsTest : public QObject {
    Q_OBJECT
  private slots:
    void reachFromBeginToFree() {
        LifetimeStage stage({livingFrom(100, ms(300)), livingFrom(200, kNever)});
        QVERIFY(std::abs(stage.bars().boxOf(0).left() - stage.at(100).x()) <= 1);
        QVERIFY(std::abs(stage.bars().boxOf(0).right() - stage.at(300).x()) <= 1);
        QVERIFY(std::abs(stage.bars().boxOf(1).right() - stage.view.coordinates().plot.right()) <= 1);
        QVERIFY(stage.bars().boxOf(0).bottom() <= stage.bars().boxOf(1).top());
    }
    void haveTheColorOfTheirSeries() {
        LifetimeStage stage({livingFrom(100, ms(300))});
        const auto color = stage.colors.colorOf({{analysis::Column::Process, 0}});
        QCOMPARE(stage.view.grab().toImage().pixelColor(stage.middleOf(0)), color);
        stage.graph.hideSeries({{{analysis::Column::Process, 0}}});
        QVERIFY(stage.view.grab().toImage().pixelColor(stage.middleOf(0)) != color);
    }
    void haveTheColorOfThePartsOfAnOpenSeries() {
        auto own = livingFrom(100, ms(300));
        own.series.push_back({analysis::Column::Handle, 5});
        auto other = livingFrom(100, ms(300), 0x2000);
        other.series.push_back({analysis::Column::Handle, 6});
        auto answer = std::make_shared<TimelineAnswer>(*spikyTimeline(100));
        auto& series = answer->timeline.series;
        series[0].isOpen = true;
        series.push_back({"5", 5, true, {}, 0, own.series, 1});
        series.push_back({"(1 more)", 0, false, {}, 0, series[0].path, 1});
        analysis::Lifetimes lifetimes{2, {own, other}};
        answer->lifetimes = std::make_shared<const analysis::Lifetimes>(lifetimes);
        LifetimeBars bars;
        bars.setAnswer(answer, {QColor(), Qt::red, Qt::gray});
        QCOMPARE(bars.colorOf(0), QColor(Qt::red));
        QCOMPARE(bars.colorOf(1), QColor(Qt::gray));
    }
    void showTheirFactsUnderThePointer() {
        LifetimeStage stage({livingFrom(100, ms(300)), livingFrom(200, kNever, 0xABC000)});
        stage.hoverOver(stage.middleOf(1));
        const auto words = stage.view.words();
        QVERIFY2(words.contains("app.exe!allocate") && words.contains("Address 0xabc000") &&
                     words.contains("Size 4.0 KB") && words.contains("Allocated 0.200000 s") &&
                     words.contains("Freed never"),
                 qPrintable(words.join('|')));
        stage.hoverOver(stage.middleOf(0));
        QVERIFY(stage.view.words().contains("Lifetime 200.0 ms"));
        stage.hoverOver({stage.at(500).x(), stage.middleOf(0).y()});
        QCOMPARE(stage.view.words().size(), 1); // only the time
    }
    void selectTheirRowWhenClicked() {
        LifetimeStage stage({livingFrom(100, ms(300)), livingFrom(200, kNever)});
        QSignalSpy pointed(&stage.view, &TimelineView::rowPointedAt);
        QTest::mouseClick(&stage.view, Qt::LeftButton, {}, stage.middleOf(1));
        QCOMPARE(pointed.count(), 1);
        const TimeRange instant{ms(200), TraceTime{ms(200).ns + 1}};
        QVERIFY(pointed[0][0].value<TimeRange>() == instant);
        QTest::mouseClick(&stage.view, Qt::LeftButton, {}, stage.view.coordinates().plot.bottomRight().toPoint());
        QCOMPARE(pointed.count(), 1);
    }
    void tooManySayHowToNarrow() {
        LifetimeStage stage({}, 12'345);
        QCOMPARE(stage.bars().refusal(),
                 QString("Too many allocations to draw (12,345; at most 5,000). Zoom in or filter."));
        LifetimeStage none({});
        QCOMPARE(none.bars().refusal(), QString("No allocations here"));
    }
    void areNotThereInOtherCharts() {
        LifetimeStage stage({livingFrom(100, ms(300))});
        QVERIFY(stage.view.scene().shapes.empty());
        stage.graph.setChart(ChartType::Line);
        QCOMPARE(stage.bars().count(), std::size_t{0});
        QVERIFY(!stage.view.scene().shapes.empty());
    }
    void thousandsStayFastAndCanBePointedAt() {
        std::vector<analysis::Lifetime> many;
        for (int i = 0; i < 5000; ++i)
            many.push_back(livingFrom(i / 10, ms(i / 10 + 100), static_cast<Address>(i)));
        LifetimeStage stage(std::move(many));
        QElapsedTimer clock;
        clock.start();
        (void)stage.view.grab();
        QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
        const auto bar = stage.bars().at(QPointF(stage.middleOf(2500)));
        QVERIFY(bar && std::abs(static_cast<double>(*bar) - 2500) < 40);
    }
};
HIGHWATER_TEST(LifetimeBarsTest);
#include "lifetime_bars_test.moc"
