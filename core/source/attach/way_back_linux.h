#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <span>
#include <sys/user.h>
#include <vector>

namespace highwater::source {

/// Whether a thread was interrupted in a system call that it will restart.
[[nodiscard]] bool isInterruptedCall(const user_regs_struct& registers);
/// The registers that restart the system call from its beginning.
[[nodiscard]] user_regs_struct beforeCall(user_regs_struct registers);

/// Instructions in another process through which a thread, after calling a function for us, resumes its own work
/// without help, because this process may have ended meanwhile. The function returns to the first ones, which store its
/// result. The others make the kernel restore all registers from the stack, as at the end of a signal handler.
struct WayBack {
    Address store = 0;
    unsigned long long user_regs_struct::*place = nullptr; ///< register with the address for the result
    unsigned wordsTaken = 0;                               ///< number of words that `store` pops before it returns
    Address resume = 0;

    /// Searches code that is at `address` in that process.
    static std::optional<WayBack> find(std::span<const std::uint8_t> code, Address address);
};

/// The state in which a thread resumes.
struct ThreadContext {
    user_regs_struct registers{};
    std::vector<std::uint8_t> state; ///< floating-point and vector registers, as ptrace returns them
    std::uint64_t blockedSignals = 0;
};

/// The stack contents of a thread that is made to call a function, so that it returns to its own work.
struct ReturnFrame {
    Address stack = 0;   ///< the stack pointer at the start of the function; the bytes start there
    Address context = 0; ///< the stack pointer at which the kernel is asked for the registers
    Address result = 0;  ///< address of the result
    std::vector<std::uint8_t> bytes;

    /// Placed below `end`. An interrupted system call is restarted.
    static ReturnFrame lay(const WayBack& back, const ThreadContext& context, Address end);
};

} // namespace highwater::source
