#include "core/agent_linux/recording.h"

#include "core/agent_linux/modules.h"
#include "core/agent_linux/system_calls.h"
#include "core/agent_linux/thread_recorder.h"

#include <fcntl.h>

namespace highwater::agent {

Recording recording;

namespace {

std::atomic<std::uint32_t>* ownerPage;

std::uint32_t processId() { return static_cast<std::uint32_t>(systemCall(SYS_getpid)); }

/// Two programs, or one that unloaded code, must not have equal keys for stacks of different code.
std::uint64_t newSeed(std::uint32_t pid, std::uint64_t tick) {
    std::uint64_t seed = (tick + 1) * 0x9E3779B97F4A7C15ull ^ std::uint64_t{pid} << 32;
    return seed ^ seed >> 31;
}

void* mapChannel(const char* path) {
    const long file = systemCall(SYS_open, reinterpret_cast<long>(path), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0) return nullptr;
    ChannelHeader header{};
    const long bytes = systemCall(SYS_pread64, file, reinterpret_cast<long>(&header), sizeof header, 0);
    void* memory = nullptr;
    if (bytes == static_cast<long>(sizeof header) && header.magic == kChannelMagic &&
        header.version == kChannelVersion) {
        const long mapped = systemCall(SYS_mmap, 0, static_cast<long>(header.totalBytes), PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_NORESERVE, file, 0);
        if (mapped > 0 || mapped < -4095) memory = reinterpret_cast<void*>(mapped);
        // Not for the target's core files.
        systemCall(SYS_madvise, mapped, static_cast<long>(header.totalBytes), MADV_DONTDUMP);
    }
    systemCall(SYS_close, file);
    return memory;
}

/// Whether this process was launched to be recorded, or goes on as what was. A program that no agent can be in passes the
/// variables on to its children.
bool isLaunched() {
    const std::uint32_t used = recording.channel.header().processesUsed.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < used && i < kMostProcesses; ++i)
        if (recording.channel.process(i).pid == recording.pid.load(std::memory_order_relaxed)) return true;
    return used == 0;
}

/// False: there is no free slot, so this process is not recorded.
bool claimProcess(Origin origin) {
    ChannelHeader& header = recording.channel.header();
    for (std::uint32_t i = 0; i < kMostProcesses; ++i) {
        ProcessSlot& slot = recording.channel.process(i);
        std::uint32_t expected = kSlotFree;
        if (slot.state.load(std::memory_order_relaxed) != kSlotFree ||
            !slot.state.compare_exchange_strong(expected, kSlotClaimed, std::memory_order_acquire))
            continue;
        slot.pid = recording.pid.load(std::memory_order_relaxed);
        slot.parentPid = static_cast<std::uint32_t>(systemCall(SYS_getppid));
        slot.origin = static_cast<std::uint32_t>(origin);
        slot.startTick = recording.tick();
        recording.processSlot = i;
        recording.seed.store(newSeed(slot.pid, slot.startTick), std::memory_order_relaxed);
        std::uint32_t used = header.processesUsed.load(std::memory_order_relaxed);
        while (used <= i && !header.processesUsed.compare_exchange_weak(used, i + 1, std::memory_order_relaxed)) {
        }
        slot.state.store(kSlotUsed, std::memory_order_release);
        return true;
    }
    header.processesRefused.fetch_add(1, std::memory_order_relaxed);
    return false;
}

} // namespace

namespace {

/// The page that the kernel zeroes in a forked child; kept from one recording to the next.
bool takeOwnerPage() {
    constexpr std::size_t kPage = 4096;
    if (ownerPage != nullptr) return true;
    auto* page = static_cast<std::atomic<std::uint32_t>*>(takePages(kPage));
    if (page == nullptr) return false;
    // Without this (Linux before 4.14) a forked child would write into its parent's rings.
    if (systemCall(SYS_madvise, reinterpret_cast<long>(page), kPage, MADV_WIPEONFORK) < 0) return false;
    ownerPage = page;
    return true;
}

/// Whether somebody reads what this process writes. What a reader that was killed left behind is ended here.
bool isReadAlready() {
    if (recording.owner == nullptr || ownerPage->load(std::memory_order_relaxed) != Recording::kThisProcess)
        return false;
    ChannelHeader& header = recording.channel.header();
    if (header.isRecording.load() == 0) return false;
    const std::uint64_t tick = recording.tick();
    const std::uint64_t heartbeat = header.heartbeatTick.load(std::memory_order_relaxed);
    if (tick <= heartbeat || tick - heartbeat <= header.staleTicks) return true;
    header.isRecording.store(0);
    const std::uint64_t untilAllHaveLeft[2] = {0, 20'000'000};
    systemCall(SYS_nanosleep, reinterpret_cast<long>(untilAllHaveLeft), 0);
    return false;
}

} // namespace

StartResult startRecording(const char* channelPath, Begin begin) {
    const bool isAgain = recording.owner != nullptr;
    if (isReadAlready()) return StartResult::Recorded;
    if (!takeOwnerPage()) return StartResult::Refused;
    void* memory = mapChannel(channelPath);
    if (memory == nullptr) return StartResult::NoChannel;
    // Threads that run on do not write until all of this is as it should be.
    ownerPage->store(Recording::kNobody, std::memory_order_relaxed);
    // What an earlier recording used stays mapped: a thread may have been held up in the middle of a record.
    recording.channel = ChannelView(memory);
    const ChannelHeader& header = recording.channel.header();
    recording.options = header.options;
    recording.clock = (header.options & kClockIsTsc) != 0 ? TickClock::Tsc : TickClock::Monotonic;
    recording.baseTick = header.baseTick;
    recording.pid.store(processId(), std::memory_order_relaxed);
    if (begin == Begin::WithProgram && (recording.options & kChildren) == 0 && !isLaunched()) {
        recording.channel.header().childrenMissed.fetch_add(1, std::memory_order_relaxed);
        return StartResult::Refused;
    }
    if (!claimProcess(begin == Begin::InItsMidst ? Origin::Attached : Origin::Program)) return StartResult::Refused;
    if (!isAgain) prepareThreads();
    recording.generation.fetch_add(1, std::memory_order_relaxed);
    ownerPage->store(Recording::kThisProcess, std::memory_order_release);
    recording.owner = ownerPage;
    if (isAgain)
        reportModulesAgain();
    else
        reportModules();
    return StartResult::Started;
}

bool adoptForkedChild() {
    const std::uint32_t pid = processId();
    std::uint32_t parent = recording.pid.load(std::memory_order_relaxed);
    if (parent == pid || !recording.pid.compare_exchange_strong(parent, pid)) return false; // another thread is at it
    recording.generation.fetch_add(1, std::memory_order_relaxed);
    const bool isWanted = (recording.options & kChildren) != 0;
    if (!isWanted) recording.channel.header().childrenMissed.fetch_add(1, std::memory_order_relaxed);
    if (!isWanted || !claimProcess(Origin::Fork)) {
        ownerPage->store(Recording::kNobody, std::memory_order_release);
        return false;
    }
    ownerPage->store(Recording::kThisProcess, std::memory_order_release);
    reportModulesAgain();
    return true;
}

} // namespace highwater::agent
