#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <span>
#include <sys/user.h>
#include <vector>

namespace highwater::source {

/// Whether a thread was interrupted in a system call that it will make again in some way.
[[nodiscard]] bool isInterruptedCall(const user_regs_struct& registers);
/// The registers with which it makes it again from its beginning.
[[nodiscard]] user_regs_struct beforeCall(user_regs_struct registers);

/// Instructions of another process through which a thread that was sent to call a function goes on where it was,
/// without anybody's help: whoever sent it may have ended meanwhile. The first ones, to which the function returns,
/// store its result; the others have the kernel take all registers from the stack, as at the end of a signal handler.
struct WayBack {
    Address store = 0;
    unsigned long long user_regs_struct::*place = nullptr; ///< the register that says where the result goes
    unsigned wordsTaken = 0;                               ///< that `store` takes off the stack before it returns
    Address resume = 0;

    /// Searches code that lies at `address` there.
    static std::optional<WayBack> find(std::span<const std::uint8_t> code, Address address);
};

/// What a thread goes on with.
struct ThreadContext {
    user_regs_struct registers{};
    std::vector<std::uint8_t> state; ///< of the floating point and vector registers, as ptrace tells it
    std::uint64_t blockedSignals = 0;
};

/// What has to lie on the stack of a thread when it is sent to call a function, so that it comes back.
struct ReturnFrame {
    Address stack = 0;   ///< the stack pointer with which the function begins; the bytes lie from there
    Address context = 0; ///< the stack pointer with which the kernel is asked for the registers
    Address result = 0;  ///< where the result will lie
    std::vector<std::uint8_t> bytes;

    /// Below `end`. A system call that was interrupted is made again.
    static ReturnFrame lay(const WayBack& back, const ThreadContext& context, Address end);
};

} // namespace highwater::source
