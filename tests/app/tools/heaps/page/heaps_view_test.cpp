#include "app/tools/heaps/page/heaps_view.h"

#include "tests/support/test_registry.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace highwater;
using namespace highwater::ui;
using analysis::Column, analysis::HeapFacts, analysis::KeyPath;

namespace {

KeyPath pathOfHeap(std::uint64_t key) { return {{Column::Process, 7}, {Column::Handle, key}}; }

HeapFacts heapOfBytes(std::uint64_t key, ByteCount bytes, std::uint64_t blocks) {
    HeapFacts heap;
    heap.process = "a.exe (7)";
    heap.handle = key << 16;
    heap.origin = analysis::HeapOrigin::Recorded;
    heap.creations = 1;
    heap.created = TraceTime{1'000'000'000};
    heap.stack = {"ntdll!RtlCreateHeap", "a!<b>make</b>", "a!main"};
    heap.ownerFrame = 1;
    heap.count = blocks;
    heap.bytes = heap.peak = bytes;
    heap.gap = analysis::SlackGap::NoRanges;
    heap.path = pathOfHeap(key);
    return heap;
}

std::shared_ptr<const HeapAnswer> answerOfHeaps(std::vector<HeapFacts> heaps, bool isFiltered = false) {
    HeapAnswer answer;
    answer.found.interval = {TraceTime{500'000'000}, TraceTime{2'000'000'000}};
    for (const auto& heap : heaps) {
        answer.found.count += heap.count;
        answer.found.bytes += heap.bytes;
    }
    answer.found.heaps = std::move(heaps);
    if (isFiltered) answer.query.filter.clauses.emplace_back();
    return std::make_shared<const HeapAnswer>(std::move(answer));
}

/// Heaps 1, 2 and 3 as the page receives them: the one with most bytes first, which has the fewest blocks.
std::shared_ptr<const HeapAnswer> threeHeaps() {
    return answerOfHeaps({heapOfBytes(1, 4096, 1), heapOfBytes(2, 2048, 2), heapOfBytes(3, 1024, 3)});
}

/// The page with three heaps, on screen and with the keyboard.
struct HeapsStage {
    HeapsView view;
    QSignalSpy painted{&view, &HeapsView::painted};
    QSignalSpy filtered{&view, &HeapsView::filterWanted};
    QSignalSpy unfiltered{&view, &HeapsView::filterUnwanted};
    QSignalSpy rows{&view, &HeapsView::rowsWanted};

    explicit HeapsStage(const std::shared_ptr<const HeapAnswer>& answer = threeHeaps()) {
        if (answer) view.setAnswer(answer);
        view.resize(1400, 260);
        view.show();
        view.activateWindow();
        (void)QTest::qWaitForWindowActive(&view);
        view.table().setFocus();
    }
    void press(Qt::Key key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&view.table(), key, with); }
    [[nodiscard]] QPoint middleOf(int row) const {
        auto& table = const_cast<HeapsView&>(view).table();
        return table.visualRect(table.model()->index(row, HeapTableModel::kLive)).center();
    }
    void click(int row) { QTest::mouseClick(view.table().viewport(), Qt::LeftButton, {}, middleOf(row)); }
    [[nodiscard]] std::uint64_t selected() const { return view.selected() ? view.selected()->path[1].key : 0; }
    static std::uint64_t heapIn(const QSignalSpy& spy) { return spy.last()[0].value<HeapFacts>().path[1].key; }
    [[nodiscard]] QString summary() const { return view.findChild<QLabel*>("heapsSummary")->text(); }
    [[nodiscard]] QString story() const { return view.findChild<QLabel*>("heapStory")->text(); }
    [[nodiscard]] QListWidget& stack() const { return *view.findChild<QListWidget*>("heapStack"); }
};

} // namespace

/// The Heaps page by mouse and keys.
class HeapsViewTest : public QObject {
    Q_OBJECT
  private slots:
    void theLargestHeapIsSelectedByDefault() {
        HeapsStage stage;
        QCOMPARE(stage.selected(), 1U);
        QVERIFY(stage.painted.isEmpty()); // not requested
    }
    void selectingAHeapPaintsIt() {
        HeapsStage stage;
        stage.press(Qt::Key_Down);
        QCOMPARE(stage.painted.size(), 1);
        QCOMPARE(stage.heapIn(stage.painted), 2U);
        QVERIFY(stage.filtered.isEmpty() && stage.rows.isEmpty());
    }
    void keysFilterToAHeapAndOpenItsRows() {
        HeapsStage stage;
        stage.press(Qt::Key_Down);
        stage.press(Qt::Key_Space);
        QCOMPARE(stage.filtered.size(), 1);
        QCOMPARE(stage.heapIn(stage.filtered), 2U);
        stage.view.setFiltered(pathOfHeap(2));
        stage.press(Qt::Key_Space); // takes it back
        QCOMPARE(stage.unfiltered.size(), 1);
        QCOMPARE(stage.filtered.size(), 1);
        stage.press(Qt::Key_Up);
        stage.press(Qt::Key_Space); // another one than the one in the filter
        QCOMPARE(stage.heapIn(stage.filtered), 1U);
        stage.press(Qt::Key_Return);
        stage.press(Qt::Key_Enter);
        QCOMPARE(stage.rows.size(), 2);
        QCOMPARE(stage.heapIn(stage.rows), 1U);
    }
    void aClickSelectsAHeapAndADoubleClickOpensItsRows() {
        HeapsStage stage;
        stage.click(2);
        QCOMPARE(stage.heapIn(stage.painted), 3U);
        QCOMPARE(stage.filtered.size(), 0); // only selects
        stage.press(Qt::Key_Space);
        QCOMPARE(stage.filtered.size(), 1);
        QCOMPARE(stage.heapIn(stage.filtered), 3U);
        QVERIFY(stage.rows.isEmpty());
        stage.click(1); // the first of two
        QTest::mouseDClick(stage.view.table().viewport(), Qt::LeftButton, {}, stage.middleOf(1));
        QCOMPARE(stage.rows.size(), 1);
        QCOMPARE(stage.heapIn(stage.rows), 2U);
    }
    void keysDoNothingWithoutAHeap() {
        HeapsStage stage(nullptr);
        for (const auto key : {Qt::Key_Return, Qt::Key_Space, Qt::Key_Down})
            stage.press(key);
        stage.press(Qt::Key_C, Qt::ControlModifier);
        QVERIFY(stage.filtered.isEmpty() && stage.unfiltered.isEmpty());
        QVERIFY(stage.rows.isEmpty() && stage.painted.isEmpty());
    }
    void aClickOnATitleSorts() {
        HeapsStage stage;
        auto& header = *stage.view.table().header();
        const QPoint blocks(header.sectionViewportPosition(HeapTableModel::kBlocks) + 20, header.height() / 2);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, blocks);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, blocks);
        const auto first = stage.view.table().model()->index(0, HeapTableModel::kBlocks).data().toString();
        const bool isDescending = header.sortIndicatorOrder() == Qt::DescendingOrder;
        QCOMPARE(header.sortIndicatorSection(), int{HeapTableModel::kBlocks});
        QCOMPARE(first, isDescending ? "3" : "1");
        QCOMPARE(stage.selected(), 1U); // moves along
        stage.click(0);
        stage.press(Qt::Key_Space);
        QCOMPARE(stage.heapIn(stage.filtered), isDescending ? 3U : 1U);
    }
    void theSelectedHeapStaysSelectedWhenOthersCome() {
        HeapsStage stage;
        stage.press(Qt::Key_Down);
        stage.painted.clear();
        stage.view.setAnswer(answerOfHeaps({heapOfBytes(4, 9000, 1), heapOfBytes(2, 8000, 2)}));
        QCOMPARE(stage.selected(), 2U);
        stage.view.setAnswer(answerOfHeaps({heapOfBytes(4, 9000, 1)}));
        QCOMPARE(stage.selected(), 0U); // not one that the user did not choose
        QCOMPARE(stage.story(), QString());
        QVERIFY(stage.painted.isEmpty());
    }
    void aHeapIsSelectedOnceItComes() {
        HeapsStage stage;
        stage.view.select(pathOfHeap(3));
        QCOMPARE(stage.selected(), 3U);
        stage.view.select(pathOfHeap(5));
        stage.view.setAnswer(threeHeaps());
        QCOMPARE(stage.selected(), 3U); // not yet
        stage.view.setAnswer(answerOfHeaps({heapOfBytes(3, 900, 1), heapOfBytes(5, 800, 1)}));
        QCOMPARE(stage.selected(), 5U);
        stage.press(Qt::Key_Up);
        stage.view.setAnswer(answerOfHeaps({heapOfBytes(3, 900, 1), heapOfBytes(5, 800, 1)}));
        QCOMPARE(stage.selected(), 3U); // once is enough
    }
    void showsTheCreatorOfTheSelectedHeap() {
        HeapsStage stage;
        QVERIFY2(stage.story().startsWith("Created at 1.000000 s."), qPrintable(stage.story()));
        QCOMPARE(stage.stack().count(), 3);
        QCOMPARE(stage.stack().item(1)->text(), "a!<b>make</b>");
        QVERIFY(stage.stack().item(1)->toolTip().contains("&lt;b&gt;make")); // plain text
        // The function that created the heap is highlighted.
        QCOMPARE(stage.stack().currentRow(), 1);
        QVERIFY(stage.stack().item(1)->font().bold());
        QVERIFY(!stage.stack().item(0)->font().bold() && !stage.stack().item(2)->font().bold());
    }
    void copiesTheHeapWithItsStack() {
        HeapsStage stage;
        stage.press(Qt::Key_Down);
        stage.press(Qt::Key_C, Qt::ControlModifier);
        const auto lines = QGuiApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 5);
        QCOMPARE(lines[0].split('\t').mid(0, 5), (QStringList{"a.exe (7)", "0x20000", "a!<b>make</b>", "2.0 KB", "2"}));
        QCOMPARE(lines[1], stage.story());
        QCOMPARE(lines.mid(2), (QStringList{"    ntdll!RtlCreateHeap", "    a!<b>make</b>", "    a!main"}));
    }
    void saysWhatItShowsAndWhyThereIsNothing() {
        HeapsStage stage(nullptr);
        QCOMPARE(stage.summary(), "Open or record a trace to see its heaps.");
        stage.view.setBusy(true);
        QVERIFY2(stage.summary().startsWith("Counting"), qPrintable(stage.summary()));
        stage.view.setAnswer(threeHeaps());
        const QString said = "3 heaps at 2.000000 s with 7.0 KB live in 6 blocks; growth and peak since 0.500000 s";
        QCOMPARE(stage.summary(), said + QString::fromUtf8(" (updating\xE2\x80\xA6)"));
        stage.view.setBusy(false);
        QCOMPARE(stage.summary(), said);
        stage.view.setAnswer(answerOfHeaps({heapOfBytes(1, 64, 1)}));
        QVERIFY2(stage.summary().startsWith("1 heap at "), qPrintable(stage.summary()));
        stage.view.setAnswer(answerOfHeaps({}));
        QCOMPARE(stage.summary(), "No heap was recorded in this interval.");
        stage.view.setAnswer(answerOfHeaps({}, true));
        QCOMPARE(stage.summary(), "No heap has blocks that match the filter in this interval.");
    }
    void clearsItsContent() {
        HeapsStage stage;
        stage.view.clear("Cannot be asked.");
        QCOMPARE(stage.summary(), "Cannot be asked.");
        QCOMPARE(stage.view.table().model()->rowCount(), 0);
        QCOMPARE(stage.stack().count(), 0);
        QVERIFY(stage.story().isEmpty() && stage.view.selected() == nullptr);
    }
};

HIGHWATER_TEST(HeapsViewTest);
#include "heaps_view_test.moc"
