#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr std::uint32_t kBlocks = 300'000; // more than a chunk of the widest columns holds

/// A loop that allocates, and frees every second block.
std::string loopFile() {
    static const auto path = [] {
        auto file = temporaryPath("loop.etl");
        fixtures::TraceBuilder trace;
        trace.processRunsAlready({.pid = 10, .name = "loop.exe", .mainTid = 11, .modules = {"ntdll.dll"}});
        for (std::uint32_t i = 0; i < kBlocks; ++i) {
            const TraceTime time{std::int64_t{1'000'000'000} + std::int64_t{i} * 2'000};
            const auto block = Address{0x10000000} + i * Address{256};
            const auto* stack = i % 3 == 0 ? "loop.exe!main;loop.exe!a;ntdll.dll!RtlAllocateHeap"
                                           : "loop.exe!main;loop.exe!b;ntdll.dll!RtlAllocateHeap";
            trace.heapAlloc({time, 10, 11}, 0x1D0000, {block, 16 + i % 64}, stack);
            if (i % 2 == 0) trace.heapFree({TraceTime{time.ns + 1'000}, 10, 11}, 0x1D0000, block);
        }
        trace.endsAt(fixtures::seconds(3));
        return trace.writeTo(file).hasValue() ? file : std::string();
    }();
    return path;
}

} // namespace

/// Rows that do not fit into memory are kept in a file, and are the same.
class MemoryBudgetTest : public QObject {
    Q_OBJECT
  private slots:
    void changesNoAnswer_data() {
        QTest::addColumn<QStringList>("question");
        QTest::newRow("table") << QStringList{"table", "--table", "heap", "--by", "Stack", "--format", "csv"};
        QTest::newRow("peaks") << QStringList{"timeline", "--table", "heap", "--by", "Stack", "--points", "50"};
        QTest::newRow("frees") << QStringList{"table", "--table", "frees", "--by", "Process,Stack", "--format", "csv"};
        QTest::newRow("leaks") << QStringList{"leaks"};
    }
    void changesNoAnswer() {
        QFETCH(QStringList, question);
        std::vector<std::string> arguments{question[0].toStdString(), loopFile()};
        for (const auto& word : question.mid(1))
            arguments.push_back(word.toStdString());
        const auto usual = runCliProgram(arguments);
        QCOMPARE(usual.exitCode, 0);
        QVERIFY(!has(usual.messages, "temporary file"));
        arguments.insert(arguments.end(), {"--memory-budget", "1KB"});
        const auto small = runCliProgram(arguments);
        QCOMPARE(small.exitCode, 0);
        QVERIFY2(has(small.messages, "of the rows of open traces are in a temporary file in "), small.messages.c_str());
        QVERIFY2(has(small.messages, "the 1.0 KB of memory allowed for rows are used up"), small.messages.c_str());
        QVERIFY(small.answers == usual.answers);
    }
    void mustBeAnAmount_data() {
        QTest::addColumn<QString>("amount");
        for (const auto* amount : {"much", "0", "-1GB", ""})
            QTest::newRow(amount) << amount;
    }
    void mustBeAnAmount() {
        QFETCH(QString, amount);
        const auto answer = runCliProgram({"info", loopFile(), "--memory-budget", amount.toStdString()});
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(has(answer.messages, "--memory-budget"), answer.messages.c_str());
    }
};
HIGHWATER_TEST(MemoryBudgetTest);
#include "memory_budget_test.moc"
