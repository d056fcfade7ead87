#include "core/source/contract/process_copy.h"

#include "core/event/mapping_names.h"
#include "tests/support/test_registry.h"
#include "tests/support/wine.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>
#include <windows.h>
// after windows.h
#include <tlhelp32.h>

using namespace highwater;
using namespace highwater::source;

namespace {

/// A process that waits until it is ended.
class WaitingProcess {
  public:
    WaitingProcess() {
        STARTUPINFOW start{};
        start.cb = sizeof(start);
        wchar_t command[] = L"cmd.exe /c pause";
        ::CreateProcessW(nullptr, command, nullptr, nullptr, FALSE, CREATE_NO_WINDOW, nullptr, nullptr, &start,
                         &process_);
    }
    ~WaitingProcess() {
        end();
        ::CloseHandle(process_.hProcess);
        ::CloseHandle(process_.hThread);
    }
    WaitingProcess(const WaitingProcess&) = delete;
    WaitingProcess& operator=(const WaitingProcess&) = delete;
    void end() {
        ::TerminateProcess(process_.hProcess, 1);
        ::WaitForSingleObject(process_.hProcess, INFINITE);
    }
    [[nodiscard]] std::uint32_t pid() const { return process_.dwProcessId; }
    [[nodiscard]] std::uint32_t mainThread() const { return process_.dwThreadId; }
    /// Memory of three pages, of which the one in the middle is not committed.
    [[nodiscard]] Address allocate() const {
        auto* const begin = static_cast<std::byte*>(
            ::VirtualAllocEx(process_.hProcess, nullptr, 3 * kResidentPageBytes, MEM_RESERVE, PAGE_READWRITE));
        for (const auto page : {0, 2})
            ::VirtualAllocEx(process_.hProcess, begin + page * kResidentPageBytes, kResidentPageBytes, MEM_COMMIT,
                             PAGE_READWRITE);
        return reinterpret_cast<Address>(begin);
    }
    void write(Address address, std::uint64_t word) const {
        ::WriteProcessMemory(process_.hProcess, reinterpret_cast<void*>(address), &word, sizeof(word), nullptr);
    }
    /// How often its main thread was stopped and not continued.
    [[nodiscard]] DWORD stops() const {
        const auto before = ::SuspendThread(process_.hThread);
        ::ResumeThread(process_.hThread);
        return before;
    }

  private:
    PROCESS_INFORMATION process_{};
};

std::unique_ptr<ProcessCopy> copyOf(const WaitingProcess& process) {
    auto copy = copyProcess(process.pid(), [] { return std::int64_t{5}; });
    if (!copy.hasValue()) qFatal("%s", copy.error().message.c_str());
    return std::move(copy).value();
}

std::optional<std::uint64_t> wordAt(const ProcessCopy& copy, Address address) {
    std::uint64_t word = 0;
    const auto bytes = std::as_writable_bytes(std::span(&word, 1));
    return copy.read(address, bytes) == bytes.size() ? std::optional(word) : std::nullopt;
}

const Mapping* mappingAt(const ResidentSample& sample, Address address) {
    const auto found = std::ranges::find_if(sample.mappings, [address](const Mapping& mapping) {
        return mapping.begin <= address && address < mapping.end;
    });
    return found == sample.mappings.end() ? nullptr : &*found;
}

} // namespace

class ProcessCopyTest : public QObject {
    Q_OBJECT

  private slots:
    void theCopyDoesNotChange() {
        const WaitingProcess process;
        const auto memory = process.allocate();
        process.write(memory, 1);
        process.write(memory + 2 * kResidentPageBytes, 2);
        const auto copy = copyOf(process);
        process.write(memory, 3);
        QVERIFY(isValid(copy->mappings()));
        QCOMPARE(copy->mappings().pid, process.pid());
        QCOMPARE(copy->ticks(), std::optional<std::int64_t>(5));
        QCOMPARE(wordAt(*copy, memory), std::optional<std::uint64_t>(1));
        QCOMPARE(wordAt(*copy, memory + kResidentPageBytes), std::optional<std::uint64_t>(0));
        QCOMPARE(wordAt(*copy, memory + 2 * kResidentPageBytes), std::optional<std::uint64_t>(2));
        const auto* const mapping = mappingAt(copy->mappings(), memory);
        QVERIFY(mapping != nullptr);
        QCOMPARE(mapping->begin, memory);
        QCOMPARE(copy->mappings().nameOf(*mapping), std::string(kPrivateMemory));
    }
    void threadsContinueAfterwards() {
        const WaitingProcess process;
        const auto before = process.stops();
        const auto copy = copyOf(process);
        QCOMPARE(process.stops(), before);
        QCOMPARE(copy->unreadThreads(), 0u);
    }
    /// The block of a thread refers to itself, and to its stack.
    void threadsHaveTheirStackAndTheirBlock() {
        constexpr Address kStackBase = 0x08, kStackLimit = 0x10, kSelf = 0x30;
        const WaitingProcess process;
        const auto copy = copyOf(process);
        const auto thread = std::ranges::find(copy->threads(), process.mainThread(), &CopiedThread::tid);
        QVERIFY(thread != copy->threads().end());
        QVERIFY(!thread->name.empty());
        const auto block = thread->environmentBlock;
        QCOMPARE(wordAt(*copy, block + kSelf), std::optional<std::uint64_t>(block));
        QVERIFY(thread->stackPointer >= wordAt(*copy, block + kStackLimit).value_or(~0ULL));
        QVERIFY(thread->stackPointer < wordAt(*copy, block + kStackBase).value_or(0));
        QCOMPARE(thread->registers[7], thread->stackPointer);
        const auto* const stack = mappingAt(copy->mappings(), thread->stackPointer);
        QVERIFY(stack != nullptr);
        QCOMPARE(copy->mappings().nameOf(*stack), std::string(kStackMemory));
    }
    void programsAndHeapsHaveNames() {
        const WaitingProcess process;
        const auto copy = copyOf(process);
        const auto& names = copy->mappings().names;
        QVERIFY(std::ranges::any_of(names, [](const std::string& name) { return name.ends_with("cmd.exe"); }));
        QVERIFY(std::ranges::find(names, std::string("[heap]")) != names.end());
    }
    void processesThatCannotBeCopiedAreRefused() {
        WaitingProcess process;
        QVERIFY(checkProcessCopy(process.pid()).hasValue());
        process.end();
        QCOMPARE(copyProcess(process.pid(), nullptr).error().message,
                 "Process " + std::to_string(process.pid()) + " has ended.");
        QVERIFY(QString::fromStdString(checkProcessCopy(::GetCurrentProcessId()).error().message)
                    .endsWith("was not copied because Highwater cannot stop itself. Choose another process."));
        QCOMPARE(checkProcessCopy(0xFFFF'FFF0).error().message, std::string("Process 4294967280 does not exist."));
    }
};

HIGHWATER_TEST(ProcessCopyTest);
#include "process_copy_test_windows.moc"
