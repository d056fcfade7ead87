#include "core/references/thread_environments.h"

#include "core/base/pe_layout.h"
#include "core/event/mapping_names.h"
#include "tests/core/references/fake_process.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <string>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::references;

namespace {

constexpr Address kEnvironments = 0x7FF0'0000, kHeapBegin = 0x1000'0000, kProgram = 0x7FF6'0000'0000,
                  kThreadStacks = 0x2000'0000;
constexpr ByteCount kThreadStackBytes = 0x10'0000;

/// A process of Windows: a heap, a program, and threads with their environment blocks.
class WindowsProcess {
  public:
    WindowsProcess() {
        process.mapping(kHeapBegin, kHeapBegin + 0x10'0000, kReadWrite, "[heap]");
        process.mapping(kEnvironments, kEnvironments + 0x10'0000, kReadWrite, kPrivateMemory);
        image(kProgram, "C:\\app.exe", 3, 0x20, 0x28);
    }
    /// With thread-local data: its number, and the bytes of its values and of the zeros behind them.
    void image(Address begin, std::string_view file, std::uint32_t number, ByteCount values, std::uint32_t zeros) {
        constexpr Address kHeader = 0x80, kOptional = kHeader + 24, kDirectory = 0x400;
        process.mapping(begin, begin + 0x1000, kReadOnly | mapping_flag::kFile, file);
        process.mapping(begin + 0x1000, begin + 0x2000, kPrivateFile, file);
        process.word(begin, pe::kDosSignature).word(begin + 0x3C, kHeader).word(begin + kHeader, pe::kSignature);
        process.word(begin + kOptional, pe::kOptional64).word(begin + kOptional + 108, pe::kMostDirectories);
        process.word(begin + kOptional + 112 + 9 * 8, kDirectory | sizeof(pe::ThreadLocalDirectory) << 32);
        process.word(begin + kDirectory, begin + 0x800).word(begin + kDirectory + 8, begin + 0x800 + values);
        process.word(begin + kDirectory + 16, begin + 0x1000).word(begin + kDirectory + 32, zeros);
        process.word(begin + 0x1000, number);
    }
    Address thread(std::uint32_t tid) {
        const auto number = process.threads().size();
        const auto stack = kThreadStacks + number * 2 * kThreadStackBytes;
        process.mapping(stack, stack + kThreadStackBytes, kReadWrite, kStackMemory);
        auto& thread = process.threads().emplace_back();
        thread.tid = tid, thread.name = "worker";
        thread.stackPointer = stack + kThreadStackBytes - 0x1000;
        thread.environmentBlock = kEnvironments + 0x1000 + number * 0x2000;
        process.word(thread.environmentBlock + 0x30, thread.environmentBlock);
        return thread.environmentBlock;
    }
    /// "begin-end thread name", one a line.
    [[nodiscard]] std::string found() const {
        const auto memory = process.memory();
        std::string text;
        for (const auto& block : readThreadEnvironments(memory.mappings, memory.threads, memory.read))
            text += fmt::format("{:x}-{:x} {} {}\n", block.begin, block.end, block.thread,
                                block.name == ThreadLocalBlock::kOfThread ? "itself"
                                                                          : memory.mappings.names.at(block.name));
        return text;
    }
    [[nodiscard]] std::string picture() const {
        auto memory = process.memory();
        memory.threadLocals = readThreadEnvironments(memory.mappings, memory.threads, memory.read);
        const auto picture = findReferences(std::move(memory));
        if (!picture.hasValue()) qFatal("%s", picture.error().message.c_str());
        return textOf(picture.value());
    }

    FakeProcess process = FakeProcess::withoutMappings();
};

} // namespace

class ThreadEnvironmentsTest : public QObject {
    Q_OBJECT

  private slots:
    void theDataOfEachModuleIsFound() {
        WindowsProcess windows;
        windows.image(kProgram + 0x10'0000, "C:\\library.dll", 5, 0, 0x10);
        windows.image(kProgram + 0x20'0000, "C:\\none.dll", 6, 0, 0);
        const auto block = windows.thread(7);
        windows.process.word(block + 0x58, kHeapBegin + 0x100).word(block + 0x1780, kHeapBegin + 0x4000);
        windows.process.word(kHeapBegin + 0x100 + 3 * 8, kHeapBegin + 0x200);
        windows.process.word(kHeapBegin + 0x100 + 5 * 8, kHeapBegin + 0x300);
        QCOMPARE(windows.found(), std::string("10000100-10000130 0 itself\n"
                                              "10000200-10000248 0 C:\\app.exe\n"
                                              "10000300-10000310 0 C:\\library.dll\n"
                                              "10004000-10006000 0 itself\n"
                                              "7ff01000-7ff03000 0 itself\n"));
    }
    void blocksThatDoNotReferToThemselvesAreIgnored() {
        WindowsProcess windows;
        windows.process.word(windows.thread(7) + 0x30, kEnvironments);
        windows.process.threads().emplace_back(); // of a system without such blocks
        QCOMPARE(windows.found(), std::string());
    }
    void modulesWithImpossibleDataHaveNone() {
        WindowsProcess windows;
        windows.image(kProgram + 0x10'0000, "C:\\number.dll", 1 << 20, 8, 0);
        windows.image(kProgram + 0x20'0000, "C:\\ends.dll", 1, 8, 0);
        windows.process.word(kProgram + 0x20'0000 + 0x408, 1);
        windows.image(kProgram + 0x30'0000, "C:\\few.dll", 2, 8, 0);
        windows.process.word(kProgram + 0x30'0000 + 0x80 + 24 + 108, 9);
        const auto block = windows.thread(7);
        windows.process.word(block + 0x58, kHeapBegin);
        for (Address at = kHeapBegin; at < kHeapBegin + 64; at += 8)
            windows.process.word(at, kHeapBegin + 0x1000 + 0x100 * (at - kHeapBegin));
        QCOMPARE(windows.found(), std::string("10000000-10000020 0 itself\n"
                                              "10002800-10002848 0 C:\\app.exe\n"
                                              "7ff01000-7ff03000 0 itself\n"));
    }
    /// As in the memory of a program that overwrites them.
    void blocksDoNotOverlap() {
        WindowsProcess windows;
        for (const std::uint32_t tid : {7, 8})
            windows.process.word(windows.thread(tid) + 0x58, kHeapBegin);
        windows.process.word(kHeapBegin + 3 * 8, kHeapBegin + 8);
        QCOMPARE(windows.found(), std::string("10000000-10000020 0 itself\n"
                                              "7ff01000-7ff03000 0 itself\n"
                                              "7ff03000-7ff05000 1 itself\n"));
    }
    /// A slot of TlsAlloc(), the data of a module, a register and a stack. What is below the stack pointer is old.
    void whatAThreadRefersToIsReachable() {
        WindowsProcess windows;
        const auto first = windows.thread(7), second = windows.thread(8);
        auto& process = windows.process;
        for (Address block = kHeapBegin + 0x1000; block < kHeapBegin + 0x1800; block += 0x100)
            process.block(block, 0x60);
        process.word(first + 0x1480, kHeapBegin + 0x1000).word(second + 0x58, kHeapBegin + 0x1110);
        process.word(kHeapBegin + 0x1110 + 3 * 8, kHeapBegin + 0x1210);
        process.word(kHeapBegin + 0x1218, kHeapBegin + 0x1300);
        process.threads()[0].registers[3] = kHeapBegin + 0x1400;
        process.word(process.threads()[1].stackPointer + 8, kHeapBegin + 0x1500);
        process.word(process.threads()[1].stackPointer - 8, kHeapBegin + 0x1600);
        QCOMPARE(
            windows.picture(),
            std::string("10001000 reachable, held by thread-local 7ff01000 worker of thread 7, and dominated\n"
                        "10001100 possible, held by thread-local 10001110 worker of thread 8, and dominated\n"
                        "10001200 possible, held by thread-local 10001110 worker of thread 8, and dominated\n"
                        "10001300 reachable, held by thread-local 10001210 C:\\app.exe of thread 8, and dominated\n"
                        "10001400 reachable, held by register 0 worker of thread 7, and dominated\n"
                        "10001500 reachable, held by stack 202ff000 worker of thread 8, and dominated\n"
                        "10001600 unreachable\n10001700 unreachable\n"));
    }
    /// Whichever of its blocks are known, and wherever they are.
    void anAllocationWithABlockIsAHeap() {
        WindowsProcess windows;
        (void)windows.thread(7);
        const Address large = 0x3000'0000;
        windows.process.mapping(large, large + 0x10'0000, kReadWrite, kPrivateMemory);
        windows.process.block(large + 0x40, 0x8'0000).block(kHeapBegin + 0x1000, 0x20);
        windows.process.word(large + 0x9'0000, kHeapBegin + 0x1000);
        QCOMPARE(windows.picture(), std::string("10001000 unreachable\n30000040 unreachable\n"));
        windows.process.mapping(0x4000'0000, 0x4001'0000, kReadWrite, kPrivateMemory);
        windows.process.word(0x4000'0000, large + 0x40);
        windows.process.word(large + 0x100, kHeapBegin + 0x1000);
        QCOMPARE(windows.picture(), std::string("10001000 reachable, held by 30000040, and dominated\n"
                                                "30000040 reachable, held by mapping 40000000 [private], and "
                                                "dominated\n"));
    }
};

HIGHWATER_TEST(ThreadEnvironmentsTest);
#include "thread_environments_test.moc"
