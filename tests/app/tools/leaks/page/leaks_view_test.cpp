#include "app/tools/leaks/page/leaks_view.h"

#include "tests/support/test_registry.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace highwater;
using namespace highwater::ui;
using analysis::LeakSuspect;

namespace {

LeakSuspect suspectOf(const char* owner, std::uint64_t key) {
    LeakSuspect suspect;
    suspect.verdict = analysis::LeakVerdict::Growing;
    suspect.confidence = 1;
    suspect.owner = owner;
    suspect.process = "a.exe (7)";
    suspect.why = std::string("Still growing by ") + owner + ".";
    suspect.stack = {"libc.so.6!malloc", owner, "a.exe!main"};
    suspect.ownerFrame = 1;
    suspect.outstandingBytes = 1024 * key;
    suspect.path = {{analysis::Column::Process, 1}, {analysis::Column::StackBottomUp, key}};
    return suspect;
}

std::shared_ptr<const LeakAnswer> answerOf(std::vector<LeakSuspect> suspects) {
    LeakAnswer answer;
    answer.found.count = suspects.size();
    answer.found.keptBytes = 4096;
    answer.found.tables = {{analysis::Table::Heap, suspects.size(), 4096}};
    answer.found.interval = {TraceTime{0}, TraceTime{2'000'000'000}};
    answer.found.suspects = std::move(suspects);
    return std::make_shared<const LeakAnswer>(std::move(answer));
}

/// The page with two suspects, on screen.
struct ViewStage {
    LeaksView view;
    QSignalSpy painted{&view, &LeaksView::painted};
    QSignalSpy filtered{&view, &LeaksView::filterWanted};
    QSignalSpy unfiltered{&view, &LeaksView::filterUnwanted};
    QSignalSpy opened{&view, &LeaksView::rowsWanted};

    ViewStage() {
        view.setAnswer(answerOf({suspectOf("a.exe!first", 1), suspectOf("a.exe!second", 2)}));
        view.resize(900, 240);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        view.table().setFocus();
    }
    void press(Qt::Key key) { QTest::keyClick(&view.table(), key); }
    QString reason() { return view.findChild<QLabel*>("leakReason")->text(); }
    QString summary() { return view.findChild<QLabel*>("leaksSummary")->text(); }
};

} // namespace

class LeaksViewTest : public QObject {
    Q_OBJECT
  private slots:
    /// While a program runs, the order changes. The first one stays selected until the user selects another.
    void theFirstIsSelectedUntilTheUserSelectsOne() {
        ViewStage stage;
        QCOMPARE(stage.view.selected()->owner, std::string("a.exe!first"));
        const auto turned = answerOf({suspectOf("a.exe!second", 2), suspectOf("a.exe!first", 1)});
        stage.view.setAnswer(turned);
        QCOMPARE(stage.view.selected()->owner, std::string("a.exe!second"));
        stage.press(Qt::Key_Down);
        QCOMPARE(stage.view.selected()->owner, std::string("a.exe!first"));
        stage.view.setAnswer(answerOf({suspectOf("a.exe!first", 1), suspectOf("a.exe!second", 2)}));
        QCOMPARE(stage.view.selected()->owner, std::string("a.exe!first"));
        stage.view.setAnswer(turned);
        QCOMPARE(stage.view.selected()->owner, std::string("a.exe!first")); // now the second row
    }
    void amountsAreVisibleInANarrowPage() {
        ViewStage stage;
        auto suspect = suspectOf("a.exe!a function with a name that is longer than most others", 1);
        suspect.held = analysis::HeldMemory{64, 8192, 2};
        stage.view.setAnswer(answerOf({suspect}));
        auto& table = stage.view.table();
        auto* header = table.header();
        const auto endOf = [&](int column) {
            return header->sectionViewportPosition(column) + header->sectionSize(column);
        };
        const auto isShown = [&] { return endOf(LeakTableModel::kHeld) <= table.viewport()->width(); };
        stage.view.resize(1000, 240);
        QTRY_VERIFY2(isShown(), qPrintable(QString::number(endOf(LeakTableModel::kHeld))));
        const auto narrow = header->sectionSize(LeakTableModel::kOwner);
        stage.view.resize(1800, 240);
        QTRY_VERIFY(isShown() && header->sectionSize(LeakTableModel::kOwner) > narrow);
        header->resizeSection(LeakTableModel::kOwner, 500); // by the user
        stage.view.resize(1000, 240);
        QCOMPARE(header->sectionSize(LeakTableModel::kOwner), 500);
    }
    void unreachableAmountsAndOwnersAreVisibleInANarrowPage() {
        ViewStage stage;
        auto suspect = suspectOf("a.exe!a function with a name that is longer than most others", 1);
        suspect.held = analysis::HeldMemory{64, 8192, 2};
        auto answer = *answerOf({suspect});
        answer.found.hasPicture = true;
        stage.view.setAnswer(std::make_shared<const LeakAnswer>(answer));
        stage.view.resize(1000, 240);
        const auto& table = stage.view.table();
        const auto* header = table.header();
        const auto isShown = [&] {
            return header->sectionViewportPosition(LeakTableModel::kUnreachable) +
                       header->sectionSize(LeakTableModel::kUnreachable) <=
                   table.viewport()->width();
        };
        QTRY_VERIFY(isShown() &&
                    header->sectionSize(LeakTableModel::kOwner) >= header->sectionSize(LeakTableModel::kUnreachable));
    }
    void columnsOfPicturesAreHiddenWithoutOne() {
        ViewStage stage;
        const auto areHidden = [&] {
            auto& table = stage.view.table();
            return std::pair(table.isColumnHidden(LeakTableModel::kUnreachable),
                             table.isColumnHidden(LeakTableModel::kHeldBy));
        };
        QCOMPARE(areHidden(), std::pair(true, true));
        auto answer = *answerOf({suspectOf("a.exe!first", 1)});
        answer.found.hasPicture = true;
        stage.view.setAnswer(std::make_shared<const LeakAnswer>(answer));
        QCOMPARE(areHidden(), std::pair(false, false));
    }
    void explainsTheFirstWithoutBeingAsked() {
        ViewStage stage;
        QCOMPARE(stage.reason(), "Still growing by a.exe!first.");
        QCOMPARE(stage.view.findChild<QListWidget*>("leakStack")->currentItem()->text(), "a.exe!first");
        QCOMPARE(stage.painted.size(), 0); // not chosen by the user
        QVERIFY2(stage.summary().contains("4.0 KB kept by 2 stacks"), qPrintable(stage.summary()));
        // Not the sum of the column beside it.
        const auto tip = stage.view.findChild<QLabel*>("leaksSummary")->toolTip();
        QVERIFY2(tip.contains("4.0 KB kept") && tip.contains("Kept: allocated in the interval"), qPrintable(tip));
    }
    /// The most important column is visible without scrolling in a narrow window.
    void theAmountIsOnScreenInANarrowWindow() {
        ViewStage stage;
        stage.view.resize(980, 240);
        QTest::qWait(1);
        const auto* header = stage.view.table().header();
        const auto end = header->sectionViewportPosition(LeakTableModel::kOutstanding) +
                         header->sectionSize(LeakTableModel::kOutstanding);
        const auto room = stage.view.table().viewport()->width();
        QVERIFY2(end <= room, qPrintable(QStringLiteral("%1 of %2").arg(end).arg(room)));
    }
    void numbersAndVerdictsAreNotCut() {
        ViewStage stage;
        auto large = suspectOf("a.exe!large", 3);
        large.outstandingCount = 1'234'567'890'123'456;
        stage.view.setAnswer(answerOf({large}));
        const QAbstractItemView& table = stage.view.table();
        for (const auto column : {LeakTableModel::kVerdict, LeakTableModel::kCount, LeakTableModel::kOutstanding})
            QVERIFY(stage.view.table().columnWidth(column) >= table.sizeHintForColumn(column));
        const auto width = stage.view.table().columnWidth(LeakTableModel::kCount);
        stage.view.setAnswer(answerOf({suspectOf("a.exe!small", 1)}));
        QCOMPARE(stage.view.table().columnWidth(LeakTableModel::kCount), width); // nothing jumps
    }
    void keysPaintFilterAndOpen() {
        ViewStage stage;
        stage.press(Qt::Key_Down);
        QCOMPARE(stage.painted.size(), 1);
        QCOMPARE(stage.reason(), "Still growing by a.exe!second.");
        stage.press(Qt::Key_Space);
        QCOMPARE(stage.filtered.size(), 1);
        stage.view.setFiltered(stage.view.selected()->path);
        stage.press(Qt::Key_Space);
        QCOMPARE(stage.unfiltered.size(), 1);
        stage.press(Qt::Key_Return);
        QCOMPARE(stage.opened.size(), 1);
    }
    void theSelectedOneStaysSelectedWhenRanksChange() {
        ViewStage stage;
        stage.press(Qt::Key_Down);
        stage.view.setAnswer(
            answerOf({suspectOf("a.exe!new", 3), suspectOf("a.exe!second", 2), suspectOf("a.exe!first", 1)}));
        QCOMPARE(stage.view.selected()->owner, std::string("a.exe!second"));
        QCOMPARE(stage.painted.size(), 1); // by the user, not by the new answer
    }
    void theFirstIsSelectedWhenTheSelectedOneIsGone() {
        ViewStage stage;
        stage.press(Qt::Key_Down);
        stage.view.setAnswer(answerOf({suspectOf("a.exe!third", 3), suspectOf("a.exe!first", 1)}));
        QCOMPARE(stage.reason(), "Still growing by a.exe!third.");
    }
    /// Two suspects of one function read differently.
    void showsTheSourceLineOfTheOwner() {
        ViewStage stage;
        auto suspect = suspectOf("a.exe!first", 1);
        suspect.place = "cart.cpp:12";
        stage.view.setAnswer(answerOf({suspect}));
        const auto cell = stage.view.table().model()->index(0, LeakTableModel::kOwner);
        QCOMPARE(cell.data().toString(), "a.exe!first (cart.cpp:12)");
    }
    void sortsByNumbersAndKeepsTheSelection() {
        ViewStage stage;
        stage.view.table().sortByColumn(LeakTableModel::kOutstanding, Qt::DescendingOrder);
        QCOMPARE(stage.view.table().model()->index(0, LeakTableModel::kOwner).data().toString(), "a.exe!second");
        QCOMPARE(stage.view.selected()->owner, std::string("a.exe!first"));
    }
    void saysWhatItDoesAndWhyThereIsNothing() {
        ViewStage stage;
        stage.view.setBusy(true);
        QVERIFY(stage.summary().endsWith("(updating…)"));
        stage.view.setBusy(false);
        QVERIFY(!stage.summary().contains("searching"));
        stage.view.setAnswer(answerOf(std::vector<LeakSuspect>()));
        QVERIFY(stage.summary().startsWith("No memory that was allocated in the interval is kept at its end."));
        QCOMPARE(stage.reason(), "");
        stage.view.clear("Cannot be asked.");
        QCOMPARE(stage.summary(), "Cannot be asked.");
    }
    void namesAllTablesThatWereSearchedAndTheirFilters() {
        ViewStage stage;
        LeakAnswer answer(*answerOf({suspectOf("a.exe!first", 1)}));
        answer.found.tables = {{analysis::Table::Heap, 5, 4096}, {analysis::Table::VirtualAlloc, 2, 8192}};
        answer.query.otherFilter.emplace();
        const auto summaryOf = [&] {
            stage.view.setAnswer(std::make_shared<const LeakAnswer>(answer));
            return stage.summary();
        };
        QCOMPARE(summaryOf(), "Heap Allocations, 0.000000 s to 2.000000 s: 4.0 KB kept by 5 stacks; VirtualAlloc "
                              "Commit LifeTimes: 8.0 KB kept by 2 stacks");
        answer.found.tables[1] = {analysis::Table::VirtualAlloc, 0, 0};
        QVERIFY2(summaryOf().endsWith("; VirtualAlloc Commit LifeTimes: no stack keeps memory"),
                 qPrintable(stage.summary()));
        answer.found.tables[1] = {analysis::Table::VirtualAlloc, 2, 8192};
        answer.found.count = 5;
        QVERIFY2(summaryOf().endsWith("; the list shows the most suspicious stack"), qPrintable(stage.summary()));
        answer.found.count = 1;
        answer.query.otherFilter->query =
            analysis::QueryExpression::parse(analysis::Table::VirtualAlloc, "Size:>1GB").value();
        answer.found.heapMemory = {3, 10, 12 << 20};
        QVERIFY2(summaryOf().contains("; VirtualAlloc Commit LifeTimes (filtered): 8.0 KB kept by 2 stacks "
                                      "(VirtualAlloc memory of heaps is not listed separately: 3 stacks, 12.0 MB)"),
                 qPrintable(stage.summary()));
        answer.found.suspects.clear();
        QCOMPARE(summaryOf(), "No memory that was allocated in the interval and matches the filter is kept at its end. "
                              "Searched: Heap Allocations, VirtualAlloc Commit LifeTimes (filtered). (VirtualAlloc "
                              "memory of heaps is not listed separately: 3 stacks, 12.0 MB)");
    }
    void leadsToTheTimeBeforeAProcessFreedItsMemory() {
        ViewStage stage;
        auto* exit = stage.view.findChild<QWidget*>("leaksExit");
        QVERIFY(exit->isHidden());
        QSignalSpy zooms(&stage.view, &LeaksView::zoomWanted);
        LeakAnswer answer(*answerOf({}));
        const TimeRange before{TraceTime{0}, TraceTime{9'810'000'000}};
        answer.found.freedOnExit = analysis::FreedOnExit{analysis::Table::Heap, "server.exe", 400 << 10, before};
        stage.view.setAnswer(std::make_shared<const LeakAnswer>(answer));
        QVERIFY(exit->isVisible());
        QCOMPARE(stage.view.findChild<QLabel*>("leaksExitText")->text(),
                 "Most of the heap memory was freed as server.exe exited, and is not listed. To see the stacks that "
                 "kept 400.0 KB shortly before, zoom to the time before the exit.");
        QVERIFY2(!stage.summary().contains("choose an interval"), qPrintable(stage.summary()));
        auto* zoom = stage.view.findChild<QPushButton*>("leaksExitZoom");
        QCOMPARE(zoom->text(), "Zoom to 0.00 s - 9.81 s");
        QTest::mouseClick(zoom, Qt::LeftButton);
        QCOMPARE(zooms.size(), 1);
        QCOMPARE(zooms.front().front().value<TimeRange>(), before);
        stage.view.setAnswer(answerOf({suspectOf("a.exe!first", 1)}));
        QVERIFY(exit->isHidden());
    }
    /// One function may keep blocks and pages, with the same frames outside the allocator.
    void theSelectedTableStaysSelected() {
        ViewStage stage;
        auto pages = suspectOf("a.exe!first", 1);
        pages.table = analysis::Table::VirtualAlloc;
        stage.view.setAnswer(answerOf({suspectOf("a.exe!first", 1), pages}));
        stage.press(Qt::Key_Down);
        QCOMPARE(stage.view.selected()->table, analysis::Table::VirtualAlloc);
        stage.view.setAnswer(answerOf({suspectOf("a.exe!first", 1), suspectOf("a.exe!second", 2), pages}));
        QCOMPARE(stage.view.selected()->table, analysis::Table::VirtualAlloc);
        stage.view.setFiltered(pages.path, analysis::Table::Heap);
        stage.press(Qt::Key_Space);
        QCOMPARE(stage.filtered.size(), 1); // the filter is that of the blocks
        stage.view.setFiltered(pages.path, analysis::Table::VirtualAlloc);
        stage.press(Qt::Key_Space);
        QCOMPARE(stage.unfiltered.size(), 1);
    }
    void showsBlocksKeptUntilTheirProcessEnded() {
        ViewStage stage;
        QVERIFY(!stage.summary().contains("when the process ended"));
        LeakAnswer answer(*answerOf({suspectOf("a.exe!first", 1)}));
        answer.found.keptUntilExit = 2048;
        stage.view.setAnswer(std::make_shared<const LeakAnswer>(answer));
        QVERIFY2(stage.summary().contains(
                     "4.0 KB kept by 1 stack; 2.0 KB of this was still allocated when the process ended"),
                 qPrintable(stage.summary()));
    }
    void showsSuppressionsBeforeLongTexts() {
        ViewStage stage;
        LeakAnswer answer(*answerOf({suspectOf("a.exe!first", 1)}));
        answer.found.keptUntilExit = 2048;
        answer.found.suppressed = {3, 10, 1024};
        stage.view.setAnswer(std::make_shared<const LeakAnswer>(answer));
        QVERIFY2(stage.summary().contains(
                     "kept by 1 stack (suppressed: 3 stacks, 1.0 KB); 2.0 KB of this was still allocated when"),
                 qPrintable(stage.summary()));
        auto* line = stage.view.findChild<QLabel*>("leaksSummary");
        QVERIFY2(line->toolTip().contains("suppressed: 3 stacks"), qPrintable(line->toolTip()));
    }
    void reportsFilesThatSuppressNothing() {
        ViewStage stage;
        LeakAnswer answer(*answerOf({suspectOf("a.exe!first", 1)}));
        answer.found.suppressed.areAsked = true;
        stage.view.setAnswer(std::make_shared<const LeakAnswer>(answer));
        QVERIFY2(stage.summary().endsWith("kept by 1 stack (suppressed: no stack)"), qPrintable(stage.summary()));
    }
    void copiesOwnerReasonAndStack() {
        ViewStage stage;
        QTest::keyClick(&stage.view.table(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(),
                 "a.exe!first (a.exe (7))\n  Still growing by a.exe!first.\n    libc.so.6!malloc\n    a.exe!first\n"
                 "    a.exe!main");
    }
};

HIGHWATER_TEST(LeaksViewTest);
#include "leaks_view_test.moc"
