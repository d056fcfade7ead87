#include "app/tools/heaps/page/heap_table_model.h"
#include "tests/support/test_registry.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using analysis::Column, analysis::HeapFacts, analysis::HeapOrigin, analysis::SlackGap;
using Model = HeapTableModel;

namespace {

constexpr TraceTime atSecond(std::int64_t second) { return {second * 1'000'000'000}; }

HeapFacts heapWithAll() {
    HeapFacts heap;
    heap.process = "a.exe (7)";
    heap.handle = 0x1d0000;
    heap.origin = HeapOrigin::Recorded;
    heap.creations = 1;
    heap.created = atSecond(1);
    heap.stack = {"ntdll!RtlCreateHeap", "a!<b>make</b>"};
    heap.ownerFrame = 1;
    heap.count = 1200;
    heap.bytes = 2'097'152;
    heap.peak = 3'145'728;
    heap.growth = 1'048'576;
    heap.bytesPerSecond = -2048;
    heap.reserved = 4'194'304;
    heap.committed = 2'228'224;
    heap.liveInRanges = 2'097'152;
    heap.slack = 131'072;
    heap.path = {{Column::Process, 7}, {Column::Handle, 1}};
    return heap;
}

/// Nothing is known about it except its blocks.
HeapFacts heapWithLittle() {
    HeapFacts heap;
    heap.process = "b\n.exe (8)";
    heap.handle = 0xffffffffffff0000;
    heap.count = 3;
    heap.bytes = 96;
    heap.peak = 96;
    heap.gap = SlackGap::NoRanges;
    heap.path = {{Column::Process, 8}, {Column::Handle, 2}};
    return heap;
}

std::shared_ptr<const HeapAnswer> answerOfHeaps(std::vector<HeapFacts> heaps) {
    HeapAnswer answer;
    answer.found.heaps = std::move(heaps);
    return std::make_shared<const HeapAnswer>(std::move(answer));
}

} // namespace

class HeapTableModelTest : public QObject {
    Q_OBJECT

    Model model_;
    QAbstractItemModelTester tester_{&model_, QAbstractItemModelTester::FailureReportingMode::Fatal};

    QString text(int row, int column) { return model_.index(row, column).data().toString(); }
    QString toolTip(int row, int column) { return model_.index(row, column).data(Qt::ToolTipRole).toString(); }
    QString title(int column, int role = Qt::DisplayRole) {
        return model_.headerData(column, Qt::Horizontal, role).toString();
    }
    /// Whether a sorting view puts the second row before the first.
    bool isSecondLess(int column) {
        const auto first = model_.index(0, column).data(Model::kSortRole);
        const auto second = model_.index(1, column).data(Model::kSortRole);
        return QVariant::compare(second, first) == QPartialOrdering::Less;
    }

  private slots:
    void init() { model_.setAnswer(answerOfHeaps({heapWithAll(), heapWithLittle()})); }

    void aRowPerHeapWithUnits() {
        QCOMPARE(model_.rowCount(), 2);
        QCOMPARE(text(0, Model::kProcess), "a.exe (7)");
        QCOMPARE(text(0, Model::kHandle), "0x1d0000");
        QCOMPARE(text(0, Model::kCreator), "a!<b>make</b>");
        QCOMPARE(text(0, Model::kLive), "2.0 MB");
        QCOMPARE(text(0, Model::kBlocks), "1,200");
        QCOMPARE(text(0, Model::kGrowth), "+1.0 MB");
        QCOMPARE(text(0, Model::kSlope), QString::fromUtf8("\xE2\x88\x92"
                                                           "2.0 KB/s"));
        QCOMPARE(text(0, Model::kPeak), "3.0 MB");
        QCOMPARE(text(0, Model::kSlack), "128.0 KB");
        QCOMPARE(text(0, Model::kCommitted), "2.1 MB");
        QCOMPARE(text(0, Model::kReserved), "4.0 MB");
        QCOMPARE(text(0, Model::kCreated), "1.000000 s");
        QCOMPARE(text(0, Model::kDestroyed), QString());
    }
    void unknownValuesAreEmptyAndNeverZero() {
        for (const auto column :
             {Model::kSlope, Model::kSlack, Model::kCommitted, Model::kReserved, Model::kCreated, Model::kDestroyed})
            QVERIFY2(text(1, column).isEmpty(), qPrintable(title(column)));
        QCOMPARE(text(1, Model::kHandle), "0xffffffffffff0000");
        QCOMPARE(text(1, Model::kCreator), "(not recorded)");
        QVERIFY2(!text(1, Model::kProcess).contains('\n'), qPrintable(text(1, Model::kProcess)));
    }
    void numbersAreRightAlignedInCellsAndTitles() {
        for (int column = 0; column < Model::kColumns; ++column) {
            const bool isText = column == Model::kProcess || column == Model::kHandle || column == Model::kCreator;
            const int side = isText ? Qt::AlignLeft : Qt::AlignRight;
            QVERIFY2(model_.index(0, column).data(Qt::TextAlignmentRole).toInt() & side, qPrintable(title(column)));
            QVERIFY(model_.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & side);
        }
    }
    void sortsByAmountsAndNotByTheirTexts() {
        QVERIFY(isSecondLess(Model::kLive)); // "96 B" comes after "2.0 MB"
        QVERIFY(isSecondLess(Model::kBlocks));
        QVERIFY(isSecondLess(Model::kGrowth));
        QVERIFY(!isSecondLess(Model::kHandle));
        QVERIFY(!isSecondLess(Model::kSlope)); // 0 and a heap that shrinks
        QVERIFY(!isSecondLess(Model::kProcess));
    }
    void sortsUnknownValuesBeforeNumbers() {
        auto none = heapWithAll();
        none.slack = none.committed = none.reserved = 0;
        none.created = atSecond(0);
        none.destroyed = atSecond(9);
        model_.setAnswer(answerOfHeaps({none, heapWithLittle()}));
        for (const auto column : {Model::kSlack, Model::kCommitted, Model::kReserved, Model::kCreated})
            QVERIFY2(isSecondLess(column), qPrintable(title(column)));
        QVERIFY(!isSecondLess(Model::kDestroyed)); // an existing heap will be destroyed later
    }
    void everyColumnHasATitleOfItsOwn() {
        QStringList titles;
        for (int column = 0; column < Model::kColumns; ++column)
            titles << title(column);
        QCOMPARE(titles, (QStringList{"Process", "Handle", "Created By", "Live", "Blocks", "Growth", "Slope", "Peak",
                                      "Slack", "Committed", "Reserved", "Created", "Destroyed"}));
        QVERIFY(title(Model::kSlack, Qt::ToolTipRole).contains("not belong to live blocks"));
        QVERIFY(!model_.headerData(Model::kColumns, Qt::Horizontal, Qt::DisplayRole).isValid());
        QVERIFY(!model_.headerData(0, Qt::Vertical, Qt::DisplayRole).isValid());
    }
    void toolTipsShowTheHistoryOrTheFullName() {
        QVERIFY(toolTip(0, Model::kLive).contains("Created at 1.000000 s."));
        QVERIFY(toolTip(1, Model::kSlack).contains("Its creation was not recorded."));
        // A name in a trace is not markup.
        QVERIFY2(toolTip(0, Model::kCreator).contains("&lt;b&gt;make"), qPrintable(toolTip(0, Model::kCreator)));
    }

    void showsTheOriginOfAHeap_data() {
        QTest::addColumn<HeapOrigin>("origin");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("recorded") << HeapOrigin::Recorded << "Created at 1.000000 s.";
        QTest::newRow("before") << HeapOrigin::BeforeTrace << "It existed before the recording.";
        QTest::newRow("malloc") << HeapOrigin::Malloc
                                << "Contains all memory allocated by malloc and related functions. This heap was "
                                   "not created explicitly.";
        QTest::newRow("unseen") << HeapOrigin::NotRecorded << "Its creation was not recorded.";
    }
    void showsTheOriginOfAHeap() {
        QFETCH(HeapOrigin, origin);
        QFETCH(QString, sentence);
        auto heap = heapWithAll();
        heap.origin = origin;
        QCOMPARE(heapSentence(heap),
                 sentence + " 2.0 MB of 2.1 MB committed in its ranges are live; 128.0 KB are slack.");
    }
    void showsOtherFactsOfAHeap() {
        auto heap = heapWithAll();
        heap.creations = 3;
        heap.stack.clear();
        heap.destroyed = atSecond(2);
        heap.slack.reset();
        heap.gap = SlackGap::Gone;
        QCOMPARE(heapSentence(heap), "Created 3 times, last at 1.000000 s. The stack of its creation was not recorded. "
                                     "Destroyed at 2.000000 s. Slack is unknown because the heap was destroyed.");
    }

    void findsTheRowOfAHeap() {
        QCOMPARE(model_.rowOf(heapWithLittle().path), std::optional(1));
        QCOMPARE(model_.rowOf({{Column::Process, 7}, {Column::Handle, 2}}), std::optional<int>());
        QCOMPARE(model_.heap(1)->handle, heapWithLittle().handle);
        QVERIFY(model_.heap(-1) == nullptr && model_.heap(2) == nullptr);
    }
    void hasNothingWithoutAnAnswer() {
        model_.setAnswer(nullptr);
        QCOMPARE(model_.rowCount(), 0);
        QVERIFY(model_.heap(0) == nullptr);
        QVERIFY(!model_.rowOf(heapWithAll().path));
        QCOMPARE(model_.columnCount(), int{Model::kColumns});
    }
};

HIGHWATER_TEST(HeapTableModelTest);
#include "heap_table_model_test.moc"
