#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
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

/// Shaped like heap snapshots: two roots; below the first a chain, then a fork whose first branch forks again.
std::shared_ptr<const TableAnswer> heapSnapshot() {
    const auto frame = [](std::uint32_t key, std::vector<TableRow> rows = {}) {
        return keyRow(Column::Stack, key, QStringLiteral("f%1").arg(key), std::move(rows));
    };
    auto alloc = frame(30, {frame(31), frame(32)});
    auto main = frame(20, {frame(21, {std::move(alloc)})});
    auto thread = frame(10, {frame(11, {std::move(main), frame(22)})});
    return stackAnswerOf(
        {row(1, "a.exe (1)", 1, 1, {keyRow(Column::ImpactingType, 0, "Impacting", {std::move(thread), frame(40)})})});
}

QString drawn(const BranchShape& shape) {
    QString text;
    for (int i = 0; i < shape.level; ++i) {
        const bool isOwn = shape.isForkChild && i + 1 == shape.level;
        const bool goesOn = shape.guides[static_cast<std::size_t>(i)];
        text += isOwn ? (goesOn ? "+-" : "`-") : (goesOn ? "| " : "  ");
    }
    return text;
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
    void showsFormerProgramsOfAProcess() {
        SmallTrace small;
        small.process(1, "sh").process(2, "b").commit(1, 2, 0x1000, kPage);
        small.execute(1, 1, "env").execute(2, 1, "git").commit(3, 1, 0x1000, 2 * kPage);
        TableRequest asked{small.publish(10), std::make_shared<analysis::FrameLabels>(), {}, {}};
        asked.query.interval = {ms(0), ms(10)};
        asked.query.keys = {Column::Process};
        asked.query.columns = {Column::Count};
        SeriesColors colors;
        GroupedTableModel model(colors);
        model.setAnswer(answerTable(asked, {}).value());
        QCOMPARE(model.index(0, 1).data(Qt::ToolTipRole).toString(), "git (1): previously ran sh, env");
        QCOMPARE(model.index(1, 1).data(Qt::ToolTipRole).toString(), "b (2)");
    }
    void putsEachKeyIntoItsColumn() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        const QAbstractItemModelTester tester(&model, kFatal);
        model.setAnswer(heapSnapshot());
        const auto process = model.index(0, 0);
        const auto type = model.index(0, 0, process);
        const auto frame = model.index(1, 0, type);
        const auto texts = [](const QModelIndex& row) {
            return QStringList{row.siblingAtColumn(1).data().toString(), row.siblingAtColumn(2).data().toString(),
                               row.siblingAtColumn(3).data().toString()};
        };
        QCOMPARE(texts(process), (QStringList{"a.exe (1)", "", ""}));
        QCOMPARE(texts(type), (QStringList{"", "Impacting", ""}));
        QCOMPARE(texts(frame), (QStringList{"", "", "f40"}));
        QVERIFY(!process.data().isValid()); // the line number is the view's
        QCOMPARE(model.keySection(frame), 3);
        QCOMPARE(model.keyColumn(3), std::optional(Column::Stack));
        QCOMPARE(model.valueColumn(4), std::optional(analysis::ValueColumn(Column::Count)));
        QCOMPARE(model.headerData(3, Qt::Horizontal).toString(), "Commit Stack");
        QCOMPARE(frame.data(Qt::ToolTipRole).toString(),
                 "Process = a.exe (1)\nImpacting Type = Impacting\nCommit Stack = f40");
    }
    void hangsStacksLikeWpaDoes() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        model.setAnswer(heapSnapshot());
        QStringList lines;
        const auto add = [&](const auto& self, const QModelIndex& parent) -> void {
            for (int i = 0; i < model.rowCount(parent); ++i) {
                const auto index = model.index(i, 0, parent);
                if (model.keySection(index) == 3) lines << drawn(model.branchShape(index, 3)) + model.keyText(index);
                self(self, index);
            }
        };
        add(add, {});
        QCOMPARE(lines, (QStringList{"f10",     //
                                     "  f11",   // the only child of one of several roots moves in
                                     "  +-f20", // a fork
                                     "  | f21", // a chain keeps its level
                                     "  | f30", //
                                     "  | +-f31", "  | `-f32",
                                     "  `-f22", // the last of the fork
                                     "f40"}));
    }
    void keepsSectionsOfTheAnswerUntilTheNextOneIsThere() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        TableLayout layout{analysis::Table::VirtualAlloc, {Column::Process}, {Column::Size}, 1, {}};
        model.setLayout(layout);
        QCOMPARE(model.columnCount(), 3); // no answer: the expected layout
        model.setAnswer(twoProcesses());
        QCOMPARE(model.columnCount(), 5);
        layout.keys.push_back(Column::Type);
        layout.columns[0].width = 77;
        model.setLayout(layout);
        QCOMPARE(model.columnCount(), 5);
        QCOMPARE(model.shownLayout().keyColumns(), (std::vector{Column::Process, Column::ImpactingType}));
        QCOMPARE(model.shownLayout().columns[1].width, 77);
        QCOMPARE(model.shownLayout().graphed, std::size_t{1});
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
    void findsTheStepOfARowWithoutItsIndex() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        model.setAnswer(twoProcesses());
        QVERIFY(model.stepAt(1, {}) == model.pathOf(model.index(1, 0)).back());
        const auto first = model.index(0, 0);
        QVERIFY(model.stepAt(0, first) == model.pathOf(model.index(0, 0, first)).back());
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
    void writesKeysThatAreAmountsAsCellsAre() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        auto outstanding = keyRow(Column::EndTime, 0, "(outstanding)");
        outstanding.step.key = static_cast<std::uint64_t>(kNever.ns);
        model.setAnswer(
            answerOf({keyRow(Column::BeginTime, 2'500'000'000, "2.5"), std::move(outstanding),
                      keyRow(Column::RowSize, 2048, "2048"), keyRow(Column::LifeTime, 100'000'000, "0.1")}));
        QStringList texts;
        for (int row = 0; row < model.rowCount(); ++row) {
            texts << model.keyText(model.index(row, 0));
        }
        QCOMPARE(texts, (QStringList{"2.500000 s", "(outstanding)", "2.0 KB", "100.0 ms"}));
        QCOMPARE(model.describeKey(model.index(0, 0)), "Commit Time = 2.500000 s");
    }
    void marksProcessesWithTheirColor() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        model.setAnswer(twoProcesses());
        QCOMPARE(model.index(0, 1).data(Qt::DecorationRole).value<QColor>(), SeriesColors::neutralColor());
        const auto color = colors.colorOf({{Column::Process, 1}});
        QCOMPARE(model.index(0, 1).data(Qt::DecorationRole).value<QColor>(), color);
    }
    void marksDrawnRowsWithTheirColor() {
        SeriesColors colors;
        GroupedTableModel model(colors);
        model.setAnswer(stackAnswerOf({row(1, "a.exe", 1, 1, {keyRow(Column::ImpactingType, 5, "Impacting")})}));
        const auto process = model.index(0, 0);
        const auto type = model.index(0, 0, process);
        const auto squareOf = [&](const QModelIndex& index) {
            const auto key = index.siblingAtColumn(model.keySection(index));
            return key.data(Qt::DecorationRole).value<QColor>();
        };
        QVERIFY(squareOf(process).isValid() && !squareOf(type).isValid());
        QSignalSpy changed(&model, &GroupedTableModel::dataChanged);
        const auto color = colors.colorOf(model.pathOf(type));
        model.setDrawnRows(KeyTree({model.pathOf(type)}));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(squareOf(type), color);
        QVERIFY(!squareOf(process).isValid()); // its content is drawn
        model.setDrawnRows(KeyTree({model.pathOf(process), model.pathOf(type)}));
        QVERIFY(squareOf(process).isValid() && squareOf(type).isValid());
    }
};
HIGHWATER_TEST(GroupedTableModelTest);
#include "grouped_table_model_test.moc"
