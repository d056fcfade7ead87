#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/source/attach/way_back_linux.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace highwater::source {

/// A stopped thread of another process, which can be examined and can call functions on its own stack. Other threads
/// keep running. One thread of this process can stop many. The destructor continues it exactly where it was. Use it on
/// one thread of this process.
///
/// If this process ends instead, the kernel continues the thread, whose state is always such that it then resumes its
/// own work by itself, except within runTo().
class StoppedThread {
  public:
    /// Stops a thread and waits briefly. Nothing if it does not stop in time or may not be stopped (see `refusal`).
    static std::optional<StoppedThread> stop(std::uint32_t tid, int& refusal);
    /// Begins to stop a thread, for awaitStop(). Nothing if it may not be stopped (see `refusal`).
    static std::optional<StoppedThread> interrupt(std::uint32_t tid, int& refusal);
    /// Waits until the thread has stopped, at least once. False: it has not stopped yet, or has ended (isGone). Until
    /// it is true, nothing else may be called, and the thread may stop at any time without being continued.
    [[nodiscard]] bool awaitStop(std::chrono::milliseconds within);
    [[nodiscard]] bool isGone() const { return isGone_; }
    StoppedThread(StoppedThread&& other) noexcept;
    StoppedThread& operator=(StoppedThread&&) = delete;
    StoppedThread(const StoppedThread&) = delete;
    StoppedThread& operator=(const StoppedThread&) = delete;
    ~StoppedThread();

    [[nodiscard]] std::uint32_t tid() const { return tid_; }
    /// Its own, also after calls.
    [[nodiscard]] const user_regs_struct& registers() const { return found_.registers; }
    [[nodiscard]] Address stackPointer() const { return found_.registers.rsp; }
    [[nodiscard]] bool runsCodeOf64Bits() const;
    /// The system call that the thread was waiting in and will resume.
    [[nodiscard]] std::optional<std::uint64_t> waitsIn() const { return waitsIn_; }
    [[nodiscard]] std::uint64_t secondArgument() const { return found_.registers.rsi; }
    /// The word at an address; 0 if it is not mapped.
    [[nodiscard]] std::uint64_t word(Address from) const;
    enum class Run {
        AtFullSpeed, ///< with processor breakpoints
        Stepwise,    ///< where breakpoints do not work: tens of thousands of instructions a second
    };
    /// Runs the thread until it reaches one of these places (at most four) or a short time has passed. True: it is
    /// stopped there; false: it is stopped anywhere.
    [[nodiscard]] bool runTo(std::span<const Address> places, int milliseconds, Run run);
    [[nodiscard]] std::string text(Address from) const;

    /// Writes `text` to the unused stack, for the calls that follow, and returns its address. Must precede the first
    /// call, because the data that the thread needs to resume is below.
    Result<Address> push(const std::string& text);
    /// The dynamic linker may have to wait for a disk.
    static constexpr std::chrono::milliseconds kCallTime{60'000};
    /// Calls a function with integer arguments and waits for its return, with signals held back. If it takes longer
    /// than `within`, the thread is left running: an error, after which no other call is allowed.
    Result<std::uint64_t> call(Address function, std::initializer_list<std::uint64_t> arguments, const WayBack& back,
                               std::chrono::milliseconds within = kCallTime);

  private:
    explicit StoppedThread(std::uint32_t tid) : tid_(tid) {}
    [[nodiscard]] bool write(Address to, const void* from, std::size_t bytes) const;
    [[nodiscard]] bool send(Address function, std::initializer_list<std::uint64_t> arguments, const WayBack& back,
                            const ReturnFrame& frame);
    [[nodiscard]] bool waitForReturn(const ReturnFrame& frame, std::chrono::milliseconds within);
    [[nodiscard]] bool runIntoTrap(const std::function<bool(Address)>& isPlace, int milliseconds);
    [[nodiscard]] bool stepTo(const std::function<bool(Address)>& isPlace, int milliseconds);
    [[nodiscard]] bool hasStepped(int status) const;
    [[nodiscard]] bool takeWaitingTrap(int& status);
    [[nodiscard]] bool stopAfterwards();
    [[nodiscard]] bool stopAtEnd(const WayBack& back);
    Error leave();
    void restore();
    void takeUpCallAgain();
    [[nodiscard]] bool watch(std::span<const Address> places) const;
    [[nodiscard]] bool readRegisters();
    [[nodiscard]] bool readState();
    [[nodiscard]] bool stopAgain();
    [[nodiscard]] bool stopAgain(std::chrono::milliseconds within);
    [[nodiscard]] bool waitForStop(int& status, int milliseconds);

    std::uint32_t tid_;
    ThreadContext found_; ///< its original state; floating-point and vector registers only after the first call
    std::optional<std::uint64_t> waitsIn_;
    Address free_ = 0;         ///< the stack below is free
    bool isDisturbed_ = false; ///< its registers differ from the original ones
    bool isGone_ = false;
};

} // namespace highwater::source
