#include "core/references/stack_frames.h"

#include "core/source/contract/resident_memory.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <csignal>
#include <execinfo.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <random>
#include <ucontext.h>
#include <unistd.h>

using namespace highwater;
using namespace highwater::references;

namespace {

/// A thread at the instruction that follows the call, and its return addresses.
struct Caught {
    CopiedThread thread;
    std::array<void*, 200> stack{};
    int frames = 0;
};

CopiedThread threadOf(const ucontext_t& context) {
    const auto* const saved = context.uc_mcontext.gregs;
    CopiedThread thread;
    thread.instruction = static_cast<Address>(saved[REG_RIP]);
    thread.stackPointer = static_cast<Address>(saved[REG_RSP]);
    thread.registers[6] = static_cast<std::uint64_t>(saved[REG_RBP]);
    thread.registers[7] = thread.stackPointer;
    return thread;
}

/// Fails where the memory of this program cannot be read.
std::size_t readThis(Address from, std::span<std::byte> to) {
    static const int file = ::open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    return static_cast<std::size_t>(
        std::max<ssize_t>(::pread(file, to.data(), to.size(), static_cast<off_t>(from)), 0));
}

ResidentSample mappingsOfThis() {
    return source::residentMemoryOf(static_cast<std::uint32_t>(::getpid())).value().value();
}

StackFrames walkOf(const CopiedThread& thread) {
    return findStackFrames(mappingsOfThis(), std::span(&thread, 1), readThis);
}
std::vector<Variable> framesOf(const CopiedThread& thread) { return walkOf(thread).frames; }

Caught lastCaught;
std::vector<Variable> lastFound, lastSaved;

/// The stack must not change before it is walked.
[[gnu::noinline]] void catchHere() {
    ucontext_t context{};
    ::getcontext(&context);
    lastCaught.thread = threadOf(context);
    lastCaught.frames = ::backtrace(lastCaught.stack.data(), static_cast<int>(lastCaught.stack.size()));
    auto [frames, saved] = walkOf(lastCaught.thread);
    lastFound = std::move(frames);
    lastSaved = std::move(saved);
}

[[gnu::noinline]] int descend(int depth) {
    volatile char room[100];
    room[0] = static_cast<char>(depth);
    if (depth == 0)
        catchHere();
    else
        descend(depth - 1);
    return room[0]; // no tail call
}

void catchInHandler(int) { catchHere(); }

/// The instructions before the return addresses of glibc's walk, outermost first. Its own frame is the first.
std::vector<Address> expected() {
    std::vector<Address> code;
    for (int i = lastCaught.frames - 1; i > 0; --i)
        code.push_back(reinterpret_cast<Address>(lastCaught.stack[static_cast<std::size_t>(i)]) - 1);
    return code;
}

/// The callers of the innermost function, in the same order. The outermost function has no caller, so that the end of
/// its frame is unknown.
std::vector<Address> walked() {
    std::vector<Address> code;
    for (auto frame = lastFound.rbegin(); frame != lastFound.rend() - 1; ++frame)
        code.push_back(frame->code);
    return code;
}

} // namespace

/// The stack of this program, which glibc can walk, too.
class StackFramesTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { lastFound.clear(); }
    void framesAreThoseOfAnotherWalk() {
        descend(20);
        auto others = expected();
        QVERIFY(others.size() > 25);
        others.erase(others.begin()); // _start
        QCOMPARE(walked(), others);
    }
    void framesFollowEachOtherOnTheStack() {
        descend(5);
        Address reached = lastCaught.thread.stackPointer;
        for (const auto& frame : lastFound) {
            QVERIFY(frame.begin == reached && frame.end > frame.begin && frame.kind == RootKind::Stack);
            QVERIFY2(frame.name.find("!+0x") != std::string::npos, frame.name.c_str());
            reached = frame.end;
        }
    }
    void framesOfAFunctionHaveTheSameName() {
        descend(5);
        QVERIFY(lastFound.size() > 6);
        for (int i = 2; i < 6; ++i)
            QCOMPARE(lastFound[static_cast<std::size_t>(i)].name, lastFound[1].name);
        QVERIFY(lastFound[0].name != lastFound[1].name);
    }
    void aWalkContinuesBelowASignalHandler() {
        struct sigaction action {
        }, before{};
        action.sa_handler = catchInHandler;
        ::sigaction(SIGUSR1, &action, &before);
        ::raise(SIGUSR1);
        ::sigaction(SIGUSR1, &before, nullptr);
        auto others = expected();
        others.erase(others.begin());
        const auto own = walked();
        QCOMPARE(own.size(), others.size());
        // The interrupted instruction, and that of the frame below the handler, is exact; glibc subtracts 1 here, too.
        for (std::size_t i = 0; i < own.size(); ++i)
            QVERIFY2(own[i] == others[i] || own[i] == others[i] + 1, fmt::format("{} of {}", i, own.size()).c_str());
        QCOMPARE(std::ranges::count(lastFound, std::string(kSignalFrame), &Variable::name), std::ptrdiff_t{1});
    }
    /// The system saved them in the frame of the signal.
    void registersOfTheInterruptedFunctionAreItsOwn() {
        struct sigaction action {
        }, before{};
        action.sa_handler = catchInHandler;
        ::sigaction(SIGUSR1, &action, &before);
        ::raise(SIGUSR1);
        ::sigaction(SIGUSR1, &before, nullptr);
        const auto frame = std::ranges::find(lastFound, std::string(kSignalFrame), &Variable::name);
        QVERIFY(frame != lastFound.end() && frame + 1 != lastFound.end());
        const auto ownerOf = [&](Address begin) {
            const auto word = std::ranges::find(lastSaved, begin, &Variable::begin);
            return word == lastSaved.end() ? std::string() : word->name;
        };
        constexpr Address kRegisters = 40, kRdi = kRegisters + 8 * 8, kRax = kRegisters + 13 * 8;
        QCOMPARE(ownerOf(frame->begin + kRdi), (frame + 1)->name);
        QCOMPARE(ownerOf(frame->begin + kRax), (frame + 1)->name);
    }
    void aThreadThatIsNowhereHasNoFrames() {
        QVERIFY(framesOf({}).empty());
        CopiedThread thread;
        descend(0);
        thread = lastCaught.thread;
        thread.instruction = 1;
        thread.registers[6] = 0;
        QVERIFY(framesOf(thread).empty());
        thread = lastCaught.thread;
        thread.stackPointer = ~Address{0} - 7;
        QVERIFY(framesOf(thread).empty());
    }
    void unreadableMemoryEndsTheWalk() {
        descend(5);
        const auto nothing = [](Address, std::span<std::byte>) { return std::size_t{0}; };
        QVERIFY(findStackFrames(mappingsOfThis(), std::span(&lastCaught.thread, 1), nothing).frames.empty());
    }
    void damagedMemoryIsSurvived() {
        descend(20);
        const auto mappings = mappingsOfThis();
        std::mt19937_64 random(1);
        for (int round = 0; round < 300; ++round) {
            const auto oneIn = 1 + random() % 200;
            const auto damaged = [&](Address from, std::span<std::byte> to) {
                const auto bytes = readThis(from, to);
                for (auto& byte : to.first(bytes))
                    if (random() % oneIn == 0) byte = static_cast<std::byte>(random());
                return bytes;
            };
            Address reached = lastCaught.thread.stackPointer;
            for (const auto& frame : findStackFrames(mappings, std::span(&lastCaught.thread, 1), damaged).frames) {
                QVERIFY(frame.begin >= reached && frame.end > frame.begin);
                reached = frame.end;
            }
        }
    }
};

HIGHWATER_TEST(StackFramesTest);
#include "stack_frames_test_linux.moc"
