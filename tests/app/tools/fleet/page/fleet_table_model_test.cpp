#include "app/tools/fleet/page/fleet_table_model.h"

#include "tests/app/tools/fleet/page/fake_fleet.h"
#include "tests/support/test_registry.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

namespace {

std::shared_ptr<const FleetTable> modelTable(const FakeFleet& fleet) {
    FleetAnswer answer;
    answer.found = fleet.grew;
    return std::make_shared<const FleetTable>(tableOf(answer));
}

} // namespace

class FleetTableModelTest : public QObject {
    Q_OBJECT

    FakeFleet fleet_;

  private slots:
    void isAModel() {
        FleetTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(modelTable(fleet_));
        QCOMPARE(model.rowCount(), 2);
        model.setTable(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }
    void framesStandBelowTheirStack() {
        FleetTableModel model;
        model.setTable(modelTable(fleet_));
        const auto stack = model.index(0, 0);
        QCOMPARE(model.rowCount(stack), 3);
        QCOMPARE(model.index(0, 0, stack).data().toString(), "libc.so!malloc");
        QCOMPARE(model.index(0, 3, stack).data().toString(), "");
        QCOMPARE(FleetTableModel::rowOf(model.index(2, 0, model.index(1, 0))), std::size_t{1});
        QVERIFY(!model.hasChildren(model.index(0, 0, stack)));
    }
    void numbersStandAtTheRight() {
        FleetTableModel model;
        model.setTable(modelTable(fleet_));
        const auto alignment = [&](int column) {
            return Qt::Alignment(model.index(0, column).data(Qt::TextAlignmentRole).toInt());
        };
        QVERIFY(alignment(0).testFlag(Qt::AlignLeft));
        for (int column = 1; column < 8; ++column)
            QVERIFY(alignment(column).testFlag(Qt::AlignRight));
    }
    void numbersAreSortedByValue() {
        FleetTableModel model;
        model.setTable(modelTable(fleet_));
        const auto value = [&](int row, int column) {
            return model.index(row, column).data(FleetTableModel::kSortRole);
        };
        QCOMPARE(value(0, 1).toLongLong(), 512 * 1024);
        QVERIFY(value(0, 4).toDouble() > value(1, 4).toDouble()); // 4 of 4, 3 of 4
        QVERIFY(value(0, 5).toDouble() < value(1, 5).toDouble());
    }
    void titlesHaveHelp() {
        FleetTableModel model;
        model.setTable(modelTable(fleet_));
        for (int column = 0; column < model.columnCount(); ++column)
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
    }
    /// The same stack in two processes, or in two kinds of memory, gives two rows.
    void namesDistinguishRows() {
        auto twice = fleet_.grew;
        twice.rows[1].stack = twice.rows[0].stack;
        twice.rows[1].stack.process = "other";
        FleetAnswer answer;
        answer.found = twice;
        FleetTableModel model;
        model.setTable(std::make_shared<const FleetTable>(tableOf(answer)));
        QVERIFY(model.nameOf(0) != model.nameOf(1));
    }
};

HIGHWATER_TEST(FleetTableModelTest);
#include "fleet_table_model_test.moc"
