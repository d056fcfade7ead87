#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// A build of the example program: its leaks a second of its own time, and the number of its recordings.
struct Build {
    const char* name;
    const char* leaks;
    int recordings;
};
/// Forty recordings; the last build leaks 10 % more in one function.
constexpr Build kBuilds[] = {{"8120", "32", 14}, {"8121", "32", 13}, {"8122", "35.2", 13}};
constexpr int kMachines = 4;
constexpr int kAtOnce = 8;

class FleetRecordingsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::string whyNot_;

    std::string store() const { return folder_.filePath("fleet.sqlite").toStdString(); }
    /// The recordings of a build on one machine.
    QString folderOf(const Build& build, int machine) const {
        return folder_.filePath(QString("%1/lab-%2").arg(build.name).arg(machine));
    }

  private slots:
    void initTestCase() {
        std::vector<std::unique_ptr<QProcess>> recorders;
        const auto wait = [&] {
            for (const auto& recorder : recorders)
                if (!recorder->waitForFinished(60'000) || recorder->exitCode() != 0)
                    whyNot_ = recorder->readAllStandardError().toStdString();
            recorders.clear();
        };
        for (const auto& build : kBuilds) {
            for (int i = 0; i < build.recordings && whyNot_.empty(); ++i) {
                const auto folder = folderOf(build, i % kMachines);
                QVERIFY(QDir().mkpath(folder));
                auto& recorder = recorders.emplace_back(std::make_unique<QProcess>());
                recorder->start(HIGHWATER_CLI, {"record", "--heap", "-o", QString("%1/%2.etl").arg(folder).arg(i), "--",
                                                HIGHWATER_MEMORY_TEST_APP, "--seconds", "30", "--speed", "40",
                                                "--leaks", build.leaks});
                if (recorders.size() == kAtOnce) wait();
            }
        }
        wait();
    }
    void init() {
        if (!whyNot_.empty()) QSKIP(("Recording is not possible here: " + whyNot_).c_str());
    }

    void theFunctionThatLeaksMoreIsNamedFirst() {
        QCOMPARE(runCli({"fleet", "init", store()}).exitCode, 0);
        for (const auto& build : kBuilds) {
            for (int machine = 0; machine < kMachines; ++machine) {
                const auto answer = runCli({"fleet", "add", store(), folderOf(build, machine).toStdString(), "--label",
                                            std::string("build=") + build.name, "--label",
                                            "machine=lab-" + std::to_string(machine), "--jobs", "2"});
                QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
            }
        }
        QCOMPARE(runCli({"fleet", "runs", store(), "--format", "json"}).json()["runs"].size(), std::size_t{40});
        const auto grew = runCli({"fleet", "grew", store(), "--from", "8120", "--to", "8122", "--least", "1KB",
                                  "--fail", "--format", "json"});
        QCOMPARE(grew.exitCode, 4);
        const auto rows = grew.json()["rows"];
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0]["owner"], Json("memory_test_app!InnerLoopOperation"));
        const auto share = rows[0]["to"]["median"].get<double>() / rows[0]["from"]["median"].get<double>();
        QVERIFY2(share > 1.08 && share < 1.12, grew.answers.c_str());

        const auto key = rows[0]["key"].get<std::string>();
        const auto history = runCli({"fleet", "first-bad", store(), "--stack", key, "--format", "json"});
        QCOMPARE(history.json()["first_bad"], Json("8122"));
        const auto worst = runCli({"fleet", "worst", store(), "--stack", key, "--top", "1", "--format", "json"});
        QCOMPARE(worst.json()["runs"][0]["build"], Json("8122"));
    }
    void recordingsHaveTheHighestRssOfTheirProcess() {
        const auto worst =
            runCli({"fleet", "worst", store(), "--measure", "rss_peak", "--build", "8122", "--format", "json"}).json();
        QCOMPARE(worst["runs"].size(), std::size_t{13});
        QCOMPARE(worst["runs_unknown"], Json(0));
        for (const auto& run : worst["runs"]) {
            QCOMPARE(run["process"], Json("memory_test_app"));
            QVERIFY(run["value"].get<std::int64_t>() > 0);
        }
        for (const auto* measure : {"rss_peak", "held"}) {
            const auto grew = runCli({"fleet", "grew", store(), "--from", "8120", "--to", "8122", "--measure", measure,
                                      "--process", "memory_test_app", "--least", "1GB", "--fail"});
            QCOMPARE(grew.exitCode, 0);
            QVERIFY2(!has(grew.messages, "not compared"), grew.messages.c_str());
        }
    }
    void equalBuildsAreEqual() {
        const auto grew = runCli(
            {"fleet", "grew", store(), "--from", "8120", "--to", "8121", "--least", "1", "--fail", "--format", "json"});
        QVERIFY2(grew.exitCode == 0, grew.answers.c_str());
    }
    /// Added where there are no debug files, and named where they exist: the same stack is reported, under the same
    /// key.
    void functionsMayBeNamedLater() {
        const auto file = folder_.filePath("later.sqlite").toStdString();
        for (const auto* build : {&kBuilds[0], &kBuilds[2]}) {
            const auto added = runCli({"fleet", "add", file, folderOf(*build, 0).toStdString(), "--no-symbols",
                                       "--label", std::string("build=") + build->name});
            QVERIFY2(added.exitCode == 0, added.messages.c_str());
        }
        const auto question = [](const std::string& store) {
            return runCli(
                       {"fleet", "grew", store, "--from", "8120", "--to", "8122", "--least", "1KB", "--format", "json"})
                .json()["rows"];
        };
        QVERIFY(question(file)[0]["owner"].get<std::string>().starts_with("memory_test_app!+0x"));
        // The folder of this program's own libraries, which the example also uses.
        std::set<std::string> folders{QFileInfo(HIGHWATER_MEMORY_TEST_APP).absolutePath().toStdString()};
        QFile maps("/proc/self/maps");
        QVERIFY(maps.open(QIODevice::ReadOnly));
        for (const auto& line : maps.readAll().split('\n'))
            if (const auto at = line.indexOf('/'); at >= 0 && line.contains(".so"))
                folders.insert(QFileInfo(QString::fromUtf8(line.mid(at))).absolutePath().toStdString());
        std::string path = "build-id:/usr/lib/debug/.build-id"; // as fleet add searches by default
        for (const auto& folder : folders)
            path += ";" + folder;
        const auto named = runCli({"fleet", "name", file, "--symbols", path});
        QVERIFY2(named.exitCode == 0, named.messages.c_str());
        QVERIFY2(has(named.messages, "memory_test_app ("), named.messages.c_str());
        const auto rows = question(file);
        QCOMPARE(rows[0]["owner"], Json("memory_test_app!InnerLoopOperation"));
        QCOMPARE(rows[0]["key"], question(store())[0]["key"]);
        QCOMPARE(rows[0]["stack"], question(store())[0]["stack"]);
        const auto again = runCli({"fleet", "name", file, "--symbols", path});
        QVERIFY2(has(again.messages, " functions named, in 0 stacks."), again.messages.c_str());
    }
    /// The same without a store.
    void checkFindsItToo() {
        std::vector<std::string> words{"check"};
        for (int i = 0; i < 4; ++i)
            words.push_back(folderOf(kBuilds[0], i).toStdString() + "/" + std::to_string(i) + ".etl");
        words.emplace_back("--with");
        for (int i = 0; i < 4; ++i)
            words.push_back(folderOf(kBuilds[2], i).toStdString() + "/" + std::to_string(i) + ".etl");
        words.insert(words.end(), {"--smallest", "1KB", "--format", "json"});
        const auto answer = runCli(words);
        QCOMPARE(answer.exitCode, 4);
        const auto json = answer.json();
        QCOMPARE(json["grown"].size(), std::size_t{1});
        QCOMPARE(json["grown"][0]["owner"], Json("memory_test_app!InnerLoopOperation"));
    }
};

HIGHWATER_TEST(FleetRecordingsTest);

} // namespace

#include "fleet_recordings_linux_test.moc"
