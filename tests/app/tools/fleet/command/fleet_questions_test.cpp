#include "tests/app/cli/cli_runner.h"
#include "tests/app/tools/fleet/command/made_runs.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <string>

using namespace highwater;
using namespace highwater::tests;

namespace {

std::string fleetFile() {
    static const auto path = [] {
        auto file = temporaryPath("questions.sqlite");
        QFile::remove(QString::fromStdString(file));
        return makeFleet(file) ? file : std::string();
    }();
    return path;
}

std::string cacheKey() {
    const auto function = summary::functionKey("app!Cache::store");
    return summary::text(summary::stackKey({&function, 1}));
}

Answer ask(const std::string& action, std::vector<std::string> words) {
    words.insert(words.begin(), {"fleet", action, fleetFile()});
    return runCli(words);
}

class FleetQuestionsTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { QVERIFY(!fleetFile().empty()); }

    void growthIsReported() {
        const auto answer = ask("grew", {"--from", "8120", "--to", "8123", "--format", "json", "--fail"});
        QCOMPARE(answer.exitCode, 4);
        const auto json = answer.json();
        QCOMPARE(json["rows"].size(), std::size_t{1});
        const auto& row = json["rows"][0];
        QCOMPARE(row["owner"], Json("app!Cache::store"));
        QCOMPARE(row["stack"], Json::array({"app!Cache::store"}));
        QCOMPARE(row["key"], Json(cacheKey()));
        QCOMPARE(row["growth"], Json(kMB));
        QCOMPARE(row["from"]["runs"], Json(6));
        QCOMPARE(row["to"]["machines"], Json(3));
        QVERIFY(row["p"].get<double>() < 0.05);
        QCOMPARE(json["measure"], Json("inuse_space"));
    }
    void theOtherWayRoundNothingGrew() {
        const auto answer = ask("grew", {"--from", "8123", "--to", "8120", "--fail"});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY(has(answer.messages, "No match among"));
    }
    void withoutFailGrowthIsNotAFailure() { QCOMPARE(ask("grew", {"--from", "8120", "--to", "8123"}).exitCode, 0); }
    void leastOmitsSmallerGrowth() {
        const auto answer = ask("grew", {"--from", "8120", "--to", "8123", "--least", "2MB", "--fail"});
        QCOMPARE(answer.exitCode, 0);
    }
    /// 64 KB is not a number of objects, and a program of 100 KB grows by less.
    void theUsualLeastIsThatOfTheMeasure() {
        const auto objects =
            ask("grew", {"--from", "8120", "--to", "8123", "--measure", "inuse_objects", "--format", "json"}).json();
        QCOMPARE(objects["rows"].size(), std::size_t{1});
        QCOMPARE(objects["rows"][0]["growth"], Json(3));
        QVERIFY(has(ask("grew", {"--from", "8123", "--to", "8120"}).messages, "with at least 1,024 (--least)"));
    }
    void textNamesTheStackAndItsKey() {
        const auto answer = ask("grew", {"--from", "8120", "--to", "8123"});
        QVERIFY2(has(answer.answers, "1.0 MB"), answer.answers.c_str());
        QVERIFY(has(answer.answers, "1. app!Cache::store of app, heap, --stack " + cacheKey()));
    }
    void csvHasALineForEach() {
        const auto answer = ask("grew", {"--from", "8120", "--to", "8123", "--format", "csv"});
        QVERIFY(answer.answers.starts_with("growth,from_median,to_median,from_p95,to_p95,from_machines,to_machines,p,"
                                           "process,table,owner,key,stack\n1048576,"));
        QCOMPARE(std::count(answer.answers.begin(), answer.answers.end(), '\n'), 2);
    }
    void theFirstBadBuildIsMarked() {
        const auto answer = ask("first-bad", {"--stack", cacheKey(), "--format", "json"});
        QCOMPARE(answer.exitCode, 0);
        QCOMPARE(answer.json()["first_bad"], Json("8123"));
        QCOMPARE(answer.json()["builds"].size(), std::size_t{2});
        QVERIFY(has(ask("first-bad", {"--stack", cacheKey()}).answers, "first bad\n"));
    }
    void worstRunsSayWhereTheyLie() {
        const auto answer = ask("worst", {"--stack", cacheKey(), "--top", "1", "--format", "json"}).json();
        QCOMPARE(answer["runs"].size(), std::size_t{1});
        QCOMPARE(answer["runs"][0]["value"], Json(1'148'577));
        QCOMPARE(answer["runs"][0]["build"], Json("8123"));
        QCOMPARE(answer["runs"][0]["last_s"], Json(1.0));
        QVERIFY(has(answer["runs"][0]["trace"].get<std::string>(), "/lab/8123 \"lab-"));
        // Names of traces contain quotes and commas.
        QVERIFY(has(ask("worst", {"--stack", cacheKey(), "--format", "csv"}).answers, ",\"/lab/8123 \"\"lab-"));
    }
    void omittedRunsAndStacksAreReported() {
        for (const auto* format : {"text", "csv", "json"}) {
            const auto with = [&](const char* top) {
                return ask("worst", {"--stack", cacheKey(), "--top", top, "--format", format});
            };
            const auto one = with("1"), all = with("12");
            QVERIFY2(has(one.messages, "There are more runs; use --top N to show them."), one.messages.c_str());
            QVERIFY2(!has(all.messages, "--top"), all.messages.c_str());
        }
        const auto all = ask("slope", {"--build", "8123", "--format", "json"});
        QVERIFY(!has(all.messages, "--top"));
        const auto count = all.json()["rows"].size();
        QVERIFY(count > 1);
        const auto fewer = ask("slope", {"--build", "8123", "--top", std::to_string(count - 1), "--format", "json"});
        QCOMPARE(fewer.json()["rows"].size(), count - 1);
        QVERIFY2(has(fewer.messages, "There are more stacks; use --top N to show them."), fewer.messages.c_str());
    }
    void runsAreListedByLabels() {
        QCOMPARE(ask("runs", {"--format", "json"}).json()["runs"].size(), std::size_t{12});
        const auto some =
            ask("runs", {"--build", "8120", "--machine", "lab-2", "--label", "branch=main", "--format", "json"});
        QCOMPARE(some.json()["runs"].size(), std::size_t{2});
        QCOMPARE(some.json()["runs"][0]["labels"]["branch"], Json("main"));
        QCOMPARE(some.json()["runs"][0]["recorded"], Json("2023-11-15 00:28:40Z"));
    }
    /// Like every query for runs that do not exist.
    void missingRunsAreNotASuccess() {
        for (const auto* action : {"runs", "health"}) {
            const auto answer = ask(action, {"--label", "branch=other", "--format", "json"});
            QCOMPARE(answer.exitCode, 2);
            QCOMPARE(answer.answers, std::string());
            QVERIFY2(has(answer.messages, "The store has no matching runs."), answer.messages.c_str());
        }
        QCOMPARE(ask("grew", {"--from", "8120", "--to", "8199"}).exitCode, 2);
        QCOMPARE(ask("slope", {"--build", "8199"}).exitCode, 2);
        QCOMPARE(ask("worst", {"--stack", cacheKey(), "--build", "8199"}).exitCode, 2);
        // All of them are listed if the store does not have any.
        const auto file = temporaryPath("of no runs.sqlite");
        QFile::remove(QString::fromStdString(file));
        QVERIFY(fleet::openFleetStore(file).value()->create({}).hasValue());
        const auto none = runCli({"fleet", "runs", file, "--format", "json"});
        QCOMPARE(none.exitCode, 0);
        QCOMPARE(none.json()["runs"].size(), std::size_t{0});
        QVERIFY2(has(none.messages, "The store has no runs yet."), none.messages.c_str());
    }
    void slopesAndHealth() {
        const auto slopes = ask("slope", {"--build", "8123", "--format", "json"}).json();
        QCOMPARE(slopes["rows"][0]["owner"], Json("app!Cache::store"));
        const auto health = ask("health", {"--format", "json"}).json();
        QCOMPARE(health["rows"].size(), std::size_t{6});
        QCOMPARE(health["rows"][0]["events_lost"], Json(7));
        QCOMPARE(health["rows"][0]["runs_not_whole"], Json(1));
    }
    void strictIsOfRunsThatAreNotWhole() {
        QCOMPARE(ask("grew", {"--from", "8120", "--to", "8123", "--strict"}).exitCode, 3);
        QCOMPARE(ask("runs", {"--strict"}).exitCode, 3);
        QCOMPARE(ask("health", {"--strict"}).exitCode, 3);
        QCOMPARE(ask("health", {"--machine", "nomach"}).exitCode, 2);
    }
    void unknownAnswersAreNotASuccess() {
        const auto file = temporaryPath("one of each.sqlite");
        QFile::remove(QString::fromStdString(file));
        const auto store = fleet::openFleetStore(file).value();
        QVERIFY(store->create({}).hasValue());
        for (const auto* build : {"1", "2"})
            QVERIFY(store->add(madeRun(build, "m", 0, 100'000), {}).hasValue());
        for (const auto* action : {"grew", "new"}) {
            const auto answer = runCli({"fleet", action, file, "--from", "1", "--to", "2", "--fail"});
            QCOMPARE(answer.exitCode, 3);
            QVERIFY(has(answer.messages, "There are too few comparable runs to decide."));
        }
        const auto answer = runCli({"fleet", "grew", file, "--from", "1", "--to", "2"});
        QVERIFY(has(answer.messages, "There are too few comparable runs to decide."));
        QVERIFY(!has(answer.messages, "No match among"));
        const auto unknown = runCli({"fleet", "grew", file, "--from", "1", "--to", "2", "--window", "nix"});
        QCOMPARE(unknown.exitCode, 2);
    }
    void newAndGone() {
        QCOMPARE(ask("new", {"--from", "8120", "--to", "8123", "--fail"}).exitCode, 0);
        QCOMPARE(ask("gone", {"--from", "8120", "--to", "8123"}).exitCode, 0);
    }

    void wrongWordsAreTold_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* words, const char* sentence) {
            QTest::newRow(words) << QString(words).split(' ') << sentence;
        };
        row("grew f --to 1", "fleet grew needs --from.");
        row("runs f --from 1", "\"fleet runs\" does not accept --from.");
        row("runs f a.etl", "\"fleet runs\" does not accept TRACE.");
        row("add f", "fleet add needs TRACE.");
        row("gone f --from 1 --to 2 --fail", "\"fleet gone\" does not accept --fail.");
        row("worst f --stack 12", "is not a stack key");
        row("worst f --stack 0123456789abcdef0123456789abcdeg", "is not a stack key");
        row("add f a.etl --label build", "\"build\" is not a label. Write NAME=VALUE");
        row("add f a.etl --label a=1 --label a=2", "The label \"a\" is given twice.");
        row(("add f a.etl --label a=" + std::string(199, 'b')).c_str(),
            "is too long. Name and value can have at most 200");
        row("init :memory:", "A fleet cannot be stored in :memory:. Specify a file.");
        row("add f a.etl --windows often", "--windows must be marks, a number of seconds");
        row("add f a.etl --windows 0", "--windows must be marks, a number of seconds");
        row("grew f --from 1 --to 2 --measure size", "Unknown measure \"size\"");
        row("grew f --from 1 --to 2 --table nothing", "nothing");
        row("frobnicate f", "frobnicate");
    }
    void wrongWordsAreTold() {
        QFETCH(QStringList, words);
        QFETCH(QString, sentence);
        std::vector<std::string> arguments{"fleet"};
        for (const auto& word : words)
            arguments.push_back(word.toStdString());
        const auto answer = runCli(arguments);
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(has(answer.messages, sentence.toStdString()), answer.messages.c_str());
    }
    void aMissingStoreIsReported() {
        const auto answer = runCli({"fleet", "runs", temporaryPath("no such store.sqlite")});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(has(answer.messages, "no such store.sqlite"), answer.messages.c_str());
    }
};

HIGHWATER_TEST(FleetQuestionsTest);

} // namespace

#include "fleet_questions_test.moc"
