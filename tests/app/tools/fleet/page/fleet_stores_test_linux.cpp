#include "app/tools/fleet/page/fleet_controller.h"

#include "app/tools/fleet/page/fleet_form.h"
#include "app/tools/fleet/page/fleet_list.h"
#include "app/tools/fleet/page/fleet_store_bar.h"
#include "app/tools/fleet/page/fleet_view.h"
#include "tests/app/main_window_test/window_stage.h"
#include "tests/app/tools/fleet/command/made_runs.h"
#include "tests/core/fleet/loopback.h"
#include "tests/support/test_registry.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// The window with real stores.
struct StoreStage {
    QTemporaryDir folder;
    app::ApplicationSettings settings{folder.filePath("settings.ini")};
    app::MainWindow window{settings};
    QString file = folder.filePath("fleet.sqlite");

    StoreStage() {
        window.resize(1000, 700);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
    }
    ui::FleetView& view() { return *window.findChild<ui::FleetView*>(); }
    QString message() { return view().strip().isVisible() ? view().strip().message() : QString(); }
    QString facts() { return view().findChild<QLabel*>("fleetFacts")->text(); }
    int rows() { return view().answers().model()->rowCount(); }
    bool waitForAll() {
        return QTest::qWaitFor([this] { return window.isSettled(); }, 20'000);
    }
    bool open() {
        window.openFleet(file);
        return waitForAll();
    }
    bool press(const char* button) {
        QTest::mouseClick(view().findChild<QPushButton*>(QLatin1String(button)), Qt::LeftButton);
        return waitForAll();
    }
    /// Another selection, which starts a query.
    bool chooseKind(ui::FleetKind kind) {
        auto& box = *view().findChild<QComboBox*>("fleetQuestion");
        box.setFocus();
        QTest::keyClick(&box, Qt::Key_Home);
        for (auto at = ui::FleetKind::Grew; at != kind; at = static_cast<ui::FleetKind>(static_cast<int>(at) + 1))
            QTest::keyClick(&box, Qt::Key_Down);
        return waitForAll();
    }
};

} // namespace

/// Stores that are missing, disappear, come back and change while the page is open, and servers that do not answer:
/// each time an error is shown, the screen is kept, and every query can be repeated.
class FleetStoresTest : public QObject {
    Q_OBJECT
  private slots:
    void aMissingFleetIsReportedAndCanBeRetried() {
        StoreStage stage;
        QVERIFY(stage.open());
        QVERIFY2(stage.message().startsWith(stage.file + " does not exist. To create a fleet"),
                 qPrintable(stage.message()));
        QVERIFY(stage.settings.recentFleets().isEmpty());
        QVERIFY(makeFleet(stage.file.toStdString()));
        emit stage.view().findChild<QLabel*>("messageText")->linkActivated({});
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.message(), "");
        QCOMPARE(stage.facts(), "12 runs, 2 builds, 3 machines");
        QCOMPARE(stage.rows(), 1);
    }

    void aFileOfAnotherKindIsIdentified() {
        StoreStage stage;
        QFile text(stage.file);
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write(QByteArray(5000, 'x')) > 0);
        text.close();
        QVERIFY(stage.open());
        QVERIFY2(stage.message().contains("is not an SQLite database"), qPrintable(stage.message()));
    }

    void aStoreThatIsRemovedMeanwhileTakesNothingAway() {
        StoreStage stage;
        QVERIFY(makeFleet(stage.file.toStdString()));
        QVERIFY(stage.open());
        QCOMPARE(stage.rows(), 1);
        QVERIFY(QFile::rename(stage.file, stage.file + "-away"));
        QVERIFY(stage.chooseKind(ui::FleetKind::Slope));
        QVERIFY2(stage.message().contains(" does not exist. To create a fleet"), qPrintable(stage.message()));
        QCOMPARE(stage.rows(), 1);
        QVERIFY(stage.press("fleetAsk"));
        QVERIFY2(stage.message().contains(" does not exist. To create a fleet"), qPrintable(stage.message()));
        QVERIFY(!QFile::exists(stage.file)); // who asks makes none
        QVERIFY(QFile::rename(stage.file + "-away", stage.file));
        QVERIFY(stage.press("fleetAsk"));
        QCOMPARE(stage.message(), "");
        QCOMPARE(stage.rows(), 2);
        QVERIFY(!stage.view().answers().isOld());
    }

    void runsThatCameMeanwhileAreCountedWhenAskedAgain() {
        StoreStage stage;
        QVERIFY(makeFleet(stage.file.toStdString()));
        QVERIFY(stage.open());
        const auto store = fleet::openFleetStore(stage.file.toStdString());
        QVERIFY(store.value()->add(madeRun("8124", "lab-4", 0, 100'000), {}).hasValue());
        QVERIFY(stage.press("fleetAsk"));
        QCOMPARE(stage.facts(), "13 runs, 3 builds, 4 machines");
        QVERIFY(stage.view().findChild<QComboBox*>("fleetTo")->findText("8124") >= 0);
    }

    void anotherFleetUnderTheSameNameIsTheOneThatIsAsked() {
        StoreStage stage;
        QVERIFY(makeFleet(stage.file.toStdString()));
        QVERIFY(stage.open());
        QVERIFY(QFile::remove(stage.file));
        const auto store = fleet::openFleetStore(stage.file.toStdString());
        QVERIFY(store.value()->create({}).hasValue());
        QVERIFY(store.value()->add(madeRun("9001", "lab-9", 0, 100'000), {}).hasValue());
        QVERIFY(stage.chooseKind(ui::FleetKind::Gone)); // between builds that are in it no more
        QVERIFY2(stage.message().contains("No runs found for build 8120"), qPrintable(stage.message()));
        QVERIFY(stage.press("fleetAsk"));
        QCOMPARE(stage.facts(), "1 run, 1 build, 1 machine");
        QVERIFY2(stage.message().startsWith("All runs are from build 9001"), qPrintable(stage.message()));
    }

    void aMissingServerIsReported() {
        StoreStage stage;
        QVERIFY(makeFleet(stage.file.toStdString()));
        QVERIFY(stage.open());
        int port = 0;
        {
            const LoopbackListener listener;
            port = listener.port();
        }
        stage.window.openFleet(QStringLiteral("clickhouse://127.0.0.1:%1/runs").arg(port));
        QVERIFY(stage.waitForAll());
        QVERIFY2(stage.message().contains("does not answer"), qPrintable(stage.message()));
        QVERIFY2(stage.message().contains("Still showing " + stage.file), qPrintable(stage.message()));
        QCOMPARE(stage.rows(), 1);
        QVERIFY(stage.chooseKind(ui::FleetKind::Slope)); // those of the open store
        QCOMPARE(stage.rows(), 2);
    }

    /// It accepts the connection and does not answer, for minutes.
    void aServerThatSaysNothingCanBeLeftAtOnce() {
        const LoopbackListener silent;
        StoreStage stage;
        const auto address = QStringLiteral("clickhouse://127.0.0.1:%1/runs").arg(silent.port());
        stage.window.openFleet(address);
        QTest::qWait(300);
        QVERIFY(!stage.window.isSettled());
        QVERIFY(stage.view().findChild<QPushButton*>("fleetCancel")->isEnabled());
        QVERIFY(stage.press("fleetCancel"));
        QCOMPARE(stage.message(), "Cancelled before " + address + " was opened.");
        emit stage.view().findChild<QLabel*>("messageText")->linkActivated({}); // the same server once more
        QTest::qWait(100);
        QVERIFY(!stage.window.isSettled());
        QCOMPARE(stage.message(), "");
        QVERIFY(makeFleet(stage.file.toStdString()));
        QVERIFY(stage.open()); // another store instead
        QCOMPARE(stage.rows(), 1);
        stage.window.openFleet(address);
        QTest::qWait(100);
        QElapsedTimer closing;
        closing.start();
        stage.window.close();
        QVERIFY(closing.elapsed() < 2'000);
    }
};

HIGHWATER_TEST(FleetStoresTest);
#include "fleet_stores_test_linux.moc"
