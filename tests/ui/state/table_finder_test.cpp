#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/table_finder.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <atomic>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

using Direction = TableFinder::Direction;

/// Records where searches run, and holds them until they are released or cancelled.
struct SearchWatch {
    std::atomic<int> onGuiThread{0};
    std::atomic<int> steps{0};
    std::atomic<int> counts{0};
    std::atomic<int> stopped{0};
    std::atomic<bool> hold{false};

    QueryFunctions functions() {
        QueryFunctions watched;
        watched.find = [this, gui = QThread::currentThread()](const FindRequest& request, std::stop_token stop) {
            if (QThread::currentThread() == gui) ++onGuiThread;
            ++(request.step ? steps : counts);
            while (hold && !stop.stop_requested()) {
                QThread::msleep(1);
            }
            if (stop.stop_requested()) ++stopped;
            return answerFind(request, stop);
        };
        return watched;
    }
};

/// Process, Impacting Type, Commit Stack: a.exe has 0x400100 > 0x400200 > { 0x400400, 0x400300 }, b.exe no stack.
struct TableFinderStage {
    SearchWatch watch;
    SmallTrace trace;
    std::shared_ptr<analysis::FrameLabels> labels = std::make_shared<analysis::FrameLabels>();
    AnalysisState state;
    GraphState& graph = state.addGraph(analysis::Table::VirtualAlloc);
    QueryRunner runner{nullptr, watch.functions()};
    TraceOnScreen shown;
    QueryPlanner planner{graph, shown, runner};
    TableFinder finder{runner, planner};
    QSignalSpy tables{&runner, &QueryRunner::tableAnswered};
    std::vector<std::pair<analysis::KeyPath, bool>> found;

    TableFinderStage() {
        QObject::connect(&finder, &TableFinder::found, &finder,
                         [this](const auto& row, auto, bool wentRound) { found.emplace_back(row, wentRound); });
        trace.process(1, "a.exe").process(2, "b.exe");
        trace.commit(100, 1, 0x10000, 4 * kPage, {0x400300, 0x400200, 0x400100});
        trace.commit(200, 1, 0x90000, 8 * kPage, {0x400400, 0x400200, 0x400100});
        trace.commit(300, 2, 0x10000, kPage).decommit(600, 2, 0x10000, kPage);
        shown.show(trace.publish(1000), labels);
        state.reset({ms(0), ms(1000)});
        (void)tables.wait();
    }
    /// The next match after the latest one.
    bool step(Direction direction) {
        const auto before = found.size();
        finder.find(direction, found.empty() ? analysis::KeyPath() : found.back().first);
        return QTest::qWaitFor([&] { return found.size() > before; });
    }
};

} // namespace

class TableFinderTest : public QObject {
    Q_OBJECT
  private slots:
    void countsTheMatchesInAllRows() {
        TableFinderStage stage;
        stage.finder.setText("0x400");
        QVERIFY(!stage.finder.isSearching()); // the count is not displayed
        stage.finder.setCounting(true);
        QVERIFY(stage.finder.isSearching() && !stage.finder.hits());
        QTRY_VERIFY(!stage.finder.isSearching());
        QCOMPARE(stage.finder.hits()->count, std::uint64_t{4});
        QVERIFY(!stage.finder.hits()->isMore);
    }
    void countsRowsThatGroupsDoNotShow() {
        TableFinderStage stage;
        stage.finder.setCounting(true);
        const auto rowsOf = [&](const char* text) {
            stage.finder.setText(text);
            return QTest::qWaitFor([&] { return !stage.finder.isSearching() && stage.finder.hits(); })
                       ? std::pair(stage.finder.hits()->count, stage.finder.hits()->rows)
                       : std::pair(~std::uint64_t{0}, std::uint64_t{0});
        };
        using Counts = std::pair<std::uint64_t, std::uint64_t>;
        // Both rows of a.exe are below groups that contain both; b.exe is a group of one.
        QCOMPARE(rowsOf("[Address]:=0x10000 AND [Process]:~=nobody"), (Counts{0, 0}));
        QCOMPARE(rowsOf("[PID]:=1 AND [Address]:>0x1000 AND Count:=7"), (Counts{0, 0})); // about groups
        stage.graph.setLayout([&] {
            auto layout = stage.graph.layout();
            layout.keys = {analysis::Column::Process};
            return layout;
        }());
        QCOMPARE(rowsOf("[Address]:=0x90000"), (Counts{0, 1}));
        QCOMPARE(rowsOf("[Address]:<>0x1 AND [PID]:=1"), (Counts{0, 2}));
    }
    void goesFromMatchToMatchAndRound() {
        TableFinderStage stage;
        stage.finder.setText("0x400");
        std::vector<std::pair<std::size_t, bool>> depths; // and whether it wrapped around
        for (int i = 0; i < 5; ++i) {
            QVERIFY(stage.step(Direction::Forward));
            depths.emplace_back(stage.found.back().first.size(), stage.found.back().second);
        }
        QCOMPARE(depths, (std::vector<std::pair<std::size_t, bool>>{
                             {3, false}, {4, false}, {5, false}, {5, false}, {3, true}}));
        QVERIFY(stage.step(Direction::Backward));
        QCOMPARE(stage.found.back(), (std::pair{stage.found[3].first, true}));
        QVERIFY(stage.step(Direction::Backward));
        QCOMPARE(stage.found.back(), (std::pair{stage.found[2].first, false}));
    }
    void countsAfterAStepThatCameFirst() {
        TableFinderStage stage;
        stage.finder.setText("0x400");
        stage.finder.setCounting(true);
        QVERIFY(stage.step(Direction::Forward));
        QTRY_VERIFY(stage.finder.hits() && stage.finder.hits()->count == 4);
    }
    void findsNothing() {
        TableFinderStage stage;
        stage.finder.setText("nowhere");
        stage.finder.find(Direction::Forward, {});
        QVERIFY(stage.finder.isSearching());
        QTRY_VERIFY(!stage.finder.isSearching());
        QVERIFY(stage.found.empty() && stage.finder.hits() && stage.finder.hits()->count == 0);
    }
    void pointsAtAMistakeInCharactersAndSearchesNothing() {
        TableFinderStage stage;
        stage.finder.setCounting(true);
        stage.finder.setText(QStringLiteral("ä😀 [Siz]:>1MB")); // six bytes, three characters
        QVERIFY(stage.finder.trouble() && !stage.finder.expression());
        QCOMPARE(stage.finder.trouble()->position, 4);
        QCOMPARE(stage.finder.trouble()->length, 5);
        QVERIFY(stage.finder.trouble()->sentence.contains("Did you mean [Size]"));
        stage.finder.find(Direction::Forward, {});
        QVERIFY(!stage.finder.isSearching());
        QCOMPARE(stage.watch.steps + stage.watch.counts, 0);
    }
    void countsAnewWhenTheTableIsAskedSomethingElse() {
        TableFinderStage stage;
        stage.finder.setCounting(true);
        stage.finder.setText(".exe");
        QTRY_VERIFY(stage.finder.hits() && stage.finder.hits()->count == 2);
        stage.state.zoomTo({ms(700), ms(800)}); // the memory of b.exe is released
        QTRY_COMPARE(stage.finder.hits()->count, std::uint64_t{1});
        stage.finder.setCounting(false);
        stage.state.showAll();
        QVERIFY(stage.tables.wait());
        QCOMPARE(stage.watch.counts.load(), 2); // not displayed
    }
    void countsRowsAddedByAGrowingTrace() {
        TableFinderStage stage;
        stage.finder.setCounting(true);
        stage.finder.setText(".exe");
        QTRY_VERIFY(stage.finder.hits() && stage.finder.hits()->count == 2);
        stage.trace.process(3, "c.exe").commit(1500, 3, 0x20000, kPage);
        stage.shown.show(stage.trace.publish(2000), stage.labels);
        stage.state.growTo({ms(0), ms(2000)});
        QTRY_COMPARE(stage.finder.hits()->count, std::uint64_t{3});
    }
    void letsTheNewestTextWin() {
        TableFinderStage stage;
        stage.watch.hold = true;
        stage.finder.setCounting(true);
        stage.finder.setText("0x400");
        QTRY_COMPARE(stage.watch.counts.load(), 1);
        stage.finder.setText("a.exe");
        QTRY_COMPARE(stage.watch.stopped.load(), 1);
        stage.watch.hold = false;
        QTRY_VERIFY(!stage.finder.isSearching());
        QCOMPARE(stage.finder.hits()->count, std::uint64_t{1});
    }
    void doesNotStartAStepAgainThatIsUnderWay() {
        TableFinderStage stage;
        stage.watch.hold = true;
        stage.finder.setText("0x400");
        stage.finder.find(Direction::Forward, {});
        stage.finder.find(Direction::Forward, {}); // a key that is held down
        QTRY_COMPARE(stage.watch.steps.load(), 1);
        stage.watch.hold = false;
        QTRY_COMPARE(stage.found.size(), std::size_t{1});
        QCOMPARE(stage.watch.steps.load(), 1);
        QCOMPARE(stage.watch.stopped.load(), 0);
    }
    void stopsWhenTheTraceGoes() {
        TableFinderStage stage;
        stage.watch.hold = true;
        stage.finder.setCounting(true);
        stage.finder.setText("0x400");
        QTRY_COMPARE(stage.watch.counts.load(), 1);
        stage.shown.clear();
        stage.finder.forgetTrace();
        QTRY_COMPARE(stage.watch.stopped.load(), 1);
        QVERIFY(!stage.finder.isSearching() && !stage.finder.hits());
    }
    void looksInTheNextTraceAsWell() {
        TableFinderStage stage;
        stage.finder.setCounting(true);
        stage.finder.setText(".exe");
        QTRY_VERIFY(stage.finder.hits() && stage.finder.hits()->count == 2);
        SmallTrace other;
        other.process(7, "other.exe").commit(100, 7, 0x10000, kPage);
        stage.finder.forgetTrace();
        stage.shown.show(other.publish(1000), std::make_shared<analysis::FrameLabels>());
        QTRY_VERIFY(stage.finder.hits() && stage.finder.hits()->count == 1);
    }
    void asksAgainForAStepWhenTheRowsAreRegrouped() {
        TableFinderStage stage;
        stage.watch.hold = true;
        stage.finder.setText("0x400300");
        stage.finder.find(Direction::Forward, {});
        QTRY_COMPARE(stage.watch.steps.load(), 1);
        auto layout = stage.graph.layout();
        layout.keys.erase(layout.keys.begin());
        stage.graph.setLayout(layout);
        stage.watch.hold = false;
        QTRY_COMPARE(stage.found.size(), std::size_t{1});
        QVERIFY(stage.found[0].first.front().column != analysis::Column::Process);
        QVERIFY(!stage.finder.isSearching());
    }
    void deliversOnTheGuiThreadButNeverRunsThere() {
        TableFinderStage stage;
        const auto* gui = QThread::currentThread();
        bool isOnGuiThread = true;
        connect(&stage.finder, &TableFinder::changed, this,
                [&] { isOnGuiThread = isOnGuiThread && QThread::currentThread() == gui; });
        stage.finder.setCounting(true);
        stage.finder.setText("0x400");
        QVERIFY(stage.step(Direction::Forward));
        QTRY_VERIFY(stage.finder.hits());
        QVERIFY(stage.watch.steps > 0 && stage.watch.counts > 0 && isOnGuiThread);
        QCOMPARE(stage.watch.onGuiThread.load(), 0);
    }
};
HIGHWATER_TEST(TableFinderTest);
#include "table_finder_test.moc"
