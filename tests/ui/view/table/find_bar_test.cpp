#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/series_colors.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/parts/query_field.h"
#include "ui/view/table/find_bar.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/timeline/timeline_view.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QThread>
#include <QToolButton>

#include <atomic>
#include <functional>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

/// a.exe has 0x400100 > 0x400200 > { 0x400400: 32 KB, 0x400300: 16 KB }, b.exe 4 KB without a stack.
struct FindBarStage {
    std::atomic<int> finds{0};
    std::atomic<int> findsOnGuiThread{0};
    SmallTrace trace;
    SeriesColors colors;
    TraceOnScreen shown;
    AnalysisView view{shown, colors, nullptr, functions()};
    GraphPanel& panel = view.showGraph(Table::VirtualAlloc);
    FindBar& bar = panel.findBar();
    QueryField& field = *bar.findChild<QueryField*>("findText");

    /// `more`: adds more to the trace.
    explicit FindBarStage(const std::function<void(SmallTrace&)>& more = {}) {
        trace.process(1, "a.exe").process(2, "b.exe");
        trace.commit(100, 1, 0x10000, 4 * kPage, {0x400300, 0x400200, 0x400100});
        trace.commit(200, 1, 0x90000, 8 * kPage, {0x400400, 0x400200, 0x400100});
        trace.commit(300, 2, 0x10000, kPage).decommit(600, 2, 0x10000, kPage);
        if (more) more(trace);
        view.resize(1000, 640);
        view.show();
        view.activateWindow();
        (void)QTest::qWaitForWindowActive(&view);
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        (void)wait();
        panel.table().collapseEverything();
        panel.table().setFocus();
    }
    QueryFunctions functions() {
        QueryFunctions watched;
        watched.find = [this, gui = QThread::currentThread()](const FindRequest& request, std::stop_token stop) {
            ++finds;
            if (QThread::currentThread() == gui) ++findsOnGuiThread;
            return answerFind(request, std::move(stop));
        };
        return watched;
    }
    bool wait() {
        QTest::qWait(1); // the planner asks in the next turn
        return QTest::qWaitFor([this] { return view.isUpToDate(); });
    }
    /// Types into the find bar, as a user does.
    void look(const QString& text) {
        QTest::keyClick(&view, Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(&field, text);
        if (auto* names = QApplication::activePopupWidget()) names->hide();
    }
    QString currentText() { return panel.model().keyText(panel.table().currentIndex()); }
    QString words() { return bar.findChild<QLabel*>("findCount")->text(); }
    QLabel& trouble() { return *bar.findChild<QLabel*>("findTrouble"); }
    void clickFilter(Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(&field, Qt::Key_Return, Qt::ControlModifier | modifiers);
    }
    QPushButton* chip() {
        for (auto* found : panel.findChildren<QPushButton*>("queryChip")) {
            if (found->isVisible()) return found;
        }
        return nullptr;
    }
    /// Rows of the whole table.
    qint64 rows() {
        const auto& answer = *panel.model().answer();
        const auto& columns = answer.query().columns;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (columns[i] == analysis::ValueColumn(Column::Count))
                return std::get<std::int64_t>(answer.total().values[i]);
        }
        return -1;
    }
};

int redPixels(QWidget& widget) {
    const auto image = widget.grab().toImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const auto color = image.pixelColor(x, y);
            count += color.red() > color.green() + 30 && color.red() > color.blue() + 30;
        }
    }
    return count;
}

} // namespace

class FindBarTest : public QObject {
    Q_OBJECT
  private slots:
    void isHiddenUntilCtrlF() {
        FindBarStage stage;
        QVERIFY(!stage.bar.isVisible());
        QTest::keyClick(&stage.view, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(stage.bar.isVisible() && stage.field.hasFocus());
        QTest::keyClick(&stage.field, Qt::Key_Escape);
        QVERIFY(!stage.bar.isVisible() && stage.panel.table().hasFocus());
    }
    void revealsAndSelectsACollapsedFrame() {
        FindBarStage stage;
        stage.look("0x400300");
        QTest::keyClick(&stage.field, Qt::Key_Return);
        QTRY_COMPARE(stage.currentText(), "0x400300");
        const auto found = stage.panel.table().currentIndex();
        QVERIFY(stage.panel.table().selectionModel()->isRowSelected(found.row(), found.parent()));
        QVERIFY(stage.panel.table().isExpanded(found.parent()) && stage.field.hasFocus());
    }
    void countsTheMatches() {
        FindBarStage stage;
        stage.look("0x400");
        QTRY_COMPARE(stage.words(), "4 matches");
        stage.look("0x400300");
        QTRY_COMPARE(stage.words(), "1 match");
        stage.look("nowhere");
        QTRY_COMPARE(stage.words(), "No matches");
    }
    void reportsAStoppedCount() {
        FindBarStage stage;
        for (std::uint64_t i = 0; i <= analysis::TableSearch::kMostCounted; ++i) {
            stage.trace.commit(700, 2, 0x1000000 + i * kPage, kPage, {0x500000 + i * 16});
        }
        stage.shown.show(stage.trace.publish(1000), stage.panel.planner().labels());
        QVERIFY(stage.wait());
        stage.look("0x5");
        QTRY_COMPARE_WITH_TIMEOUT(stage.words(), "More than 10,000 matches", 60'000);
    }
    void goesOnByF3AndRound() {
        FindBarStage stage;
        stage.look("[Stack]:~=\"0x4003\" OR [Stack]:~=\"0x4004\"");
        QTest::keyClick(&stage.field, Qt::Key_Return);
        QTRY_COMPARE(stage.currentText(), "0x400400"); // the larger one comes first
        QTest::keyClick(&stage.view, Qt::Key_F3);
        QTRY_COMPARE(stage.currentText(), "0x400300");
        QTRY_COMPARE(stage.words(), "2 matches");
        QTest::keyClick(&stage.view, Qt::Key_F3);
        QTRY_COMPARE(stage.currentText(), "0x400400");
        QCOMPARE(stage.words(), "2 matches · continued from the top");
        QTest::keyClick(&stage.view, Qt::Key_F3, Qt::ShiftModifier);
        QTRY_COMPARE(stage.currentText(), "0x400300");
        QCOMPARE(stage.words(), "2 matches · continued from the bottom");
        QTest::keyClick(&stage.field, Qt::Key_Return, Qt::ShiftModifier);
        QTRY_COMPARE(stage.currentText(), "0x400400");
        QCOMPARE(stage.words(), "2 matches");
    }
    void startsFromTheCurrentRow() {
        FindBarStage stage;
        stage.panel.table().setCurrentIndex(stage.panel.model().index(1, 0));
        QCOMPARE(stage.currentText(), "b.exe (2)");
        stage.look(".exe");
        QTest::keyClick(&stage.field, Qt::Key_Return);
        QTRY_COMPARE(stage.currentText(), "a.exe (1)");
        QCOMPARE(stage.words().section(" · ", 1), "continued from the top");
    }
    void keepsTheLastTextWhenClosed() {
        FindBarStage stage;
        stage.look("0x400300");
        QTest::keyClick(&stage.field, Qt::Key_Escape);
        QTest::keyClick(&stage.view, Qt::Key_F3); // works without the focus
        QTRY_COMPARE(stage.currentText(), "0x400300");
        QVERIFY(stage.bar.isVisible() && !stage.field.hasFocus());
        QTest::keyClick(&stage.view, Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(stage.field.selectedText(), "0x400300");
    }
    void pointsAtAMistakeAndSearchesNothing() {
        FindBarStage stage;
        stage.look("b [Siz]:>1KB");
        QCOMPARE(redPixels(stage.field), 0);
        QTRY_VERIFY(stage.trouble().isVisible());
        QVERIFY(stage.trouble().text().contains("has no column \"Siz\""));
        QCOMPARE(stage.field.markedText(), "[Siz]");
        QVERIFY(redPixels(stage.field) > 20);
        QTest::keyClick(&stage.field, Qt::Key_Return);
        QCOMPARE(stage.field.selectedText(), "[Siz]"); // ready for a new text
        QCOMPARE(stage.finds.load(), 0);
        QTest::keyClicks(&stage.field, "Size:");
        QCOMPARE(stage.field.markedText(), "");
        stage.field.setText("b [Size]:>1KB");
        QTRY_COMPARE(stage.words(), "1 match");
        QVERIFY(!stage.trouble().isVisible());
    }
    void pointsAtTheEndWhereSomethingIsMissing() {
        FindBarStage stage;
        stage.look("[Size]:>");
        QTest::keyClick(&stage.field, Qt::Key_Return);
        QVERIFY(stage.trouble().text().startsWith("A value is missing"));
        QCOMPARE(stage.field.markedText(), ">");
        QCOMPARE(stage.field.cursorPosition(), 8);
    }
    void filtersToTheMatches() {
        FindBarStage stage;
        QCOMPARE(stage.rows(), 3);
        stage.look("0x400400");
        QTest::keyClick(&stage.field, Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(stage.wait());
        QCOMPARE(stage.rows(), 1);
        QVERIFY(stage.chip() && stage.chip()->text() == "0x400400");
        QCOMPARE(stage.panel.timeline().answer()->timeline.series.size(), std::size_t{1});
        stage.panel.graph().undoFilter();
        QVERIFY(stage.wait());
        QCOMPARE(stage.rows(), 3);
    }
    void keepsTheGroupsWhoseSumsWereFoundWithAllTheirRows() {
        FindBarStage stage;
        stage.look("[Size]:>40KB"); // no single row is that large: a.exe has 16 KB and 32 KB
        QTest::keyClick(&stage.field, Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(stage.panel.graph().filterSteps().size(), std::size_t{1});
        QVERIFY(stage.wait());
        QCOMPARE(stage.rows(), 2);
        QCOMPARE(stage.panel.model().rowCount(), 1);
        stage.panel.graph().undoFilter();
        QVERIFY(stage.wait());
        QTest::keyClick(&stage.field, Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(stage.panel.graph().filterSteps().size(), std::size_t{1});
        QVERIFY(stage.wait());
        QCOMPARE(stage.rows(), 1);
    }
    void keepsTheRowsThatWereCountedWhereNoGroupMatches() {
        FindBarStage stage([](SmallTrace& trace) { // two of 12 KB in one group of 24 KB
            trace.commit(700, 2, 0x20000, 3 * kPage, {0x500100}).commit(710, 2, 0x30000, 3 * kPage, {0x500100});
        });
        const auto all = stage.rows();
        stage.look("[Size]:=12KB");
        QTRY_COMPARE(stage.words(), "2 rows match, no group");
        QTest::keyClick(&stage.field, Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(stage.panel.graph().filterSteps().size(), std::size_t{1});
        QVERIFY(stage.wait());
        QCOMPARE(stage.rows(), 2);
        QCOMPARE(stage.chip()->text(), "[Size]:=12KB");
        QVERIFY(!stage.trouble().isVisible());
        stage.panel.graph().undoFilter();
        QVERIFY(stage.wait());
        stage.clickFilter(Qt::ShiftModifier); // the others
        QTRY_COMPARE(stage.panel.graph().filterSteps().size(), std::size_t{1});
        QVERIFY(stage.wait());
        QCOMPARE(stage.rows(), all - 2);
    }
    void theNumberIsNotCutOffInASmallWindow() {
        FindBarStage stage([](SmallTrace& trace) {
            for (int i = 0; i < 1234; ++i)
                trace.commit(700, 2, 0x1000000 + 0x10000 * static_cast<Address>(i), 3 * kPage, {0x500100});
        });
        stage.view.resize(640, 400); // the space in a window of 1000 pixels
        stage.look("[Size]:=12KB");
        auto& count = *stage.bar.findChild<QLabel*>("findCount");
        QTRY_COMPARE(count.text(), "1,234 rows match, no group");
        QTRY_VERIFY2(count.contentsRect().width() >= count.fontMetrics().horizontalAdvance(count.text()),
                     qPrintable(QString::number(count.width())));
    }
    void explainsWhyGroupsCannotBeFiltered() {
        FindBarStage stage;
        stage.look("[Size]:>40MB");
        QTest::keyClick(&stage.field, Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(stage.trouble().text(), "Nothing matches.");
        QVERIFY(stage.panel.graph().filterSteps().empty());
    }
    void filtersTheMatchesOut() {
        FindBarStage stage;
        stage.look("0x400300 OR b.exe");
        QTest::keyClick(&stage.field, Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(stage.wait());
        QCOMPARE(stage.rows(), 1);
        QCOMPARE(stage.chip()->text(), "NOT (0x400300 OR b.exe)");
        QTest::mouseClick(stage.panel.findChild<QToolButton*>("removeQuery"), Qt::LeftButton);
        QVERIFY(stage.wait());
        QCOMPARE(stage.rows(), 3);
        QTRY_VERIFY(stage.bar.findChild<QPushButton*>("filterToMatches")->isEnabled());
        QTest::mouseClick(stage.bar.findChild<QPushButton*>("filterToMatches"), Qt::LeftButton);
        QVERIFY(stage.wait());
        QCOMPARE(stage.rows(), 2);
    }
    void refusesAFilterThatNoRowCanSatisfy() {
        FindBarStage stage;
        stage.look("[Series Name]:=Process");
        QTest::keyClick(&stage.field, Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(stage.trouble().isVisible() && stage.trouble().text().contains("cannot filter rows"));
        QVERIFY(stage.panel.graph().filterSteps().empty());
    }
    void editsAFilter() {
        FindBarStage stage;
        const auto query = analysis::QueryExpression::parse(Table::VirtualAlloc, "[Size]:>20KB");
        stage.panel.graph().addFilter({.clause = {}, .text = "[Size]:>20KB", .query = query.value()});
        stage.look("something else");
        QTest::keyClick(&stage.field, Qt::Key_Escape);
        QTest::mouseClick(stage.chip(), Qt::LeftButton);
        QVERIFY(stage.field.hasFocus());
        QCOMPARE(stage.field.text(), "[Size]:>20KB");
        QTest::keyClick(&stage.field, Qt::Key_End);
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(&stage.field, Qt::Key_Backspace);
        QTest::keyClicks(&stage.field, "5KB");
        QTest::keyClick(&stage.field, Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel.graph().filterSteps().size(), std::size_t{1});
        QCOMPARE(stage.chip()->text(), "[Size]:>5KB");
        QCOMPARE(stage.rows(), 2);
    }
    void followsTheTable() {
        FindBarStage stage;
        stage.look(".exe");
        QTRY_COMPARE(stage.words(), "2 matches");
        stage.view.state().zoomTo({ms(700), ms(800)});
        QTRY_COMPARE(stage.words(), "1 match");
    }
    void completesTheNamesOfColumns() {
        FindBarStage stage;
        QTest::keyClick(&stage.view, Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(&stage.field, "a AND [impacting s");
        auto* names = QApplication::activePopupWidget();
        QVERIFY(names && names->isVisible());
        QTest::keyClick(names, Qt::Key_Return);
        QCOMPARE(stage.field.text(), "a AND [Impacting Size]");
        QVERIFY(!names->isVisible());
    }
    void explainsTheLanguage() {
        FindBarStage stage;
        QTest::keyClick(&stage.view, Qt::Key_F, Qt::ControlModifier);
        QTest::keyClick(&stage.field, Qt::Key_F1);
        auto* page = stage.view.findChild<QDialog*>("queryHelp");
        QVERIFY(page && page->isVisible() && !page->isModal());
        page->close();
    }
    void searchesTheCurrentGraph() {
        FindBarStage stage;
        auto& frees = stage.view.showGraph(Table::Frees);
        QVERIFY(stage.wait());
        QTest::keyClick(&stage.view, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(frees.findBar().isVisible() && !stage.bar.isVisible());
    }
    void neverSearchesOnTheGuiThread() {
        FindBarStage stage;
        stage.look("0x400");
        QTest::keyClick(&stage.field, Qt::Key_Return);
        QTRY_COMPARE(stage.words(), "4 matches");
        QTRY_COMPARE(stage.currentText(), "0x400100");
        QVERIFY(stage.finds >= 2);
        QCOMPARE(stage.findsOnGuiThread.load(), 0);
    }
};
HIGHWATER_TEST(FindBarTest);
#include "find_bar_test.moc"
