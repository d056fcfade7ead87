#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QProcess>
#include <QTest>

#include <array>
#include <memory>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// Options of the program: its speed, and the leaks a second of its own time.
struct Run {
    const char* name;
    const char* speed;
    const char* leaks;
};
/// Two builds, the second of which leaks 10 % more; each recorded three times, at different speeds.
constexpr std::array kRuns{Run{"before1", "25", "31.9"}, Run{"before2", "30", "31.5"}, Run{"before3", "35", "32.2"},
                           Run{"after1", "35", "35.09"}, Run{"after2", "30", "34.8"},  Run{"after3", "25", "35.5"}};

std::string runFile(const char* name) { return temporaryPath(std::string(name) + ".diff.etl"); }

/// Rows of the leaf's frames in memory_test_app.
Json programRows(const Json& answer) {
    const auto process = rowWithKey(answer["rows"], "memory_test_app");
    return process.is_null() ? Json::array() : process["rows"];
}

/// Empty if the function that leaks more comes first, and nothing else has changed.
std::string wrongIn(const Json& answer) {
    const auto rows = programRows(answer);
    if (rows.empty() || rows[0]["key"] != "memory_test_app!InnerLoopOperation") return "another function is first";
    if (rows[0]["state"] != "grown") return "it has not grown";
    const auto& change = rows[0]["values"]["Outstanding"];
    const auto share = change["after"].get<double>() / change["before"].get<double>();
    if (share < 1.08 || share > 1.12) return "it has not grown by 10 %";
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto state = rows[i]["state"].get<std::string>();
        if (state != "same" && state != "within_noise") return rows[i]["key"].get<std::string>() + " is " + state;
    }
    return {};
}

} // namespace

/// The example program, recorded live at several speeds, once with a function that leaks 10 % more: the diff finds it.
class DiffRecordingsTest : public QObject {
    Q_OBJECT

    std::string whyNot_;

  private slots:
    void initTestCase() {
        std::vector<std::unique_ptr<QProcess>> recorders; // all in parallel: each takes a second
        for (const auto& run : kRuns) {
            auto& recorder = recorders.emplace_back(std::make_unique<QProcess>());
            recorder->start(HIGHWATER_CLI,
                            {"record", "--heap", "-o", QString::fromStdString(runFile(run.name)), "--",
                             HIGHWATER_MEMORY_TEST_APP, "--seconds", "30", "--speed", run.speed, "--leaks", run.leaks});
        }
        for (const auto& recorder : recorders) {
            if (!recorder->waitForFinished(60'000) || recorder->exitCode() != 0)
                whyNot_ = recorder->readAllStandardError().toStdString();
        }
    }
    void init() {
        if (!whyNot_.empty()) QSKIP(("Recording is not possible here: " + whyNot_).c_str());
    }

    void theFunctionThatLeaksMoreIsFirst() {
        const auto answer =
            runCli({"diff", runFile("before1"), "--with", runFile("after1"), "--bottom-up", "--format", "json"});
        QCOMPARE(answer.exitCode, 0);
        const auto wrong = wrongIn(answer.json());
        QVERIFY2(wrong.empty(), (wrong + "\n" + answer.answers).c_str());
        QCOMPARE(programRows(answer.json())[0]["values"]["Count"]["before"], Json(957));
        QCOMPARE(programRows(answer.json())[0]["values"]["Count"]["after"], Json(1053));
    }
    void severalRecordingsPerSideSeparateItFromNoise() {
        const auto answer =
            runCli({"diff", runFile("before1"), runFile("before2"), runFile("before3"), "--with", runFile("after1"),
                    runFile("after2"), runFile("after3"), "--bottom-up", "--format", "json"});
        QCOMPARE(answer.exitCode, 0);
        const auto wrong = wrongIn(answer.json());
        QVERIFY2(wrong.empty(), (wrong + "\n" + answer.answers).c_str());
        QCOMPARE(answer.json()["owners"][0]["owner"], Json("memory_test_app!InnerLoopOperation"));
        QCOMPARE(answer.json()["owners"].size(), std::size_t{1});
    }
    void theSameBuildIsTheSame() {
        const auto answer = runCli({"diff", runFile("before1"), runFile("before3"), "--with", runFile("before2"),
                                    "--bottom-up", "--format", "json", "--fail-above", "1"});
        QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
        for (const auto& row : programRows(answer.json()))
            QVERIFY2(row["state"] == "same" || row["state"] == "within_noise", row.dump().c_str());
    }
    void growthAboveALimitNamesTheFunction() {
        const auto answer = runCli({"diff", runFile("before1"), "--with", runFile("after1"), "--fail-above", "2KB"});
        QCOMPARE(answer.exitCode, 4);
        QVERIFY2(has(answer.messages, "memory_test_app!InnerLoopOperation of memory_test_app grew by 3,840 bytes"),
                 answer.messages.c_str());
    }
};

HIGHWATER_TEST(DiffRecordingsTest);
#include "diff_command_linux_test.moc"
