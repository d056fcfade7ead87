#include "app/tools/fleet/command/frame_names.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/built_programs/built_programs.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// The Windows example with the PDB that clang and lld-link wrote.
class FrameNamesTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    std::string at(const char* name) const { return folder_->filePath(name).toStdString(); }
    static std::string symbols() { return BuiltPrograms::instance().folder().toStdString(); }
    /// The name of the owner of the fastest growing stack, and the stack.
    Json steepest(const char* store) const {
        const auto rows = runCli({"fleet", "slope", at(store), "--build", "1", "--process", "MemoryTestApp.exe",
                                  "--table", "heap", "--format", "json"})
                              .json()["rows"];
        return rows.empty() ? Json() : Json{rows[0]["owner"], rows[0]["key"], rows[0]["stack"]};
    }
    cli::NamesOfFleet namesOf(const summary::Frame& frame) const {
        return cli::nameFrames(std::span(&frame, 1), symbols::SymbolPath::parse(symbols()), at("cache"));
    }

  private slots:
    void init() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
        folder_ = std::make_unique<QTemporaryDir>();
        qputenv("_NT_SYMCACHE_PATH", folder_->filePath("cache").toUtf8());
        qunsetenv("_NT_SYMBOL_PATH");
    }
    void cleanupTestCase() { qunsetenv("_NT_SYMCACHE_PATH"); }

    void namesAreThoseThatAddGives() {
        const auto program = BuiltPrograms::instance().memoryTestApp();
        QVERIFY(fixtures::exercise2Trace({}, &program).writeTo(at("t1.etl")).hasValue());
        for (const auto* store : {"at once", "later"}) {
            std::vector<std::string> words{"fleet", "add", at(store), at("t1.etl"), "--label", "build=1"};
            if (std::string(store) == "later")
                words.emplace_back("--no-symbols");
            else
                words.insert(words.end(), {"--symbols", symbols()});
            QCOMPARE(runCli(words).exitCode, 0);
        }
        QVERIFY(steepest("later")[0].get<std::string>().find("!+0x") != std::string::npos);
        const auto named = runCli({"fleet", "name", at("later"), "--symbols", symbols()});
        QVERIFY2(named.exitCode == 0, named.messages.c_str());
        QVERIFY2(has(named.messages, "memorytestapp.exe ("), named.messages.c_str());
        QCOMPARE(steepest("later"), steepest("at once"));
        QCOMPARE(steepest("later")[0], Json("memorytestapp.exe!InnerLoopOperation"));
    }
    void anotherBuildIsNotTaken() {
        summary::Frame frame;
        frame.name = "memorytestapp.exe!+0x1000";
        frame.module = "memorytestapp.exe";
        frame.rva = 0x1000;
        frame.buildId = "00112233445566778899AABBCCDDEEFF1";
        auto found = namesOf(frame);
        QVERIFY(found.frames.empty());
        QCOMPARE(found.modules.size(), std::size_t{1});
        QCOMPARE(found.modules[0].frames, std::size_t{1});
        QCOMPARE(found.modules[0].named, std::size_t{0});
        frame.buildId = "no hexadecimal digits";
        QVERIFY(namesOf(frame).frames.empty());
        frame.buildId.clear();
        QCOMPARE(namesOf(frame).withoutBuild, std::size_t{1});
        QVERIFY(namesOf(frame).modules.empty());
    }
    void anUnreachableFleetIsReported() {
        const auto answer = runCli({"fleet", "name", "clickhouse://127.0.0.1:1/fleet"});
        QVERIFY(answer.exitCode != 0);
        QVERIFY2(has(answer.messages, "ClickHouse at 127.0.0.1:1 does not answer"), answer.messages.c_str());
    }
};

HIGHWATER_TEST(FrameNamesTest);

} // namespace

#include "frame_names_test.moc"
