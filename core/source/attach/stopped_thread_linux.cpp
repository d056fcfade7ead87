#include "core/source/attach/stopped_thread_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <elf.h>
#include <fcntl.h>
#include <fstream>
#include <string_view>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace highwater::source {
namespace {

constexpr int kStopMs = 2000; ///< a thread stops at once, unless it gets no processor or is inside the kernel
/// Most stops are immediate, and the thread waits until they are noticed.
constexpr auto kMostlyOver = std::chrono::microseconds(200), kLookAgain = std::chrono::microseconds(50);
constexpr std::uint64_t kCode64 = 0x33;
constexpr std::uint64_t kDirectionAndTrap = 0x500;
constexpr std::uint64_t kNoSystemCall = ~std::uint64_t{0};
constexpr std::uint64_t kResumeFlag = 0x10000; ///< skips a breakpoint once
constexpr std::uint64_t kWatchAll = 0x55;      ///< debug registers 0 to 3 break on execution of their address
constexpr Address kRedZone = 256;              ///< twice the size that the ABI reserves below the stack pointer
constexpr int kSystemCallStop = SIGTRAP | 0x80;

constexpr std::uint64_t maskOf(int signal) { return std::uint64_t{1} << (signal - 1); }
/// Signals that are held back while a function is called: all except those for failing instructions.
constexpr std::uint64_t kHeldSignals =
    ~(maskOf(SIGSEGV) | maskOf(SIGBUS) | maskOf(SIGFPE) | maskOf(SIGILL) | maskOf(SIGTRAP) | maskOf(SIGSYS));

bool isInterruption(int status) { return status >> 16 == PTRACE_EVENT_STOP; }

long request(__ptrace_request what, std::uint32_t tid, std::uintptr_t address = 0, std::uintptr_t data = 0) {
    return ptrace(what, static_cast<pid_t>(tid), reinterpret_cast<void*>(address), reinterpret_cast<void*>(data));
}

bool setRegisters(std::uint32_t tid, const user_regs_struct& registers) {
    iovec part{const_cast<user_regs_struct*>(&registers), sizeof registers};
    return request(PTRACE_SETREGSET, tid, NT_PRSTATUS, reinterpret_cast<std::uintptr_t>(&part)) == 0;
}

bool getRegisters(std::uint32_t tid, user_regs_struct& registers) {
    iovec part{&registers, sizeof registers};
    return request(PTRACE_GETREGSET, tid, NT_PRSTATUS, reinterpret_cast<std::uintptr_t>(&part)) == 0;
}

bool setBlockedSignals(std::uint32_t tid, std::uint64_t signals) {
    return request(PTRACE_SETSIGMASK, tid, sizeof signals, reinterpret_cast<std::uintptr_t>(&signals)) == 0;
}

/// Whether the thread has hit a trap that has not been delivered yet.
bool hasTrapWaiting(std::uint32_t tid) {
    std::ifstream file(fmt::format("/proc/{}/status", tid));
    for (std::string line; std::getline(file, line);) {
        constexpr std::string_view kWaiting = "SigPnd:";
        if (line.starts_with(kWaiting))
            return (std::strtoull(line.c_str() + kWaiting.size(), nullptr, 16) & maskOf(SIGTRAP)) != 0;
    }
    return false;
}

Error gone() { return {ErrorKind::Io, "The process ended before its recording began."}; }

} // namespace

std::optional<StoppedThread> StoppedThread::interrupt(std::uint32_t tid, int& refusal) {
    refusal = 0;
    if (request(PTRACE_SEIZE, tid, 0, PTRACE_O_TRACESYSGOOD) != 0) {
        refusal = errno;
        return std::nullopt;
    }
    StoppedThread thread(tid);
    if (request(PTRACE_INTERRUPT, tid) != 0) return std::nullopt;
    return thread;
}

std::optional<StoppedThread> StoppedThread::stop(std::uint32_t tid, int& refusal) {
    auto thread = interrupt(tid, refusal);
    if (!thread || !thread->awaitStop(std::chrono::milliseconds(kStopMs))) return std::nullopt;
    return thread;
}

bool StoppedThread::awaitStop(std::chrono::milliseconds within) { return stopAgain(within) && readRegisters(); }

StoppedThread::StoppedThread(StoppedThread&& other) noexcept
    : tid_(other.tid_),
      found_(std::move(other.found_)),
      waitsIn_(other.waitsIn_),
      free_(other.free_),
      isDisturbed_(other.isDisturbed_),
      isGone_(std::exchange(other.isGone_, true)) {}

StoppedThread::~StoppedThread() {
    if (isGone_) return;
    restore();
    request(PTRACE_DETACH, tid_);
}

/// Registers come last: until then the thread can still resume by itself.
void StoppedThread::restore() {
    if (!isDisturbed_) return;
    setBlockedSignals(tid_, found_.blockedSignals);
    iovec part{found_.state.data(), found_.state.size()};
    request(PTRACE_SETREGSET, tid_, NT_X86_XSTATE, reinterpret_cast<std::uintptr_t>(&part));
    setRegisters(tid_, found_.registers);
    isDisturbed_ = false;
}

/// Restarts a system call that would not be restarted after a stop, because the program must not notice the stop.
void StoppedThread::takeUpCallAgain() {
    waitsIn_.reset();
    if (!isInterruptedCall(found_.registers)) return;
    waitsIn_ = found_.registers.orig_rax;
    if (static_cast<std::int64_t>(found_.registers.rax) != -EINTR) return;
    found_.registers = beforeCall(found_.registers);
    setRegisters(tid_, found_.registers);
}

bool StoppedThread::watch(std::span<const Address> places) const {
    constexpr auto kRegisters = offsetof(user, u_debugreg);
    constexpr std::size_t kControl = 7, kWord = sizeof(std::uint64_t);
    if (request(PTRACE_POKEUSER, tid_, kRegisters + kControl * kWord, 0) != 0) return false;
    std::uint64_t control = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (request(PTRACE_POKEUSER, tid_, kRegisters + i * kWord, places[i]) != 0) return false;
        control |= kWatchAll & (std::uint64_t{3} << (2 * i));
    }
    return places.empty() || request(PTRACE_POKEUSER, tid_, kRegisters + kControl * kWord, control) == 0;
}

/// Uses processor breakpoints, which belong to this thread only and do not change code. They would outlive this
/// process, so every path out of this function removes them.
bool StoppedThread::runTo(std::span<const Address> places, int milliseconds, Run run) {
    restore();
    const auto isPlace = [places](Address at) { return std::ranges::find(places, at) != places.end(); };
    if (run == Run::Stepwise) {
        const bool isThere = stepTo(isPlace, milliseconds);
        return !isGone_ && (!isThere || stopAfterwards()) && readRegisters() && isThere;
    }
    if (isPlace(found_.registers.rip)) {
        found_.registers.eflags |= kResumeFlag;
        setRegisters(tid_, found_.registers);
    }
    if (!watch(places)) return false;
    const bool isThere = runIntoTrap(isPlace, milliseconds);
    if (isGone_) return false;
    static_cast<void>(watch({}));
    // The thread would die of a delivered trap if this process ended now, so it is stopped again without a signal.
    if (isThere && !stopAfterwards()) return false;
    return readRegisters() && isThere;
}

/// False: the thread did not reach such a place and is stopped anywhere.
bool StoppedThread::runIntoTrap(const std::function<bool(Address)>& isPlace, int milliseconds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    user_regs_struct registers{};
    std::uintptr_t signal = 0;
    int status = 0;
    const auto isTrapAtPlace = [&] {
        return status >> 16 == 0 && WSTOPSIG(status) == SIGTRAP && getRegisters(tid_, registers) &&
               isPlace(registers.rip);
    };
    while (true) {
        request(PTRACE_CONT, tid_, 0, signal);
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        if (!waitForStop(status, std::max(static_cast<int>(left.count()), 0))) break;
        if (isTrapAtPlace()) return true;
        signal = status >> 16 == 0 ? static_cast<std::uintptr_t>(WSTOPSIG(status)) : 0;
    }
    if (!isGone_) request(PTRACE_INTERRUPT, tid_);
    while (!isGone_ && !stopAgain()) {
    }
    return takeWaitingTrap(status) && isTrapAtPlace();
}

/// Receives a trap that the thread hit at the last moment. Delivered later, without a tracer, it would kill the thread.
bool StoppedThread::takeWaitingTrap(int& status) {
    if (isGone_ || !hasTrapWaiting(tid_)) return false;
    request(PTRACE_CONT, tid_);
    while (!isGone_ && !waitForStop(status, kStopMs)) {
    }
    return !isGone_;
}

/// Runs one instruction at a time. The kernel ends single stepping when the thread is continued in another way. If the
/// tracer ends before that, the thread dies of the next step trap.
bool StoppedThread::stepTo(const std::function<bool(Address)>& isPlace, int milliseconds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    std::uintptr_t signal = 0;
    bool stands = true;
    while (stands) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        if (left.count() <= 0) break;
        request(PTRACE_SINGLESTEP, tid_, 0, signal);
        int status = 0;
        stands = waitForStop(status, static_cast<int>(left.count())); // otherwise it waits in the kernel, or has ended
        const bool isStep = stands && hasStepped(status);
        signal = stands && !isStep && status >> 16 == 0 ? static_cast<std::uintptr_t>(WSTOPSIG(status)) : 0;
        user_regs_struct registers{};
        if (isStep && getRegisters(tid_, registers) && isPlace(registers.rip)) return true;
    }
    if (isGone_) return false;
    request(PTRACE_INTERRUPT, tid_);
    // To the next place where it can be interrupted, which is immediate.
    if (stands) request(PTRACE_CONT, tid_, 0, signal);
    while (!isGone_ && !stopAgain()) {
    }
    int status = 0;
    if (takeWaitingTrap(status)) static_cast<void>(stopAfterwards());
    return false;
}

/// False for a trap in its own code.
bool StoppedThread::hasStepped(int status) const {
    siginfo_t cause{};
    return status >> 16 == 0 && WSTOPSIG(status) == SIGTRAP &&
           request(PTRACE_GETSIGINFO, tid_, 0, reinterpret_cast<std::uintptr_t>(&cause)) == 0 &&
           (cause.si_code == TRAP_TRACE || cause.si_code == TRAP_BRKPT);
}

/// Stops the thread before it executes anything.
bool StoppedThread::stopAfterwards() {
    if (request(PTRACE_INTERRUPT, tid_) != 0) return false;
    request(PTRACE_CONT, tid_);
    return stopAgain();
}

bool StoppedThread::readRegisters() {
    found_.state.clear();
    if (!getRegisters(tid_, found_.registers)) return false;
    const auto signals = reinterpret_cast<std::uintptr_t>(&found_.blockedSignals);
    if (request(PTRACE_GETSIGMASK, tid_, sizeof found_.blockedSignals, signals) != 0) return false;
    takeUpCallAgain();
    free_ = found_.registers.rsp - kRedZone;
    return true;
}

bool StoppedThread::readState() {
    found_.state.resize(16 * 1024);
    iovec part{found_.state.data(), found_.state.size()};
    const auto result = request(PTRACE_GETREGSET, tid_, NT_X86_XSTATE, reinterpret_cast<std::uintptr_t>(&part));
    found_.state.resize(result == 0 ? part.iov_len : 0);
    return result == 0;
}

bool StoppedThread::runsCodeOf64Bits() const { return found_.registers.cs == kCode64; }

/// False: it has not stopped in time, or it has ended.
bool StoppedThread::waitForStop(int& status, int milliseconds) {
    const auto begin = std::chrono::steady_clock::now();
    status = 0;
    while (true) {
        const auto found = waitpid(static_cast<pid_t>(tid_), &status, __WALL | WNOHANG);
        if (found > 0 && WIFSTOPPED(status)) return true;
        const auto waited = std::chrono::steady_clock::now() - begin;
        isGone_ = found != 0;
        if (isGone_ || waited > std::chrono::milliseconds(milliseconds)) return false;
        if (waited < kMostlyOver)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(kLookAgain);
    }
}

/// After an interrupt request; passes on signals that arrive before the stop.
bool StoppedThread::stopAgain(std::chrono::milliseconds within) {
    int status = 0;
    while (waitForStop(status, static_cast<int>(within.count()))) {
        if (isInterruption(status)) return true;
        const bool isSignal = status >> 16 == 0 && (WSTOPSIG(status) & 0x80) == 0 && WSTOPSIG(status) != SIGTRAP;
        request(PTRACE_CONT, tid_, 0, isSignal ? static_cast<std::uintptr_t>(WSTOPSIG(status)) : 0);
    }
    return false;
}

bool StoppedThread::stopAgain() { return stopAgain(std::chrono::milliseconds(kStopMs)); }

std::uint64_t StoppedThread::word(Address from) const {
    std::uint64_t found = 0;
    const iovec here{&found, sizeof found};
    const iovec there{reinterpret_cast<void*>(from), sizeof found};
    return process_vm_readv(static_cast<pid_t>(tid_), &here, 1, &there, 1, 0) == sizeof found ? found : 0;
}

std::string StoppedThread::text(Address from) const {
    std::array<char, 512> found{};
    const iovec here{found.data(), found.size() - 1};
    const iovec there{reinterpret_cast<void*>(from), found.size() - 1};
    if (from == 0 || process_vm_readv(static_cast<pid_t>(tid_), &here, 1, &there, 1, 0) < 0) return {};
    return found.data();
}

/// Does not use process_vm_writev, which does not let the stack grow.
bool StoppedThread::write(Address to, const void* from, std::size_t bytes) const {
    const int memory = ::open(fmt::format("/proc/{}/mem", tid_).c_str(), O_WRONLY | O_CLOEXEC);
    if (memory < 0) return false;
    const auto written = ::pwrite(memory, from, bytes, static_cast<off_t>(to));
    ::close(memory);
    return written == static_cast<ssize_t>(bytes);
}

Result<Address> StoppedThread::push(const std::string& text) {
    const std::size_t bytes = text.size() + 1;
    const Address at = (free_ - bytes) & ~Address{15};
    if (!write(at, text.c_str(), bytes)) return Error{ErrorKind::Io, "The stack of the process could not be written."};
    free_ = at;
    return at;
}

bool StoppedThread::send(Address function, std::initializer_list<std::uint64_t> arguments, const WayBack& back,
                         const ReturnFrame& frame) {
    auto registers = found_.registers;
    registers.rip = function;
    registers.rsp = frame.stack;
    registers.rax = 0;
    registers.orig_rax = kNoSystemCall;
    registers.eflags &= ~kDirectionAndTrap;
    registers.*back.place = frame.result;
    const std::array places{&registers.rdi, &registers.rsi, &registers.rdx};
    std::size_t used = 0;
    for (const auto argument : arguments)
        *places.at(used++) = argument;
    isDisturbed_ = true;
    // Registers first, then signals: on its way back the thread unblocks them.
    return setRegisters(tid_, registers) && setBlockedSignals(tid_, found_.blockedSignals | kHeldSignals);
}

/// The function has returned when the thread asks the kernel for its registers. False: it took too long, or the thread
/// has ended.
bool StoppedThread::waitForReturn(const ReturnFrame& frame, std::chrono::milliseconds within) {
    const auto until = std::chrono::steady_clock::now() + within;
    std::uintptr_t signal = 0;
    while (true) {
        request(PTRACE_SYSCALL, tid_, 0, signal);
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        int status = 0;
        if (!waitForStop(status, std::max(static_cast<int>(left.count()), 0))) return false;
        user_regs_struct registers{};
        const bool isCall = WSTOPSIG(status) == kSystemCallStop;
        if (isCall && getRegisters(tid_, registers) && registers.orig_rax == SYS_rt_sigreturn &&
            registers.rsp == frame.context && static_cast<std::int64_t>(registers.rax) == -ENOSYS)
            return true;
        signal = status >> 16 == 0 && !isCall ? static_cast<std::uintptr_t>(WSTOPSIG(status)) : 0;
    }
}

/// Stops before the system call that restores the registers, not inside it, because an interrupted wait would lose its
/// remaining time. If this process ends now, the thread makes the call again.
bool StoppedThread::stopAtEnd(const WayBack& back) {
    user_regs_struct registers{};
    if (!getRegisters(tid_, registers)) return false;
    registers.rip = back.resume;
    registers.orig_rax = kNoSystemCall;
    return setRegisters(tid_, registers) && stopAfterwards();
}

/// The thread resumes by itself when the function returns. Interrupting it would leave the dynamic linker locked.
Error StoppedThread::leave() {
    if (isGone_) return gone();
    request(PTRACE_INTERRUPT, tid_);
    static_cast<void>(stopAgain());
    isDisturbed_ = false;
    return {ErrorKind::Io, "The dynamic linker of the process does not respond."};
}

/// Uses the same frame for each call; data that is already there, and may be needed at any time, is overwritten with
/// equal bytes.
Result<std::uint64_t> StoppedThread::call(Address function, std::initializer_list<std::uint64_t> arguments,
                                          const WayBack& back, std::chrono::milliseconds within) {
    if (found_.state.empty() && !readState())
        return Error{ErrorKind::Io, "The registers of a thread of the process could not be read."};
    const auto frame = ReturnFrame::lay(back, found_, free_);
    if (!write(frame.stack, frame.bytes.data(), frame.bytes.size()))
        return Error{ErrorKind::Io, "The stack of the process could not be written."};
    if (!send(function, arguments, back, frame))
        return Error{ErrorKind::Io, "The system does not permit a thread of the process to be redirected to load the "
                                    "recorder."};
    if (!waitForReturn(frame, within)) return leave();
    const auto result = word(frame.result);
    if (!stopAtEnd(back)) return leave();
    return result;
}

} // namespace highwater::source
