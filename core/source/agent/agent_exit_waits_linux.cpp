#include "core/source/agent/agent_exit_waits_linux.h"

#include "core/agent_linux/channel_layout.h"

#include <limits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace highwater::source {

void AgentExitWaits::add(std::uint32_t pid, std::atomic<std::uint32_t>& word) {
    const std::lock_guard lock(mutex_);
    words_[pid] = &word;
}

void AgentExitWaits::forget(std::uint32_t pid) {
    const std::lock_guard lock(mutex_);
    words_.erase(pid);
}

void AgentExitWaits::letEnd(std::uint32_t pid) {
    const std::lock_guard lock(mutex_);
    const auto found = words_.find(pid);
    if (found == words_.end()) return;
    found->second->store(agent::kExitReleased);
    ::syscall(SYS_futex, found->second, FUTEX_WAKE, std::numeric_limits<int>::max(), nullptr, nullptr, 0);
    words_.erase(found);
}

void AgentExitWaits::close() {
    const std::lock_guard lock(mutex_);
    words_.clear();
}

} // namespace highwater::source
