#include "tests/app/cli/cli_runner.h"
#include "tests/built_programs/built_programs.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::tests;

/// T1 with MemoryTestApp.exe as built by clang and lld-link: its functions have names.
class SymbolsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    std::string trace_;

    std::string symbols() const { return BuiltPrograms::instance().folder().toStdString(); }
    std::string at(const char* name) const { return folder_->filePath(name).toStdString(); }
    Answer heap(std::vector<std::string> more) const {
        std::vector<std::string> arguments{
            "table",   trace_,  "--table",  "heap", "--by", "Process,Handle,Impacting Type,Stack (bottom-up)",
            "--range", "12:22", "--format", "json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runCli(arguments);
    }
    static std::string firstFrame(const Answer& answer) {
        const auto impacting = rowAt(answer.json(), {kProcess, "0x1d0000", "Impacting"});
        if (!impacting.is_object() || impacting["values"]["Count"] != 319) return "not 319 blocks";
        return impacting["rows"][0]["key"];
    }

  private slots:
    void init() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
        folder_ = std::make_unique<QTemporaryDir>();
        qputenv("_NT_SYMCACHE_PATH", folder_->filePath("cache").toUtf8());
        qunsetenv("_NT_SYMBOL_PATH");
        const auto program = BuiltPrograms::instance().memoryTestApp();
        trace_ = at("t1.etl");
        QVERIFY(fixtures::exercise2Trace({}, &program).writeTo(trace_).hasValue());
    }
    void cleanupTestCase() {
        qunsetenv("_NT_SYMCACHE_PATH");
        qunsetenv("_NT_SYMBOL_PATH");
    }

    void theInnerLoopIsCalledByItsName() {
        const auto answer = heap({"--symbols", symbols()});
        QCOMPARE(answer.exitCode, 0);
        QCOMPARE(firstFrame(answer), std::string("MemoryTestApp.exe!InnerLoopOperation"));
        QVERIFY(has(answer.messages, "Symbols were found for 1 of "));
        QVERIFY(has(answer.messages, "ntdll.dll"));
    }

    void spikesComeFromManipulateTemporaryBuffer() {
        const auto answer = runCli({"table", trace_, "--table", "virtualalloc", "--by", "Process,Impacting Type,Stack",
                                    "--range", "20:31.5", "--format", "json", "--symbols", symbols()});
        const auto chain = chainBelow(rowAt(answer.json(), {kProcess, "Transient"}));
        const std::vector<std::string> expected{"MemoryTestApp.exe!main", "MemoryTestApp.exe!Operation1",
                                                "MemoryTestApp.exe!ManipulateTemporaryBuffer"};
        QVERIFY(std::search(chain.begin(), chain.end(), expected.begin(), expected.end()) != chain.end());
    }

    void filtersAndTimelinesKnowNames() {
        const auto answer =
            runCli({"timeline", trace_, "--table", "heap", "--by", "Stack (bottom-up)", "--points", "1", "--filter",
                    "[Stack]:~=\"InnerLoopOperation\"", "--format", "json", "--symbols", symbols()});
        QCOMPARE(answer.exitCode, 0);
        QCOMPARE(answer.json()["series"].size(), std::size_t{1});
        QCOMPARE(answer.json()["series"][0]["name"], Json("MemoryTestApp.exe!InnerLoopOperation"));
    }

    void anInlinedFunctionIsARowOfItsOwn() {
        const auto program = BuiltPrograms::instance().inlinedTestApp();
        QVERIFY(fixtures::exercise2Trace({}, &program).writeTo(trace_).hasValue());
        const auto answer = heap({"--symbols", symbols(), "--columns", "Count,Source File"});
        QCOMPARE(firstFrame(answer), std::string("MemoryTestApp.exe!InnerLoopOperation [inlined]"));
        const auto leak = rowAt(answer.json(), {kProcess, "0x1d0000", "Impacting"})["rows"][0];
        QCOMPARE(leak["rows"][0]["key"], Json("MemoryTestApp.exe!main"));
        // Both lines are in one file: in the function, and in main at the call.
        const std::string line = leak["values"]["Source File:Line"],
                          call = leak["rows"][0]["values"]["Source File:Line"];
        QVERIFY2(has(line, "memory_test_app.cpp:") && has(line, "/programs/"), line.c_str());
        QVERIFY2(has(call, "memory_test_app.cpp:") && call != line, call.c_str());
        const auto filtered =
            heap({"--symbols", symbols(), "--filter", "Stack:=\"MemoryTestApp.exe!InnerLoopOperation\""});
        QCOMPARE(firstFrame(filtered), std::string("MemoryTestApp.exe!InnerLoopOperation [inlined]"));
    }

    void sourceFilesAreShortForPeopleOnly() {
        const std::vector<std::string> asked{"table",     trace_,
                                             "--table",   "heap",
                                             "--by",      "Process,Handle",
                                             "--columns", "source file",
                                             "--range",   "12:22",
                                             "--symbols", symbols(),
                                             "--filter",  "[Impacting Type]:=Impacting"};
        const auto as = [&](const char* format) {
            auto arguments = asked;
            arguments.insert(arguments.end(), {"--format", format});
            return runCli(arguments).answers;
        };
        QVERIFY2(has(as("text"), " memory_test_app.cpp:"), as("text").c_str());
        QVERIFY(has(as("csv"), "/programs/memory_test_app.cpp:"));
        QVERIFY(has(as("json"), "/programs/memory_test_app.cpp:"));
    }

    void fullNamesHaveParameters() {
        const auto answer = heap({"--symbols", symbols(), "--full-names"});
        QVERIFY(has(answer.answers, "MemoryTestApp.exe!InnerLoopOperation(void)"));
    }

    void thePathOfTheEnvironmentIsUsedUnlessNamesAreOff() {
        QVERIFY(!has(firstFrame(heap({})), "InnerLoopOperation"));
        qputenv("_NT_SYMBOL_PATH", BuiltPrograms::instance().folder().toUtf8());
        QCOMPARE(firstFrame(heap({})), std::string("MemoryTestApp.exe!InnerLoopOperation"));
        const auto without = heap({"--no-symbols"});
        QVERIFY(!has(firstFrame(without), "InnerLoopOperation"));
        QVERIFY(!has(without.messages, "Symbols"));
    }

    void theFolderBesideTheTraceIsUsed() {
        const QString folder = QString::fromStdString(trace_) + ".NGENPDB";
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(QFile::copy(BuiltPrograms::instance().path("MemoryTestApp.pdb"), folder + "/MemoryTestApp.pdb"));
        QCOMPARE(firstFrame(heap({})), std::string("MemoryTestApp.exe!InnerLoopOperation"));
    }

    void theFolderBesideTheTraceCanBeLeftOut() {
        const QString folder = QString::fromStdString(trace_) + ".NGENPDB";
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(QFile::copy(BuiltPrograms::instance().path("MemoryTestApp.pdb"), folder + "/MemoryTestApp.pdb"));
        QVERIFY(firstFrame(heap({"--no-ngenpdb"})).starts_with("MemoryTestApp.exe!+0x"));
        QVERIFY(firstFrame(heap({"--no-ngenpdb", "--symbols", folder.toStdString()})) ==
                "MemoryTestApp.exe!InnerLoopOperation");
    }

    void symbolsOfAnotherBuildAreRefusedAndReported() {
        QVERIFY(QFile::copy(BuiltPrograms::instance().path("exercise2.pdb"), folder_->filePath("MemoryTestApp.pdb")));
        const auto answer = heap({"--symbols", folder_->path().toStdString()});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY(has(answer.messages, "MemoryTestApp.exe: the symbols belong to another build and are not used"));
        QVERIFY(has(answer.messages, "GUID"));
        QVERIFY(firstFrame(answer).starts_with("MemoryTestApp.exe!+0x"));
    }

    void nothingIsReadForAnswersWithoutFrames() {
        const auto answer = runCli({"table", trace_, "--table", "heap", "--by", "Process", "--symbols", symbols()});
        QVERIFY(!has(answer.messages, "Symbols"));
    }
};
HIGHWATER_TEST(SymbolsTest);
#include "symbols_test.moc"
