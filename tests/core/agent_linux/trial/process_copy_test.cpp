#include "core/source/agent/agent_attach_linux.h"
#include "core/source/agent/copy_file_linux.h"
#include "core/source/contract/process_copy.h"
#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/stranger.h"
#include "tests/core/agent/targets/copied_counters.h"
#include "tests/core/agent/trials.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <span>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

using Copy = Result<std::unique_ptr<ProcessCopy>>;

/// BUSY WAITING MEGABYTES of copied_program.
Stranger copied(const QString& arguments) { return {targetPath("copied_program"), arguments.split(' ')}; }

Address countersOf(const Stranger& program) {
    return static_cast<Address>(numberAfter(program.said().left(program.said().indexOf('\n')), "ready "));
}

QString errorOf(const Copy& copy) { return copy.hasValue() ? QString() : QString::fromStdString(copy.error().message); }

std::int64_t nowNs() { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

std::vector<CopiedCounters> counters(const ProcessCopy& copy, Address from, std::size_t count) {
    std::vector<CopiedCounters> found(count);
    const auto bytes = std::as_writable_bytes(std::span(found));
    if (copy.read(from, bytes) != bytes.size()) found.clear();
    return found;
}

std::uint64_t sumOf(const std::vector<CopiedCounters>& counters) {
    std::uint64_t sum = 0;
    for (const auto& own : counters)
        sum += own.first + own.second;
    return sum;
}

const Mapping* mappingAt(const ProcessCopy& copy, Address address) {
    const auto& all = copy.mappings().mappings;
    const auto found = std::ranges::find_if(
        all, [address](const Mapping& mapping) { return mapping.begin <= address && address < mapping.end; });
    return found == all.end() ? nullptr : &*found;
}

/// Whether a thread has this address in a register, or near the top of its stack.
bool refersTo(const ProcessCopy& copy, const CopiedThread& thread, Address address) {
    if (std::ranges::find(thread.registers, address) != thread.registers.end()) return true;
    std::array<Address, 512> words{};
    const auto bytes = copy.read(thread.stackPointer, std::as_writable_bytes(std::span(words)));
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(bytes / sizeof(Address));
    return std::find(words.begin(), end, address) != end;
}

std::vector<int> childrenOf(std::uint32_t pid) {
    std::vector<int> children;
    for (const auto& word : fileText(QStringLiteral("/proc/%1/task/%1/children").arg(pid)).split(' '))
        if (const int child = word.trimmed().toInt(); child > 0) children.push_back(child);
    return children;
}

int readableCopies() { return copies("highwater-copy"); }

/// A copy in which all threads have stopped in time, which a busy machine may prevent.
Copy completeCopy(std::uint32_t pid) {
    constexpr int kMost = 20;
    for (int round = 1;; ++round) {
        auto copy = copyProcess(pid, nowNs);
        if (!copy.hasValue() || copy.value()->unreadThreads() == 0 || round == kMost) return copy;
    }
}

} // namespace

/// Copies of real programs that can be read.
class ProcessCopyTest : public QObject {
    Q_OBJECT

  private slots:
    /// Each thread increments one counter, then the other.
    void memoryIsThatOfOneInstant() {
        auto program = copied("8 0 1");
        QVERIFY(program.hasSaid("\n"));
        const auto at = countersOf(program);
        std::uint64_t last = 0;
        for (int round = 0; round < 20; ++round) {
            const auto before = nowNs();
            const auto copy = completeCopy(program.pid());
            const auto after = nowNs();
            QVERIFY2(copy.hasValue(), qPrintable(errorOf(copy)));
            QVERIFY(copy.value()->ticks() && *copy.value()->ticks() > before && *copy.value()->ticks() < after);
            const auto found = counters(*copy.value(), at, 8);
            QCOMPARE(found.size(), std::size_t{8});
            for (const auto& own : found)
                QVERIFY(own.first - own.second <= 1);
            QVERIFY(sumOf(found) > last);
            last = sumOf(found);
            QTest::qSleep(5);
            QCOMPARE(sumOf(counters(*copy.value(), at, 8)), last);
        }
        QCOMPARE(program.exitCode(), 0);
        QTRY_COMPARE(readableCopies(), 0);
    }

    void registersAreThoseOfTheInstant() {
        auto program = copied("64 0 1");
        QVERIFY(program.hasSaid("\n"));
        const auto at = countersOf(program);
        const auto made = completeCopy(program.pid());
        QVERIFY2(made.hasValue(), qPrintable(errorOf(made)));
        const auto& copy = *made.value();
        QCOMPARE(copy.unreadThreads(), 0u);
        QCOMPARE(copy.threads().size(), std::size_t{65});
        QCOMPARE(copy.mappings().pid, program.pid());
        const auto found = counters(copy, at, 64);
        for (const auto& thread : copy.threads()) {
            const auto* const stack = mappingAt(copy, thread.stackPointer);
            const auto* const code = mappingAt(copy, thread.instruction);
            QVERIFY(stack != nullptr && (stack->flags & mapping_flag::kWrite) != 0);
            QVERIFY(code != nullptr && (code->flags & mapping_flag::kExecute) != 0);
            const auto* const local = mappingAt(copy, thread.threadPointer);
            QVERIFY(local != nullptr && (local->flags & mapping_flag::kWrite) != 0);
            if (thread.tid == program.pid()) {
                QCOMPARE(copy.mappings().nameOf(*stack), std::string("[stack]"));
                QCOMPARE(thread.name, std::string("copied_program"));
                continue;
            }
            QCOMPARE(thread.name, std::string("busy"));
            const auto own =
                std::ranges::find_if(found, [&](const CopiedCounters& some) { return some.tid == thread.tid; });
            QVERIFY(own != found.end());
            QVERIFY(refersTo(copy, thread, at + static_cast<Address>(own - found.begin()) * sizeof(CopiedCounters)));
        }
        QCOMPARE(program.exitCode(), 0);
    }

    void theProgramGetsNoNotice_data() {
        QTest::addColumn<QString>("arguments");
        QTest::newRow("threads that allocate") << "64 0 1";
        QTest::newRow("threads that wait") << "0 12 1";
        QTest::newRow("both") << "8 6 1";
    }
    void theProgramGetsNoNotice() {
        QFETCH(const QString, arguments);
        auto program = copied(arguments);
        QVERIFY(program.hasSaid("\n"));
        for (int round = 0; round < 200; ++round) {
            const auto copy = copyProcess(program.pid(), nullptr);
            QVERIFY2(copy.hasValue(), qPrintable(errorOf(copy)));
            QVERIFY(!copy.value()->ticks());
        }
        program.say("look");
        QVERIFY(program.hasSaid("signals 0 children 0\n"));
        const int exitCode = program.exitCode();
        QVERIFY2(program.said().contains("interrupted 0 wrong 0 "), program.said().constData());
        QCOMPARE(exitCode, 0);
        QTRY_COMPARE(readableCopies(), 0);
    }

    // Its only thread is copied where it allocates.
    void aProgramThatNeverWaitsIsCopied() {
        const auto expected = runAlone(target({"many", "30000000"})).output;
        Stranger program(targetPath("agent_target"), {"many", "30000000"});
        QVERIFY(program.hasStarted());
        QTest::qSleep(50);
        for (int round = 0; round < 3; ++round) {
            const auto copy = copyProcess(program.pid(), nullptr);
            QVERIFY2(copy.hasValue(), qPrintable(errorOf(copy)));
            QCOMPARE(copy.value()->threads().size(), std::size_t{1});
        }
        QCOMPARE(program.exitCode(), 7);
        QCOMPARE(program.said(), expected);
    }

    void aRecordedProgramIsCopiedToo() {
        auto program = copied("8 0 1");
        QVERIFY(program.hasSaid("\n"));
        const auto channel = AgentChannel::create(AgentOptions{});
        QVERIFY(channel.hasValue());
        QVERIFY(attachAgent(*channel.value(), program.pid()).hasValue());
        const auto copy = completeCopy(program.pid());
        QVERIFY2(copy.hasValue(), qPrintable(errorOf(copy)));
        std::size_t events = 0, processes = 0;
        const auto count = [&](std::span<const AgentEvent> some) {
            events += some.size();
            processes += static_cast<std::size_t>(std::ranges::count(some, AgentOp::ProcessStart, &AgentEvent::op));
        };
        channel.value()->drain(count);
        const auto before = events;
        QTRY_VERIFY((channel.value()->drain(count), events > before));
        QCOMPARE(processes, std::size_t{1});
        QCOMPARE(program.exitCode(), 0);
    }

    void onlyReadableMemoryIsRead() {
        auto program = copied("1 0 4");
        QVERIFY(program.hasSaid("\n"));
        const auto made = completeCopy(program.pid());
        QVERIFY2(made.hasValue(), qPrintable(errorOf(made)));
        const auto& copy = *made.value();
        std::array<std::byte, 64> room{};
        QCOMPARE(copy.read(0, room), std::size_t{0});
        QCOMPARE(copy.read(~Address{0} - 32, room), std::size_t{0});
        const auto& all = copy.mappings().mappings;
        for (std::size_t i = 0; i + 1 < all.size(); ++i) {
            if ((all[i].flags & mapping_flag::kRead) == 0 || all[i].end == all[i + 1].begin) continue;
            if (copy.mappings().nameOf(all[i]).starts_with("[v")) continue; // of the kernel
            QCOMPARE(copy.read(all[i].end - 16, room), std::size_t{16});
        }
        ::kill(static_cast<pid_t>(program.pid()), SIGKILL); // the copy remains
        QCOMPARE(copy.read(countersOf(program), room), room.size());
    }

    void touchedPagesOfASparseMappingAreListed() {
        auto program = copied("0 1 1");
        QVERIFY(program.hasSaid("\n"));
        program.say("sparse");
        QVERIFY(program.hasSaid("sparse "));
        const auto at = static_cast<Address>(numberAfter(program.said(), "sparse "));
        const auto copy = completeCopy(program.pid());
        QVERIFY2(copy.hasValue(), qPrintable(errorOf(copy)));
        const auto* const mapping = mappingAt(*copy.value(), at);
        QVERIFY(mapping != nullptr && (mapping->flags & mapping_flag::kPages) != 0);
        std::vector<std::uint64_t> pages;
        mapping->pages.each([&](std::uint64_t first, std::uint64_t count) {
            for (auto page = first; page < first + count; ++page)
                pages.push_back(page - (at - mapping->begin) / kResidentPageBytes);
        });
        for (const std::uint64_t page : {1000u, 500'000u, (1u << 20) - 1}) {
            QVERIFY(std::ranges::find(pages, page) != pages.end());
            char byte = 0;
            QCOMPARE(copy.value()->read(at + page * kResidentPageBytes, std::as_writable_bytes(std::span(&byte, 1))),
                     std::size_t{1});
            QCOMPARE(byte, 's');
        }
        QVERIFY(std::ranges::count_if(pages, [](auto page) { return page < (1u << 20); }) == 3);
        QCOMPARE(program.exitCode(), 0);
    }

    void memoryThatIsExcludedFromForksIsListed() {
        auto program = copied("0 1 1");
        QVERIFY(program.hasSaid("\n"));
        program.say("exclude");
        QVERIFY(program.hasSaid(" 0\n"));
        const auto at = static_cast<Address>(numberAfter(program.said(), "excluded "));
        const auto copy = completeCopy(program.pid());
        QVERIFY2(copy.hasValue(), qPrintable(errorOf(copy)));
        QVERIFY(isValid(copy.value()->mappings()));
        const auto* const mapping = mappingAt(*copy.value(), at);
        QVERIFY(mapping != nullptr && (mapping->flags & mapping_flag::kWrite) != 0);
        QCOMPARE(mapping->end - mapping->begin, ByteCount{1 << 20});
        std::array<std::byte, 64> room{};
        QCOMPARE(copy.value()->read(at, room), std::size_t{0});
        QCOMPARE(program.exitCode(), 0);
    }

    void theCopyEndsWithItsOwner() {
        auto program = copied("1 0 1");
        QVERIFY(program.hasSaid("\n"));
        {
            const auto copy = completeCopy(program.pid());
            QVERIFY2(copy.hasValue(), qPrintable(errorOf(copy)));
            QTRY_COMPARE(readableCopies(), 1);
        }
        QTRY_COMPARE(readableCopies(), 0);
        QCOMPARE(copies("copied_program"), 1);
    }

    // At any instant: the copy may not have begun, or may be read already.
    void theCopyEndsWithAKilledRequester_data() {
        QTest::addColumn<bool>("isLoaderKilled");
        QTest::newRow("the requester") << false;
        QTest::newRow("the requester and highwater-attach") << true;
    }
    void theCopyEndsWithAKilledRequester() {
        QFETCH(const bool, isLoaderKilled);
        auto program = copied("8 4 32");
        QVERIFY(program.hasSaid("\n"));
        for (int round = 0; round < 40; ++round) {
            Stranger requester(targetPath("copy_requester"), {QString::number(program.pid())});
            QVERIFY(requester.hasSaid("copies\n"));
            std::this_thread::sleep_for(std::chrono::microseconds(round * 1'300));
            const auto loaders = childrenOf(requester.pid());
            requester.kill();
            for (const int loader : loaders)
                if (isLoaderKilled) ::kill(loader, SIGKILL);
            QTRY_COMPARE_WITH_TIMEOUT(readableCopies(), 0, 3'000);
        }
        QTRY_VERIFY(fileText(QStringLiteral("/proc/%1/status").arg(program.pid())).contains("TracerPid:\t0\n"));
        program.say("look");
        QVERIFY(program.hasSaid("signals 0 children 0\n"));
        QVERIFY(program.exitCode() >= 0);
        // Without the loader, a wait that it has just interrupted may end early.
        const QByteArray expected = isLoaderKilled ? " wrong 0 " : "interrupted 0 wrong 0 ";
        QVERIFY2(program.said().contains(expected), program.said().constData());
    }

    // As where a process may trace only its descendants.
    void thisProcessCanDoTheWorkOfHighwaterAttach() {
        auto program = copied("4 4 1");
        QVERIFY(program.hasSaid("\n"));
        const CopyFile file;
        Result<int> copy = 0;
        std::thread([&] {
            const AgentLoad load{program.pid(), findAgentLibrary().string(), file.path(), false, AgentFunction::Copy};
            copy = loadAgent(load, [] { return true; });
        }).join();
        QVERIFY(copy.hasValue() && copy.value() > 0);
        QVERIFY(file.threads().size() + file.answer()->stop.unreadThreads >= 9);
        QTRY_VERIFY(file.answer()->state == agent::CopyState::Ready);
        QCOMPARE(program.exitCode(), 0);
    }

    void aProgramThatIsKilledMeanwhileIsAnError() {
        for (int round = 0; round < 20; ++round) {
            auto program = copied("8 4 64");
            QVERIFY(program.hasSaid("\n"));
            auto copy = std::async(std::launch::async, [pid = program.pid()] { return copyProcess(pid, nullptr); });
            std::this_thread::sleep_for(std::chrono::microseconds(round * 1'500));
            program.kill();
            QVERIFY(copy.wait_for(std::chrono::seconds(15)) == std::future_status::ready);
            const auto result = copy.get();
            QVERIFY(result.hasValue() || !result.error().message.empty());
        }
        QTRY_COMPARE(readableCopies(), 0);
    }

    void whatCannotBeCopiedIsRefused() {
        const auto nobody = copyProcess(0x3FFFFFFF, nullptr);
        QCOMPARE(errorOf(nobody), QString("Process 1073741823 does not exist."));
        QCOMPARE(nobody.error().kind, ErrorKind::NotFound);
        const auto own = errorOf(copyProcess(static_cast<std::uint32_t>(::getpid()), nullptr));
        QVERIFY2(own.endsWith(QString("(%1) cannot be copied because it is Highwater itself.").arg(::getpid())),
                 qPrintable(own));
    }

    void aProgramThatWouldAdoptItIsRefused() {
        Stranger program(targetPath("freed_memory"), {"1", "1", "0"});
        QVERIFY(program.hasSaid("ready\n"));
        program.say("adopt");
        QVERIFY(program.hasSaid("adopts 0\n"));
        const auto copy = copyProcess(program.pid(), nullptr);
        QVERIFY2(errorOf(copy).startsWith("freed_memory (") &&
                     errorOf(copy).contains("was not copied because it would get the copy as its child"),
                 qPrintable(errorOf(copy)));
    }

    void aStopIsAnError() {
        auto program = copied("1 0 1");
        QVERIFY(program.hasSaid("\n"));
        std::stop_source stop;
        stop.request_stop();
        const auto copy = copyProcess(program.pid(), nullptr, stop.get_token());
        if (!copy.hasValue()) QCOMPARE(copy.error().kind, ErrorKind::Cancelled);
        QCOMPARE(program.exitCode(), 0);
    }

    // The program itself measures how long it does not run. Printed; a busy machine takes longer.
    void theProgramStopsBriefly_data() {
        QTest::addColumn<QString>("arguments");
        QTest::newRow("1 thread, 1 GB") << "0 0 1024";
        QTest::newRow("64 threads, 1 GB") << "0 64 1024";
    }
    void theProgramStopsBriefly() {
        QFETCH(const QString, arguments);
        auto program = copied(arguments);
        QVERIFY(program.hasSaid("\n"));
        static_cast<void>(copyProcess(program.pid(), nullptr)); // loads the agent
        program.say("pause");
        QTest::qSleep(300);
        const auto begin = nowNs();
        const auto copy = copyProcess(program.pid(), nullptr);
        const auto taken = nowNs() - begin;
        QVERIFY2(copy.hasValue(), qPrintable(errorOf(copy)));
        std::vector<std::byte> room(1 << 20);
        std::size_t bytes = 0;
        const auto beginRead = nowNs();
        for (const auto& mapping : copy.value()->mappings().mappings)
            for (auto from = mapping.begin; (mapping.flags & mapping_flag::kWrite) != 0 && from < mapping.end;
                 from += room.size())
                bytes += copy.value()->read(
                    from, std::span(room).first(std::min<std::size_t>(room.size(), mapping.end - from)));
        const auto read = nowNs() - beginRead;
        QVERIFY(program.hasSaid(" us\n"));
        QVERIFY(numberAfter(program.said(), "paused ") < 1'000'000);
        qInfo("%s of the program; the copy took %lld us, reading %zu MB %lld us",
              program.said().split('\n')[1].constData(), static_cast<long long>(taken / 1000), bytes >> 20,
              static_cast<long long>(read / 1000));
        QCOMPARE(program.exitCode(), 0);
    }
};
HIGHWATER_TEST(ProcessCopyTest);

#include "process_copy_test.moc"
