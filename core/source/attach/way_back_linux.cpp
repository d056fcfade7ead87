#include "core/source/attach/way_back_linux.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cpuid.h>
#include <cstddef>
#include <cstring>
#include <ucontext.h>

namespace highwater::source {
namespace {

using Code = std::span<const std::uint8_t>;

/// mov $15, %rax; syscall: the way libc leaves a signal handler, whose bytes debuggers recognize.
constexpr std::array<std::uint8_t, 9> kResume{0x48, 0xC7, 0xC0, 0x0F, 0x00, 0x00, 0x00, 0x0F, 0x05};

/// mov %rax, (register), for the registers that a function preserves.
struct StoreOpcode {
    std::array<std::uint8_t, 4> bytes;
    std::size_t length;
    unsigned long long user_regs_struct::*place;
};
constexpr std::array<StoreOpcode, 6> kStores{{{{0x48, 0x89, 0x03}, 3, &user_regs_struct::rbx},
                                              {{0x48, 0x89, 0x45, 0x00}, 4, &user_regs_struct::rbp},
                                              {{0x49, 0x89, 0x04, 0x24}, 4, &user_regs_struct::r12},
                                              {{0x49, 0x89, 0x45, 0x00}, 4, &user_regs_struct::r13},
                                              {{0x49, 0x89, 0x06}, 3, &user_regs_struct::r14},
                                              {{0x49, 0x89, 0x07}, 3, &user_regs_struct::r15}}};

/// Number of words that the rest of a function pops before it returns, if it does nothing else.
std::optional<unsigned> wordsTakenBefore(Code rest) {
    constexpr std::uint8_t kReturn = 0xC3, kPrefix = 0x41, kPop = 0x58, kPopStackPointer = 0x5C, kLastPop = 0x5F;
    unsigned words = 0;
    // add $n, %rsp
    if (rest.size() > 4 && rest[0] == 0x48 && rest[1] == 0x83 && rest[2] == 0xC4 && rest[3] < 0x80 &&
        rest[3] % 8 == 0) {
        words = rest[3] / 8u;
        rest = rest.subspan(4);
    }
    while (rest.size() > 2) {
        if (rest[0] == kReturn) return words;
        const bool isExtended = rest[0] == kPrefix;
        const auto opcode = rest[isExtended ? 1 : 0];
        if (opcode < kPop || opcode > kLastPop || (opcode == kPopStackPointer && !isExtended)) break;
        rest = rest.subspan(isExtended ? 2 : 1);
        ++words;
    }
    return std::nullopt;
}

bool findStore(Code code, Address address, WayBack& back) {
    for (std::size_t at = 0; at + 16 < code.size(); ++at) {
        if (code[at] != 0x48 && code[at] != 0x49) continue;
        for (const auto& store : kStores) {
            if (std::memcmp(code.data() + at, store.bytes.data(), store.length) != 0) continue;
            const auto words = wordsTakenBefore(code.subspan(at + store.length));
            if (!words) continue;
            back.store = address + at;
            back.place = store.place;
            back.wordsTaken = *words;
            return true;
        }
    }
    return false;
}

constexpr std::size_t kSignalBytes = 8; ///< the kernel's signal mask is shorter than libc's
constexpr std::size_t kContextBytes = offsetof(ucontext_t, uc_sigmask) + kSignalBytes;

std::array<std::uint8_t, kContextBytes> contextOf(const ThreadContext& thread, Address state) {
    constexpr unsigned long kHasVectorState = 1, kHasStackSegment = 2, kStackSegmentCounts = 4;
    const auto registers = isInterruptedCall(thread.registers) ? beforeCall(thread.registers) : thread.registers;
    ucontext_t context{};
    context.uc_flags = kHasVectorState | kHasStackSegment | kStackSegmentCounts;
    context.uc_stack.ss_flags = -1; // not a valid signal stack: the kernel keeps the current one
    const std::array<unsigned long long, 18> values{
        registers.r8,  registers.r9,  registers.r10, registers.r11, registers.r12, registers.r13,
        registers.r14, registers.r15, registers.rdi, registers.rsi, registers.rbp, registers.rbx,
        registers.rdx, registers.rax, registers.rcx, registers.rsp, registers.rip, registers.eflags};
    static_assert(REG_R8 == 0 && REG_EFL == 17);
    std::ranges::transform(values, std::begin(context.uc_mcontext.gregs),
                           [](auto value) { return static_cast<greg_t>(value); });
    context.uc_mcontext.gregs[REG_CSGSFS] =
        static_cast<greg_t>((registers.ss & 0xFFFF) << 48 | (registers.cs & 0xFFFF));
    context.uc_mcontext.fpregs = reinterpret_cast<fpregset_t>(state);
    std::array<std::uint8_t, kContextBytes> bytes{};
    std::memcpy(bytes.data(), &context, offsetof(ucontext_t, uc_sigmask));
    std::memcpy(bytes.data() + offsetof(ucontext_t, uc_sigmask), &thread.blockedSignals, kSignalBytes);
    return bytes;
}

/// Data after the legacy registers if more than these are to be restored.
struct StateMarks {
    std::uint32_t magic;
    std::uint32_t bytesWithEnd;
    std::uint64_t features;
    std::uint32_t bytes;
    std::array<std::uint32_t, 7> unused;
};
constexpr std::size_t kMarksAt = 464, kFeaturesInUseAt = 512, kLeastStateBytes = 576;
constexpr std::uint32_t kStateMagic = 0x46505853, kEndMagic = 0x46505845;

/// Threads that do not use tiles have no room for them, and the kernel would reject a state that contains them.
std::uint64_t featuresOf(const std::vector<std::uint8_t>& state) {
    constexpr std::uint64_t kTiles = std::uint64_t{3} << 17;
    std::uint64_t enabled = 0, inUse = 0;
    std::memcpy(&enabled, state.data() + kMarksAt, sizeof enabled);
    std::memcpy(&inUse, state.data() + kFeaturesInUseAt, sizeof inUse);
    return (inUse & kTiles) != 0 ? enabled : enabled & ~kTiles;
}

std::size_t bytesOfState(std::uint64_t features) {
    constexpr unsigned kStateLeaf = 0xD;
    std::size_t bytes = kLeastStateBytes;
    for (unsigned feature = 2; feature < 63; ++feature) {
        if ((features >> feature & 1) == 0) continue;
        unsigned size = 0, offset = 0, unused = 0, alsoUnused = 0;
        __cpuid_count(kStateLeaf, feature, size, offset, unused, alsoUnused);
        bytes = std::max<std::size_t>(bytes, std::size_t{offset} + size);
    }
    return bytes;
}

/// The state of the vector registers in the format in which the kernel passes it to signal handlers.
std::vector<std::uint8_t> markedState(std::vector<std::uint8_t> state) {
    StateMarks marks{};
    if (state.size() >= kLeastStateBytes) {
        marks.features = featuresOf(state);
        marks.bytes = static_cast<std::uint32_t>(bytesOfState(marks.features));
        marks.bytesWithEnd = marks.bytes + static_cast<std::uint32_t>(sizeof kEndMagic);
        marks.magic = kStateMagic;
    }
    if (marks.bytes > state.size()) marks = {}; // only the first part
    state.resize(
        std::max<std::size_t>(marks.magic != 0 ? marks.bytesWithEnd : kMarksAt + sizeof marks, kLeastStateBytes));
    std::memcpy(state.data() + kMarksAt, &marks, sizeof marks);
    if (marks.magic != 0) std::memcpy(state.data() + marks.bytes, &kEndMagic, sizeof kEndMagic);
    return state;
}

} // namespace

bool isInterruptedCall(const user_regs_struct& registers) {
    constexpr std::int64_t kFirstRestart = -516, kLastRestart = -512; // restart codes internal to the kernel
    const auto result = static_cast<std::int64_t>(registers.rax);
    const bool isToBeMadeAgain = result == -EINTR || (result >= kFirstRestart && result <= kLastRestart);
    return isToBeMadeAgain && static_cast<std::int64_t>(registers.orig_rax) >= 0;
}

user_regs_struct beforeCall(user_regs_struct registers) {
    constexpr std::uint64_t kSystemCallBytes = 2;
    registers.rax = registers.orig_rax;
    registers.rip -= kSystemCallBytes;
    registers.orig_rax = ~0ull;
    return registers;
}

std::optional<WayBack> WayBack::find(Code code, Address address) {
    WayBack back;
    const auto resume = std::search(code.begin(), code.end(), kResume.begin(), kResume.end());
    if (resume == code.end() || !findStore(code, address, back)) return std::nullopt;
    back.resume = address + static_cast<Address>(resume - code.begin());
    return back;
}

ReturnFrame ReturnFrame::lay(const WayBack& back, const ThreadContext& thread, Address end) {
    constexpr Address kWord = 8, kStateAlignment = 64, kStackAlignment = 16;
    const auto state = markedState(thread.state);
    ReturnFrame frame;
    frame.result = (end - kWord) & ~(kStateAlignment - 1);
    const Address stateAt = (frame.result - state.size()) & ~(kStateAlignment - 1);
    const Address chainBytes = (back.wordsTaken + 2) * kWord;
    // At its first instruction a function expects a stack pointer one word below a multiple of 16.
    frame.stack = ((stateAt - kContextBytes - chainBytes) & ~(kStackAlignment - 1)) - kWord;
    frame.context = frame.stack + chainBytes;
    frame.bytes.resize(frame.result + kWord - frame.stack);
    const auto put = [&frame](Address at, const void* from, std::size_t bytes) {
        std::memcpy(frame.bytes.data() + (at - frame.stack), from, bytes);
    };
    put(frame.stack, &back.store, kWord);
    put(frame.context - kWord, &back.resume, kWord);
    const auto context = contextOf(thread, stateAt);
    put(frame.context, context.data(), context.size());
    put(stateAt, state.data(), state.size());
    return frame;
}

} // namespace highwater::source
