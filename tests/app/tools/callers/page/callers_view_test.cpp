#include "app/tools/callers/page/callers_view.h"

#include "tests/support/test_registry.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace highwater;
using namespace highwater::ui;

namespace {

constexpr TimeRange kInterval{TraceTime{0}, TraceTime{2'000'000'000}};

std::shared_ptr<const analysis::Callers> callersOfF(std::uint64_t rows) {
    analysis::Callers callers;
    callers.function = "a!f";
    if (rows > 0) {
        callers.callers.add(std::vector<std::uint32_t>{1}, {rows, 4096, 1024});
        callers.callees.add(std::vector<std::uint32_t>{2}, {rows, 4096, 1024});
    }
    const auto nameOf = [](std::uint32_t label) { return std::string(label == 1 ? "a!main" : "libc!malloc"); };
    callers.callers.finish(nameOf);
    callers.callees.finish(nameOf);
    return std::make_shared<const analysis::Callers>(std::move(callers));
}

struct CallersStage {
    CallersView view;
    QSignalSpy wanted{&view, &CallersView::functionWanted};

    CallersStage() {
        view.setFunction("a!f");
        view.setAnswer(callersOfF(3), analysis::Table::Heap, kInterval);
        view.resize(900, 240);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
    }
    QString summary() { return view.findChild<QLabel*>("callersSummary")->text(); }
};

} // namespace

class CallersViewTest : public QObject {
    Q_OBJECT
  private slots:
    void showsBothSidesOpen() {
        CallersStage stage;
        QCOMPARE(stage.view.functionBox().text(), "a!f");
        for (auto* tree : {&stage.view.callers(), &stage.view.callees()}) {
            const auto function = tree->model()->index(0, 0);
            QCOMPARE(function.data().toString(), "a!f");
            QVERIFY(tree->isExpanded(function));
        }
        QCOMPARE(stage.summary(),
                 "Heap Allocations, 0.000000 s to 2.000000 s: 3 allocations, Impacting Size 1.0 KB, Size 4.0 KB");
        stage.view.setAnswer(callersOfF(1), analysis::Table::Heap, kInterval);
        QVERIFY2(stage.summary().contains(": 1 allocation, "), qPrintable(stage.summary()));
        stage.view.setAnswer(callersOfF(1), analysis::Table::Frees, kInterval);
        QVERIFY2(stage.summary().contains(": 1 release, "), qPrintable(stage.summary()));
    }
    void keysGoFromFunctionToFunction() {
        CallersStage stage;
        stage.view.callers().setFocus();
        QTest::keyClick(&stage.view.callers(), Qt::Key_Down);
        QTest::keyClick(&stage.view.callers(), Qt::Key_Return);
        QCOMPARE(stage.wanted.size(), 1);
        QCOMPARE(stage.wanted[0][0].toString(), "a!main");
        stage.view.functionBox().setText("b!g");
        QTest::keyClick(&stage.view.functionBox(), Qt::Key_Return);
        QCOMPARE(stage.wanted[1][0].toString(), "b!g");
    }
    void tabGoesFromTheBoxToCallersAndCallees() {
        CallersStage stage;
        stage.view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.view));
        stage.view.functionBox().setFocus();
        for (auto* next :
             std::initializer_list<QWidget*>{&stage.view.callers(), &stage.view.callees(), &stage.view.functionBox()}) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QCOMPARE(QApplication::focusWidget(), next);
        }
        for (auto* before : std::initializer_list<QWidget*>{&stage.view.callees(), &stage.view.callers()}) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab);
            QCOMPARE(QApplication::focusWidget(), before);
        }
    }
    void theSideThatHasTheKeysLooksOtherThanTheOther() {
        CallersStage stage;
        stage.view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.view));
        const auto groundOf = [](QTreeView& tree) {
            const auto image = tree.viewport()->grab().toImage();
            const auto row = tree.visualRect(tree.currentIndex());
            return image.pixelColor(row.right() - 3, row.center().y());
        };
        stage.view.callers().setFocus();
        QVERIFY(groundOf(stage.view.callers()) != groundOf(stage.view.callees()));
        const auto focused = groundOf(stage.view.callers());
        stage.view.callees().setFocus();
        QCOMPARE(groundOf(stage.view.callees()), focused);
        QVERIFY(groundOf(stage.view.callers()) != focused);
    }
    void saysWhatItDoesAndWhyThereIsNothing() {
        CallersStage stage;
        stage.view.setBusy(true);
        QVERIFY(stage.summary().startsWith("Searching for calls"));
        stage.view.setBusy(false);
        QVERIFY(stage.summary().startsWith("Heap Allocations"));
        stage.view.setAnswer(callersOfF(0), analysis::Table::Heap, kInterval);
        QVERIFY(stage.summary().contains(": no stack in this interval and filter contains this function"));
        stage.view.clear("Cannot be asked.");
        QCOMPARE(stage.summary(), "Cannot be asked.");
        QCOMPARE(stage.view.callers().model()->rowCount(), 0);
        stage.view.clear({}); // as for each trace that is opened
        QVERIFY(stage.summary().startsWith("Type a function as module!function, as shown in tables"));
    }
};

HIGHWATER_TEST(CallersViewTest);
#include "callers_view_test.moc"
