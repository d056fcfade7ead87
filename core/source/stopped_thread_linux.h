#pragma once

#include "core/base/result.h"
#include "core/base/units.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <sys/user.h>
#include <vector>

namespace highwater::source {

/// A thread of another process that stands still, to be looked at and to call functions on its own stack; the other
/// threads run on. The destructor lets it go on exactly where it was. The whole life on one thread of this process.
class StoppedThread {
  public:
    /// Waits for the thread to stand, but not for long: none if it does not, or may not be stopped (see `refusal`).
    static std::optional<StoppedThread> stop(std::uint32_t tid, int& refusal);
    StoppedThread(StoppedThread&& other) noexcept;
    StoppedThread& operator=(StoppedThread&&) = delete;
    StoppedThread(const StoppedThread&) = delete;
    StoppedThread& operator=(const StoppedThread&) = delete;
    ~StoppedThread();

    [[nodiscard]] Address place() const { return registers_.rip; }
    [[nodiscard]] Address stackPointer() const { return registers_.rsp; }
    [[nodiscard]] bool runsCodeOf64Bits() const;
    /// The system call in which it was waiting for something, and which it will take up again.
    [[nodiscard]] std::optional<std::uint64_t> waitsIn() const;
    /// What lies at an address; 0 if nothing does.
    [[nodiscard]] std::uint64_t word(Address from) const;
    /// Lets it run until it comes to one of these places (at most four), but not for long. Then it stands there, else
    /// anywhere.
    [[nodiscard]] bool runTo(std::span<const Address> places, int milliseconds);
    [[nodiscard]] std::string text(Address from) const;

    /// Writes `text` on the stack, below what is used, for the calls that follow; where it lies.
    Result<Address> push(const std::string& text);
    /// Calls a function with integer arguments and waits for its return, to `gate`: the place of an instruction that it
    /// does not execute meanwhile.
    Result<std::uint64_t> call(Address function, std::initializer_list<std::uint64_t> arguments, Address gate);

  private:
    explicit StoppedThread(std::uint32_t tid) : tid_(tid) {}
    void restore();
    [[nodiscard]] bool watch(std::span<const Address> places) const;
    [[nodiscard]] bool readRegisters();
    [[nodiscard]] bool standAgain();
    [[nodiscard]] bool waitForStop(int& status, int milliseconds) const;

    std::uint32_t tid_;
    user_regs_struct registers_{};    ///< as it was found
    std::vector<std::uint8_t> state_; ///< of the floating point and vector registers, likewise
    Address free_ = 0;                ///< the stack below is free
    bool isDisturbed_ = false;        ///< registers are not those that were found
    bool isGone_ = false;
};

} // namespace highwater::source
