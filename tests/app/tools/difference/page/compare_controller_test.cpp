#include "tests/app/tools/difference/page/compare_stage.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/timeline/series_legend_view.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeView>

using namespace highwater;
using namespace highwater::tests;
using analysis::Table;
using ui::DifferenceModel;

/// The Compare page in the window, by mouse and keys.
class CompareControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString old_, now_, exercise_;

  private slots:
    void initTestCase() {
        old_ = folder_.filePath("old.etl");
        now_ = folder_.filePath("now.etl");
        exercise_ = folder_.filePath("exercise2.etl");
        QVERIFY(writeBlocks(old_, 10, {{"keeps.exe", 100}, {"grows.exe", 40}, {"goes.exe", 5}}));
        QVERIFY(writeBlocks(now_, 70, {{"keeps.exe", 100}, {"comes.exe", 3}, {"grows.exe", 48}}));
        QVERIFY(fixtures::exercise2Trace().writeTo(exercise_.toStdString()).hasValue());
    }

    void theDialogAsksForTheOtherTrace() {
        CompareStage stage;
        QVERIFY(stage.begin(now_));
        auto* dock = stage.window.findChild<QDockWidget*>("compareDock");
        QVERIFY(!dock->isVisible());
        QVERIFY(stage.compareWith(old_));
        QVERIFY(dock->isVisible());
        QCOMPARE(stage.functions(), (QStringList{"grows.exe Grown +8 B", "comes.exe New +3 B", "goes.exe Gone −5 B",
                                                 "keeps.exe Same 0 B"}));
        QTRY_COMPARE(stage.label("differenceSummary"),
                     "Heap Allocations, Outstanding: 145 B before, 151 B after (+6 B)");
        QVERIFY2(
            stage.label("differenceSides").startsWith("Before: old.etl, 0.000000 s to 10.000000 s. After: now.etl"),
            qPrintable(stage.label("differenceSides")));
        QVERIFY(stage.label("differenceNotes").contains("With one trace per side"));
        QVERIFY(stage.panel().graph().filterSteps().empty());
    }

    void theFirstRowIsPaintedAndCtrlZTakesAFilterBack() {
        CompareStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.panel().graph().paintedRows().empty());
        QVERIFY(stage.compareWith(old_));
        QTRY_COMPARE(stage.panel().graph().paintedRows().size(), std::size_t{1});
        const auto first = stage.panel().graph().paintedRows();
        QVERIFY(stage.tree().selectionModel()->isSelected(stage.function(0)));
        QVERIFY(stage.chips().isEmpty()); // the user has not filtered
        stage.window.activateWindow();    // without a window manager nothing else does this
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        stage.filter(0);
        QTRY_COMPARE(stage.chips().size(), 1);
        QTest::keyClick(&stage.tree(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(stage.wait());
        QVERIFY(stage.chips().isEmpty());
        QCOMPARE(stage.panel().graph().paintedRows(), first);
    }

    void spaceFiltersAndOnceMoreTakesThatBack() {
        CompareStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        stage.filter(0);
        QTRY_COMPARE(stage.chips().size(), 1);
        QVERIFY2(stage.chips().first().startsWith("Compare: grows.exe!"), qPrintable(stage.chips().first()));
        QVERIFY(stage.wait());
        QCOMPARE(stage.cell({"a.exe (70)"}, analysis::Column::Size), "48 B");
        QTRY_COMPARE(stage.functions().size(), 4); // the page still shows all
        stage.filter(1);                           // instead of the first
        QTRY_VERIFY(stage.chips().size() == 1 && stage.chips().first().startsWith("Compare: comes.exe!"));
        QVERIFY(stage.wait());
        stage.filter(1);
        QTRY_VERIFY(stage.chips().isEmpty());
    }

    void saysThatDataIsMissingFromTheOtherTrace() {
        const auto lossy = folder_.filePath("lossy.etl");
        fixtures::TraceShape shape;
        shape.dropBuffer = 3;
        QVERIFY(fixtures::exercise2Trace(shape).writeTo(lossy.toStdString()).hasValue());
        CompareStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        QTRY_VERIFY(!stage.label("differenceNotes").isEmpty());
        QVERIFY(!stage.label("differenceNotes").contains("Data is missing"));
        QVERIFY(stage.compareWith(lossy));
        QTRY_VERIFY2(stage.label("differenceNotes").contains("Data is missing from lossy.etl. Count, Allocated"),
                     qPrintable(stage.label("differenceNotes")));
    }
    void aGroupThatIsGoneCannotBeFilteredTo() {
        CompareStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        stage.filter(2);
        QTRY_VERIFY2(stage.label("differenceNotes").startsWith("This group has no rows in the current trace."),
                     qPrintable(stage.label("differenceNotes")));
        QVERIFY(stage.chips().isEmpty());
    }

    void theSelectedOneIsPainted() {
        CompareStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        stage.tree().setFocus();
        QTest::keyClick(&stage.tree(), Qt::Key_Down);
        QTRY_COMPARE(stage.panel().graph().paintedRows().size(), 1u);
        QCOMPARE(stage.panel().graph().paintedRows().front().size(), 2u);
        const auto& legend = *stage.panel().findChild<ui::SeriesLegendView*>();
        const auto isNamed = [&] {
            for (int row = 0; row < legend.model()->rowCount(); ++row)
                if (legend.model()->index(row, 0).data().toString() == stage.tree().currentIndex().data().toString())
                    return true;
            return false;
        };
        QTRY_VERIFY(isNamed());
        QVERIFY(stage.chips().isEmpty());
        QTest::keyClick(&stage.tree(), Qt::Key_Space);
        QTRY_COMPARE(stage.chips().size(), 1);
    }

    void itsPaintedRowsAreClearedWithThePage() {
        CompareStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        QTRY_COMPARE(stage.panel().graph().paintedRows().size(), 1u);
        stage.window.findChild<QAction*>("toggleCompare")->trigger();
        QTRY_VERIFY(stage.panel().graph().paintedRows().empty());
    }

    void anotherNumberAndDirectionAreAskedFor() {
        CompareStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        auto* measure = stage.view().findChild<QComboBox*>("differenceMeasure");
        measure->setFocus();
        QTest::keyClicks(measure, "Count");
        QTRY_VERIFY2(stage.label("differenceSummary").contains("Count: 3 before and after"),
                     qPrintable(stage.label("differenceSummary")));
        auto* bottomUp = stage.view().findChild<QCheckBox*>("differenceBottomUp");
        QTest::mouseClick(bottomUp, Qt::LeftButton, {}, {8, bottomUp->height() / 2});
        QTRY_COMPARE(stage.functions().size(), 1);
        QVERIFY(stage.text(0, DifferenceModel::kGroup).startsWith("a.exe!"));
    }

    void followsTheIntervalAndItsQueries() {
        CompareStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        QVERIFY(stage.zoom(0.5, 1.5));
        QTRY_COMPARE(stage.functions(), QStringList{"keeps.exe Same 0 B"});
        QVERIFY(stage.label("differenceSides").contains("0.500000 s to 1.500000 s. After"));
        stage.state().showAll();
        const auto query = analysis::QueryExpression::parse(Table::Heap, "Size:>=40").value();
        stage.panel().graph().addFilter({.clause = {}, .text = "Size:>=40", .query = query});
        QTRY_COMPARE(stage.functions(), (QStringList{"grows.exe Grown +8 B", "keeps.exe Same 0 B"}));
    }

    void intervalsOfOneTraceAreCompared() {
        CompareStage stage;
        QVERIFY(stage.begin(exercise_));
        stage.window.findChild<QAction*>("compareHighlight")->trigger();
        QTRY_VERIFY(stage.label("differenceSummary").startsWith("Select an interval and highlight it"));
        const auto seconds = [](int value) { return TraceTime{value * 1'000'000'000LL}; };
        stage.state().select({seconds(2), seconds(12)});
        stage.state().highlightSelection();
        stage.state().select({seconds(12), seconds(22)});
        QTRY_VERIFY(stage.rows() > 0);
        QTRY_VERIFY2(stage.label("differenceSides")
                         .contains("2.000000 s to 12.000000 s. After: exercise2.etl, "
                                   "12.000000 s to 22.000000 s"),
                     qPrintable(stage.label("differenceSides")));
        bool isFound = false;
        for (int row = 0; row < stage.rows(); ++row) {
            const auto process = stage.tree().model()->index(row, 0);
            if (process.data().toString() != "MemoryTestApp.exe") continue;
            isFound = true;
            QCOMPARE(process.siblingAtColumn(DifferenceModel::kState).data().toString(), "Grown");
        }
        QVERIFY(isFound);
    }

    void anUnreadableTraceIsReportedOnThePage() {
        CompareStage stage;
        QVERIFY(stage.begin(now_));
        const auto path = folder_.filePath("none.etl");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no trace at all") > 0);
        file.close();
        QVERIFY(!stage.compareWith(path) || stage.rows() == 0);
        QVERIFY2(stage.label("differenceSummary").contains("none.etl"), qPrintable(stage.label("differenceSummary")));
        QVERIFY(!stage.view().findChild<QPushButton*>("differenceCancel")->isVisible());
        QVERIFY(stage.compareWith(old_)); // the next one is compared
    }

    void loadingCanBeCancelled() {
        CompareStage stage;
        QVERIFY(stage.begin(now_));
        stage.window.findChild<QAction*>("compareWith")->trigger();
        auto* dialog = stage.window.findChild<QFileDialog*>("compareDialog");
        auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
        name->setText(exercise_);
        QTest::keyClick(name, Qt::Key_Return); // loaded traces are checked later, by a timer
        auto* cancel = stage.view().findChild<QPushButton*>("differenceCancel");
        QVERIFY(cancel->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        QCOMPARE(stage.label("differenceSummary"), "Loading was cancelled.");
        QTest::qWait(300);
        QCOMPARE(stage.rows(), 0);
        QCOMPARE(stage.label("differenceSummary"), "Loading was cancelled.");
    }

    void hidingThePageFreesTheOtherTrace() {
        CompareStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        std::weak_ptr<const store::PublishedTrace> other =
            stage.view().model().answer()->all->query().before.front().trace;
        QVERIFY(!other.expired());
        auto* toggle = stage.window.findChild<QAction*>("toggleCompare");
        toggle->trigger();
        QTRY_VERIFY(other.expired());
        QCOMPARE(stage.rows(), 0);
        toggle->trigger();
        QTRY_VERIFY(stage.label("differenceSummary").startsWith("To compare this trace"));
    }

    void anotherTraceAtHandIsComparedWithTheSame() {
        CompareStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        QVERIFY(stage.open({old_}));
        QTRY_VERIFY2(stage.label("differenceSides").contains("After: old.etl"),
                     qPrintable(stage.label("differenceSides")));
        QTRY_COMPARE(stage.functions().size(), 3);
        for (int row = 0; row < 3; ++row)
            QTRY_COMPARE(stage.text(row, DifferenceModel::kState), "Same");
    }
};

HIGHWATER_TEST(CompareControllerTest);
#include "compare_controller_test.moc"
