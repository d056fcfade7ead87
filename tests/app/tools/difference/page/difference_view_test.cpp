#include "app/tools/difference/page/difference_view.h"

#include "tests/support/test_registry.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace highwater;
using namespace highwater::ui;
using analysis::DifferenceState;

namespace {

DifferenceRow viewRow(const char* text, std::uint32_t parent, std::uint32_t place, std::int64_t after,
                      std::vector<std::uint32_t> children = {}) {
    DifferenceRow row;
    row.text = text;
    row.state = after > 1024 ? DifferenceState::Grown : DifferenceState::Same;
    row.change = {1024, after};
    row.count = {1, 1};
    row.parent = parent;
    row.place = place;
    row.children = std::move(children);
    return row;
}

/// A process with two functions, the names in this order.
std::shared_ptr<const DifferenceAnswer> answerOfTwo(const char* first, const char* second) {
    DifferenceAnswer answer;
    answer.rows = {viewRow("", 0, 0, 3072, {1}), viewRow("a.exe", 0, 0, 3072, {2, 3}), viewRow(first, 1, 0, 2048),
                   viewRow(second, 1, 1, 1024)};
    answer.notes = {"With one trace a side nothing is known."};
    return std::make_shared<const DifferenceAnswer>(std::move(answer));
}

/// The page with an answer, on screen.
struct DifferenceStage {
    DifferenceView view;
    QSignalSpy painted{&view, &DifferenceView::painted};
    QSignalSpy filtered{&view, &DifferenceView::filterWanted};
    QSignalSpy unfiltered{&view, &DifferenceView::filterUnwanted};
    QSignalSpy asked{&view, &DifferenceView::questionChanged};

    DifferenceStage() {
        view.setAnswer(answerOfTwo("a.exe!grows", "a.exe!keeps"));
        view.resize(1100, 260);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        view.tree().setFocus();
    }
    QString text(const char* name) { return view.findChild<QLabel*>(name)->text(); }
    QString selected() { return view.selected().siblingAtColumn(0).data().toString(); }
};

} // namespace

class DifferenceViewTest : public QObject {
    Q_OBJECT
  private slots:
    void expandsTheLargestGrowthInitially() {
        DifferenceStage stage;
        QCOMPARE(stage.selected(), "a.exe!grows");
        QVERIFY(stage.view.tree().isExpanded(stage.view.tree().model()->index(0, 0)));
        QCOMPARE(stage.painted.size(), 0); // not chosen by the user
        QCOMPARE(stage.text("differenceSummary"),
                 "Heap Allocations, Outstanding: 1.0 KB before, 3.0 KB after (+2.0 KB)");
        QCOMPARE(stage.text("differenceNotes"), "With one trace a side nothing is known.");
    }
    void keysPaintAndFilter() {
        DifferenceStage stage;
        QTest::keyClick(&stage.view.tree(), Qt::Key_Down);
        QCOMPARE(stage.painted.size(), 1);
        QCOMPARE(stage.painted.first().first().toUInt(), 3u);
        QTest::keyClick(&stage.view.tree(), Qt::Key_Space);
        QCOMPARE(stage.filtered.size(), 1);
        stage.view.setFiltered(stage.view.model().pathOf(stage.view.selected()));
        QTest::keyClick(&stage.view.tree(), Qt::Key_Space);
        QCOMPARE(stage.unfiltered.size(), 1);
    }
    void aClickSelectsAndADoubleClickFilters() {
        DifferenceStage stage;
        auto& tree = stage.view.tree();
        const auto keeps = tree.model()->index(1, DifferenceModel::kDelta, tree.model()->index(0, 0));
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualRect(keeps).center());
        QCOMPARE(stage.painted.size(), 1);
        QCOMPARE(stage.filtered.size(), 0);
        QTest::mouseDClick(tree.viewport(), Qt::LeftButton, {}, tree.visualRect(keeps).center());
        QCOMPARE(stage.filtered.size(), 1);
        QCOMPARE(stage.filtered.first().first().toUInt(), 3u);
    }
    void keepsSelectedAndOpenRows() {
        DifferenceStage stage;
        QTest::keyClick(&stage.view.tree(), Qt::Key_Down);
        stage.view.setAnswer(answerOfTwo("a.exe!keeps", "a.exe!grows"));
        QCOMPARE(stage.selected(), "a.exe!keeps");
        QVERIFY(stage.view.tree().isExpanded(stage.view.tree().model()->index(0, 0)));
        QCOMPARE(stage.painted.size(), 1); // by the user, not by the new answer
    }
    void aRowThatTheUserDidNotChooseGivesWayToALargerChange() {
        DifferenceStage stage;
        QSignalSpy shown(&stage.view, &DifferenceView::firstShown);
        QCOMPARE(stage.selected(), "a.exe!grows");
        stage.view.setAnswer(answerOfTwo("a.exe!keeps", "a.exe!grows"));
        QCOMPARE(stage.selected(), "a.exe!keeps");
        QCOMPARE(shown.size(), 1);
        stage.view.setAnswer(answerOfTwo("a.exe!keeps", "a.exe!grows"));
        QCOMPARE(shown.size(), 1); // the same row
        QCOMPARE(stage.painted.size(), 0);
    }
    void noChangeIsOneNumber() {
        DifferenceStage stage;
        DifferenceAnswer answer(*answerOfTwo("a.exe!grows", "a.exe!keeps"));
        answer.rows[0].change = {3072, 3072};
        stage.view.setAnswer(std::make_shared<const DifferenceAnswer>(std::move(answer)));
        QCOMPARE(stage.text("differenceSummary"), "Heap Allocations, Outstanding: 3.0 KB before and after");
    }
    void sortsByNumbersAndBackAgain() {
        DifferenceStage stage;
        auto& tree = stage.view.tree();
        const auto first = [&] { return tree.model()->index(0, 0, tree.model()->index(0, 0)).data().toString(); };
        tree.sortByColumn(DifferenceModel::kDelta, Qt::AscendingOrder);
        QCOMPARE(first(), "a.exe!keeps");
        QCOMPARE(stage.selected(), "a.exe!grows");
        tree.sortByColumn(-1, Qt::AscendingOrder);
        QCOMPARE(first(), "a.exe!grows");
    }
    void asksForAnotherMeasureAndDirection() {
        DifferenceStage stage;
        QVERIFY(stage.view.isBottomUp());
        auto* measure = stage.view.findChild<QComboBox*>("differenceMeasure");
        measure->setFocus();
        QTest::keyClicks(measure, "Peak");
        QCOMPARE(stage.asked.size(), 1);
        QVERIFY(stage.view.measure() == analysis::Measure::PeakSize);
        auto* bottomUp = stage.view.findChild<QCheckBox*>("differenceBottomUp");
        QTest::mouseClick(bottomUp, Qt::LeftButton, {}, {8, bottomUp->height() / 2});
        QCOMPARE(stage.asked.size(), 2);
        QVERIFY(!stage.view.isBottomUp());
    }
    void offersColumnsOfBothSides() {
        DifferenceStage stage;
        auto* measure = stage.view.findChild<QComboBox*>("differenceMeasure");
        const auto isOffered = [&](const QString& text) {
            return measure->model()->flags(measure->model()->index(measure->findText(text), 0)) & Qt::ItemIsEnabled;
        };
        store::PublishedTrace bytesOnly;
        bytesOnly.lacks.counts = true; // massif
        analysis::DifferenceQuery query;
        query.before.push_back({std::make_shared<const store::PublishedTrace>(), nullptr, {}, {}});
        query.after.push_back({std::make_shared<const store::PublishedTrace>(bytesOnly), nullptr, {}, {}});
        measure->setCurrentIndex(measure->findText("Count"));
        stage.view.offerMeasures(query);
        QVERIFY(!isOffered("Count"));
        QVERIFY(isOffered("Peak Size") && isOffered("Size") && isOffered("Allocated"));
        QVERIFY(stage.view.measure() == analysis::Measure::Outstanding);
        const auto tip = measure->model()->index(measure->findText("Count"), 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("the file contains bytes but no block counts"), qPrintable(tip));
        query.after = query.before;
        stage.view.offerMeasures(query);
        QVERIFY(isOffered("Count"));
        query.table = analysis::Table::Snapshot;
        stage.view.offerMeasures(query);
        QVERIFY(!isOffered("Allocated") && !isOffered("Impacting Size") && isOffered("Count"));
    }
    void saysWhatItDoesAndWhyThereIsNothing() {
        DifferenceStage stage;
        stage.view.setBusy(true);
        QVERIFY(stage.text("differenceSummary").endsWith("(updating…)"));
        stage.view.setBusy(false);
        stage.view.setRemark("Names are to come.");
        QVERIFY(stage.text("differenceNotes").startsWith("Names are to come. With one"));
        stage.view.clear("old.etl cannot be read.");
        QCOMPARE(stage.text("differenceSummary"), "old.etl cannot be read.");
        QCOMPARE(stage.text("differenceNotes"), "");
        QCOMPARE(stage.view.model().rowCount(), 0);
        stage.view.setBusy(true);
        QCOMPARE(stage.text("differenceSummary"), "Comparing…");
    }
    void loadingHasAProgressAndAWayOut() {
        DifferenceStage stage;
        auto* progress = stage.view.findChild<QProgressBar*>("differenceProgress");
        auto* cancel = stage.view.findChild<QPushButton*>("differenceCancel");
        QVERIFY(!progress->isVisible() && !cancel->isVisible());
        stage.view.setProgress(40);
        QVERIFY(progress->isVisible());
        QCOMPARE(progress->value(), 40);
        QSignalSpy cancelled(&stage.view, &DifferenceView::cancelWanted);
        QTest::mouseClick(cancel, Qt::LeftButton);
        QCOMPARE(cancelled.size(), 1);
        stage.view.setProgress({});
        QVERIFY(!progress->isVisible());
    }
    void copiesTheRowWithThoseAbove() {
        DifferenceStage stage;
        QTest::keyClick(&stage.view.tree(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), "a.exe\tGrown\t1.0 KB\t3.0 KB\t+2.0 KB\t1\t1\t0\n"
                                                    "a.exe!grows\tGrown\t1.0 KB\t2.0 KB\t+1.0 KB\t1\t1\t0");
    }
};

HIGHWATER_TEST(DifferenceViewTest);
#include "difference_view_test.moc"
