#include "app/tools/difference/page/difference_model.h"

#include "tests/support/test_registry.h"

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using analysis::DifferenceState, analysis::Measure;

namespace {

DifferenceRow rowWith(const char* text, std::uint32_t parent, std::uint32_t place, DifferenceState state,
                      analysis::Change change, std::vector<std::uint32_t> children = {}) {
    DifferenceRow row;
    row.text = text;
    row.state = state;
    row.change = change;
    row.count = {1, 3};
    row.parent = parent;
    row.place = place;
    row.children = std::move(children);
    return row;
}

/// Two processes; the first has two functions.
std::shared_ptr<const DifferenceAnswer> answerBy(Measure decides) {
    DifferenceAnswer answer;
    answer.decides = decides;
    answer.rows = {rowWith("", 0, 0, DifferenceState::Grown, {3072, 5120}, {1, 2}),
                   rowWith("a.exe", 0, 0, DifferenceState::Grown, {1024, 5120}, {3, 4}),
                   rowWith("b.exe", 0, 1, DifferenceState::Gone, {2048, 0}),
                   rowWith("a.exe!grows", 1, 0, DifferenceState::New, {0, 4096}),
                   rowWith("a.exe!<b>keeps</b>", 1, 1, DifferenceState::Noise, {1024, 1024})};
    return std::make_shared<const DifferenceAnswer>(std::move(answer));
}

} // namespace

class DifferenceModelTest : public QObject {
    Q_OBJECT
  private slots:
    void isAProperModel() {
        DifferenceModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setAnswer(answerBy(Measure::Outstanding));
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.rowCount(model.index(0, 0)), 2);
        QCOMPARE(model.rowCount(model.index(0, 1)), 0);
        model.setAnswer(answerBy(Measure::Count));
        model.setAnswer(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }
    void isAProperModelThroughAProxy() {
        DifferenceModel model;
        QSortFilterProxyModel sorted;
        sorted.setSourceModel(&model);
        sorted.setSortRole(DifferenceModel::kSortRole);
        QAbstractItemModelTester tester(&sorted, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setAnswer(answerBy(Measure::Outstanding));
        QCOMPARE(sorted.index(0, 0).data().toString(), "a.exe");
        sorted.sort(DifferenceModel::kDelta, Qt::AscendingOrder); // by numbers, not by their texts
        QCOMPARE(sorted.index(0, 0).data().toString(), "b.exe");
        QCOMPARE(sorted.index(0, 0, sorted.index(1, 0)).data().toString(), "a.exe!<b>keeps</b>");
        sorted.sort(-1);
        QCOMPARE(sorted.index(0, 0).data().toString(), "a.exe");
    }
    void showsAmountsWithUnitsAndSigns() {
        DifferenceModel model;
        model.setAnswer(answerBy(Measure::Outstanding));
        const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(text(0, DifferenceModel::kState), "Grown");
        QCOMPARE(text(0, DifferenceModel::kBefore), "1.0 KB");
        QCOMPARE(text(0, DifferenceModel::kAfter), "5.0 KB");
        QCOMPARE(text(0, DifferenceModel::kDelta), "+4.0 KB");
        QCOMPARE(text(1, DifferenceModel::kDelta), "−2.0 KB");
        QCOMPARE(text(0, DifferenceModel::kCountDelta), "+2");
        model.setAnswer(answerBy(Measure::Count));
        QCOMPARE(text(0, DifferenceModel::kDelta), "+4,096");
        const auto alignment = model.index(0, DifferenceModel::kDelta).data(Qt::TextAlignmentRole).toInt();
        QVERIFY((alignment & Qt::AlignRight) != 0);
        QCOMPARE(model.headerData(DifferenceModel::kDelta, Qt::Horizontal, Qt::DisplayRole).toString(), "Delta");
    }
    void namesAreNoHtml() {
        DifferenceModel model;
        model.setAnswer(answerBy(Measure::Outstanding));
        const auto keeps = model.index(1, 0, model.index(0, 0));
        QVERIFY(!keeps.data(Qt::ToolTipRole).toString().contains("<b>"));
    }
    void findsThePathToARow() {
        DifferenceModel model;
        model.setAnswer(answerBy(Measure::Outstanding));
        const auto grows = model.index(0, DifferenceModel::kDelta, model.index(0, 0));
        QCOMPARE(model.pathOf(grows), (QStringList{"a.exe", "a.exe!grows"}));
        QCOMPARE(DifferenceModel::rowOf(grows), 3u);
        QCOMPARE(model.pathOf({}), QStringList());
    }
};

HIGHWATER_TEST(DifferenceModelTest);
#include "difference_model_test.moc"
