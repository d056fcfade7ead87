#include "core/agent_linux/exit_wait.h"

#include "core/agent_linux/recording_state.h"
#include "core/agent_linux/restriction.h"
#include "core/agent_linux/system_calls.h"
#include "core/agent_linux/ticks.h"

#include <ctime>
#include <linux/futex.h>

extern "C" int __cxa_atexit(void (*handler)(void*), void* argument, void* library);

namespace highwater::agent {
namespace {

constexpr std::uint64_t kMs = 1'000'000; ///< nanoseconds
constexpr std::uint64_t kForAnswer = 10'000 * kMs, kForCopy = 60'000 * kMs, kBetweenLooks = 20 * kMs;

bool isReaderThere() {
    const ChannelHeader& header = recording.channel.header();
    const std::uint64_t tick = recording.tick(), heartbeat = header.heartbeatTick.load(std::memory_order_relaxed);
    return header.isRecording.load() != 0 && (tick <= heartbeat || tick - heartbeat <= header.staleTicks);
}

/// The owner page is zero in a fork that has not done anything yet. A child of vfork has that of its parent.
bool isRecordedProgram() {
    return recording.owner != nullptr && recording.owner->load() == Recording::kThisProcess &&
           systemCall(SYS_getpid) == static_cast<long>(recording.pid.load()) &&
           recording.channel.process(recording.processSlot).origin == static_cast<std::uint32_t>(Origin::Program);
}

/// Sleeps for a short time while the word has this value. False: system calls are not permitted.
bool sleepWhile(const std::atomic<std::uint32_t>& word, std::uint32_t value) {
    const AgentCalls calls;
    if (!calls.arePermitted()) return false;
    const std::uint64_t until = monotonicNs() + kBetweenLooks;
    const timespec time{static_cast<time_t>(until / (1000 * kMs)), static_cast<long>(until % (1000 * kMs))};
    // The same call as for a wait for a condition: the recorder may use such a thread to make its copy.
    systemCall(SYS_futex, asArgument(&word), FUTEX_WAIT_BITSET, value, asArgument(&time), 0,
               static_cast<long>(FUTEX_BITSET_MATCH_ANY));
    return true;
}

void waitForCopy(void* /*unused*/) {
    if ((recording.options & kWaitsAtExit) == 0 || !isRecordedProgram() || !isReaderThere()) return;
    auto& word = recording.channel.process(recording.processSlot).exitWait;
    word.store(kExitWaits, std::memory_order_release);
    const std::uint64_t begin = monotonicNs();
    for (auto state = word.load(); state != kExitReleased; state = word.load()) {
        const std::uint64_t most = state == kExitSeen ? kForCopy : kForAnswer;
        if (monotonicNs() - begin > most || !isReaderThere() || !sleepWhile(word, state)) break;
    }
}

} // namespace

/// Without a library, the handler is none of those that run when libraries are finalized, but remains after them.
void waitAtExit() { static_cast<void>(__cxa_atexit(waitForCopy, nullptr, nullptr)); }

} // namespace highwater::agent
