#include "app/tools/holders/page/held_by_view.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/app/tools/holders/pictured_trace.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/timeline/series_legend_view.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QTreeWidgetItemIterator>

#include <algorithm>

using namespace highwater;
using namespace highwater::tests;
using ui::HeldByModel;

namespace {

const QString kServer = QStringLiteral("server (70)");

/// The window with a trace that shows only its heap blocks, and the page.
struct HeldByPageStage : WindowStage {
    bool begin(const QString& path) {
        if (!open({path}) || !showOnly(analysis::Table::Heap)) return false;
        window.activateWindow();
        if (!QTest::qWaitForWindowActive(&window)) return false;
        return true;
    }
    bool beginPage(const QString& path) {
        if (!begin(path)) return false;
        QTest::keyClick(&window, Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        return waitForPage();
    }
    bool waitForPage() {
        return QTest::qWaitFor(
            [this] {
                return !summary().isEmpty() && !summary().contains("ounting") && !summary().contains("updating");
            },
            10'000);
    }
    ui::HeldByView& view() { return *window.findChild<ui::HeldByView*>(); }
    QString summary() { return window.findChild<QLabel*>("heldBySummary")->text(); }
    QString current() { return view().table().currentIndex().siblingAtColumn(0).data().toString(); }
    QStringList holders() {
        QStringList texts;
        const auto server = view().model().index(0, 0);
        for (int row = 0; row < view().model().rowCount(server); ++row)
            texts << view().model().index(row, 0, server).data().toString();
        return texts;
    }
    QStringList chips() {
        QStringList texts;
        for (const auto& step : panel().graph().filterSteps())
            texts << step.text;
        return texts;
    }
};

} // namespace

/// The Held By page in the window, by mouse and keys.
class HeldByControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString with_, without_, only_, windows_;

  private slots:
    void initTestCase() {
        const auto write = [this](const fixtures::TraceBuilder& trace, const char* name) {
            const auto path = folder_.filePath(QLatin1String(name));
            if (!trace.writeTo(path.toStdString()).hasValue()) qFatal("cannot write");
            return path;
        };
        with_ = write(picturedTrace(), "with.etl");
        without_ = write(unpicturedTrace(), "without.etl");
        only_ = write(pictureOnlyTrace(), "only.etl");
        windows_ = write(fixtures::exercise2Trace(), "windows.etl");
    }
    void showsTheNewestPictureOfTheInterval() {
        HeldByPageStage stage;
        QVERIFY(stage.beginPage(with_));
        const QAbstractItemModelTester tester(stage.view().table().model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        QTRY_COMPARE(stage.holders(), QStringList({"nothing (unreachable)", "server!g_archive"}));
        QVERIFY2(stage.summary().startsWith("server (70), picture at 4.00 s: 2.0 KB (2 blocks) reachable; 1,000 B (1 "
                                            "block) unreachable"),
                 qPrintable(stage.summary()));
        QVERIFY(stage.view().table().hasFocus());
        QVERIFY(stage.zoom(0, 3));
        QTRY_COMPARE(stage.holders(), QStringList({"nothing (unreachable)", "server!g_sessions"}));
    }
    void aBoxShowsAnEarlierPicture() {
        HeldByPageStage stage;
        QVERIFY(stage.beginPage(with_));
        auto& box = *stage.window.findChild<QComboBox*>("heldByPicture");
        QTRY_VERIFY(box.isVisible());
        box.setFocus();
        QTest::keyClick(&box, Qt::Key_End);
        QTRY_COMPARE(stage.holders(), QStringList({"nothing (unreachable)", "server!g_sessions"}));
        QCOMPARE(box.count(), 3);  // the later one can still be chosen
        QVERIFY(stage.zoom(3, 6)); // without the chosen one
        QTRY_COMPARE(stage.holders(), QStringList({"nothing (unreachable)", "server!g_archive"}));
    }
    void anotherBoxComparesWithAnEarlierPicture() {
        HeldByPageStage stage;
        QVERIFY(stage.beginPage(with_));
        auto& box = *stage.window.findChild<QComboBox*>("heldByEarlier");
        QTRY_VERIFY(box.isVisible());
        box.setFocus();
        QTest::keyClick(&box, Qt::Key_End);
        QTRY_VERIFY(stage.view().model().isComparison());
        const auto& model = stage.view().model();
        const auto server = model.index(0, 0);
        QCOMPARE(server.siblingAtColumn(HeldByModel::kSizeChange).data().toString(), "0 B");
        const auto archive = model.index(1, 0, server); // did not hold the table before
        QCOMPARE(archive.siblingAtColumn(HeldByModel::kSizeChange).data().toString(), "+2.0 KB");
        QVERIFY(stage.zoom(3, 6)); // without the earlier picture
        QTRY_VERIFY(!stage.view().model().isComparison());
    }
    void selectingARowPaintsItsBlocks() {
        HeldByPageStage stage;
        QVERIFY(stage.beginPage(with_));
        QTRY_COMPARE(stage.current(), "server!g_archive");
        const auto& painted = stage.panel().graph().paintedRows();
        const auto isOfHolder = [](const analysis::KeyPath& path) {
            return path.size() >= 2 && path[1].column == analysis::Column::Holder;
        };
        QVERIFY(std::ranges::none_of(painted, isOfHolder)); // not requested
        QTest::keyClick(&stage.view().table(), Qt::Key_Down);
        QVERIFY(!painted.empty() && std::ranges::all_of(painted, isOfHolder));
        QVERIFY(stage.wait());
        auto& box = *stage.window.findChild<QComboBox*>("heldByPicture");
        box.setFocus();
        QTest::keyClick(&box, Qt::Key_End);
        QTRY_COMPARE(stage.holders().back(), "server!g_sessions");
        QTest::keyClick(&stage.view().table(), Qt::Key_Home);
        QVERIFY(painted.empty()); // the graph would paint the blocks of the newest picture
    }
    /// The table is not grouped by holder.
    void theLegendNamesAPaintedHolder() {
        HeldByPageStage stage;
        QVERIFY(stage.beginPage(with_));
        QTRY_COMPARE(stage.current(), "server!g_archive");
        auto& legend = *stage.panel().findChild<ui::SeriesLegendView*>();
        const auto names = [&] {
            QStringList texts;
            for (QTreeWidgetItemIterator item(&legend); *item; ++item)
                texts << (*item)->text(0);
            return texts;
        };
        QTest::keyClick(&stage.view().table(), Qt::Key_Down);
        QTest::keyClick(&stage.view().table(), Qt::Key_Up);
        QTRY_VERIFY2(names().contains("server!g_archive"), qPrintable(names().join(", ")));
    }
    void spaceFiltersToAHolderAndOnceMoreTakesThatBack() {
        HeldByPageStage stage;
        QVERIFY(stage.beginPage(with_));
        QTRY_COMPARE(stage.current(), "server!g_archive");
        QTest::keyClick(&stage.view().table(), Qt::Key_Space);
        QCOMPARE(stage.chips(), QStringList{"Held by: server!g_archive"});
        QVERIFY(stage.wait());
        QTRY_COMPARE(stage.holders().size(), 2); // the page still shows all
        QCOMPARE(stage.cell({kServer}, analysis::Column::Count), "2");
        QTest::keyClick(&stage.view().table(), Qt::Key_Space);
        QVERIFY(stage.chips().isEmpty());
    }
    void enterShowsTheRowsOfAHolder() {
        HeldByPageStage stage;
        QVERIFY(stage.beginPage(with_));
        QTRY_COMPARE(stage.current(), "server!g_archive");
        QTest::keyClick(&stage.view().table(), Qt::Key_Return);
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel().graph().presetName(), "Held by Variable");
        QCOMPARE(stage.children({kServer}), QStringList("server!g_archive"));
        QCOMPARE(stage.cell({kServer, "server!g_archive"}, analysis::Column::Count), "2");
        QTRY_COMPARE(stage.panel().model().keyText(stage.panel().table().currentIndex().siblingAtColumn(0)),
                     "server!g_archive");
    }
    /// Only the blocks that its owner allocated.
    void enterShowsTheRowsOfAStep() {
        HeldByPageStage stage;
        QVERIFY(stage.beginPage(with_));
        QTRY_COMPARE(stage.current(), "server!g_archive");
        QTest::keyClick(&stage.view().table(), Qt::Key_Down);
        QTest::keyClick(&stage.view().table(), Qt::Key_Return);
        QVERIFY(stage.wait());
        QCOMPARE(stage.cell({kServer, "server!g_archive"}, analysis::Column::Count), "1");
        QCOMPARE(stage.chips().size(), 1);
        QVERIFY(stage.chips().front().startsWith("Held by: server!g_archive, "));
    }
    /// The Heap table uses the newest picture of its interval, so that it must end at the chosen one.
    void enterShowsTheRowsOfTheChosenPicture() {
        HeldByPageStage stage;
        QVERIFY(stage.beginPage(with_));
        auto& box = *stage.window.findChild<QComboBox*>("heldByPicture");
        QTRY_VERIFY(box.isVisible());
        box.setFocus();
        QTest::keyClick(&box, Qt::Key_End);
        QTRY_COMPARE(stage.current(), "server!g_sessions");
        QTest::keyClick(&stage.view().table(), Qt::Key_Return);
        QVERIFY(stage.wait());
        QCOMPARE(stage.children({kServer}), QStringList("server!g_sessions"));
        QCOMPARE(stage.state().visibleRange().end, (TraceTime{2'000'000'001}));
    }
    void spaceFiltersToAHolderOfTheChosenPicture() {
        HeldByPageStage stage;
        QVERIFY(stage.beginPage(with_));
        auto& box = *stage.window.findChild<QComboBox*>("heldByPicture");
        QTRY_VERIFY(box.isVisible());
        box.setFocus();
        QTest::keyClick(&box, Qt::Key_End);
        QTRY_COMPARE(stage.current(), "server!g_sessions");
        QTest::keyClick(&stage.view().table(), Qt::Key_Space);
        QCOMPARE(stage.chips(), QStringList{"Held by: server!g_sessions"});
        QVERIFY(stage.wait());
        QCOMPARE(stage.state().visibleRange().end, (TraceTime{2'000'000'001}));
        QCOMPARE(stage.cell({kServer}, analysis::Column::Count), "2");
    }
    void aPictureIsNotComparedWithItself() {
        HeldByPageStage stage;
        QVERIFY(stage.beginPage(with_));
        auto& box = *stage.window.findChild<QComboBox*>("heldByEarlier");
        QTRY_VERIFY(box.isVisible());
        QCOMPARE(box.count(), 2); // None, and the older one
        QVERIFY(box.itemText(1).startsWith("2."));
    }
    void aKeyInTheTableShowsWhatHoldsTheSelectedRows() {
        HeldByPageStage stage;
        QVERIFY(stage.begin(with_));
        const auto row = stage.row({kServer});
        QVERIFY(row.isValid());
        stage.panel().table().setCurrentIndex(row);
        stage.panel().table().setFocus();
        QTest::keyClick(&stage.panel().table(), Qt::Key_B);
        QTRY_VERIFY(stage.window.findChild<QDockWidget*>("heldByDock")->isVisible());
        QTRY_COMPARE(stage.holders(), QStringList({"nothing (unreachable)", "server!g_archive"}));
        QCOMPARE(stage.chips().size(), 1);
        QTRY_VERIFY2(stage.summary().contains("match the filter"), qPrintable(stage.summary()));
        QTRY_VERIFY(stage.view().table().hasFocus());
    }
    /// Other events arrive all the time, and do not change the answer.
    void whileATraceGrowsOnlyANewPictureIsAskedFor() {
        HeldByPageStage stage;
        QVERIFY(stage.beginPage(with_));
        QTRY_COMPARE(stage.holders().size(), 2);
        auto& shown = stage.window.tabs().shown();
        shown.setLoading(true);
        QVERIFY(stage.waitForPage());
        QTRY_VERIFY(stage.window.isSettled());
        const auto before = stage.view().model().answer();
        auto more = std::make_shared<store::PublishedTrace>(*shown.trace());
        shown.show(more, shown.labels());
        QTest::qWait(2500); // the rate at which pages ask again
        QVERIFY(stage.view().model().answer() == before);
        more = std::make_shared<store::PublishedTrace>(*more);
        more->pictures = std::make_shared<const std::vector<SharedMemoryPicture>>(1, more->pictures->front());
        shown.show(more, shown.labels());
        QTRY_COMPARE(stage.holders(), QStringList({"nothing (unreachable)", "server!g_sessions"}));
        shown.setLoading(false);
    }
    void aTraceOfAPictureOpensThePage() {
        HeldByPageStage stage;
        QVERIFY(stage.open({only_}));
        const auto& dock = *stage.window.findChild<QDockWidget*>("heldByDock");
        QVERIFY(dock.isVisible());
        QTRY_COMPARE(stage.holders(), QStringList({"nothing (unreachable)", "server!g_archive"}));
        QVERIFY(stage.open({with_}));
        QVERIFY(!dock.isVisible()); // the user has not opened it
        QTest::keyClick(&stage.window, Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(stage.open({only_}) && stage.open({with_}));
        QVERIFY(dock.isVisible());
    }
    void thePageDoesNotCoverTheOneThatTheCommandLineNames() {
        HeldByPageStage stage;
        app::StartView view;
        view.showsLeaks = true;
        stage.window.setStartView(view);
        QVERIFY(stage.open({only_}));
        QTRY_VERIFY(stage.window.findChild<QDockWidget*>("leaksDock")->isVisible());
        QVERIFY(!stage.window.findChild<QDockWidget*>("heldByDock")->isVisible());
    }
    void aTraceThatIsLoadingMayStillContainAPicture() {
        HeldByPageStage stage;
        QVERIFY(stage.begin(without_));
        auto& shown = stage.window.tabs().shown();
        shown.setLoading(true);
        QTest::keyClick(&stage.window, Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(stage.waitForPage());
        QTRY_VERIFY2(stage.summary().contains("still loading"), qPrintable(stage.summary()));
        shown.setLoading(false);
        QTRY_VERIFY2(stage.summary().contains("no picture of memory"), qPrintable(stage.summary()));
    }
    void emptyPagesSayWhatToDo() {
        HeldByPageStage stage;
        QVERIFY(stage.beginPage(without_));
        QTRY_VERIFY2(stage.summary().contains("no picture of memory") && stage.summary().contains("Ctrl+Alt+P"),
                     qPrintable(stage.summary()));
        QVERIFY(stage.open({with_}));
        QTRY_VERIFY(stage.view().model().rowCount() > 0);
        QVERIFY(stage.zoom(5, 6));
        QTRY_VERIFY2(stage.summary().contains("The nearest one was taken at 4.000000000 s"),
                     qPrintable(stage.summary()));
        QCOMPARE(stage.view().model().rowCount(), 0);
        QVERIFY(stage.open({windows_}));
        QTRY_VERIFY2(stage.summary().contains("Only recordings that Highwater makes contain pictures"),
                     qPrintable(stage.summary()));
    }
};

HIGHWATER_TEST(HeldByControllerTest);
#include "held_by_controller_test.moc"
