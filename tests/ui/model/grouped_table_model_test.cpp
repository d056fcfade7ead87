#include "tests/support/test_registry.h"
#include "tests/ui/support/test_answer.h"
#include "ui/model/grouped_table_model.h"

#include <QAbstractItemModelTester>
#include <QColor>
#include <QSignalSpy>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

std::shared_ptr<const TableAnswer> twoProcesses() {
    return answerOf(
        {row(1, "a.exe (1)", 24, 132120576, {row(11, "Transient", 24, 132120576)}), closedRow(2, "b.exe (2)")});
}

} // namespace

class GroupedTableModelTest : public QObject {
    Q_OBJECT
  private slots:
    void isEmptyWithoutAnAnswer() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        const QAbstractItemModelTester tester(&model, kFatal);
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(!model.hasChildren());
        QVERIFY(!model.index(0, 0).isValid());
        model.setAnswer(answerOf({}));
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.columnCount(), 5); // line, two keys, two values
    }
    void showsTextsNumbersAndTooltips() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        const QAbstractItemModelTester tester(&model, kFatal);
        model.setAnswer(twoProcesses());
        const auto process = model.index(0, 1);
        const auto size = model.index(0, 4);
        QCOMPARE(process.data().toString(), "a.exe (1)");
        QCOMPARE(size.data().toString(), "126.0 MB");
        QCOMPARE(size.data(Qt::ToolTipRole).toString(), "132,120,576 B");
        QCOMPARE(size.data(GroupedTableModel::SortRole).toLongLong(), 132120576LL);
        QCOMPARE(size.data(GroupedTableModel::PlainTextRole).toString(), "132120576");
        QVERIFY(size.data(Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight);
        QCOMPARE(model.headerData(4, Qt::Horizontal).toString(), "Size");
        QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), "Process");
        QCOMPARE(process.data(GroupedTableModel::PathRole).value<analysis::KeyPath>(),
                 (analysis::KeyPath{{Column::Process, 1}}));
    }
    void dimsZeros() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        model.setAnswer(answerOf({row(1, "a", 0, 5)}));
        QVERIFY(model.index(0, 3).data(Qt::ForegroundRole).isValid());
        QVERIFY(!model.index(0, 4).data(Qt::ForegroundRole).isValid());
    }
    void hasNoRowAtTheCount() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        model.setAnswer(twoProcesses());
        QVERIFY(!model.index(model.rowCount(), 0).isValid());
        QVERIFY(!model.index(0, model.columnCount()).isValid());
        QVERIFY(!model.headerData(model.columnCount(), Qt::Horizontal).isValid());
        QVERIFY(!model.index(1, 0, model.index(0, 0)).isValid());
    }
    void asksOnceForRowsAndTakesThemIn() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        const auto answer = twoProcesses();
        model.setAnswer(answer);
        QSignalSpy asked(&model, &GroupedTableModel::openWanted);
        QSignalSpy opened(&model, &GroupedTableModel::rowsOpened);
        const auto closed = model.index(1, 0);
        QVERIFY(model.hasChildren(closed) && model.canFetchMore(closed));
        model.fetchMore(closed);
        model.fetchMore(closed);
        QCOMPARE(asked.count(), 1);
        const QAbstractItemModelTester tester(&model, kFatal);
        model.insertOpened(answer, row(2, "b.exe (2)", 1, 1, {row(21, "Impacting", 1, 1, {row(211, "f", 1, 1)})}));
        QCOMPARE(opened.count(), 1);
        QCOMPARE(model.rowCount(closed), 1);
        QCOMPARE(model.rowCount(model.index(0, 0, closed)), 1);
        QVERIFY(!model.canFetchMore(closed));
    }
    void opensBelowRowsThatAreOpen() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        const auto answer = answerOf({row(1, "a", 1, 1, {closedRow(11, "t")})});
        model.setAnswer(answer);
        const QAbstractItemModelTester tester(&model, kFatal);
        model.insertOpened(answer, row(1, "a", 1, 1, {row(11, "t", 1, 1, {row(111, "f", 1, 1)})}));
        QCOMPARE(model.rowCount(model.index(0, 0, model.index(0, 0))), 1);
    }
    void ignoresRowsOfAnOlderAnswer() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        const auto old = twoProcesses();
        model.setAnswer(old);
        model.setAnswer(twoProcesses());
        model.insertOpened(old, row(2, "b.exe (2)", 1, 1, {row(21, "Impacting", 1, 1)}));
        QCOMPARE(model.rowCount(model.index(1, 0)), 0);
    }
    void findsRowsByKeyAfterAReplacement() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        const QAbstractItemModelTester tester(&model, kFatal);
        model.setAnswer(twoProcesses());
        const auto path = model.pathOf(model.index(0, 0, model.index(0, 0)));
        // The same rows, in another order, as other nodes.
        model.setAnswer(answerOf({row(2, "b.exe (2)", 1, 9), row(1, "a.exe (1)", 1, 8, {row(11, "Transient", 1, 8)})}));
        const auto index = model.indexOf(path);
        QVERIFY(index.isValid());
        QCOMPARE(model.keyText(index), "Transient");
        QCOMPARE(index.parent().row(), 1);
        QVERIFY(!model.indexOf({{Column::Process, 99}}).isValid());
    }
    void marksProcessesWithTheirColor() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        model.setAnswer(twoProcesses());
        QCOMPARE(model.index(0, 1).data(Qt::DecorationRole).value<QColor>(), SeriesColors::neutralColor());
        const auto color = colors.colorOf({Column::Process, 1});
        QCOMPARE(model.index(0, 1).data(Qt::DecorationRole).value<QColor>(), color);
    }
};
HIGHWATER_TEST(GroupedTableModelTest);
#include "grouped_table_model_test.moc"
