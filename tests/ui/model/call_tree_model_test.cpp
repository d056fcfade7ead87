#include "tests/support/test_registry.h"
#include "ui/model/call_tree_model.h"

#include <QAbstractItemModelTester>
#include <QTest>
#include <QTextDocument>

using namespace highwater;
using namespace highwater::ui;
using analysis::Callers, analysis::CallSums;

namespace {

/// f, called by main (2 rows) and by g (1 row) that main calls; it calls malloc.
std::shared_ptr<const Callers> someCallers(const char* outermost = "a!main") {
    Callers callers;
    callers.function = "a!f";
    const std::vector<std::uint32_t> fromMain{1};
    const std::vector<std::uint32_t> fromG{2, 1};
    const std::vector<std::uint32_t> toMalloc{3};
    const CallSums two{2, 2048, static_cast<std::uint64_t>(-1024)};
    callers.callers.add(fromMain, two);
    callers.callers.add(fromG, {1, 512, 512});
    callers.callees.add(toMalloc, two);
    const auto nameOf = [outermost](std::uint32_t label) {
        return std::string(label == 1 ? outermost : label == 2 ? "a!g" : "libc!malloc");
    };
    callers.callers.finish(nameOf);
    callers.callees.finish(nameOf);
    return std::make_shared<const Callers>(std::move(callers));
}

} // namespace

class CallTreeModelTest : public QObject {
    Q_OBJECT

    CallTreeModel model_{CallTreeModel::Side::Callers};
    QAbstractItemModelTester tester_{&model_, QAbstractItemModelTester::FailureReportingMode::Fatal};

    static QString text(const QModelIndex& index, int column) {
        return index.siblingAtColumn(column).data().toString();
    }

  private slots:
    void theFunctionIsAboveItsCallers() {
        model_.setAnswer(someCallers());
        QCOMPARE(model_.rowCount(), 1);
        const auto function = model_.index(0, 0);
        QCOMPARE(text(function, CallTreeModel::kFunction), "a!f");
        QCOMPARE(text(function, CallTreeModel::kCount), "3");
        QCOMPARE(text(function, CallTreeModel::kSize), "2.5 KB");
        QCOMPARE(model_.rowCount(function), 2);
        const auto main = model_.index(0, 0, function);
        QCOMPARE(text(main, CallTreeModel::kFunction), "a!main"); // the larger one first
        QVERIFY(text(main, CallTreeModel::kImpacting).endsWith("1.0 KB"));
        QVERIFY(!text(main, CallTreeModel::kImpacting).startsWith("1"));
        const auto g = model_.index(1, 0, function);
        QCOMPARE(text(model_.index(0, 0, g), CallTreeModel::kFunction), "a!main");
        QCOMPARE(model_.parent(model_.index(0, 0, g)), g);
    }
    void theOtherSideListsCallees() {
        CallTreeModel callees(CallTreeModel::Side::Callees);
        callees.setAnswer(someCallers());
        QCOMPARE(text(callees.index(0, 0, callees.index(0, 0)), CallTreeModel::kFunction), "libc!malloc");
        QCOMPARE(callees.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), "Callees");
    }
    void numbersStandToTheRight() {
        model_.setAnswer(someCallers());
        QVERIFY(model_.index(0, CallTreeModel::kSize).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
        QVERIFY(model_.headerData(CallTreeModel::kSize, Qt::Horizontal, Qt::TextAlignmentRole).toInt() &
                Qt::AlignRight);
    }
    void namesFromTracesAreNoMarkup() {
        model_.setAnswer(someCallers("a!<b>\nx"));
        const auto main = model_.index(0, 0, model_.index(0, 0));
        QVERIFY(!text(main, CallTreeModel::kFunction).contains('\n'));
        const auto tip = main.data(Qt::ToolTipRole).toString();
        QVERIFY2(!Qt::mightBeRichText(tip) || tip.contains("&lt;b&gt;"), qPrintable(tip));
        QCOMPARE(main.data(CallTreeModel::kNameRole).toString(), "a!<b>\nx");
    }
    void hasNothingWithoutAnAnswer() {
        model_.setAnswer(nullptr);
        QCOMPARE(model_.rowCount(), 0);
    }
};

HIGHWATER_TEST(CallTreeModelTest);
#include "call_tree_model_test.moc"
