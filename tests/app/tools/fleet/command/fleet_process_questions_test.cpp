#include "tests/app/cli/cli_runner.h"
#include "tests/app/tools/fleet/command/made_runs.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <optional>
#include <string>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// Three machines with three runs of each build. In 8123 the highest Rss of "app" is 400 MB larger, and lab-2 is the
/// worst; its Held Pages and those of "helper" stay. The last run of lab-3 has no samples, its other runs no heap
/// blocks.
summary::RunSummary runOf(const std::string& build, unsigned machine, unsigned number) {
    auto run = madeRun(build, "lab-" + std::to_string(machine + 1), number, 100'000);
    run.facts.isWhole = true;
    if (machine == 2 && number == 2) return run;
    const auto noise = static_cast<std::int64_t>(machine * 3 + number) * 100'000;
    auto peak = 500 * kMB + noise;
    if (build == "8123") peak += (machine == 1 ? 420 : 400) * kMB;
    const auto held = machine == 2 ? std::nullopt : std::optional(100 * kMB + noise);
    run.facts.resident = {{"app", peak, held}, {"helper", 700 * kMB + noise, std::nullopt}};
    return run;
}

std::string processFleet() {
    static const auto path = [] {
        auto file = temporaryPath("processes.sqlite");
        QFile::remove(QString::fromStdString(file));
        const auto store = fleet::openFleetStore(file).value();
        if (!store->create({}).hasValue()) return std::string();
        for (const auto* build : {"8120", "8123"})
            for (unsigned machine = 0; machine < 3; ++machine)
                for (unsigned number = 0; number < 3; ++number)
                    if (!store->add(runOf(build, machine, number), {}).hasValue()) return std::string();
        return file;
    }();
    return path;
}

Answer askProcesses(const std::string& action, std::vector<std::string> words) {
    words.insert(words.begin(), {"fleet", action, processFleet()});
    return runCli(words);
}
Answer askGrown(std::vector<std::string> words) {
    words.insert(words.begin(), {"--from", "8120", "--to", "8123"});
    return askProcesses("grew", words);
}

class FleetProcessQuestionsTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { QVERIFY(!processFleet().empty()); }

    void aProcessWhoseHighestRssGrewIsARow() {
        const auto answer = askGrown({"--measure", "rss_peak", "--format", "json", "--fail"});
        QCOMPARE(answer.exitCode, 4);
        const auto json = answer.json();
        QCOMPARE(json["measure"], Json("rss_peak"));
        QCOMPARE(json["tested"], Json(2));
        QCOMPARE(json["rows"].size(), std::size_t{1});
        const auto& row = json["rows"][0];
        QCOMPARE(row["process"], Json("app"));
        QVERIFY(!row.contains("owner") && !row.contains("table") && !row.contains("key"));
        QCOMPARE(row["growth"], Json(400 * kMB + 250'000)); // from the median of lab-2 to that of lab-3
        QCOMPARE(row["from"]["runs"], Json(8));
        QCOMPARE(row["to"]["machines"], Json(3));
        QVERIFY(row["p"].get<double>() < 0.01);
    }
    void textAndCsvHaveNoStacks() {
        const auto text = askGrown({"--measure", "rss_peak"});
        QCOMPARE(std::count(text.answers.begin(), text.answers.end(), '\n'), 2);
        QVERIFY2(has(text.answers, "  p  Process\n"), text.answers.c_str());
        const auto csv = askGrown({"--measure", "rss_peak", "--format", "csv"});
        QVERIFY2(csv.answers.starts_with(
                     "growth,from_median,to_median,from_p95,to_p95,from_machines,to_machines,p,process\n"),
                 csv.answers.c_str());
        QVERIFY(csv.answers.ends_with(",app\n"));
    }
    /// They are unknown, and would make every median lower if they were 0.
    void runsWithoutSamplesAreCountedAndNotCompared() {
        const auto rss = askGrown({"--measure", "rss_peak"});
        QVERIFY2(has(rss.messages,
                     "1 of 9 runs of build 8123 is not compared because it is without samples of resident "
                     "memory."),
                 rss.messages.c_str());
        const auto held = askGrown({"--measure", "held", "--fail"});
        QCOMPARE(held.exitCode, 0);
        QVERIFY2(has(held.messages, "No match among 1 process with at least 1,024 (--least)."), held.messages.c_str());
        QVERIFY2(has(held.messages, "3 of 9 runs of build 8120 are not compared because they are without samples of "
                                    "resident memory or without heap blocks."),
                 held.messages.c_str());
    }
    void nothingIsKnownOfAProcessWithoutValues() {
        const auto answer = askGrown({"--measure", "held", "--process", "helper", "--fail"});
        QCOMPARE(answer.exitCode, 3);
        QVERIFY2(has(answer.messages, "There are too few comparable runs to decide."), answer.messages.c_str());
        const auto other = askGrown({"--measure", "held", "--process", "nobody"});
        QCOMPARE(other.exitCode, 2);
        QVERIFY2(has(other.messages, "No run has a process nobody."), other.messages.c_str());
    }
    void theFirstBadBuildIsThatOfAProcess() {
        const auto answer =
            askProcesses("first-bad", {"--process", "app", "--measure", "rss_peak", "--format", "json"});
        QCOMPARE(answer.exitCode, 0);
        const auto json = answer.json();
        QCOMPARE(json["first_bad"], Json("8123"));
        QCOMPARE(json["process"], Json("app"));
        QCOMPARE(json["runs_unknown"], Json(2));
        QVERIFY(!json.contains("key"));
        QVERIFY2(has(answer.messages, "2 runs are not compared because the value is unknown."),
                 answer.messages.c_str());
        const auto text = askProcesses("first-bad", {"--process", "app", "--measure", "rss_peak"});
        QVERIFY2(text.answers.ends_with("first bad\n"), text.answers.c_str());
    }
    void worstRunsAreListedWithoutAStack() {
        const auto answer =
            askProcesses("worst", {"--measure", "rss_peak", "--process", "app", "--top", "2", "--format", "json"});
        const auto json = answer.json();
        QCOMPARE(json["runs"].size(), std::size_t{2});
        QCOMPARE(json["runs"][0]["machine"], Json("lab-2"));
        QCOMPARE(json["runs"][0]["value"], Json(920 * kMB + 500'000));
        QVERIFY(!json["runs"][0].contains("first_s"));
        QVERIFY2(has(answer.messages, "2 runs are not shown because the value is unknown."), answer.messages.c_str());
        const auto all = askProcesses("worst", {"--measure", "rss_peak", "--build", "8120", "--format", "csv"});
        QVERIFY2(all.answers.starts_with("value,build,machine,process,run,trace\n"), all.answers.c_str());
        QCOMPARE(std::count(all.answers.begin(), all.answers.end(), '\n'), 1 + 16); // two processes of eight runs
    }
    void runsAreSortedByTheMeasure() {
        const auto runs = askProcesses("runs", {"--measure", "rss_peak", "--format", "json"}).json()["runs"];
        QCOMPARE(runs.size(), std::size_t{18});
        QCOMPARE(runs[0]["machine"], Json("lab-2"));
        QCOMPARE(runs[0]["build"], Json("8123"));
        for (std::size_t i = 1; i < 16; ++i)
            QVERIFY(runs[i]["rss_peak"] <= runs[i - 1]["rss_peak"]);
        QVERIFY(runs[16]["rss_peak"].is_null() && runs[17]["rss_peak"].is_null());
    }

    void questionsOfStacksRefuseIt_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* words, const char* sentence) {
            QTest::newRow(words) << QString(words).split(' ') << sentence;
        };
        row("new f --from 1 --to 2 --measure rss_peak",
            "\"fleet new\" compares stacks, but rss_peak is a measure of the processes of a run. Use it with grew, "
            "first-bad, worst or runs.");
        row("gone f --from 1 --to 2 --measure held",
            "\"fleet gone\" compares stacks, but held is a measure of the processes");
        row("slope f --build 1 --measure held", "\"fleet slope\" does not accept --measure.");
        row("grew f --from 1 --to 2 --measure held --table heap",
            "\"fleet grew\" does not accept --table with --measure held.");
        row("grew f --from 1 --to 2 --measure held --window a",
            "\"fleet grew\" does not accept --window with --measure held.");
        row("worst f --measure rss_peak --stack 0123456789abcdef0123456789abcdef",
            "\"fleet worst\" does not accept --stack with --measure rss_peak.");
        row("first-bad f --measure rss_peak", "fleet first-bad needs --process with --measure rss_peak.");
        row("runs f --measure peak", "\"fleet runs\" does not accept --measure.");
    }
    void questionsOfStacksRefuseIt() {
        QFETCH(QStringList, words);
        QFETCH(QString, sentence);
        std::vector<std::string> arguments{"fleet"};
        for (const auto& word : words)
            arguments.push_back(word.toStdString());
        const auto answer = runCli(arguments);
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(has(answer.messages, sentence.toStdString()), answer.messages.c_str());
    }
};

HIGHWATER_TEST(FleetProcessQuestionsTest);

} // namespace

#include "fleet_process_questions_test.moc"
