#include "ui/state/finders/flame_finder.h"

#include "tests/support/test_registry.h"
#include "tests/ui/view/flames/flame_stage.h"

#include <QSignalSpy>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;

namespace {

/// Counts queries, and can refuse them.
struct CountedFlames {
    int asked = 0;
    bool refuses = false;
    FlameFunction function() {
        return [this](const FlameRequest& request, std::stop_token stop) -> Result<FlameAnswer> {
            ++asked;
            if (refuses) return Error{ErrorKind::Unsupported, "No room."};
            return answerFlames(request, std::move(stop));
        };
    }
};

struct FinderStage {
    FlameStage stage;
    CountedFlames flames;
    FlameFinder finder{stage.graph, stage.shown, nullptr, flames.function()};
    bool wait() {
        QTest::qWait(1);
        return QTest::qWaitFor([this] { return finder.isUpToDate(); });
    }
};

} // namespace

/// When a flame graph is queried, and with which settings.
class FlameFinderTest : public QObject {
    Q_OBJECT
  private slots:
    void asksOnlyWhileItIsShown() {
        FinderStage stage;
        stage.stage.graph.setChart(ChartType::Line);
        QTest::qWait(20);
        QCOMPARE(stage.flames.asked, 0);
        stage.stage.graph.setChart(ChartType::Icicle);
        QVERIFY(stage.wait());
        QCOMPARE(stage.flames.asked, 1);
        stage.stage.graph.setChart(ChartType::Flames); // the same, drawn differently
        QTest::qWait(20);
        QCOMPARE(stage.flames.asked, 1);
    }
    void followsIntervalFilterKeysAndSort() {
        FinderStage stage;
        QVERIFY(stage.wait());
        const auto width = [&] { return stage.finder.answer()->tree.root().width / kPage; };
        QCOMPARE(width(), 13u);
        stage.stage.state.zoomTo({ms(50), ms(150)});
        QVERIFY(stage.wait());
        QCOMPARE(width(), 4u);
        stage.stage.state.showAll();
        const auto process = stage.finder.answer()->tree.path(1);
        stage.stage.graph.addFilter({.clause = {analysis::RowFilter::Clause::Mode::Keep, {process}}, .text = "a.exe"});
        QVERIFY(stage.wait());
        QCOMPARE(width(), 12u);
        stage.stage.graph.setLayout(withStackDirection(stage.stage.graph.layout(), StackDirection::BottomUp));
        QVERIFY(stage.wait());
        QCOMPARE(stage.finder.query().keys, (std::vector{Column::Process, Column::StackBottomUp}));
        auto layout = stage.stage.graph.layout();
        layout.sort = {{Column::Count}};
        stage.stage.graph.setLayout(layout);
        QVERIFY(stage.wait());
        QCOMPARE(stage.finder.answer()->tree.root().width, 2u);
        const auto asked = stage.flames.asked;
        layout.columns.emplace_back(Column::Allocated); // is not drawn
        stage.stage.graph.setLayout(layout);
        QTest::qWait(20);
        QCOMPARE(stage.flames.asked, asked);
    }
    void showsAnInstant() {
        FinderStage stage;
        stage.stage.state.showInstant(ms(250));
        QVERIFY(stage.wait());
        QCOMPARE(stage.finder.answer()->tree.root().width, 12 * kPage);
    }
    void comparesWithTheTimeBefore() {
        FinderStage stage;
        stage.stage.state.zoomTo({ms(250), ms(700)});
        stage.finder.setComparing(true);
        QVERIFY(stage.wait());
        QVERIFY(stage.finder.query().before == (TimeRange{ms(0), ms(250)})); // as far back as the trace goes
        QCOMPARE(stage.finder.answer()->tree.root().before, static_cast<SignedByteCount>(12 * kPage));
        stage.stage.state.zoomTo({ms(500), ms(700)});
        QVERIFY(stage.finder.query().before == (TimeRange{ms(300), ms(500)}));
        stage.stage.state.showAll(); // there is nothing before
        QVERIFY(stage.wait());
        QCOMPARE(stage.finder.answer()->tree.root().before, SignedByteCount{0});
        stage.stage.state.showInstant(ms(250));
        QVERIFY(!stage.finder.query().before);
    }
    void asksAgainForMoreAndForNames() {
        FinderStage stage;
        QVERIFY(stage.wait());
        stage.stage.trace.commit(800, 2, 0x400000, 10 * kPage);
        stage.stage.shown.show(stage.stage.trace.publish(1200), stage.stage.labels);
        QVERIFY(stage.wait());
        const auto asked = stage.flames.asked;
        stage.stage.shown.noteNames();
        QVERIFY(!stage.finder.isUpToDate());
        QVERIFY(stage.wait());
        QCOMPARE(stage.flames.asked, asked + 1);
    }
    void forgetsATraceThatIsClosed() {
        FinderStage stage;
        QVERIFY(stage.wait());
        QSignalSpy answers(&stage.finder, &FlameFinder::answered);
        stage.stage.shown.clear();
        QVERIFY(!stage.finder.answer());
        QCOMPARE(answers.count(), 1);
    }
    void reportsWhyThereIsNone() {
        FinderStage stage;
        stage.flames.refuses = true;
        QSignalSpy failed(&stage.finder, &FlameFinder::failed);
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed.front().front().toString(), "No room.");
    }
    void searchesInEveryAnswer() {
        FinderStage stage;
        QVERIFY(stage.wait());
        std::shared_ptr<const FlameSearch> found;
        connect(&stage.finder, &FlameFinder::searchDone, [&](auto search) { found = std::move(search); });
        stage.finder.search("0X400300");
        QTRY_VERIFY(found);
        QCOMPARE(found->matches.nodes.size(), std::size_t{1});
        stage.stage.state.zoomTo({ms(50), ms(150)});
        QTRY_VERIFY(found && found->answer == stage.finder.answer() && found->matches.share == 1.0);
        stage.finder.search({});
        QVERIFY(!found);
    }
};
HIGHWATER_TEST(FlameFinderTest);
#include "flame_finder_test.moc"
