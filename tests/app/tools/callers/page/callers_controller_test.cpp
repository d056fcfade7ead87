#include "app/tools/callers/page/callers_view.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/model/call_tree_model.h"
#include "ui/view/table/table_actions.h"

#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QTreeView>

using namespace highwater;
using namespace highwater::tests;
using analysis::Table;

namespace {

struct CallersPageStage : WindowStage {
    bool begin(const QString& path) {
        if (!open({path}) || !showOnly(Table::Heap)) return false;
        panel().table().expandHotPath();
        return wait();
    }
    ui::CallersView& view() { return *window.findChild<ui::CallersView*>(); }
    QDockWidget& dock() { return *window.findChild<QDockWidget*>("callersDock"); }
    /// The action of the table with this name.
    QAction* action(const char* name) {
        for (auto* action : panel().table().actions().all()) {
            if (action->objectName() == QLatin1String(name)) return action;
        }
        return nullptr;
    }
    /// The first open frame in the table, selected.
    QString selectAFrame() {
        auto& model = panel().model();
        for (auto row = model.index(0, 0); row.isValid(); row = model.index(0, 0, row)) {
            if (!isStack(model.rowOf(row)->step.column)) continue;
            panel().table().setCurrentIndex(row);
            return model.rowOf(row)->text;
        }
        return {};
    }
    static QString text(QTreeView& tree, int column) { return tree.model()->index(0, column).data().toString(); }
};

} // namespace

/// The Callers page in the window.
class CallersControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }

    void showsTheFrameOfATable() {
        CallersPageStage stage;
        QVERIFY(stage.begin(path_));
        QVERIFY(!stage.dock().isVisible());
        const auto frame = stage.selectAFrame();
        QVERIFY(!frame.isEmpty());
        auto* callers = stage.action("callersAndCallees");
        QVERIFY(callers && callers->isEnabled());
        callers->trigger();
        QVERIFY(stage.dock().isVisible());
        QCOMPARE(stage.view().functionBox().text(), frame);
        QTRY_COMPARE(stage.text(stage.view().callees(), ui::CallTreeModel::kFunction), frame);
        // The outermost frame: it has no callers, and all rows are below it.
        QCOMPARE(stage.text(stage.view().callers(), ui::CallTreeModel::kCount),
                 stage.text(stage.view().callees(), ui::CallTreeModel::kCount));
        QVERIFY(stage.view().callees().model()->rowCount(stage.view().callees().model()->index(0, 0)) > 0);
    }

    void isOfferedOnlyOnFrames() {
        CallersPageStage stage;
        QVERIFY(stage.begin(path_));
        stage.panel().table().setCurrentIndex(stage.panel().model().index(0, 0)); // a process
        QVERIFY(!stage.action("callersAndCallees")->isEnabled());
    }

    void goesOnToTheFunctionThatIsChosen() {
        CallersPageStage stage;
        QVERIFY(stage.begin(path_));
        stage.selectAFrame();
        stage.action("callersAndCallees")->trigger();
        auto& callees = stage.view().callees();
        QTRY_VERIFY(callees.model()->rowCount() == 1);
        const auto next = callees.model()->index(0, 0, callees.model()->index(0, 0));
        const auto name = next.data(ui::CallTreeModel::kNameRole).toString();
        callees.setCurrentIndex(next);
        callees.setFocus();
        QTest::keyClick(&callees, Qt::Key_Return);
        QTRY_COMPARE(stage.text(callees, ui::CallTreeModel::kFunction), name);
        QCOMPARE(stage.view().functionBox().text(), name);
    }

    void itsKeyOpensTheBox() {
        CallersPageStage stage;
        QVERIFY(stage.begin(path_));
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        QTest::keyClick(&stage.window, Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(stage.dock().isVisible());
        QCOMPARE(QApplication::focusWidget()->objectName(), "callersFunction");
    }
};
HIGHWATER_TEST(CallersControllerTest);
#include "callers_controller_test.moc"
