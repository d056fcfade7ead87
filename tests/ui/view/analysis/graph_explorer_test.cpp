#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/view/analysis/graph_drag.h"
#include "ui/view/analysis/graph_explorer.h"

#include <QAbstractItemModelTester>
#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <atomic>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Table;

namespace {

struct GraphExplorerStage {
    SmallTrace trace;
    std::shared_ptr<analysis::FrameLabels> labels = std::make_shared<analysis::FrameLabels>();
    std::shared_ptr<std::atomic<int>> onGuiThread = std::make_shared<std::atomic<int>>(0);
    TraceOnScreen shown;
    std::unique_ptr<GraphExplorer> explorer;

    GraphExplorerStage() {
        trace.process(1, "a.exe");
        trace.commit(100, 1, 0x10000, 4 * kPage).decommit(600, 1, 0x10000, 4 * kPage);
        QueryFunctions functions;
        functions.timeline = [real = functions.timeline, seen = onGuiThread](const auto& request, auto stop) {
            if (QThread::currentThread() == QCoreApplication::instance()->thread()) ++*seen;
            return real(request, stop);
        };
        explorer = std::make_unique<GraphExplorer>(shown, nullptr, functions);
        explorer->resize(190, 400);
        explorer->show();
    }
    bool publish(std::int64_t endMs) {
        shown.show(trace.publish(endMs), labels);
        return QTest::qWaitFor([this] { return explorer->isUpToDate(); });
    }
    QTreeWidgetItem& entry(int number) { return *explorer->topLevelItem(0)->child(number); }
    QPoint middleOf(int number) { return explorer->visualItemRect(&entry(number)).center(); }
    int heightOf(QTreeWidgetItem& item) { return explorer->visualItemRect(&item).height(); }
};

} // namespace

class GraphExplorerTest : public QObject {
    Q_OBJECT
  private slots:
    void listsTheGraphsOfMemory() {
        GraphExplorerStage stage;
        QAbstractItemModelTester tester(stage.explorer->model());
        QCOMPARE(stage.explorer->topLevelItem(0)->text(0), "Memory");
        QCOMPARE(stage.entry(0).text(0), "VirtualAlloc Commit LifeTimes");
        QCOMPARE(stage.entry(1).text(0), "Heap Allocations");
        QCOMPARE(stage.entry(4).text(0), "Managed Allocations");
        QCOMPARE(stage.entry(5).text(0), "GC Heap Size");
        QCOMPARE(stage.explorer->topLevelItem(0)->childCount(), 7);
    }
    void isUpToDateWhereATraceHasNoTimes() {
        GraphExplorerStage stage;
        auto summed = std::make_shared<store::PublishedTrace>(*stage.trace.publish(1000));
        summed->lacks.times = true;
        stage.shown.show(summed, stage.labels);
        QTRY_VERIFY(stage.explorer->isUpToDate());
        QVERIFY(!stage.explorer->thumbnail(Table::VirtualAlloc).timeline);
        QVERIFY(stage.entry(0).toolTip(0).contains("no timeline"));
        QVERIFY(stage.entry(1).toolTip(0).contains("no events"));
    }
    void drawsTheWholeTraceOffTheGuiThread() {
        GraphExplorerStage stage;
        QVERIFY(stage.publish(1000));
        const auto& peaks = stage.explorer->thumbnail(Table::VirtualAlloc).timeline->series.front().peaks;
        QCOMPARE(peaks.size(), std::size_t(GraphExplorer::kPoints));
        QCOMPARE(*std::max_element(peaks.begin(), peaks.end()), SignedByteCount(4 * kPage));
        QCOMPARE(peaks.back(), 0);
        QVERIFY(stage.explorer->thumbnail(Table::Heap).isEmpty());
        QVERIFY(!stage.explorer->thumbnail(Table::Frees).isEmpty());
        QCOMPARE(stage.onGuiThread->load(), 0);
        QVERIFY(stage.entry(0).toolTip(0).contains("highest 16.0 KB"));
        QVERIFY(stage.entry(1).toolTip(0).contains("no events"));
    }
    void aGraphWithoutEventsLeavesItsRoomToTheOthers() {
        GraphExplorerStage stage;
        const auto whole = stage.heightOf(stage.entry(1)); // unknown yet
        QVERIFY(stage.publish(1000));
        QVERIFY(stage.heightOf(stage.entry(1)) < whole);
        QVERIFY(stage.heightOf(stage.entry(0)) >= whole);
        stage.shown.clear();
        QCOMPARE(stage.heightOf(stage.entry(1)), whole);
    }
    void growsWithTheTrace() {
        GraphExplorerStage stage;
        QVERIFY(stage.publish(1000));
        stage.trace.commit(1500, 1, 0x90000, 8 * kPage);
        QVERIFY(stage.publish(2000));
        const auto& timeline = *stage.explorer->thumbnail(Table::VirtualAlloc).timeline;
        QCOMPARE(timeline.interval.end, ms(2000));
        QCOMPARE(timeline.series.front().peaks.back(), SignedByteCount(8 * kPage));
    }
    void offersAGraphByDoubleClickAndEnter() {
        GraphExplorerStage stage;
        QSignalSpy wanted(stage.explorer.get(), &GraphExplorer::graphWanted);
        QTest::mouseClick(stage.explorer->viewport(), Qt::LeftButton, {}, stage.middleOf(1));
        QCOMPARE(wanted.count(), 0);
        QTest::mouseDClick(stage.explorer->viewport(), Qt::LeftButton, {}, stage.middleOf(1));
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.last().first().value<Table>(), Table::Heap);
        QTest::keyClick(stage.explorer.get(), Qt::Key_Down);
        QTest::keyClick(stage.explorer.get(), Qt::Key_Return);
        QCOMPARE(wanted.last().first().value<Table>(), Table::Frees);
    }
    void residentMemoryIsOfferedIfThereAreSamples() {
        GraphExplorerStage stage;
        QSignalSpy wanted(stage.explorer.get(), &GraphExplorer::residentMemoryWanted);
        const auto last = stage.explorer->topLevelItem(0)->childCount() - 1;
        auto& entry = stage.entry(last);
        QCOMPARE(entry.text(0), "Resident Memory");
        QVERIFY(stage.publish(1000));
        QVERIFY(!(entry.flags() & Qt::ItemIsEnabled));
        QVERIFY2(entry.toolTip(0).contains("no samples"), qPrintable(entry.toolTip(0)));
        auto sampled = std::make_shared<store::PublishedTrace>(*stage.trace.publish(1000));
        sampled->residentSamples = std::make_shared<const std::vector<SharedResidentSample>>();
        stage.shown.show(sampled, stage.labels);
        QVERIFY(entry.flags() & Qt::ItemIsEnabled);
        stage.explorer->setCurrentItem(&stage.entry(last - 1));
        QTest::keyClick(stage.explorer.get(), Qt::Key_Down);
        QTest::keyClick(stage.explorer.get(), Qt::Key_Return);
        QCOMPARE(wanted.count(), 1);
        stage.explorer->scrollToItem(&entry);
        QTest::mouseClick(stage.explorer->viewport(), Qt::LeftButton, {}, stage.middleOf(last));
        QTest::mouseDClick(stage.explorer->viewport(), Qt::LeftButton, {}, stage.middleOf(last));
        QCOMPARE(wanted.count(), 2);
    }
    void drawsTheRssOfTheLargestProcess() {
        GraphExplorerStage stage;
        QVERIFY(stage.publish(1000));
        QVERIFY(stage.explorer->residentThumbnail().isEmpty());
        QCOMPARE(stage.explorer->residentThumbnail().words(), "no samples");
        const auto sampled = std::make_shared<store::PublishedTrace>(*stage.trace.publish(1000));
        auto sample = std::make_shared<ResidentSample>();
        sample->time = ms(500);
        sample->pid = 1;
        sample->names = {""};
        auto& mapping = sample->mappings.emplace_back();
        mapping.begin = 0x10000;
        mapping.end = mapping.begin + 4 * kPage;
        mapping.resident = 3 * kPage;
        sampled->residentSamples =
            std::make_shared<const std::vector<SharedResidentSample>>(std::vector<SharedResidentSample>{sample});
        stage.shown.show(sampled, stage.labels);
        QTRY_VERIFY(!stage.explorer->residentThumbnail().isEmpty());
        const auto& peaks = stage.explorer->residentThumbnail().timeline->series.front().peaks;
        QCOMPARE(peaks.size(), std::size_t(GraphExplorer::kPoints));
        QCOMPARE(peaks.front(), 0);
        QCOMPARE(peaks.back(), SignedByteCount(3 * kPage));
        auto& entry = stage.entry(stage.explorer->topLevelItem(0)->childCount() - 1);
        QVERIFY2(entry.toolTip(0).contains("highest 12.0 KB, of a.exe (1)"), qPrintable(entry.toolTip(0)));
        QCOMPARE(stage.heightOf(entry), stage.heightOf(stage.entry(2)));
        stage.shown.clear();
        QVERIFY(stage.explorer->residentThumbnail().isEmpty());
        QCOMPARE(stage.explorer->residentThumbnail().words(), "no trace");
    }
    void isDraggedByItsOwnType() {
        GraphExplorerStage stage;
        const std::unique_ptr<QMimeData> mime(stage.explorer->model()->mimeData(
            {stage.explorer->model()->index(1, 0, stage.explorer->model()->index(0, 0))}));
        QVERIFY(mime);
        QCOMPARE(draggedGraph(mime.get()), std::optional(Table::Heap));
        QVERIFY(!draggedGraph(nullptr));
    }
    void paintsTheHighlightedRange() {
        GraphExplorerStage stage;
        QVERIFY(stage.publish(1000));
        const auto before = stage.explorer->viewport()->grab().toImage();
        stage.explorer->setHighlight(TimeRange{ms(700), ms(900)});
        const auto after = stage.explorer->viewport()->grab().toImage();
        const auto rect = stage.explorer->visualItemRect(&stage.entry(0));
        const QPoint inside(rect.left() + rect.width() * 8 / 10, rect.bottom() - 20);
        const QPoint outside(rect.left() + rect.width() * 3 / 10, rect.bottom() - 20);
        QVERIFY(before.pixelColor(inside) != after.pixelColor(inside));
        QCOMPARE(before.pixelColor(outside), after.pixelColor(outside));
    }
};
HIGHWATER_TEST(GraphExplorerTest);
#include "graph_explorer_test.moc"
