#include "app/tools/generations/page/generations_view.h"

#include "tests/support/test_registry.h"
#include "ui/view/chart/chart.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace highwater;
using namespace highwater::ui;
using analysis::KeyPath;

namespace {

/// A stack in each generation.
std::shared_ptr<const GenerationsAnswer> generationsNamed(const std::vector<std::string>& marks) {
    GenerationsAnswer answer;
    auto& report = answer.found;
    report.interval = {TraceTime{0}, TraceTime{9'000'000'000}};
    report.total = {4096, 7, 2048};
    for (std::size_t i = 0; i <= marks.size(); ++i) {
        auto& generation = report.generations.emplace_back();
        generation.key = i + 1;
        generation.text = std::to_string(i + 1) + ". generation";
        generation.stackCount = 1;
        analysis::GenerationStack stack;
        stack.owner = "a.exe!owner";
        stack.stack = {"a.exe!owner", "a.exe!main"};
        stack.path = {{analysis::Column::Process, 1}, {analysis::Column::StackBottomUp, 5}};
        generation.stacks = {stack};
        if (i == marks.size()) break;
        generation.mark = marks[i];
        generation.ticks = static_cast<std::int64_t>(10 * (i + 1));
    }
    report.marks = marks.size();
    return std::make_shared<const GenerationsAnswer>(std::move(answer));
}

struct GenerationsStage {
    GenerationsView view;
    QSignalSpy painted{&view, &GenerationsView::painted};
    QSignalSpy filtered{&view, &GenerationsView::filterWanted};
    QSignalSpy unfiltered{&view, &GenerationsView::filterUnwanted};
    QSignalSpy opened{&view, &GenerationsView::rowsWanted};
    QSignalSpy renamed{&view, &GenerationsView::renameWanted};

    GenerationsStage() {
        view.setAnswer(generationsNamed({"warm", "full"}));
        view.resize(1100, 300);
        view.show();
        view.activateWindow();
        (void)QTest::qWaitForWindowActive(&view);
        view.table().setFocus();
    }
    void press(Qt::Key key) { QTest::keyClick(&view.table(), key); }
    QString currentName() { return view.table().currentIndex().siblingAtColumn(0).data().toString(); }
    QString summary() { return view.findChild<QLabel*>("generationsSummary")->text(); }
    Chart& chart() { return *view.findChild<Chart*>("generationsChart"); }
    QLineEdit* editor() { return view.table().findChild<QLineEdit*>(); }
};

} // namespace

class GenerationsViewTest : public QObject {
    Q_OBJECT
  private slots:
    void theChartShowsGrowthAndPersistentBytesByMark() {
        GenerationsStage stage;
        GenerationsAnswer answer = *generationsNamed({"warm", "full"});
        answer.found.generations[1].numbers = {-4096, 3, 2048};
        stage.view.setAnswer(std::make_shared<const GenerationsAnswer>(std::move(answer)));
        auto& chart = stage.chart();
        QCOMPARE(chart.picture().points.categories, QStringList({"warm", "full", "(end of the interval)"}));
        QTest::keyClick(&chart, Qt::Key_Home);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.words(), "full: Growth −4.0 KB, Persistent 2.0 KB");
        stage.view.clear("Nothing.");
        QCOMPARE(chart.words(), "");
    }
    void allColumnsFitInANarrowWindow() {
        GenerationsStage stage;
        stage.view.resize(1000, 260);
        const auto& table = stage.view.table();
        QTRY_VERIFY(table.header()->length() <= table.viewport()->width());
    }
    void aBarOfTheChartFiltersAsItsMarkDoes() {
        GenerationsStage stage;
        QTest::keyClick(&stage.chart(), Qt::Key_Right);
        QTest::keyClick(&stage.chart(), Qt::Key_Right);
        QTest::keyClick(&stage.chart(), Qt::Key_Return);
        QCOMPARE(stage.currentName(), "full");
        QCOMPARE(stage.filtered.size(), 1);
        QCOMPARE(stage.filtered[0][0].value<KeyPath>(), (KeyPath{{analysis::Column::Generation, 2}}));
    }
    void keysPaintFilterAndOpen() {
        GenerationsStage stage;
        QCOMPARE(stage.painted.size(), 0); // the user did not choose the first
        stage.press(Qt::Key_Down);
        QCOMPARE(stage.painted.size(), 1);
        const KeyPath second{{analysis::Column::Generation, 2}};
        QCOMPARE(stage.painted[0][0].value<KeyPath>(), second);
        stage.press(Qt::Key_Space);
        QCOMPARE(stage.filtered.size(), 1);
        QCOMPARE(stage.filtered[0][0].value<KeyPath>(), second);
        QCOMPARE(stage.filtered[0][1].toString(), QString("Generation 2. generation"));
        stage.view.setFiltered(second);
        stage.press(Qt::Key_Space);
        QCOMPARE(stage.unfiltered.size(), 1);
        stage.press(Qt::Key_Right); // opens it
        stage.press(Qt::Key_Down);
        QCOMPARE(stage.currentName(), QString("a.exe!owner"));
        stage.press(Qt::Key_Return);
        QCOMPARE(stage.opened.size(), 1);
        QCOMPARE(stage.opened[0][0].value<KeyPath>().size(), std::size_t{3});
        QCOMPARE(stage.opened[0][1].toString(), QString("Generation 2. generation, a.exe!owner"));
    }
    void aClickSelectsAndADoubleClickOpens() {
        GenerationsStage stage;
        const auto place = stage.view.table().visualRect(stage.view.model().index(1, 0)).center();
        QTest::mouseClick(stage.view.table().viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(stage.filtered.size(), 0);
        QCOMPARE(stage.view.table().currentIndex().row(), 1);
        QTest::mouseDClick(stage.view.table().viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(stage.opened.size(), 1);
        QVERIFY(!stage.view.table().isExpanded(stage.view.model().index(1, 0)));
    }
    void keepsOpenAndSelectedGenerations() {
        GenerationsStage stage;
        stage.press(Qt::Key_Down);
        stage.press(Qt::Key_Right);
        stage.press(Qt::Key_Down);
        stage.press(Qt::Key_Right);
        const auto path = stage.view.model().path(stage.view.table().currentIndex());
        const auto painted = stage.painted.size();
        stage.view.setAnswer(generationsNamed({"warm", "full", "idle"}));
        QCOMPARE(stage.view.model().path(stage.view.table().currentIndex()), path);
        QVERIFY(stage.view.table().isExpanded(stage.view.model().index(1, 0)));
        QVERIFY(stage.view.table().isExpanded(stage.view.model().indexOf(path)));
        QVERIFY(!stage.view.table().isExpanded(stage.view.model().index(0, 0)));
        QCOMPARE(stage.painted.size(), painted); // by the user, not by the new answer
    }
    void f2RenamesAndTheAnswerWaits() {
        GenerationsStage stage;
        stage.press(Qt::Key_F2);
        QVERIFY(stage.editor());
        stage.view.setAnswer(generationsNamed({"warm", "full", "idle"})); // as while a trace is recorded
        QCOMPARE(stage.view.model().rowCount(), 3);
        QVERIFY(stage.editor());
        QTest::keyClicks(stage.editor(), "hot");
        QTest::keyClick(stage.editor(), Qt::Key_Return);
        QTRY_COMPARE(stage.renamed.size(), 1);
        QCOMPARE(stage.renamed[0], (QVariantList{qint64{10}, "hot"}));
        QCOMPARE(stage.opened.size(), 0); // the key belonged to the editor
        QTRY_COMPARE(stage.view.model().rowCount(), 4);
        stage.press(Qt::Key_F2);
        QTest::keyClick(stage.editor(), Qt::Key_Escape);
        stage.view.setAnswer(generationsNamed({"warm"}));
        QTRY_COMPARE(stage.view.model().rowCount(), 2);
        QCOMPARE(stage.renamed.size(), 1);
    }
    void theEndHasNoNameToChange() {
        GenerationsStage stage;
        stage.press(Qt::Key_End);
        QVERIFY(!stage.view.table().findChild<QAction*>("renameGeneration")->isEnabled());
        stage.press(Qt::Key_F2);
        QVERIFY(!stage.editor());
        stage.press(Qt::Key_Home);
        QVERIFY(stage.view.table().findChild<QAction*>("renameGeneration")->isEnabled());
    }
    void showsTheWholeAndExplainsMarks() {
        GenerationsStage stage;
        QVERIFY2(stage.summary().contains("2.0 KB kept in 7 allocations"), qPrintable(stage.summary()));
        stage.view.setBusy(true);
        QVERIFY(stage.summary().endsWith("(updating…)"));
        stage.view.setBusy(false);
        stage.view.setAnswer(generationsNamed({}));
        QVERIFY2(stage.summary().contains("Ctrl+M"), qPrintable(stage.summary()));
        stage.view.clear("Cannot be asked.");
        QCOMPARE(stage.summary(), "Cannot be asked.");
    }
    void copiesNumbersAndFrames() {
        GenerationsStage stage;
        stage.press(Qt::Key_Right);
        stage.press(Qt::Key_Down);
        QTest::keyClick(&stage.view.table(), Qt::Key_C, Qt::ControlModifier);
        const auto text = QApplication::clipboard()->text();
        QVERIFY2(text.startsWith("Generation 1. generation, a.exe!owner"), qPrintable(text));
        QVERIFY2(text.endsWith("\n    a.exe!owner\n    a.exe!main"), qPrintable(text));
    }
};
HIGHWATER_TEST(GenerationsViewTest);
#include "generations_view_test.moc"
