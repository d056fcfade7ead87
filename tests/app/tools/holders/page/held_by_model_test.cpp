#include "app/tools/holders/page/held_by_model.h"

#include "tests/app/tools/holders/page/held_by_answers.h"
#include "tests/support/test_registry.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;
using analysis::Column, analysis::KeyPath;

namespace {

/// The model with the server, and its rows by name.
struct HeldModelStage {
    HeldByModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};

    HeldModelStage() { model.setAnswer(answerOfHeld({heldOfServer()})); }
    [[nodiscard]] QModelIndex row(HeldByModel::RowName below) const {
        below.insert(below.begin(), "server (7)");
        const auto index = model.nearestTo(below);
        if (model.nameOf(index) != below) qFatal("no such row");
        return index;
    }
    [[nodiscard]] static QStringList cells(const QModelIndex& row) {
        QStringList cells;
        for (int column = HeldByModel::kKind; column < HeldByModel::kColumns; ++column)
            cells << row.siblingAtColumn(column).data().toString();
        return cells;
    }
};

} // namespace

class HeldByModelTest : public QObject {
    Q_OBJECT
  private slots:
    void holdersAreBelowTheirProcessAndStepsBelowTheirHolder() {
        HeldModelStage stage;
        const auto server = stage.model.index(0, 0);
        QCOMPARE(stage.model.rowCount(), 1);
        QCOMPARE(stage.model.rowCount(server), 3);
        const auto session = stage.row({"server!g_sessions", "server!makeTable", "server!Session::Session"});
        QCOMPARE(stage.model.rowCount(session), 2);
        QCOMPARE(session.parent().data().toString(), QString("server!makeTable"));
        QCOMPARE(stage.model.rowCount(stage.model.index(0, 0, session)), 0);
        QVERIFY(!stage.model.index(stage.model.rowCount(server), 0, server).isValid());
        stage.model.setAnswer(nullptr);
        QCOMPARE(stage.model.rowCount(), 0);
    }
    void framesAreNamedAsFrames() {
        HeldByBuilder server(0, "server (7)", 4);
        const auto stack = server.root("stack of main (7)", RootKind::Stack, 0);
        auto answer = [&] {
            server.step(stack, "server!work", {1, 100});
            return server.done();
        }();
        answer.nodes.back().isFrame = true;
        HeldByModel model;
        model.setAnswer(answerOfHeld({answer}));
        const auto frame = model.nearestTo({"server (7)", "stack of main (7)", "frame of server!work"});
        QCOMPARE(frame.data().toString(), QString("frame of server!work"));
        const auto& labels = model.answer()->found.flames->tree.labels;
        QVERIFY(std::ranges::any_of(labels, [](const auto& label) { return label.text == "frame of server!work"; }));
    }
    void cellsHaveTheNumbersOfTheirLevel() {
        HeldModelStage stage;
        QCOMPARE(stage.cells(stage.row({})), QStringList({"", "", "", "5.7 KB", "34", "", "", "", ""}));
        QCOMPARE(stage.cells(stage.row({"server!g_sessions"})),
                 QStringList({"Variable", "Partly", "5.0 KB", "5.5 KB", "31", "", "", "", ""}));
        QCOMPARE(stage.cells(stage.row({"stack of main (7)"})),
                 QStringList({"Stack", "Yes", "0 B", "200 B", "1", "", "", "", ""}));
        QCOMPARE(stage.cells(stage.row({"nothing (unreachable)"})),
                 QStringList({"Unreachable", "", "70 B", "60 B", "2", "", "", "", ""}));
        QCOMPARE(stage.cells(stage.row({"server!g_sessions", "server!makeTable"})),
                 QStringList({"", "Partly", "", "5.5 KB", "31", "", "", "100 B", "1"}));
        const auto last =
            stage.row({"server!g_sessions", "server!makeTable", "server!Session::Session", "server!readText"});
        QCOMPARE(stage.cells(last), QStringList({"", "No", "", "3.9 KB", "10", "", "", "3.9 KB", "10"}));
    }
    void numbersAreAlignedAndSortedAsNumbers() {
        HeldModelStage stage;
        const auto root = stage.row({"server!g_sessions"});
        for (const auto column :
             {HeldByModel::kRetained, HeldByModel::kSize, HeldByModel::kCount, HeldByModel::kOwnSize}) {
            const auto alignment = root.siblingAtColumn(column).data(Qt::TextAlignmentRole).toInt();
            QVERIFY((alignment & Qt::AlignRight) != 0);
        }
        const auto sorted = [](const QModelIndex& row, int column) {
            return row.siblingAtColumn(column).data(HeldByModel::kSortRole);
        };
        QCOMPARE(sorted(root, HeldByModel::kSize).toULongLong(), 5600ULL);
        QCOMPARE(sorted(root, HeldByModel::kRetained).toDouble(), 5100.0);
        QVERIFY(sorted(root, HeldByModel::kOwnSize).toDouble() < 0); // it has none
        QCOMPARE(sorted(root, HeldByModel::kName).toString(), QString("server!g_sessions"));
    }
    void leaksStandOut() {
        HeldModelStage stage;
        QVERIFY(stage.row({"nothing (unreachable)"}).data(Qt::FontRole).value<QFont>().bold());
        QVERIFY(!stage.row({"server!g_sessions"}).data(Qt::FontRole).isValid());
        QVERIFY(stage.row({"nothing (unreachable)"}).data(Qt::ToolTipRole).toString().contains("leaks"));
    }
    void aHolderHasItsAddress() {
        HeldModelStage stage;
        QVERIFY(stage.row({"server!g_sessions"}).data(Qt::ToolTipRole).toString().contains("0x1000"));
    }
    void textIsShownAsItIs() {
        HeldByModel model;
        HeldByBuilder server(0, "<b>bold</b>\n(7)", 4);
        server.step(server.root("app!<img src='x'>", RootKind::Variable, 1), "app!a\nb", {1, 1});
        model.setAnswer(answerOfHeld({server.done()}));
        QVERIFY(!model.index(0, 0).data().toString().contains('\n'));
        const auto root = model.index(0, 0, model.index(0, 0));
        QVERIFY(!root.data(Qt::ToolTipRole).toString().contains("<img"));
    }
    void rowsOfTheHeapTableAreThoseOfTheHolderOrOfItsOwner() {
        HeldModelStage stage;
        QVERIFY(stage.model.rowsOf({}).empty());
        QCOMPARE(stage.model.rowsOf(stage.row({})), std::vector<KeyPath>(1, KeyPath{{Column::Process, 0}}));
        const KeyPath held{{Column::Process, 0}, {Column::Holder, 2}};
        QCOMPARE(stage.model.rowsOf(stage.row({"server!g_sessions"})), std::vector<KeyPath>(1, held));
        const auto rows = stage.model.rowsOf(stage.row({"server!g_sessions", "server!makeTable"}));
        QCOMPARE(rows.size(), std::size_t{2}); // two stacks lead to the owner
        QCOMPARE(rows[0], (KeyPath{held[0], held[1], {Column::StackBottomUp, 5}}));
        QCOMPARE(rows[1], (KeyPath{held[0], held[1], {Column::StackBottomUp, 105}, {Column::StackBottomUp, 5}}));
    }
    void theHeaviestRowBelowIsThatWithMostBytes() {
        HeldModelStage stage;
        QCOMPARE(stage.model.heaviestBelow(stage.row({})), stage.row({"server!g_sessions"}));
        QVERIFY(!stage.model.heaviestBelow(stage.row({"stack of main (7)", "server!main"})).isValid());
    }
    void rowsAreFoundByTheirNames() {
        HeldModelStage stage;
        const auto table = stage.row({"server!g_sessions", "server!makeTable"});
        QCOMPARE(stage.model.nearestTo({"server (7)", "server!g_sessions", "server!makeTable", "gone"}), table);
        QVERIFY(!stage.model.nearestTo({"gone (9)", "server!g_sessions"}).isValid());
        QVERIFY(stage.model.nameOf({}).empty());
    }
};

HIGHWATER_TEST(HeldByModelTest);
#include "held_by_model_test.moc"
