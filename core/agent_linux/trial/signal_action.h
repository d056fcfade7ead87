#pragma once

#include "core/agent_linux/system_calls.h"

#include <csignal>
#include <cstdint>

namespace highwater::agent {

using SignalHandler = void (*)(int, siginfo_t*, void*);

/// The form in which the kernel gets an action, not that of libc.
struct SignalAction {
    SignalHandler handler;
    unsigned long flags;
    void (*restorer)();
    std::uint64_t mask;
};

/// Sets the action for a signal of this process.
inline void act(int signal, const SignalAction& action) {
    systemCall(SYS_rt_sigaction, signal, asArgument(&action), 0, sizeof action.mask);
}

} // namespace highwater::agent
