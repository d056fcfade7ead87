#include "core/references/stack_frames.h"

#include "tests/core/references/fake_process.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::references;

namespace {

constexpr Address kModule = 0x5500'0000'0000, kTable = kModule + 0x200, kInner = kModule + 0x1000,
                  kOuter = kModule + 0x1100, kFunctionBytes = 0x100;
constexpr Address kGenerated = 0x6000'0000'0000;
constexpr std::size_t kFramePointer = 6;

/// Bytes at an address.
class ModuleBytes {
  public:
    explicit ModuleBytes(Address begin) : begin_(begin) {}
    template <typename T>
    ModuleBytes& put(T value) {
        const auto at = bytes_.size();
        bytes_.resize(at + sizeof value);
        std::memcpy(bytes_.data() + at, &value, sizeof value);
        return *this;
    }
    ModuleBytes& put(const std::vector<int>& bytes) {
        for (const auto byte : bytes)
            bytes_.push_back(static_cast<std::uint8_t>(byte));
        return *this;
    }
    ModuleBytes& upTo(Address address) {
        bytes_.resize(address - begin_);
        return *this;
    }
    [[nodiscard]] Address end() const { return begin_ + bytes_.size(); }
    /// The distance from the next byte to an address.
    [[nodiscard]] std::int32_t distance(Address to) const { return static_cast<std::int32_t>(to - end()); }
    void writeTo(FakeProcess& process) {
        bytes_.resize((bytes_.size() + 7) / 8 * 8);
        for (std::size_t at = 0; at < bytes_.size(); at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes_.data() + at, 8);
            process.word(begin_ + at, word);
        }
    }

  private:
    Address begin_;
    std::vector<std::uint8_t> bytes_;
};

/// A module with two functions. The frame of the inner one has 16 bytes; the outer one has 48, and saves rbp there.
FakeProcess processWithModule() {
    ModuleBytes module(kModule);
    module.put({0x7F, 'E', 'L', 'F', 2, 1}).upTo(kModule + 32).put(Address{64}); // where the headers of segments are
    module.upTo(kModule + 56).put(std::uint16_t{2}).upTo(kModule + 64);
    const auto segment = [&](std::uint32_t type, Address address) {
        module.put(type).put(std::uint32_t{0}).put(Address{0}).put(address).upTo(module.end() + 32);
    };
    segment(1, 0);
    segment(0x6474E550, kTable - kModule);
    module.upTo(kTable + 0x40); // .eh_frame; the table before it needs the places of its entries
    const auto common = module.end();
    module.put(std::uint32_t{20}).put(std::uint32_t{0});
    module.put({1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1B, 0x0C, 7, 8, 0x90, 1}).upTo(common + 24);
    const auto function = [&](Address start, const std::vector<int>& program) {
        const auto begin = module.end();
        module.put(std::uint32_t{24}).put(static_cast<std::uint32_t>(module.end() - common));
        module.put(module.distance(start)).put(static_cast<std::uint32_t>(kFunctionBytes));
        module.put({0}).put(program).upTo(begin + 28);
        return begin;
    };
    const auto inner = function(kInner, {0x0E, 16}), outer = function(kOuter, {0x0E, 48, 0x86, 2});
    module.put(std::uint32_t{0});
    FakeProcess process;
    process.mapping(kModule, kModule + 0x1000, kReadOnly | mapping_flag::kFile, "/usr/lib/libapp.so");
    process.mapping(kModule + 0x1000, kModule + 0x3000, kReadExecute | mapping_flag::kFile, "/usr/lib/libapp.so");
    process.mapping(kGenerated, kGenerated + 0x1000, kReadExecute, "");
    module.writeTo(process);
    ModuleBytes table(kTable);
    table.put({1, 0x1B, 0x03, 0x3B}).put(table.distance(common) - 4).put(std::uint32_t{2});
    for (const auto& [start, entry] : {std::pair(kInner, inner), std::pair(kOuter, outer)})
        table.put(static_cast<std::int32_t>(start - kTable)).put(static_cast<std::int32_t>(entry - kTable));
    table.writeTo(process);
    process.thread(7, "worker").instruction = kInner + 8;
    return process;
}

/// "0-10 libapp.so!+0x1000 at 8" for each frame: its memory, from the stack pointer on, and the place in its function.
std::string wordsIn(const FakeProcess& process, std::vector<Variable> StackFrames::*words) {
    const auto memory = process.memory();
    const auto stack = memory.threads.front().stackPointer;
    std::string text;
    const auto found = findStackFrames(memory.mappings, memory.threads, memory.read);
    for (const auto& frame : found.*words)
        text += fmt::format("{:x}-{:x} {} at {:x}; ", frame.begin - stack, frame.end - stack, frame.name,
                            frame.code % kFunctionBytes);
    return text;
}
std::string framesIn(const FakeProcess& process) { return wordsIn(process, &StackFrames::frames); }
std::string savedIn(const FakeProcess& process) { return wordsIn(process, &StackFrames::saved); }

} // namespace

/// Real stacks: stack_frames_test_linux.cpp.
class StackFramesInFakesTest : public QObject {
    Q_OBJECT

  private slots:
    void aFrameEndsAtTheStackPointerOfItsCaller() {
        auto process = processWithModule();
        const auto stack = process.threads().front().stackPointer;
        process.word(stack + 8, kOuter + 0x20).word(stack + 56, kOuter + 0x40);
        QCOMPARE(framesIn(process), "0-10 libapp.so!+0x1000 at 8; 10-40 libapp.so!+0x1100 at 1f; "
                                    "40-70 libapp.so!+0x1100 at 3f; "); // then, the caller is nowhere
    }
    void codeWithoutADescriptionIsLeftByItsFramePointer() {
        auto process = processWithModule();
        auto& thread = process.threads().front();
        const auto stack = thread.stackPointer;
        thread.instruction = kGenerated + 8;
        thread.registers[kFramePointer] = stack + 0x20;
        process.word(stack + 0x20, 0).word(stack + 0x28, kInner + 0x10);
        QCOMPARE(framesIn(process), "30-40 libapp.so!+0x1000 at f; "); // that of the generated code has no name
        thread.registers[kFramePointer] = stack - 8;
        QCOMPARE(framesIn(process), "");
        thread.registers[kFramePointer] = stack + 0x20;
        process.word(stack + 0x28, stack); // no code
        QCOMPARE(framesIn(process), "");
    }
    void aFramePointerThatAFunctionHasSavedIsThatOfItsCaller() {
        auto process = processWithModule();
        auto& thread = process.threads().front();
        const auto stack = thread.stackPointer;
        thread.instruction = kOuter + 8;
        process.word(stack + 40, kGenerated + 0x10).word(stack + 32, stack + 0x100);
        process.word(stack + 0x108, kInner + 0x10);
        QCOMPARE(framesIn(process), "0-30 libapp.so!+0x1100 at 8; 110-120 libapp.so!+0x1000 at f; ");
    }
    /// A caller that has not saved the register does not use it.
    void aSavedRegisterIsOfTheNextCallerThatUsesIt() {
        auto process = processWithModule();
        auto& thread = process.threads().front();
        const auto stack = thread.stackPointer;
        thread.instruction = kOuter + 8;
        process.word(stack + 40, kInner + 0x10).word(stack + 56, kOuter + 0x40).word(stack + 104, kOuter + 0x20);
        QCOMPARE(framesIn(process), "0-30 libapp.so!+0x1100 at 8; 30-40 libapp.so!+0x1000 at f; "
                                    "40-70 libapp.so!+0x1100 at 3f; 70-a0 libapp.so!+0x1100 at 1f; ");
        QCOMPARE(savedIn(process), "20-28 libapp.so!+0x1100 at 3f; 60-68 libapp.so!+0x1100 at 1f; ");
    }
    void codeWithoutADescriptionEndsTheSearchForTheCaller() {
        auto process = processWithModule();
        auto& thread = process.threads().front();
        const auto stack = thread.stackPointer;
        thread.instruction = kOuter + 8;
        process.word(stack + 40, kGenerated + 0x10).word(stack + 32, stack + 0x100);
        process.word(stack + 0x108, kOuter + 0x10);
        QCOMPARE(savedIn(process), "");
    }
    void framesAreWithinTheMappingOfTheStack() {
        auto process = processWithModule();
        auto& thread = process.threads().front();
        thread.instruction = kOuter + 8;
        thread.stackPointer += 0x8000 - 0x20; // 32 bytes are left
        QCOMPARE(framesIn(process), "");
    }
};

HIGHWATER_TEST(StackFramesInFakesTest);
#include "stack_frames_test.moc"
