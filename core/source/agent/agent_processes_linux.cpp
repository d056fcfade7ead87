#include "core/source/agent/agent_processes_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace highwater::source {

AgentProcesses::~AgentProcesses() {
    for (const AgentProcess& process : list_)
        if (process.handle >= 0) close(process.handle);
}

bool AgentProcesses::contains(std::uint32_t slot, std::uint32_t pid) const {
    return std::ranges::any_of(list_,
                               [=](const AgentProcess& known) { return known.slot == slot && known.pid == pid; });
}

std::size_t AgentProcesses::findNew() {
    const std::size_t before = list_.size();
    const std::uint32_t used = std::min(channel_.header().processesUsed.load(), agent::kMostProcesses);
    std::vector<AgentProcess> found;
    for (std::uint32_t i = 0; i < used; ++i) {
        const agent::ProcessSlot& slot = channel_.process(i);
        if (slot.state.load(std::memory_order_acquire) != agent::kSlotUsed || contains(i, slot.pid)) continue;
        found.push_back({i, slot.pid, slot.parentPid, slot.origin, false, false, slot.startTick, 0, false, -1});
    }
    std::ranges::sort(found, {}, &AgentProcess::startTick);
    heldBackFrom_ = ~std::uint64_t{0};
    for (AgentProcess& process : found) {
        const auto same = std::ranges::find(list_, process.pid, &AgentProcess::pid);
        if (same != list_.end()) {
            same->hasEnded = same->isReplaced = true; // even if that pid is no more by now
            heldBackFrom_ = std::min(heldBackFrom_, process.startTick);
            continue;
        }
        process.handle = static_cast<int>(syscall(SYS_pidfd_open, process.pid, 0));
        list_.push_back(process);
    }
    return before;
}

template <typename Condition, typename Action>
void AgentProcesses::pollEach(const Condition& isAsked, int milliseconds, const Action& onEnded) {
    std::vector<pollfd> waits;
    std::vector<AgentProcess*> of;
    for (AgentProcess& process : list_) {
        if (!isAsked(process)) continue;
        if (process.handle < 0) {
            onEnded(process);
            milliseconds = 0;
            continue;
        }
        waits.push_back({process.handle, POLLIN, 0});
        of.push_back(&process);
    }
    if (poll(waits.data(), waits.size(), milliseconds) <= 0) return;
    for (std::size_t i = 0; i < waits.size(); ++i)
        if (waits[i].revents != 0) onEnded(*of[i]);
}

void AgentProcesses::findEnded(int milliseconds) {
    pollEach([](const AgentProcess& process) { return !process.hasEnded; }, milliseconds,
             [](AgentProcess& process) { process.hasEnded = true; });
}

void AgentProcesses::noteEnded(std::uint64_t tick) {
    const auto note = [tick](AgentProcess& process) { process.endTick = tick; };
    pollEach([](const AgentProcess& process) { return process.endTick == 0 && !process.hasEnded; }, 0, note);
    for (AgentProcess& process : list_)
        if (process.hasEnded && process.endTick == 0) note(process);
}

std::vector<std::pair<std::uint32_t, std::uint64_t>> AgentProcesses::findRestricted() {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> found;
    for (AgentProcess& process : list_) {
        if (process.isRestricted) continue;
        const auto tick = channel_.process(process.slot).restrictedTick.load(std::memory_order_acquire);
        process.isRestricted = tick != 0;
        if (tick != 0) found.emplace_back(process.pid, tick);
    }
    return found;
}

void AgentProcesses::release(std::size_t index) {
    const AgentProcess process = list_[index];
    if (process.handle >= 0) close(process.handle);
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(index));
    channel_.process(process.slot).state.store(agent::kSlotFree, std::memory_order_release);
}

bool threadExists(std::uint32_t pid, std::uint32_t tid) {
    return access(fmt::format("/proc/{}/task/{}", pid, tid).c_str(), F_OK) == 0;
}

} // namespace highwater::source
