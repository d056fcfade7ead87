#include "core/source/agent/agent_processes_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace highwater::source {
namespace {

constexpr auto kBetweenSearches = std::chrono::milliseconds(100);

/// A hostile target may omit the NUL.
std::string nameIn(const agent::ProcessSlot& slot) {
    return std::string(slot.name, strnlen(slot.name, sizeof slot.name));
}

} // namespace

AgentProcesses::~AgentProcesses() {
    exitWaits_->close();
    for (const int handle : silent_)
        close(handle);
    for (const AgentProcess& process : list_)
        if (process.handle >= 0) close(process.handle);
}

const AgentProcess* AgentProcesses::find(std::uint32_t slot, std::uint32_t ownPid) const {
    const auto found = std::ranges::find_if(
        list_, [=](const AgentProcess& known) { return known.slot == slot && known.ownPid == ownPid; });
    return found == list_.end() ? nullptr : &*found;
}

bool AgentProcesses::isAnyRunning() const {
    return std::ranges::any_of(list_, [](const AgentProcess& process) { return !process.hasEnded; });
}

/// 0: look for it later. A process reports its number if it can. Otherwise all processes that map our channel are
/// searched. The search is limited in frequency, because a hostile target could trigger it all the time.
std::uint32_t AgentProcesses::numberOf(const agent::ProcessSlot& slot) {
    if (slot.readerPid != 0) return slot.readerPid;
    const auto now = std::chrono::steady_clock::now();
    if (now < nextSearch_) return 0;
    nextSearch_ = now + kBetweenSearches;
    const auto found = findByOwnNumber("/proc", slot.pid, [this](std::uint32_t pid) {
        return std::ranges::find(list_, pid, &AgentProcess::pid) == list_.end() && mapsChannel(pid, traces_);
    });
    return found != 0 ? found : kMostPid + ++unknown_;
}

std::size_t AgentProcesses::findNew() {
    const std::size_t before = list_.size();
    const std::uint32_t used = std::min(channel_.header().processesUsed.load(), agent::kMostProcesses);
    std::vector<AgentProcess> found;
    for (std::uint32_t i = 0; i < used; ++i) {
        const agent::ProcessSlot& slot = channel_.process(i);
        const std::uint32_t ownPid = slot.pid;
        if (slot.state.load(std::memory_order_acquire) != agent::kSlotUsed || find(i, ownPid) != nullptr) continue;
        const std::uint32_t pid = numberOf(slot);
        if (pid == 0) continue;
        found.push_back({i, ownPid, pid, slot.parentPid, slot.origin, false, false, slot.startTick, 0, false, false, -1,
                         nameIn(slot)});
    }
    std::ranges::sort(found, {}, &AgentProcess::startTick);
    heldBackFrom_ = ~std::uint64_t{0};
    for (AgentProcess& process : found) {
        const auto same = std::ranges::find(list_, process.pid, &AgentProcess::pid);
        if (same != list_.end()) {
            same->hasEnded = same->isReplaced = true; // even if that pid no longer exists
            heldBackFrom_ = std::min(heldBackFrom_, process.startTick);
            continue;
        }
        if (process.pid <= kMostPid) process.handle = static_cast<int>(syscall(SYS_pidfd_open, process.pid, 0));
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
            // Too many open files, or Linux before 5.3.
            if (process.pid <= kMostPid && isAlive(std::to_string(process.pid))) continue;
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

bool AgentProcesses::isAnySilent() {
    std::vector<pollfd> waits;
    for (const int handle : silent_)
        waits.push_back({handle, POLLIN, 0});
    if (poll(waits.data(), waits.size(), 0) > 0) {
        silent_.clear();
        for (const pollfd& wait : waits)
            wait.revents == 0 ? silent_.push_back(wait.fd) : (void)close(wait.fd);
    }
    if (!silent_.empty()) return true;
    for (const auto pid : processesWith(traces_)) {
        const int handle = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
        if (handle >= 0) silent_.push_back(handle);
    }
    return !silent_.empty();
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

std::vector<std::uint32_t> AgentProcesses::findWaiting() {
    std::vector<std::uint32_t> found;
    for (AgentProcess& process : list_) {
        if (process.hasWaited || process.hasEnded) continue;
        std::uint32_t expected = agent::kExitWaits;
        auto& word = channel_.process(process.slot).exitWait;
        process.hasWaited = word.compare_exchange_strong(expected, agent::kExitSeen);
        if (!process.hasWaited) continue;
        exitWaits_->add(process.pid, word);
        found.push_back(process.pid);
    }
    return found;
}

void AgentProcesses::release(std::size_t index) {
    const AgentProcess process = list_[index];
    if (process.hasWaited) exitWaits_->forget(process.pid);
    if (process.handle >= 0) close(process.handle);
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(index));
    channel_.process(process.slot).state.store(agent::kSlotFree, std::memory_order_release);
}

bool threadExists(std::uint32_t pid, std::uint32_t tid) {
    return access(fmt::format("/proc/{}/task/{}", pid, tid).c_str(), F_OK) == 0;
}

} // namespace highwater::source
