#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QProcess>
#include <QTest>

#include <array>
#include <filesystem>
#include <map>
#include <memory>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// A program of planted_leaks, and its leaking function.
struct Planted {
    const char* name;
    const char* owner;
};
constexpr std::array kPlanted{Planted{"planted_sqlite3", "countOrders"}, Planted{"planted_libxml2", "isAccepted"},
                              Planted{"planted_openssl", "encrypt"}, Planted{"planted_qt", "openSession"},
                              Planted{"planted_map", "History::remember"}};

std::string programOf(const char* name) { return std::string(HIGHWATER_PLANTED_LEAKS "/") + name; }
bool isBuilt(const char* name) { return std::filesystem::exists(programOf(name)); }
std::string recordingOf(const char* name) { return temporaryPath(std::string(name) + ".etl"); }

std::string suspectsText(const Json& answer) {
    std::string text;
    for (const auto& suspect : answer["suspects"])
        text += suspect["owner"].get<std::string>() + ": " + suspect["why"].get<std::string>() + "\n  " +
                suspect["stack"].dump() + "\n";
    return text;
}

} // namespace

/// Leaks with real libraries as they occur in practice, recorded live: the report names the program's own function, not
/// the library that requested the memory.
class PlantedLeaksTest : public QObject {
    Q_OBJECT

    std::map<std::string, std::string> failures_; ///< duration of the recording

  private slots:
    void initTestCase() {
        std::map<std::string, std::unique_ptr<QProcess>> recorders; // all in parallel: each takes five seconds
        for (const auto& planted : kPlanted) {
            if (!isBuilt(planted.name)) continue;
            auto& recorder = recorders[planted.name] = std::make_unique<QProcess>();
            recorder->start(HIGHWATER_CLI, {"record", "-o", QString::fromStdString(recordingOf(planted.name)), "--",
                                            QString::fromStdString(programOf(planted.name))});
        }
        for (auto& [name, recorder] : recorders) {
            const bool isDone = recorder->waitForFinished(60'000) && recorder->exitCode() == 0;
            if (!isDone) failures_[name] = recorder->readAllStandardError().toStdString() + " (failed)";
        }
    }

    void theFirstSuspectIsTheFunctionThatLeaks_data() {
        QTest::addColumn<QString>("owner");
        for (const auto& planted : kPlanted)
            QTest::newRow(planted.name) << planted.owner;
    }
    void theFirstSuspectIsTheFunctionThatLeaks() {
        QFETCH(QString, owner);
        const auto* name = QTest::currentDataTag();
        if (!isBuilt(name)) QSKIP("Its library was not there when the tests were built: installer/packages-test.txt.");
        QVERIFY2(!failures_.contains(name), failures_[name].c_str());
        const auto answer = runCli({"leaks", recordingOf(name), "--format", "json"}).json();
        const auto text = suspectsText(answer);
        QVERIFY2(!answer["suspects"].empty(), name);
        const auto first = answer["suspects"][0];
        const auto named = first["owner"].get<std::string>();
        QVERIFY2(named.starts_with(std::string(name) + "!"), text.c_str());
        QVERIFY2(has(named, owner.toStdString()), text.c_str());
        QVERIFY2(first["verdict"] == "growing", text.c_str());
        QVERIFY2(first["confidence"] > 0.8, text.c_str());
        // It makes about 200 blocks a second; slow ones make fewer.
        QVERIFY2(first["kept_count"] > 100, text.c_str());
    }
    void noInnocentFunctionGrows_data() { theFirstSuspectIsTheFunctionThatLeaks_data(); }
    void noInnocentFunctionGrows() {
        const auto* name = QTest::currentDataTag();
        if (!isBuilt(name)) QSKIP("Its library was not there when the tests were built: installer/packages-test.txt.");
        const auto answer = runCli({"leaks", recordingOf(name), "--format", "json", "--top", "50"}).json();
        const auto text = suspectsText(answer);
        for (const auto& suspect : answer["suspects"]) {
            if (suspect["verdict"] != "growing") continue;
            for (const auto* innocent : {"Cache::page", "formatAnswer", "isWellFormed", "digest", "askOnce"})
                QVERIFY2(!has(suspect["owner"], innocent), text.c_str());
        }
    }
};

HIGHWATER_TEST(PlantedLeaksTest);
#include "planted_leaks_linux_test.moc"
