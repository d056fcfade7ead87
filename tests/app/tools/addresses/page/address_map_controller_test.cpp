#include "app/tools/addresses/page/address_map_view.h"
#include "app/tools/addresses/page/address_view.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QWheelEvent>

using namespace highwater;
using namespace highwater::tests;
using analysis::Table;

namespace {

/// The window with the Exercise 2 trace and the Address Map page open.
struct AddressMapStage : WindowStage {
    bool begin(const QString& path) {
        if (!open({path}) || !showOnly(Table::Heap)) return false;
        window.findChild<QAction*>("toggleAddressMap")->trigger();
        return waitForMap();
    }
    bool waitForMap() {
        return QTest::qWaitFor([this] { return canvas().answer() != nullptr && window.isSettled(); }, 10'000) && wait();
    }
    ui::AddressMapView& view() { return *window.findChild<ui::AddressMapView*>(); }
    ui::AddressMapCanvas& canvas() { return view().canvas(); }
    QString words() { return view().findChild<QWidget*>("addressMapWords")->property("text").toString(); }
    double shown() {
        const auto [first, last] = canvas().shownPositions();
        return last - first;
    }
    void turnWheel(Qt::KeyboardModifiers modifiers = {}) {
        const QPointF place = canvas().plot().center();
        QWheelEvent event(place, canvas().mapToGlobal(place), {}, {0, 120}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(&canvas(), &event);
    }
    /// Zooms in on a block by its address until it is drawn as a box. Returns its place.
    std::optional<QPoint> pointOf(Address address) {
        canvas().setHighlight(address);
        for (int i = 0; i < 60 && shown() > 4096; ++i) {
            canvas().setHighlight(address); // back into view if it has slipped out
            QWheelEvent event(QPointF(canvas().plot().center().x(), canvas().yOf(address).value_or(0)), {}, {},
                              {0, 240}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&canvas(), &event);
        }
        const auto y = canvas().yOf(address);
        if (!y || !wait()) return std::nullopt;
        return QPoint(canvas().plot().center().x(), *y);
    }
    QStringList chips() {
        QStringList texts;
        for (const auto& step : panel().graph().filterSteps())
            texts << step.text;
        return texts;
    }
};

constexpr Address kBlock = 0x2b4000; ///< a block with 256 bytes, from second 1 to the end

} // namespace

/// The Address Map page in the window, by mouse and keys.
class AddressMapControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }

    void isHiddenUntilItsKeyIsPressed() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        auto* dock = stage.window.findChild<QDockWidget*>("addressMapDock");
        QVERIFY(!dock->isVisible());
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        QTest::keyClick(&stage.window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(dock->isVisible());
        QCOMPARE(QApplication::focusWidget()->objectName(), "addressMap");
    }

    void drawsTheProcessThatIsChosen() {
        AddressMapStage stage;
        QVERIFY(stage.begin(path_));
        auto& box = stage.view().processBox();
        QCOMPARE(box.currentText(), "MemoryTestApp.exe (4242)");
        const auto before = stage.canvas().answer();
        QVERIFY(!before->picture.isNull());
        QCOMPARE(before->picture.size(), stage.canvas().plot().size());
        const auto other = box.findText("explorer.exe (1200)");
        QVERIFY(other >= 0);
        box.setCurrentIndex(other);
        emit box.activated(other);
        QVERIFY(stage.waitForMap());
        QVERIFY(!(stage.canvas().answer()->map.query.process == before->map.query.process));
        QVERIFY(stage.canvas().answer()->layout->size() != before->layout->size());
    }

    void theWheelZoomsBothWaysAndHomeShowsAll() {
        AddressMapStage stage;
        QVERIFY(stage.begin(path_));
        const auto positions = stage.shown();
        const auto whole = stage.state().visibleRange();
        stage.turnWheel();
        QVERIFY(stage.wait());
        QVERIFY(stage.shown() < positions);
        QVERIFY(stage.state().visibleRange() != whole);
        stage.turnWheel(Qt::ShiftModifier); // time alone
        const auto zoomed = stage.shown();
        const auto time = stage.state().visibleRange();
        stage.turnWheel(Qt::ControlModifier); // addresses alone
        QVERIFY(stage.shown() < zoomed);
        QVERIFY(stage.state().visibleRange() == time);
        QTest::keyClick(&stage.canvas(), Qt::Key_Home);
        QVERIFY(stage.wait());
        QCOMPARE(stage.shown(), positions);
        QVERIFY(stage.state().visibleRange() == whole);
    }

    void keysZoomAndMove() {
        AddressMapStage stage;
        QVERIFY(stage.begin(path_));
        const auto all = stage.shown();
        QTest::keyClick(&stage.canvas(), Qt::Key_Plus);
        const auto window = stage.canvas().window();
        QVERIFY(window && stage.shown() < all);
        QTest::keyClick(&stage.canvas(), Qt::Key_Up);
        QVERIFY(stage.canvas().window() && stage.canvas().window()->first > window->first);
        QTest::keyClick(&stage.canvas(), Qt::Key_Down);
        const auto time = stage.state().visibleRange();
        QTest::keyClick(&stage.canvas(), Qt::Key_Right);
        QVERIFY(stage.state().visibleRange().start > time.start);
        QTest::keyClick(&stage.canvas(), Qt::Key_Minus);
        QTest::keyClick(&stage.canvas(), Qt::Key_Minus);
        QCOMPARE(stage.shown(), all);
        QTest::keyClick(&stage.canvas(), Qt::Key_Backspace);
        QVERIFY(stage.shown() < all);
    }

    void aDragZoomsIntoWhatWasDraggedOver() {
        AddressMapStage stage;
        QVERIFY(stage.begin(path_));
        const auto area = stage.canvas().plot();
        const auto from = area.center(), to = area.center() + QPoint(area.width() / 4, area.height() / 4);
        const auto low = stage.canvas().placeAt(to)->address, high = stage.canvas().placeAt(from)->address;
        const auto time = stage.canvas().placeAt(from)->time;
        QTest::mousePress(&stage.canvas(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&stage.canvas(), from + QPoint(40, 20));
        QTest::mouseMove(&stage.canvas(), to);
        QTest::mouseRelease(&stage.canvas(), Qt::LeftButton, {}, to);
        QVERIFY(stage.wait());
        const auto window = stage.canvas().window();
        QVERIFY(window && window->first <= low && window->last >= high);
        QVERIFY(stage.shown() < static_cast<double>(stage.canvas().answer()->layout->size()) / 3);
        QVERIFY(std::abs((stage.state().visibleRange().start.ns - time.ns) / 1'000'000) < 100);
        QVERIFY(stage.chips().isEmpty()); // it was a drag, not a click
    }

    void hoveringShowsABlockAndSpaceFiltersToTheClickedOne() {
        AddressMapStage stage;
        QVERIFY(stage.begin(path_));
        const auto place = stage.pointOf(kBlock + 100);
        QVERIFY(place.has_value());
        QTest::mouseMove(&stage.canvas(), *place + QPoint(1, 0));
        QTest::mouseMove(&stage.canvas(), *place);
        QTRY_VERIFY2(stage.words().contains("block 0x2b4000, 256 B"), qPrintable(stage.words()));
        QVERIFY2(stage.words().contains("by MemoryTestApp.exe!"), qPrintable(stage.words()));
        auto* rows = stage.window.findChild<QAbstractButton*>("showRowsOfBlock");
        QVERIFY(rows && !rows->isEnabled());
        QTest::mouseClick(&stage.canvas(), Qt::LeftButton, {}, *place);
        QTRY_VERIFY(rows->isEnabled());
        QVERIFY(stage.chips().isEmpty()); // only selects
        QTest::keyClick(&stage.canvas(), Qt::Key_Space);
        QTRY_COMPARE(stage.chips(), QStringList{"Block: 0x2b4000"});
        QVERIFY(stage.wait());
        QCOMPARE(stage.cell({"MemoryTestApp.exe (4242)"}, analysis::Column::Count), "1");
        QTest::keyClick(&stage.canvas(), Qt::Key_Space); // removes it again
        QTRY_VERIFY(stage.chips().isEmpty());
        QTest::mouseClick(rows, Qt::LeftButton);
        QTRY_COMPARE(stage.chips(), QStringList{"Block: 0x2b4000"});
    }

    void aDoubleClickListsTheBlocksOfTheAddress() {
        AddressMapStage stage;
        QVERIFY(stage.begin(path_));
        const auto place = stage.pointOf(kBlock + 100);
        QVERIFY(place.has_value());
        QTest::mouseDClick(&stage.canvas(), Qt::LeftButton, {}, *place);
        QTRY_VERIFY(stage.window.findChild<ui::AddressView*>() != nullptr);
        auto& list = stage.window.findChild<ui::AddressView*>()->list();
        QTRY_VERIFY(list.topLevelItemCount() > 0);
    }

    void anAddressThatIsLookedForIsBroughtIntoSight() {
        AddressMapStage stage;
        QVERIFY(stage.begin(path_));
        QVERIFY(stage.pointOf(kBlock).has_value());
        stage.window.findChild<QAction*>("findAddress")->trigger();
        auto& box = stage.window.findChild<ui::AddressView*>()->box();
        const Address far = stage.canvas().answer()->layout->parts().back().first;
        QVERIFY(!stage.canvas().yOf(far));
        box.setText(QString::number(far, 16));
        QTest::keyClick(&box, Qt::Key_Return);
        QTRY_VERIFY(stage.canvas().yOf(far).has_value());
    }

    void showsTheUsedShareOfCommittedMemory() {
        analysis::AddressMap map;
        map.liveBytes = 512;
        QVERIFY(ui::usedText(map).contains("committed memory is unknown for some addresses"));
        map.committedBytes = 1024;
        QCOMPARE(ui::usedText(map), QString("1.0 KB committed, 512 B live: 50.0 % used"));
        map.liveBytes = 2048;
        QVERIFY(ui::usedText(map).contains("only 1.0 KB of committed memory is known"));
    }
};
HIGHWATER_TEST(AddressMapControllerTest);
#include "address_map_controller_test.moc"
