#include "app/tools/fleet/page/fleet_finder.h"

#include "core/summary/run_id.h"
#include "tests/app/tools/fleet/page/fake_fleet.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <array>
#include <filesystem>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

namespace {

struct FinderStage {
    FakeFleet fleet;
    FleetFinder finder{fleet.opener()};
    std::vector<std::shared_ptr<const FleetAnswer>> answers;
    std::vector<std::pair<ErrorKind, QString>> failures;

    FinderStage() {
        finder.setPlace({"/a/fleet.sqlite", {}, {}});
        QObject::connect(&finder, &FleetFinder::answered, &finder, [this](auto answer) { answers.push_back(answer); });
        QObject::connect(&finder, &FleetFinder::failed, &finder,
                         [this](auto, ErrorKind kind, const QString& text) { failures.emplace_back(kind, text); });
    }
    static FleetQuestion question(const std::string& from, FleetKind kind = FleetKind::Grew) {
        FleetQuestion asked;
        asked.kind = kind;
        asked.fromBuild = from;
        asked.toBuild = "8123";
        return asked;
    }
    bool waitForAll() {
        return QTest::qWaitFor([this] { return !finder.isBusy(); }, 10'000);
    }
};

} // namespace

class FleetFinderTest : public QObject {
    Q_OBJECT
  private slots:
    void listsRunsOldestBuildFirst() {
        FinderStage stage;
        std::reverse(stage.fleet.runs.begin(), stage.fleet.runs.end());
        FleetContents contents;
        QObject::connect(&stage.finder, &FleetFinder::contentsAnswered, &stage.finder,
                         [&](const FleetPlace& place, const FleetContents& found) {
                             QCOMPARE(place.address, "/b/fleet.sqlite");
                             contents = found;
                         });
        stage.finder.askContents({"/b/fleet.sqlite", {}, {}});
        QTRY_COMPARE(contents.runs, std::size_t{12});
        QCOMPARE(contents.builds, (std::vector<std::string>{"8120", "8121", "8123"}));
        QCOMPARE(contents.machines.size(), std::size_t{4});
        QCOMPARE(contents.scenarios, std::vector<std::string>{"nightly"});
    }

    /// Like the history of a stack: a build may be recorded again later.
    void buildsWithNumbersAreInTheirOrder() {
        const auto ofBuilds = [](const std::vector<std::string>& names) {
            std::vector<fleet::RunRow> runs;
            for (const auto& name : names)
                runs.push_back(fakeRun(name, "lab-1", static_cast<std::int64_t>(runs.size())));
            return contentsOf(runs).builds;
        };
        using Names = std::vector<std::string>;
        QCOMPARE(ofBuilds({"8.10", "8.9", "", "8.2.1"}), (Names{"", "8.2.1", "8.9", "8.10"}));
        QCOMPARE(ofBuilds({"zeta", "alpha", "8.9"}), (Names{"zeta", "alpha", "8.9"})); // names ordered by time
    }

    void asksEachKindInItsOwnWay() {
        FinderStage stage;
        for (const auto kind : kFleetKinds) {
            stage.finder.ask(FinderStage::question("8121", kind));
            QVERIFY(stage.waitForAll());
        }
        const std::vector<std::string> asked{"grew 8121 to 8123, whole, Outstanding Size",
                                             "new 8121 to 8123, whole, Outstanding Size",
                                             "gone 8121 to 8123, whole, Outstanding Size",
                                             "slopes 8123, whole, Outstanding Size",
                                             "health 8123",
                                             "runs 8123"};
        QCOMPARE(stage.fleet.asked(), asked);
        QCOMPARE(stage.answers.size(), kFleetKinds.size());
        QCOMPARE(std::get<fleet::GrewAnswer>(stage.answers[0]->found).rows.size(), std::size_t{2});
        QCOMPARE(std::get<std::vector<fleet::RunRow>>(stage.answers[5]->found).size(), std::size_t{4});
    }

    void theNewestQuestionWins() {
        FinderStage stage;
        stage.fleet.hold("grew");
        stage.finder.ask(FinderStage::question("8120"));
        QTRY_COMPARE(stage.fleet.countOf("grew"), std::size_t{1});
        stage.finder.ask(FinderStage::question("8121"));
        QTRY_COMPARE(stage.fleet.countOf("grew"), std::size_t{2}); // the first was cancelled
        stage.fleet.hold({});
        QTRY_COMPARE(stage.answers.size(), std::size_t{1});
        QTest::qWait(20);
        QCOMPARE(stage.answers.size(), std::size_t{1});
        QCOMPARE(stage.answers[0]->question.fromBuild, "8121");
        QVERIFY(stage.failures.empty()); // a cancelled query is not a failure
    }

    /// Each kind has a lane of its own.
    void aSlowQuestionHoldsUpNoOther() {
        FinderStage stage;
        stage.fleet.hold("grew");
        stage.finder.ask(FinderStage::question("8120"));
        QTRY_COMPARE(stage.fleet.countOf("grew"), std::size_t{1});
        QSignalSpy histories(&stage.finder, &FleetFinder::historyAnswered);
        stage.finder.askHistory({{1, 1}, analysis::Table::Heap, {}});
        QTRY_COMPARE(histories.size(), 1);
        QVERIFY(stage.answers.empty());
        QVERIFY(stage.finder.isBusy());
    }

    void theGuiThreadNeverWaits() {
        FinderStage stage;
        stage.fleet.hold("grew");
        QElapsedTimer taken;
        taken.start();
        for (int i = 0; i < 3; ++i)
            stage.finder.ask(FinderStage::question("8120"));
        stage.finder.cancel();
        QVERIFY(taken.elapsed() < 1'000);
        QVERIFY(!stage.finder.isBusy());
        QTest::qWait(20);
        QVERIFY(stage.answers.empty() && stage.failures.empty());
    }

    void reportsFailuresWithReasons() {
        FinderStage stage;
        stage.fleet.failWith(Error{ErrorKind::Unsupported, "The store is of version 9."});
        stage.finder.ask(FinderStage::question("8120"));
        QTRY_COMPARE(stage.failures.size(), std::size_t{1});
        QCOMPARE(stage.failures[0].first, ErrorKind::Unsupported);
        QCOMPARE(stage.failures[0].second, "The store is of version 9.");
    }

    /// Answers of a store that is no longer queried are dropped.
    void anotherStoreTakesNoAnswersOfTheOneBefore() {
        FinderStage stage;
        stage.fleet.hold("grew");
        stage.finder.ask(FinderStage::question("8120"));
        QTRY_COMPARE(stage.fleet.countOf("grew"), std::size_t{1});
        stage.finder.setPlace({"/other.sqlite", {}, {}});
        stage.fleet.hold({});
        QTest::qWait(30);
        QVERIFY(stage.answers.empty());
    }

    void reportsUnreadableFilesOfARun() {
        QTemporaryDir folder;
        QFile file(folder.filePath("here.etl"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        FinderStage stage;
        FleetReach reach{{"not asked"}};
        QObject::connect(&stage.finder, &FleetFinder::reachAnswered, &stage.finder,
                         [&](const FleetRun&, const FleetReach& told) { reach = told; });
        FleetRun run;
        run.facts.trace = (file.fileName() + ";/nobody/has/it.etl").toStdString();
        stage.finder.askReach(run);
        QTRY_COMPARE(reach.missing, QStringList{"/nobody/has/it.etl"});
        run.facts.trace = file.fileName().toStdString();
        stage.finder.askReach(run);
        QTRY_COMPARE(reach.missing, QStringList());
        QVERIFY(reach.isOther); // not the file of the run
    }

    /// By its content, wherever it is stored.
    void distinguishesTheFileOfARun() {
        QTemporaryDir folder;
        QFile file(folder.filePath("app.etl"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("The first recording.") > 0);
        file.close();
        const std::array<std::filesystem::path, 1> paths{file.fileName().toStdString()};
        FleetRun run;
        run.facts.run = summary::runIdOf(paths).value();
        run.facts.trace = file.fileName().toStdString();
        FinderStage stage;
        std::vector<bool> others;
        QObject::connect(&stage.finder, &FleetFinder::reachAnswered, &stage.finder,
                         [&](const FleetRun&, const FleetReach& told) { others.push_back(told.isOther); });
        stage.finder.askReach(run);
        QTRY_COMPARE(others, std::vector<bool>{false});
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("The other recording.") > 0);
        file.close();
        stage.finder.askReach(run);
        QTRY_COMPARE(others, (std::vector<bool>{false, true}));
    }
};

HIGHWATER_TEST(FleetFinderTest);
#include "fleet_finder_test.moc"
