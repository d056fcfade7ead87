#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/source/attach/way_back_linux.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace highwater::source {

/// A thread of another process that stands still, to be looked at and to call functions on its own stack; the other
/// threads run on. The destructor lets it go on exactly where it was. The whole life on one thread of this process.
///
/// If this process ends instead, the kernel lets the thread go on; it was left such that it then does the same by
/// itself, except within runTo().
class StoppedThread {
  public:
    /// Waits for the thread to stand, but not for long: none if it does not, or may not be stopped (see `refusal`).
    static std::optional<StoppedThread> stop(std::uint32_t tid, int& refusal);
    StoppedThread(StoppedThread&& other) noexcept;
    StoppedThread& operator=(StoppedThread&&) = delete;
    StoppedThread(const StoppedThread&) = delete;
    StoppedThread& operator=(const StoppedThread&) = delete;
    ~StoppedThread();

    [[nodiscard]] Address stackPointer() const { return found_.registers.rsp; }
    [[nodiscard]] bool runsCodeOf64Bits() const;
    /// The system call in which it was waiting for something, and which it will take up again.
    [[nodiscard]] std::optional<std::uint64_t> waitsIn() const { return waitsIn_; }
    [[nodiscard]] std::uint64_t secondArgument() const { return found_.registers.rsi; }
    /// What lies at an address; 0 if nothing does.
    [[nodiscard]] std::uint64_t word(Address from) const;
    enum class Run {
        AtFullSpeed, ///< with breakpoints of the processor
        Stepwise,    ///< where it has none that stop: some ten thousand instructions a second
    };
    /// Lets it run until it comes to one of these places (at most four), but not for long. Then it stands there, else
    /// anywhere.
    [[nodiscard]] bool runTo(std::span<const Address> places, int milliseconds, Run run);
    [[nodiscard]] std::string text(Address from) const;

    /// Writes `text` on the stack, below what is used, for the calls that follow; where it lies. Before the first call:
    /// what the thread needs to come back lies below.
    Result<Address> push(const std::string& text);
    /// Calls a function with integer arguments and waits for its return. Signals wait meanwhile. If it takes too long,
    /// the thread is left to it: an error, and no other call may follow.
    Result<std::uint64_t> call(Address function, std::initializer_list<std::uint64_t> arguments, const WayBack& back);

  private:
    explicit StoppedThread(std::uint32_t tid) : tid_(tid) {}
    [[nodiscard]] bool write(Address to, const void* from, std::size_t bytes) const;
    [[nodiscard]] bool send(Address function, std::initializer_list<std::uint64_t> arguments, const WayBack& back,
                            const ReturnFrame& frame);
    [[nodiscard]] bool waitForReturn(const ReturnFrame& frame);
    [[nodiscard]] bool runIntoTrap(const std::function<bool(Address)>& isPlace, int milliseconds);
    [[nodiscard]] bool stepTo(const std::function<bool(Address)>& isPlace, int milliseconds);
    [[nodiscard]] bool hasStepped(int status) const;
    [[nodiscard]] bool takeWaitingTrap(int& status);
    [[nodiscard]] bool standAfterwards();
    [[nodiscard]] bool standAtEnd(const WayBack& back);
    Error leave();
    void restore();
    void takeUpCallAgain();
    [[nodiscard]] bool watch(std::span<const Address> places) const;
    [[nodiscard]] bool readRegisters();
    [[nodiscard]] bool standAgain();
    [[nodiscard]] bool waitForStop(int& status, int milliseconds);

    std::uint32_t tid_;
    ThreadContext found_; ///< as it was found
    std::optional<std::uint64_t> waitsIn_;
    Address free_ = 0;         ///< the stack below is free
    bool isDisturbed_ = false; ///< registers are not those that were found
    bool isGone_ = false;
};

} // namespace highwater::source
