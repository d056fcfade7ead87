#include "core/source/stopped_thread_linux.h"

#include <fmt/format.h>

#include <array>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <thread>
#include <utility>

namespace highwater::source {
namespace {

constexpr int kStopMs = 200;
constexpr int kCallMs = 60'000; ///< the dynamic linker may have to wait for a disk
constexpr std::uint64_t kCode64 = 0x33;
constexpr std::uint64_t kDirectionAndTrap = 0x500;
constexpr std::uint64_t kNoSystemCall = ~std::uint64_t{0};
constexpr std::uint64_t kResumeFlag = 0x10000; ///< passes over a breakpoint once
constexpr std::uint64_t kWatchAll = 0x55;      ///< debug registers 0 to 3 stop at the execution of their address
constexpr std::uint64_t kSystemCallBytes = 2;
/// What the kernel has left in rax of a system call that was interrupted: it is to be made again, in some way.
constexpr std::int64_t kRestartFirst = -516, kRestartLast = -512;
constexpr Address kRedZone = 256; ///< twice what the ABI lets a function use below its stack pointer

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

Error gone() { return {ErrorKind::Io, "The process ended before its recording began."}; }

} // namespace

std::optional<StoppedThread> StoppedThread::stop(std::uint32_t tid, int& refusal) {
    refusal = 0;
    if (request(PTRACE_SEIZE, tid) != 0) {
        refusal = errno;
        return std::nullopt;
    }
    StoppedThread thread(tid);
    if (request(PTRACE_INTERRUPT, tid) != 0 || !thread.standAgain() || !thread.readRegisters()) return std::nullopt;
    return thread;
}

StoppedThread::StoppedThread(StoppedThread&& other) noexcept
    : tid_(other.tid_),
      registers_(other.registers_),
      state_(std::move(other.state_)),
      free_(other.free_),
      isDisturbed_(other.isDisturbed_),
      isGone_(std::exchange(other.isGone_, true)) {}

StoppedThread::~StoppedThread() {
    if (isGone_) return;
    restore();
    request(PTRACE_DETACH, tid_);
}

void StoppedThread::restore() {
    // Some system calls are not taken up again after a stop; the program did not ask for one, and shall not see it.
    const auto result = static_cast<std::int64_t>(registers_.rax);
    if (result == -EINTR && static_cast<std::int64_t>(registers_.orig_rax) >= 0) {
        registers_.rax = registers_.orig_rax;
        registers_.rip -= kSystemCallBytes;
        registers_.orig_rax = kNoSystemCall;
        isDisturbed_ = true;
    }
    if (!isDisturbed_) return;
    iovec part{state_.data(), state_.size()};
    request(PTRACE_SETREGSET, tid_, NT_X86_XSTATE, reinterpret_cast<std::uintptr_t>(&part));
    setRegisters(tid_, registers_);
    isDisturbed_ = false;
}

std::optional<std::uint64_t> StoppedThread::waitsIn() const {
    const auto result = static_cast<std::int64_t>(registers_.rax);
    const bool isInterrupted = result == -EINTR || (result >= kRestartFirst && result <= kRestartLast);
    if (!isInterrupted || static_cast<std::int64_t>(registers_.orig_rax) < 0) return std::nullopt;
    return registers_.orig_rax;
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

/// With breakpoints of the processor, which are this thread's only and change no code.
bool StoppedThread::runTo(std::span<const Address> places, int milliseconds) {
    restore();
    if (std::ranges::find(places, registers_.rip) != places.end()) {
        registers_.eflags |= kResumeFlag;
        setRegisters(tid_, registers_);
    }
    if (!watch(places)) return false;
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    std::uintptr_t signal = 0;
    bool isThere = false;
    while (!isThere) {
        request(PTRACE_CONT, tid_, 0, signal);
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        int status = 0;
        if (!waitForStop(status, std::max(static_cast<int>(left.count()), 0))) {
            isGone_ = status != 0;
            if (isGone_) return false;
            break;
        }
        user_regs_struct registers{};
        isThere = WSTOPSIG(status) == SIGTRAP && status >> 16 == 0 && getRegisters(tid_, registers) &&
                  std::ranges::find(places, registers.rip) != places.end();
        const bool isOwnSignal = status >> 16 == 0 && !isThere;
        signal = isOwnSignal ? static_cast<std::uintptr_t>(WSTOPSIG(status)) : 0;
    }
    if (!isThere && (request(PTRACE_INTERRUPT, tid_) != 0 || !standAgain())) return false;
    static_cast<void>(watch({}));
    return readRegisters() && isThere;
}

bool StoppedThread::readRegisters() {
    state_.resize(16 * 1024);
    iovec part{state_.data(), state_.size()};
    if (request(PTRACE_GETREGSET, tid_, NT_X86_XSTATE, reinterpret_cast<std::uintptr_t>(&part)) != 0) return false;
    state_.resize(part.iov_len);
    if (!getRegisters(tid_, registers_)) return false;
    free_ = registers_.rsp - kRedZone;
    return true;
}

bool StoppedThread::runsCodeOf64Bits() const { return registers_.cs == kCode64; }

bool StoppedThread::waitForStop(int& status, int milliseconds) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    while (waitpid(static_cast<pid_t>(tid_), &status, __WALL | WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    return WIFSTOPPED(status);
}

/// After it was interrupted: signals that arrive before are its own.
bool StoppedThread::standAgain() {
    int status = 0;
    while (waitForStop(status, kStopMs)) {
        if (isInterruption(status)) return true;
        const bool isSignal = status >> 16 == 0 && (WSTOPSIG(status) & 0x80) == 0 && WSTOPSIG(status) != SIGTRAP;
        request(PTRACE_CONT, tid_, 0, isSignal ? static_cast<std::uintptr_t>(WSTOPSIG(status)) : 0);
    }
    isGone_ = !WIFSTOPPED(status);
    return false;
}

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

Result<Address> StoppedThread::push(const std::string& text) {
    const std::size_t bytes = text.size() + 1;
    const Address at = (free_ - bytes) & ~Address{15};
    const iovec here{const_cast<char*>(text.c_str()), bytes};
    const iovec there{reinterpret_cast<void*>(at), bytes};
    if (process_vm_writev(static_cast<pid_t>(tid_), &here, 1, &there, 1, 0) != static_cast<ssize_t>(bytes))
        return Error{ErrorKind::Io, "The stack of the process could not be written."};
    free_ = at;
    return at;
}

/// The function returns to the gate, where a breakpoint of the processor, this thread's only, catches it.
Result<std::uint64_t> StoppedThread::call(Address function, std::initializer_list<std::uint64_t> arguments,
                                          Address gate) {
    const Address stack = (free_ & ~Address{15}) - sizeof(std::uint64_t);
    const iovec here{&gate, sizeof gate};
    const iovec there{reinterpret_cast<void*>(stack), sizeof gate};
    if (process_vm_writev(static_cast<pid_t>(tid_), &here, 1, &there, 1, 0) != static_cast<ssize_t>(sizeof gate))
        return Error{ErrorKind::Io, "The stack of the process could not be written."};
    auto registers = registers_;
    registers.rip = function;
    registers.rsp = stack;
    registers.rax = 0;
    registers.orig_rax = kNoSystemCall;
    registers.eflags &= ~kDirectionAndTrap;
    const std::array places{&registers.rdi, &registers.rsi, &registers.rdx};
    std::size_t used = 0;
    for (const auto argument : arguments)
        *places.at(used++) = argument;
    isDisturbed_ = true;
    if (!watch({&gate, 1}) || !setRegisters(tid_, registers))
        return Error{ErrorKind::Io, "The system does not let a thread of the process be sent to load the recorder."};
    std::uintptr_t signal = 0;
    while (true) {
        request(PTRACE_CONT, tid_, 0, signal);
        int status = 0;
        if (!waitForStop(status, kCallMs)) {
            isGone_ = status != 0;
            if (isGone_) return gone();
            request(PTRACE_INTERRUPT, tid_);
            static_cast<void>(standAgain());
            static_cast<void>(watch({}));
            return Error{ErrorKind::Io, "The dynamic linker of the process does not answer."};
        }
        const bool isTrap = status >> 16 == 0 && WSTOPSIG(status) == SIGTRAP;
        if (isTrap && getRegisters(tid_, registers) && registers.rip == gate &&
            registers.rsp == stack + sizeof(std::uint64_t))
            break;
        signal = status >> 16 == 0 && !isTrap ? static_cast<std::uintptr_t>(WSTOPSIG(status)) : 0;
    }
    static_cast<void>(watch({}));
    return registers.rax;
}

} // namespace highwater::source
