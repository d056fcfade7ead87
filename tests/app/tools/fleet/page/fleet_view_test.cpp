#include "app/tools/fleet/page/fleet_view.h"

#include "app/tools/fleet/page/fleet_chart.h"
#include "app/tools/fleet/page/fleet_form.h"
#include "app/tools/fleet/page/fleet_list.h"
#include "app/tools/fleet/page/fleet_store_bar.h"
#include "tests/app/tools/fleet/page/fake_fleet.h"
#include "tests/support/test_registry.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

namespace {

/// The page with given answers.
struct ViewStage {
    FakeFleet fleet;
    FleetView view;

    ViewStage() {
        view.resize(1000, 640);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        view.setContents(contentsOf(fleet.runs));
    }
    void answer(FleetKind kind, auto found) {
        FleetAnswer made;
        made.question.kind = kind;
        made.question.fromBuild = "8121";
        made.question.toBuild = "8123";
        made.found = std::move(found);
        view.setAnswer(std::make_shared<const FleetAnswer>(std::move(made)));
    }
    void showWorst() {
        view.setWorst(std::make_shared<const FleetWorst>(
            FleetWorst{{.stack = {1, 1}, .table = analysis::Table::Heap, .samples = {}, .build = "8123"},
                       fakeStack("app!leak", 1),
                       fleet.worst.runs}));
    }
    QString text(const char* name) { return view.findChild<QLabel*>(QLatin1String(name))->text(); }
};

} // namespace

class FleetViewTest : public QObject {
    Q_OBJECT
  private slots:
    void showsAnAnswerWithItsNotes() {
        ViewStage stage;
        stage.answer(FleetKind::Grew, stage.fleet.grew);
        QCOMPARE(stage.text("fleetSummary"), "2 of 1,204 tested stacks grew from build 8121 to build 8123.");
        QVERIFY(stage.view.findChild<QLabel*>("fleetNotes")->isVisible());
        QCOMPARE(stage.view.answers().model()->rowCount(), 2);
        QVERIFY(stage.view.chart().isVisible());
    }
    void oneOfAKindIsCountedAsOne() {
        ViewStage stage;
        stage.view.setContents(contentsOf({fakeRun("8120", "lab-1", 1)}));
        QCOMPARE(stage.text("fleetFacts"), "1 run, 1 build, 1 machine");
        stage.fleet.grew.tested = 1;
        stage.fleet.grew.significant = 1;
        stage.fleet.grew.rows.resize(1);
        stage.answer(FleetKind::Grew, stage.fleet.grew);
        QCOMPARE(stage.text("fleetSummary"), "1 of 1 tested stacks grew from build 8121 to build 8123.");
        stage.fleet.grew.rows.clear();
        stage.answer(FleetKind::Grew, stage.fleet.grew);
        QCOMPARE(stage.text("fleetSummary"),
                 "Nothing grew from build 8121 to build 8123 by 1 KB or more beyond noise (1 stack tested).");
    }
    void theSelectedStackIsAskedFor() {
        ViewStage stage;
        QSignalSpy selected(&stage.view, &FleetView::stackSelected);
        stage.answer(FleetKind::Grew, stage.fleet.grew);
        QVERIFY(!selected.isEmpty()); // the first one
        QCOMPARE(selected.last()[0].value<fleet::FleetStack>().owner, "app!leak");
        stage.view.answers().setFocus();
        QTest::keyClick(&stage.view.answers(), Qt::Key_Down);
        QCOMPARE(selected.last()[0].value<fleet::FleetStack>().owner, "app!cache");
    }
    void enterOnAStackWantsItsRunsAndOnARunItsTrace() {
        ViewStage stage;
        QSignalSpy runs(&stage.view, &FleetView::runsWanted), traces(&stage.view, &FleetView::runWanted);
        stage.answer(FleetKind::Grew, stage.fleet.grew);
        stage.view.answers().setFocus();
        QTest::keyClick(&stage.view.answers(), Qt::Key_Return);
        QCOMPARE(runs.size(), 1);
        stage.showWorst();
        QVERIFY(stage.view.areRunsShown());
        QVERIFY(stage.view.runs().hasFocus());
        QTest::keyClick(&stage.view.runs(), Qt::Key_Return);
        QCOMPARE(traces.size(), 1);
        const auto run = traces.last()[0].value<FleetRun>();
        QCOMPARE(run.facts.machine, "lab-3"); // the worst
        QVERIFY(run.hasStack);
        QCOMPARE(run.stack.owner, "app!leak");
        QCOMPARE(run.first, 1'000'000'000);
    }
    void escapeGoesBackToTheAnswer() {
        ViewStage stage;
        stage.answer(FleetKind::Grew, stage.fleet.grew);
        stage.view.answers().setCurrentIndex(stage.view.answers().indexOf(1));
        stage.view.answers().setFocus();
        stage.showWorst();
        QVERIFY(stage.text("fleetSummary").startsWith("Runs of app!leak in build 8123"));
        QTest::keyClick(&stage.view.runs(), Qt::Key_Escape);
        QVERIFY(!stage.view.areRunsShown());
        QVERIFY(stage.view.answers().hasFocus());
        QCOMPARE(stage.view.answers().selectedRow(), std::optional<std::size_t>(1));
        stage.showWorst();
        QTest::mouseClick(stage.view.findChild<QToolButton*>("fleetBack"), Qt::LeftButton);
        QVERIFY(!stage.view.areRunsShown());
    }
    void theOldAnswerStaysDimmedUntilTheNewOneIsThere() {
        ViewStage stage;
        stage.answer(FleetKind::Grew, stage.fleet.grew);
        stage.view.setAsking(true);
        QVERIFY(!stage.view.answers().isOld()); // an immediate answer does not flicker
        QTRY_VERIFY(stage.view.answers().isOld());
        QCOMPARE(stage.view.answers().model()->rowCount(), 2);
        QVERIFY(stage.text("fleetSummary").endsWith("(updating…)"));
        QVERIFY(stage.view.findChild<QPushButton*>("fleetCancel")->isEnabled());
        stage.answer(FleetKind::Grew, stage.fleet.grew);
        QVERIFY(!stage.view.answers().isOld());
        QVERIFY(!stage.view.findChild<QPushButton*>("fleetCancel")->isEnabled());
    }
    void escapeCancels() {
        ViewStage stage;
        QSignalSpy cancelled(&stage.view, &FleetView::cancelWanted);
        stage.answer(FleetKind::Grew, stage.fleet.grew);
        stage.view.setAsking(true);
        stage.view.answers().setFocus();
        QTest::keyClick(&stage.view.answers(), Qt::Key_Escape);
        QCOMPARE(cancelled.size(), 1);
    }
    void f5AsksAgain() {
        ViewStage stage;
        QSignalSpy again(&stage.view, &FleetView::askAgainWanted);
        stage.view.answers().setFocus();
        QTest::keyClick(&stage.view.answers(), Qt::Key_F5);
        QCOMPARE(again.size(), 1);
    }
    void runsAndHealthHaveNoHistory() {
        ViewStage stage;
        QSignalSpy traces(&stage.view, &FleetView::runWanted);
        stage.answer(FleetKind::Runs, stage.fleet.runs);
        QVERIFY(!stage.view.chart().isVisible());
        stage.view.answers().setFocus();
        QTest::keyClick(&stage.view.answers(), Qt::Key_Return);
        QCOMPARE(traces.size(), 1);
        QVERIFY(!traces.last()[0].value<FleetRun>().hasStack); // the trace as it is
        stage.answer(FleetKind::Health, stage.fleet.health);
        QTest::keyClick(&stage.view.answers(), Qt::Key_Return);
        QCOMPARE(traces.size(), 1);
    }
    void anEmptyAnswerExplainsItself() {
        ViewStage stage;
        stage.answer(FleetKind::Grew, fleet::GrewAnswer{});
        QVERIFY(stage.text("fleetSummary").startsWith("Growth from build 8121 to build 8123 cannot be determined"));
        fleet::GrewAnswer none;
        none.canTell = true;
        stage.answer(FleetKind::Grew, none);
        QVERIFY(stage.text("fleetSummary").startsWith("Nothing grew"));
        QVERIFY(stage.view.chart().words().startsWith("Nothing grew"));
    }
    void theStoreIsTypedOrChosen() {
        ViewStage stage;
        QSignalSpy opened(&stage.view.store(), &FleetStoreBar::openWanted);
        stage.view.store().setRecent({"/a.sqlite", "clickhouse://lab:8123/runs"});
        auto& box = *stage.view.findChild<QComboBox*>("fleetAddress");
        QVERIFY(box.currentText().isEmpty()); // nothing is opened automatically
        stage.view.store().focusAddress();
        QTest::keyClicks(&box, "/b.sqlite"); // which passes them to its line
        QTest::keyClick(&box, Qt::Key_Return);
        QTRY_COMPARE(opened.size(), 1);
        QCOMPARE(opened.last()[0].toString(), "/b.sqlite");
        box.lineEdit()->selectAll();
        QTest::keyClicks(&box, "/a.sqlite"); // as one of the list
        QTest::keyClick(&box, Qt::Key_Return);
        QTRY_COMPARE(opened.size(), 2);
        QTest::qWait(5);
        QCOMPARE(opened.size(), 2); // once
        QTest::keyClick(&box, Qt::Key_Down);
        QTRY_COMPARE(opened.size(), 3);
        QCOMPARE(opened.last()[0].toString(), "clickhouse://lab:8123/runs");
    }
    void aPasswordIsNotShownAndNotKept() {
        ViewStage stage;
        QSignalSpy signedIn(&stage.view.store(), &FleetStoreBar::signInWanted);
        QVERIFY(!stage.view.store().isAsking());
        stage.view.store().askToSignIn(true);
        auto& user = *stage.view.findChild<QLineEdit*>("fleetUser");
        auto& password = *stage.view.findChild<QLineEdit*>("fleetPassword");
        QCOMPARE(password.echoMode(), QLineEdit::Password);
        QVERIFY(user.hasFocus());
        QTest::keyClicks(&user, "reader");
        QTest::keyClick(&user, Qt::Key_Return);
        QVERIFY(password.hasFocus());
        QTest::keyClicks(&password, "secret");
        QTest::keyClick(&password, Qt::Key_Return);
        QCOMPARE(signedIn.size(), 1);
        QCOMPARE(signedIn.last()[1].toString(), "secret");
        QVERIFY(password.text().isEmpty());
    }
    /// Nothing is cut off at the smallest size that is supported.
    void fitsASmallWindow() {
        ViewStage stage;
        stage.answer(FleetKind::Grew, stage.fleet.grew);
        QVERIFY(stage.view.minimumSizeHint().width() <= 1000);
        QVERIFY(stage.view.minimumSizeHint().height() <= 600);
        for (const auto* box : stage.view.form().findChildren<QComboBox*>()) {
            if (!box->isVisible()) continue;
            const QRect place(box->mapTo(&stage.view, QPoint()), box->size());
            QVERIFY2(stage.view.rect().contains(place), qPrintable(box->objectName()));
        }
    }
};

HIGHWATER_TEST(FleetViewTest);
#include "fleet_view_test.moc"
