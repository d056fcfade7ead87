#include "app/tools/addresses/page/address_view.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTreeWidget>

using namespace highwater;
using namespace highwater::tests;

/// Trace > Find Address.
class AddressControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }

    void findsOwnersOfAnAddress() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        const auto& heap = stage.window.tabs().shown().trace()->heap;
        const auto address = heap.columns->rows.address(0);
        stage.window.findChild<QAction*>("findAddress")->trigger();
        auto* dialog = stage.window.findChild<QDialog*>("addressDialog");
        QVERIFY(dialog && dialog->isVisible() && !dialog->isModal());
        auto* view = dialog->findChild<ui::AddressView*>();
        view->box().setText("0x" + QString::number(address, 16));
        QTest::keyClick(&view->box(), Qt::Key_Return);
        QTRY_VERIFY(view->list().topLevelItemCount() > 0);
        QCOMPARE(view->list().topLevelItem(0)->text(5), "0x" + QString::number(address, 16));
        QVERIFY(view->findChild<QListWidget*>("addressAllocStack")->count() > 0);
        dialog->close();
        stage.window.findChild<QAction*>("findAddress")->trigger(); // a new one
        QTRY_VERIFY(stage.window.findChild<QDialog*>("addressDialog"));
    }

    void reportsThatNoTraceIsOpen() {
        WindowStage stage;
        stage.window.findChild<QAction*>("findAddress")->trigger();
        auto* view = stage.window.findChild<ui::AddressView*>();
        view->box().setText("0x1000");
        QTest::keyClick(&view->box(), Qt::Key_Return);
        QCOMPARE(view->findChild<QLabel*>("addressSummary")->text(), "No trace is open.");
    }
};
HIGHWATER_TEST(AddressControllerTest);
#include "address_controller_test.moc"
