#include "core/agent_linux/recording.h"

#include "core/agent_linux/launch_variables.h"
#include "core/agent_linux/loaded_object.h"
#include "core/agent_linux/mapped_chunks.h"
#include "core/agent_linux/modules.h"
#include "core/agent_linux/process_facts.h"
#include "core/agent_linux/programs/process_status.h"
#include "core/agent_linux/system_calls.h"
#include "core/agent_linux/thread_recorder.h"

#include <cstddef>
#include <fcntl.h>
#include <sys/stat.h>

namespace highwater::agent {

Recording recording;

namespace {

std::atomic<std::uint32_t>* ownerPage;
std::atomic<std::uint32_t> agentCalls;
/// Number of restrictions of this process, or of the parent that it is a copy of: pending or permanent.
std::atomic<std::uint32_t> restrictions;
std::atomic<std::uint32_t> restrictionsWaiting; ///< those that may still wait for threads to leave the agent
std::atomic<std::uint64_t> pauseTick;           ///< start time of the first pending one

/// Address ranges for channels, used alternately, because a thread may be delayed in a record of the previous one.
struct ChannelPlace {
    void* memory;
    std::uint64_t bytes;
};
ChannelPlace places[2];
unsigned placesUsed;
/// The device of the /proc in which the channel was found, which uses the reader's pids.
std::uint64_t readersProc;

bool isMapped(long result) { return result >= 0 || result < -4095; }

std::uint32_t processId() { return static_cast<std::uint32_t>(systemCall(SYS_getpid)); }

/// Different programs, and code before and after unloading, must not have equal keys for different stacks.
std::uint64_t newSeed(std::uint32_t pid, std::uint64_t tick) {
    std::uint64_t seed = (tick + 1) * 0x9E3779B97F4A7C15ull ^ std::uint64_t{pid} << 32;
    return seed ^ seed >> 31;
}

/// Maps a file in the address range of the channel before the last one, or elsewhere if it is too small.
void* mapInTurn(int file, std::uint64_t bytes) {
    ChannelPlace& place = places[placesUsed % 2];
    const bool hasRoom = place.memory != nullptr && bytes <= place.bytes;
    const long mapped =
        systemCall(SYS_mmap, reinterpret_cast<long>(hasRoom ? place.memory : nullptr), static_cast<long>(bytes),
                   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | (hasRoom ? MAP_FIXED : 0), file, 0);
    if (!isMapped(mapped)) return nullptr;
    // Excluded from core files of the target.
    systemCall(SYS_madvise, mapped, static_cast<long>(bytes), MADV_DONTDUMP);
    if (!hasRoom) place = {reinterpret_cast<void*>(mapped), bytes};
    ++placesUsed;
    return place.memory;
}

/// Frees the memory of the previous channel. Its address range stays reserved and empty, so that a thread in the middle
/// of a record can finish it there, where it is never read.
void emptyPlaceBefore() {
    if (placesUsed < 2) return;
    const ChannelPlace& place = places[placesUsed % 2];
    const auto at = reinterpret_cast<long>(place.memory);
    const auto bytes = static_cast<long>(place.bytes);
    const long mapped = systemCall(SYS_mmap, at, bytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (isMapped(mapped)) systemCall(SYS_madvise, at, bytes, MADV_DONTDUMP);
}

/// Whether this process has more system call filters than this number; also true if the number is not available.
bool isFilteredBeyond(std::uint32_t filters) {
    const OwnStatus status;
    return status.text[0] == '\0' || filtersIn(status.text) > filters;
}

/// In the reader's pid namespace.
std::uint32_t parentNumber() {
    if (recording.readerPid == recording.pid.load(std::memory_order_relaxed))
        return static_cast<std::uint32_t>(systemCall(SYS_getppid));
    return recording.readerPid != 0 ? parentIn(OwnStatus().text) : 0;
}

/// The recorder may have ended, and its pid and descriptor may refer to another file by now, which is not opened.
bool isPlainFile(const char* path) {
    struct stat facts {};
    return systemCall(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>(path), reinterpret_cast<long>(&facts), 0) == 0 &&
           S_ISREG(facts.st_mode);
}

/// The file of a channel while it is open.
class ChannelFile {
  public:
    explicit ChannelFile(const char* path) {
        if (!isPlainFile(path)) return;
        file_ = systemCall(SYS_open, reinterpret_cast<long>(path), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    }
    ~ChannelFile() {
        if (file_ >= 0) systemCall(SYS_close, file_);
    }
    ChannelFile(const ChannelFile&) = delete;
    ChannelFile& operator=(const ChannelFile&) = delete;

    [[nodiscard]] int number() const { return static_cast<int>(file_); }
    /// The part before the chunks; null: not a channel, or the process may not map it.
    [[nodiscard]] void* map() const {
        ChannelHeader header{};
        if (file_ < 0) return nullptr;
        const long bytes = systemCall(SYS_pread64, file_, reinterpret_cast<long>(&header), sizeof header, 0);
        if (bytes != static_cast<long>(sizeof header) || header.magic != kChannelMagic ||
            header.version != kChannelVersion)
            return nullptr;
        void* const memory = mapInTurn(number(), header.chunksAt);
        if (memory == nullptr) noteRefusal();
        return memory;
    }
    /// Reports to the reader that the limits of this process do not leave enough memory.
    void noteRefusal() const {
        const std::uint64_t process = processId();
        systemCall(SYS_pwrite64, file_, reinterpret_cast<long>(&process), sizeof process,
                   offsetof(ChannelHeader, unmappedProcess));
    }

  private:
    long file_ = -1;
};

/// Whether this process was launched for recording, or replaced such a process. A program that cannot load the agent
/// passes the variables on to its children.
bool isLaunched() {
    const std::uint32_t used = recording.channel.header().processesUsed.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < used && i < kMostProcesses; ++i)
        if (recording.channel.process(i).readerPid == recording.readerPid) return true;
    return used == 0;
}

/// False: all slots are in use, so this process is not recorded.
bool claimProcess(Origin origin) {
    ChannelHeader& header = recording.channel.header();
    for (std::uint32_t i = 0; i < kMostProcesses; ++i) {
        ProcessSlot& slot = recording.channel.process(i);
        std::uint32_t expected = kSlotFree;
        if (slot.state.load(std::memory_order_relaxed) != kSlotFree ||
            !slot.state.compare_exchange_strong(expected, kSlotClaimed, std::memory_order_acquire))
            continue;
        slot.pid = recording.pid.load(std::memory_order_relaxed);
        slot.readerPid = recording.readerPid;
        slot.parentPid = parentNumber();
        copyProgramName(slot.name, sizeof slot.name);
        slot.origin = static_cast<std::uint32_t>(origin);
        slot.startTick = recording.tick();
        slot.restrictedTick.store(0, std::memory_order_relaxed);
        slot.exitWait.store(kExitRuns, std::memory_order_relaxed);
        recording.processSlot = i;
        recording.seed.store(newSeed(slot.pid + (i << 22), slot.startTick), std::memory_order_relaxed);
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

/// A page that the kernel zeroes in a forked child; kept from one recording to the next.
bool takeOwnerPage() {
    constexpr std::size_t kPage = 4096;
    if (ownerPage != nullptr) return true;
    auto* page = static_cast<std::atomic<std::uint32_t>*>(takePages(kPage));
    if (page == nullptr) return false;
    // Without this (Linux before 4.14) a forked child would write to its parent's rings.
    if (systemCall(SYS_madvise, reinterpret_cast<long>(page), kPage, MADV_WIPEONFORK) < 0) return false;
    ownerPage = page;
    return true;
}

/// The zeroed data of this library has anonymous pages, like memory of the program.
void nameOwnData() {
    constexpr std::uint64_t kPage = 4096;
    const auto rounded = [](std::uint64_t place) { return (place + kPage - 1) / kPage * kPage; };
    dl_find_object library{};
    if (!findLoadedObject(reinterpret_cast<std::uint64_t>(&recording), library)) return;
    const auto base = reinterpret_cast<std::uint64_t>(library.dlfo_map_start);
    const auto& file = *reinterpret_cast<const Elf64_Ehdr*>(base);
    const auto* const parts = reinterpret_cast<const Elf64_Phdr*>(base + file.e_phoff);
    for (unsigned i = 0; i < file.e_phnum; ++i) {
        if (parts[i].p_type != PT_LOAD || parts[i].p_memsz == parts[i].p_filesz) continue;
        const auto begin = rounded(base + parts[i].p_vaddr + parts[i].p_filesz);
        const auto end = rounded(base + parts[i].p_vaddr + parts[i].p_memsz);
        if (begin < end) namePages(static_cast<long>(begin), end - begin);
    }
}

/// Whether a reader already reads from this process. Cleans up the state of a reader that was killed.
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

StartResult startLaunched(const char* channel) {
    const char* path = nullptr;
    std::uint32_t filters = 0;
    if (!readChannelVariable(channel, filters, path)) return StartResult::NoChannel;
    // It gives the program another allocator, and does not map the channel like the kernel.
    if (isEmulatedByValgrind()) return StartResult::Refused;
    return isFilteredBeyond(filters) ? StartResult::Restricted : startRecording(path, Begin::WithProgram);
}

StartResult startRecording(const char* channelPath, Begin begin) {
    const bool isAgain = recording.owner != nullptr;
    // Checked first: without restrictions, a running recording is not paused.
    if (restrictions.load() != 0) return StartResult::Restricted;
    if (isReadAlready()) return StartResult::Recorded;
    if (!takeOwnerPage()) return StartResult::Refused;
    const ChannelFile file(channelPath);
    void* memory = file.map();
    if (memory == nullptr) return StartResult::NoChannel;
    // Running threads do not write until everything is set up.
    ownerPage->store(Recording::kNobody, std::memory_order_relaxed);
    recording.channel = ChannelView(memory);
    emptyPlaceBefore();
    if (!mappedChunks.begin(recording.channel, file.number())) {
        file.noteRefusal();
        return StartResult::Refused;
    }
    const ChannelHeader& header = recording.channel.header();
    recording.options = header.options;
    recording.clock = (header.options & kClockIsTsc) != 0 ? TickClock::Tsc : TickClock::Monotonic;
    recording.baseTick = header.baseTick;
    recording.pid.store(processId(), std::memory_order_relaxed);
    readersProc = procDevice();
    recording.readerPid = numberInProc("/proc/self", readersProc);
    if (begin == Begin::WithProgram && (recording.options & kChildren) == 0 && !isLaunched()) {
        recording.channel.header().childrenMissed.fetch_add(1, std::memory_order_relaxed);
        return StartResult::Refused;
    }
    if (!claimProcess(begin == Begin::InItsMidst ? Origin::Attached : Origin::Program)) return StartResult::Refused;
    if (!isAgain) {
        nameOwnData();
        prepareThreads();
    }
    recording.generation.fetch_add(1, std::memory_order_relaxed);
    ownerPage->store(Recording::kThisProcess, std::memory_order_release);
    recording.owner = ownerPage;
    if (isAgain)
        reportModulesAgain();
    else
        reportModules();
    return StartResult::Started;
}

namespace {

/// Whether another thread of this process is in the middle of a record.
bool isAnyInRecord() {
    const auto self = static_cast<std::uint32_t>(systemCall(SYS_gettid));
    const std::uint32_t pid = recording.pid.load(std::memory_order_relaxed);
    const std::uint32_t used = recording.channel.header().threadsUsed.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < used && i < kMostThreads; ++i) {
        const ThreadSlot& slot = recording.channel.thread(i);
        if (slot.state.load(std::memory_order_acquire) == kSlotUsed && slot.pid == pid && slot.tid != self &&
            slot.busy.load(std::memory_order_acquire) % 2 != 0)
            return true;
    }
    return false;
}

/// Other threads may be inside the agent and about to make a system call. Their records are short. A thread announces a
/// record without a barrier and then checks whether it may write; the announcement is visible after the first pause.
/// Slots are checked after the calls by which threads get them. (A signal handler may run this code during such calls
/// of its own thread, so the wait is limited.)
void waitUntilThreadsHaveLeft() {
    constexpr int kMostTries = 1000;
    const std::uint64_t pause[2] = {0, 1'000'000};
    for (int tries = 0; tries < kMostTries; ++tries) {
        systemCall(SYS_nanosleep, reinterpret_cast<long>(pause), 0);
        if (agentCalls.load() == 0 && !isAnyInRecord()) return;
    }
}

} // namespace

AgentCalls::AgentCalls() {
    agentCalls.fetch_add(1);
    ++threadLocal.agentCalls;
    arePermitted_ = restrictions.load() == 0;
}
AgentCalls::~AgentCalls() {
    --threadLocal.agentCalls;
    agentCalls.fetch_sub(1);
}
void AgentCalls::forgetOthers() {
    agentCalls.fetch_sub(threadLocal.agentCalls - 1u);
    threadLocal.agentCalls = 1;
}

namespace {

/// Not checked while another thread restricts this process, because even this check may be forbidden.
bool isChildOfVfork() {
    const AgentCalls calls;
    return calls.arePermitted() && processId() != recording.pid.load(std::memory_order_relaxed);
}

enum class Pause { None, First, Another };

/// Pauses all recording of this process. Done in one step with other pending restrictions: recording must not continue
/// for any of them once this one counts.
Pause pause() {
    std::uint32_t owner = ownerPage->load();
    while (owner == Recording::kThisProcess || owner >= Recording::kPaused) {
        const bool isFirst = owner == Recording::kThisProcess;
        if (ownerPage->compare_exchange_weak(owner, isFirst ? Recording::kPaused : owner + 1))
            return isFirst ? Pause::First : Pause::Another;
    }
    return Pause::None;
}

/// The last one resumes recording.
void resume() {
    std::uint32_t owner = ownerPage->load();
    while (owner >= Recording::kPaused) {
        const bool isLast = owner == Recording::kPaused;
        if (ownerPage->compare_exchange_weak(owner, isLast ? Recording::kThisProcess : owner - 1)) return;
    }
}

/// Other restrictions wait for threads to leave the agent. No system call is made here, because one of the others may
/// already have forbidden it for this thread. (The wait is limited, because this may be a signal handler that
/// interrupted it.)
void waitUntilOthersHaveWaited() {
    constexpr std::uint32_t kMostTurns = 1u << 27;
    for (std::uint32_t turns = 0; restrictionsWaiting.load() != 0 && turns < kMostTurns; ++turns)
        __builtin_ia32_pause();
}

} // namespace

Restriction::Restriction() {
    if (recording.owner == nullptr) return;
    // A forked child that has not done anything yet could not determine its identity later.
    if (ownerPage->load() == Recording::kUnknown) static_cast<void>(adoptForkedChild());
    if (ownerPage->load() == Recording::kNobody) return;
    // A vfork child, in its parent's memory, restricts only itself.
    if (isChildOfVfork()) return;
    restrictions.fetch_add(1);
    restrictionsWaiting.fetch_add(1);
    const Pause paused = pause();
    isUnderWay_ = paused != Pause::None;
    if (paused == Pause::First) {
        pauseTick.store(recording.tick());
        waitUntilThreadsHaveLeft();
    }
    restrictionsWaiting.fetch_sub(1);
    if (paused == Pause::Another) waitUntilOthersHaveWaited();
    if (!isUnderWay_) restrictions.fetch_sub(1);
}

Restriction::~Restriction() {
    if (!isUnderWay_) return;
    resume();
    restrictions.fetch_sub(1);
}

void Restriction::stay() {
    if (!isUnderWay_) return;
    isUnderWay_ = false;
    // If several are permanent, the first one sets the time.
    if (ownerPage->exchange(Recording::kNobody) < Recording::kPaused) return;
    recording.channel.process(recording.processSlot).restrictedTick.store(pauseTick.load() + 1);
}

std::uint32_t threadNumberForReader(std::uint32_t tid) {
    if (recording.readerPid == recording.pid.load(std::memory_order_relaxed)) return tid;
    return recording.readerPid != 0 ? numberInProc("/proc/thread-self", readersProc) : 0;
}

bool adoptForkedChild() {
    if (restrictions.load() != 0) { // no system call is permitted to determine the identity
        ownerPage->store(Recording::kNobody, std::memory_order_release);
        return false;
    }
    // A copy has only this thread, whatever the threads of its parent were doing.
    const std::uint32_t pid = processId();
    std::uint32_t parent = recording.pid.load(std::memory_order_relaxed);
    // Another thread is doing it.
    if (parent == pid || !recording.pid.compare_exchange_strong(parent, pid)) return false;
    agentCalls.store(0);
    recording.threadsOpened.store(0, std::memory_order_relaxed);
    mappedChunks.forgetThreads();
    recording.generation.fetch_add(1, std::memory_order_relaxed);
    const bool wasInReadersNamespace = recording.readerPid == parent;
    recording.readerPid = numberInProc("/proc/self", readersProc);
    // Without the reader's /proc: if the parent has its own number here, this process is in the parent's namespace.
    if (recording.readerPid == 0 && wasInReadersNamespace && systemCall(SYS_getppid) == static_cast<long>(parent))
        recording.readerPid = pid;
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
