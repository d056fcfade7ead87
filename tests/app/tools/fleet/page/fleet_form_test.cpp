#include "app/tools/fleet/page/fleet_form.h"

#include "tests/app/tools/fleet/page/fake_fleet.h"
#include "tests/support/test_registry.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

namespace {

struct FormStage {
    FleetForm form;

    FormStage() {
        form.setContents(contentsOf(FakeFleet().runs));
        form.show();
        (void)QTest::qWaitForWindowExposed(&form);
    }
    QComboBox& box(const char* name) { return *form.findChild<QComboBox*>(QLatin1String(name)); }
    void choose(const char* name, const QString& text) {
        auto& chosen = box(name);
        chosen.setFocus();
        chosen.setCurrentText(text);
        emit chosen.activated(chosen.currentIndex());
    }
};

} // namespace

class FleetFormTest : public QObject {
    Q_OBJECT
  private slots:
    void theNewestTwoBuildsAreAskedAbout() {
        FormStage stage;
        const auto question = stage.form.question();
        QCOMPARE(question.kind, FleetKind::Grew);
        QCOMPARE(question.fromBuild, "8121");
        QCOMPARE(question.toBuild, "8123");
        QCOMPARE(question.samples.window, "whole");
        QVERIFY(question.samples.process.empty() && question.samples.machine.empty() && !question.samples.table);
    }
    void keysChangeTheQuestion() {
        FormStage stage;
        QSignalSpy changes(&stage.form, &FleetForm::questionChanged);
        stage.box("fleetFrom").setFocus();
        QTest::keyClick(&stage.box("fleetFrom"), Qt::Key_Up);
        QCOMPARE(stage.form.question().fromBuild, "8120");
        QCOMPARE(changes.size(), 1);
        stage.box("fleetMeasure").setFocus();
        QTest::keyClick(&stage.box("fleetMeasure"), Qt::Key_Down);
        QCOMPARE(stage.form.question().samples.measure, fleet::Measure::InuseObjects);
    }
    void allMeansNoFilter() {
        FormStage stage;
        stage.choose("fleetMachine", "lab-2");
        QCOMPARE(stage.form.question().samples.machine, "lab-2");
        stage.choose("fleetMachine", "All");
        QCOMPARE(stage.form.question().samples.machine, "");
        stage.choose("fleetTable", "Heap Allocations");
        QCOMPARE(stage.form.question().samples.table, std::optional(analysis::Table::Heap));
    }
    void typedTextStartsOneQuery() {
        FormStage stage;
        QSignalSpy changes(&stage.form, &FleetForm::questionChanged);
        auto& box = stage.box("fleetProcess");
        box.setFocus();
        box.lineEdit()->selectAll();
        QTest::keyClicks(&box, "helper");
        QTest::keyClick(&box, Qt::Key_Return);
        QCOMPARE(stage.form.question().samples.process, "helper");
        QCOMPARE(changes.size(), 1);
        stage.box("fleetMeasure").setFocus(); // losing the focus changes nothing
        QCOMPARE(changes.size(), 1);
    }
    void walkingThroughChangesNothing() {
        FormStage stage;
        QSignalSpy changes(&stage.form, &FleetForm::questionChanged);
        for (const auto* name : {"fleetProcess", "fleetTable", "fleetWindow", "fleetMeasure"})
            stage.box(name).setFocus();
        QCOMPARE(changes.size(), 0);
    }
    void anEmptyWindowIsTheWhole() {
        FormStage stage;
        auto& typed = *stage.box("fleetWindow").lineEdit();
        typed.clear();
        QCOMPARE(stage.form.question().samples.window, "whole");
        QTest::keyClicks(&typed, "Warm to Full");
        QCOMPARE(stage.form.question().samples.window, "Warm to Full");
        typed.setText("Whole run");
        QCOMPARE(stage.form.question().samples.window, "whole");
    }
    void windowsOfTheRunsAreOffered() {
        FormStage stage;
        auto runs = FakeFleet().runs;
        runs[0].windows = {"whole", "Warm to Full", "60 s to 120 s"};
        runs[1].windows = {"whole", "Full to End", "Warm to Full"};
        auto& box = stage.box("fleetWindow");
        box.lineEdit()->setText("0 s to 60 s");
        stage.form.setContents(contentsOf(runs));
        QStringList offered;
        for (int i = 0; i < box.count(); ++i)
            offered << box.itemText(i);
        QCOMPARE(offered, (QStringList{"Whole run", "Warm to Full", "60 s to 120 s", "Full to End"}));
        QCOMPARE(stage.form.question().samples.window, "0 s to 60 s"); // the typed text is kept
        stage.choose("fleetWindow", "Warm to Full");
        QCOMPARE(stage.form.question().samples.window, "Warm to Full");
        stage.form.setContents(contentsOf(runs));
        QCOMPARE(stage.form.question().samples.window, "Warm to Full");
    }
    void boxesThatAQuestionDoesNotNeedAreNotThere() {
        FormStage stage;
        QVERIFY(stage.box("fleetFrom").isVisible() && !stage.box("fleetBuild").isVisible());
        stage.form.setKind(FleetKind::Slope);
        QVERIFY(!stage.box("fleetFrom").isVisible() && stage.box("fleetTo").isVisible());
        QCOMPARE(stage.box("fleetTo").accessibleName(), "Build");
        QVERIFY(!stage.box("fleetMeasure").isVisible());
        QCOMPARE(stage.form.question().samples.measure, fleet::Measure::Slope);
        stage.form.setKind(FleetKind::Runs);
        QVERIFY(stage.box("fleetBuild").isVisible() && !stage.box("fleetWindow").isVisible());
        QCOMPARE(stage.form.question().toBuild, ""); // all
    }
    /// Processes have neither a kind of memory nor a part of a run.
    void measuresOfProcessesHaveNoTableAndNoWindow() {
        FormStage stage;
        stage.choose("fleetTable", "Heap Allocations");
        QVERIFY(stage.form.question().samples.table);
        stage.choose("fleetMeasure", "Highest Rss");
        QVERIFY(!stage.box("fleetTable").isVisible() && !stage.box("fleetWindow").isVisible());
        QVERIFY(stage.box("fleetProcess").isVisible());
        QCOMPARE(stage.form.question().samples.measure, fleet::Measure::RssPeak);
        QVERIFY(!stage.form.question().samples.table);
        QCOMPARE(stage.box("fleetQuestion").currentText(), "Grown processes");
        QCOMPARE(stage.form.problem(), "");
        stage.form.setKind(FleetKind::New);
        QCOMPARE(stage.form.problem(),
                 "Highest Rss is a measure of processes, but this query compares stacks. Choose another measure.");
        stage.form.setKind(FleetKind::Slope); // which is a measure itself
        QVERIFY(stage.box("fleetTable").isVisible());
        QCOMPARE(stage.form.problem(), "");
        stage.form.setKind(FleetKind::Grew);
        stage.choose("fleetMeasure", "Peak Size");
        QVERIFY(stage.box("fleetWindow").isVisible());
        QCOMPARE(stage.box("fleetQuestion").currentText(), "Grown stacks");
        QVERIFY(stage.form.question().samples.table); // as it was
    }
    /// Newly added runs do not change the query.
    void choicesStayWhereTheyAreStillThere() {
        FormStage stage;
        stage.choose("fleetFrom", "8120");
        auto runs = FakeFleet().runs;
        runs.push_back(fakeRun("8124", "lab-9", 1'800'000'000'000'000'000));
        stage.form.setContents(contentsOf(runs));
        QCOMPARE(stage.form.question().fromBuild, "8120");
        QCOMPARE(stage.form.question().toBuild, "8123");
        std::erase_if(runs, [](const auto& row) { return row.facts.build == "8120"; });
        stage.form.setContents(contentsOf(runs));
        QCOMPARE(stage.form.question().fromBuild, "8123"); // the second newest
    }
    void programsOfAnswersAreOffered() {
        FormStage stage;
        stage.form.offerProcesses({fakeStack("app!leak", 1), fakeStack("app!leak", 1), fakeStack("b!c", 2, "helper")});
        QCOMPARE(stage.box("fleetProcess").count(), 3); // and All
        QCOMPARE(stage.form.question().samples.process, "");
        stage.choose("fleetProcess", "helper");
        QCOMPARE(stage.form.question().samples.process, "helper");
    }
    void theLeastIsOfTheMeasure() {
        FormStage stage;
        auto& least = *stage.form.findChild<QLineEdit*>("fleetLeast");
        QCOMPARE(least.placeholderText(), "1 KB");
        QVERIFY(!stage.form.question().least);
        QCOMPARE(leastOf(stage.form.question()), 1024);
        QTest::keyClicks(&least, "2 MB");
        QCOMPARE(stage.form.question().least, std::optional<std::int64_t>(2 << 20));
        stage.choose("fleetMeasure", "Allocated Size");
        QCOMPARE(least.text(), "2 MB");
        stage.choose("fleetMeasure", "Allocated Count"); // a count is not measured in bytes
        QCOMPARE(least.text(), "");
        QCOMPARE(least.placeholderText(), "1");
        stage.form.setKind(FleetKind::New);
        QCOMPARE(least.placeholderText(), "any");
        stage.form.setKind(FleetKind::Slope);
        QVERIFY(!least.isVisible());
    }
    void invalidSizesAreAProblem() {
        FormStage stage;
        QCOMPARE(stage.form.problem(), "");
        stage.form.findChild<QLineEdit*>("fleetLeast")->setText("many");
        QVERIFY(stage.form.problem().contains("many"));
        stage.form.setKind(FleetKind::Runs); // which does not use it
        QCOMPARE(stage.form.problem(), "");
    }
    void anotherStoreHasProgramsOfItsOwn() {
        FormStage stage;
        stage.form.offerProcesses({fakeStack("app!leak", 1), fakeStack("b!c", 2, "helper")});
        stage.choose("fleetProcess", "helper");
        stage.form.forgetStore();
        QCOMPARE(stage.box("fleetProcess").count(), 1);
        QCOMPARE(stage.form.question().samples.process, "");
        QCOMPARE(stage.form.question().samples.window, "whole");
    }
    void withoutRunsThereIsNothingToChoose() {
        FormStage stage;
        stage.form.setContents({});
        QVERIFY(!stage.form.isEnabled());
    }
    void everyBoxHasAName() {
        FormStage stage;
        for (const auto* box : stage.form.findChildren<QComboBox*>()) {
            QVERIFY(!box->accessibleName().isEmpty());
            QVERIFY(!box->toolTip().isEmpty());
        }
    }
};

HIGHWATER_TEST(FleetFormTest);
#include "fleet_form_test.moc"
