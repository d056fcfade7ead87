#include "tests/core/agent/agent_recording.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTest>

#include <map>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

/// Blocks of one size at one address: how often they started and ended.
struct LifeCount {
    std::size_t begins = 0;
    std::size_t ends = 0;
};

QString allocatorPath(const QString& name) { return "/usr/lib/x86_64-linux-gnu/" + name; }

/// Blocks that cxx_blocks makes, by size.
std::map<ByteCount, LifeCount> livesIn(const AgentRecording& recording) {
    std::map<ByteCount, LifeCount> lives;
    std::map<Address, ByteCount> outstanding;
    for (const AgentEvent& event : recording.events) {
        if (event.op == AgentOp::Allocate) {
            ++lives[event.size].begins;
            outstanding[event.address] = event.size;
        } else if (event.op == AgentOp::Free && outstanding.contains(event.address)) {
            ++lives[outstanding[event.address]].ends;
            outstanding.erase(event.address);
        }
    }
    return lives;
}

} // namespace

/// Allocators with C++ operators of their own.
class OperatorHooksTest : public QObject {
    Q_OBJECT

  private slots:
    void eachFormOfOperatorIsSeenOnce_data() {
        QTest::addColumn<QString>("library");
        QTest::addColumn<QStringList>("arguments");
        for (const bool fails : {false, true}) {
            const QStringList arguments = fails ? QStringList{"fails"} : QStringList{};
            const auto row = [&](const char* name, const char* library) {
                QTest::newRow(fails ? (QByteArray(name) + ", some throw").constData() : name) << library << arguments;
            };
            row("the C library's malloc", "");
            row("jemalloc", "libjemalloc.so.2");
            row("tcmalloc", "libtcmalloc_minimal.so.4");
            row("tcmalloc for debugging", "libtcmalloc_minimal_debug.so.4");
            if (!fails) row("mimalloc", "libmimalloc.so.2"); // it is written in C and cannot throw
        }
    }
    void eachFormOfOperatorIsSeenOnce() {
        QFETCH(const QString, library);
        QFETCH(const QStringList, arguments);
        AgentRun run{targetPath("cxx_blocks"), arguments};
        if (!library.isEmpty()) run.preload = allocatorPath(library);
        if (!run.preload.isEmpty() && !QFile::exists(run.preload)) QSKIP("this allocator is not installed");
        const AgentRecording recording = record(run);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.signal, 0);
        QCOMPARE(recording.losses.events + recording.losses.interrupted, 0u);
        QCOMPARE(recording.contradictions(), 0u);
        auto lives = livesIn(recording);
        std::size_t lines = 0;
        for (const QByteArray& line : recording.output.split('\n')) {
            if (line.isEmpty()) continue;
            const auto size = line.split(' ').at(1).toULongLong();
            const LifeCount life = lives[size];
            QVERIFY2(life.begins == 1, qPrintable(QStringLiteral("%1 bytes: %2 times").arg(size).arg(life.begins)));
            QCOMPARE(life.ends, size < 70'000 ? 1u : 0u);
            ++lines;
        }
        QCOMPARE(lines, 20u * 13 + 50);
    }

    // The program's own frame is included, and none of the agent's.
    void stacksBeginWithWhoCalledTheOperator() {
        const QString library = allocatorPath("libjemalloc.so.2");
        if (!QFile::exists(library)) QSKIP("jemalloc is not installed");
        AgentRun run{targetPath("cxx_blocks"), {}};
        run.preload = library;
        const AgentRecording recording = record(run);
        std::map<std::string, std::pair<Address, Address>> modules;
        for (const AgentEvent& event : recording.all(AgentOp::Module))
            modules[event.detail->path.substr(event.detail->path.rfind('/') + 1)] = {event.address,
                                                                                     event.address + event.size};
        const auto isIn = [&](const std::string& module, Address frame) {
            return modules.contains(module) && frame >= modules[module].first && frame < modules[module].second;
        };
        std::size_t checked = 0;
        for (const AgentEvent& event : recording.all(AgentOp::Allocate)) {
            if (event.size < 70'000 || event.size >= 70'050) continue;
            const auto stack = recording.stacks.find(event.stackKey);
            QVERIFY(stack != recording.stacks.end());
            QVERIFY(isIn("cxx_blocks", stack->second.front()));
            ++checked;
        }
        QCOMPARE(checked, 50u);
    }

    // A C program has none of these operators: looking for them does not allocate in it.
    void theAgentItselfAllocatesNothing() {
        const AgentRecording recording = record({targetPath("limited_program"), {"plain"}});
        QCOMPARE(recording.problem, QString());
        for (const AgentEvent& event : recording.all(AgentOp::Module))
            QVERIFY(event.detail->path.find("libstdc++") == std::string::npos);
        Address agent = 0, end = 0;
        for (const AgentEvent& event : recording.all(AgentOp::Module)) {
            if (event.detail->path.find("libhighwater-agent") == std::string::npos) continue;
            agent = event.address;
            end = event.address + event.size;
        }
        QVERIFY(agent != 0);
        for (const AgentEvent& event : recording.all(AgentOp::Allocate))
            for (const Address frame : recording.stacks.at(event.stackKey))
                QVERIFY(frame < agent || frame >= end);
    }

    void aMallocThatPassesOnToTheCLibraryIsSeen() {
        const AgentRecording recording = record({targetPath("own_malloc_of_libc"), {}});
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.output, QByteArray("1\n"));
        QCOMPARE(recording.count(AgentOp::Allocate, 4100), 1000u);
        QVERIFY(recording.count(AgentOp::Free) >= 500);
        QCOMPARE(recording.count(AgentOp::ReallocateMake, 8192) + recording.count(AgentOp::Reallocate, 8192), 1u);
        QCOMPARE(recording.contradictions(), 0u);
    }
};
HIGHWATER_TEST(OperatorHooksTest);

#include "operator_hooks_test.moc"
